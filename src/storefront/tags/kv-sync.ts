import { eq } from 'drizzle-orm'
import { lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { db } from '../../platform/db/query.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import type { Bindings, Waiting } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import type { ScanMessage } from '../../platform/messages.ts'
import { applyTagChange, applyVenueChange } from './isolate-cache.ts'
import { readTag, toTagKey, toVenueKey } from './resolve.ts'
import { getId, isPartial, listChangedNames, readChanged, type TagChange, toTagRecord } from './tag-changes.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'
import { selectVenues } from './tag-rows.ts'

/** How long KV keeps a record, in seconds. Each change, and each scan that misses it, renews the record. */
const kvRetentionSeconds = 2_592_000
/** Delay after which a written record is checked, in seconds: an older write to KV may overwrite a later one. */
const checkDelaySeconds = 3
/** Maximum time that a response waits for KV or the queue, in milliseconds. */
const kvWriteTimeoutMs = 1_000
/**
 * Attempts to check a copy after the queue rejected the message. They run after the response, for at most 30 seconds in total. Each pause is twice as
 * long as the previous one.
 */
export const repeatLimits = { attempts: 3, firstPauseMs: 2_000 } as const
/** Maximum number of checks that one attempt makes if the queue rejects them. An invocation has a limited number of calls. */
const maxRepeatedChecks = 10
/** Writes of one key in one sync, before the message is retried. */
const maxWrites = 3

/** Writes a copy of a tag or a venue to KV, which keeps it for `kvRetentionSeconds`. */
export const writeKv = (env: Bindings, key: string, value: TagRecord | VenueRecord) =>
  env.TAGS.put(key, JSON.stringify(value), { expirationTtl: kvRetentionSeconds })

/** Waits for a write, at most until the timeout. Logs a failure. The later check repairs it. */
const waitBriefly = (env: Bindings, work: Promise<unknown>) =>
  withTimeout(kvWriteTimeoutMs, work).catch((error: unknown) => {
    log(env, 'KV write failed', { error: String(error) })
  })

type CheckMessage = Extract<ScanMessage, { kind: 'tag' | 'merchant' }>

/** Maximum number of messages in one call of the queue (documented by Cloudflare). */
const maxQueuedTogether = 100

/** Enqueues checks. Returns those that the queue did not accept within a second. */
async function enqueueChecks(
  env: Bindings,
  checks: readonly CheckMessage[],
  delaySeconds: number,
): Promise<readonly CheckMessage[]> {
  const enqueue = async (some: readonly CheckMessage[]) => {
    try {
      const sending = env.SCANS.sendBatch(
        some.map((body) => ({ body })),
        { delaySeconds },
      )
      return (await withTimeout(kvWriteTimeoutMs, sending)) === timedOut ? some : []
    } catch (error) {
      log(env, 'KV checks not enqueued', { checks: some.length, error: String(error) })
      return some
    }
  }
  const parts = Array.from({ length: Math.ceil(checks.length / maxQueuedTogether) }, (_, part) =>
    checks.slice(part * maxQueuedTogether, (part + 1) * maxQueuedTogether),
  )
  return (await Promise.all(parts.map(enqueue))).flat()
}

/** Enqueues the sync of tags with these names. Throws if the queue does not accept them. */
export async function enqueueTagSyncs(env: Bindings, tags: readonly (readonly string[])[]): Promise<void> {
  const checks = tags.map((names): CheckMessage => ({ kind: 'tag', names: [...names] }))
  if ((await enqueueChecks(env, checks, 0)).length > 0) throw new Error('KV checks not enqueued')
}

/** Makes a check in this invocation. Returns whether it succeeded. */
async function makeCheck(env: Bindings, check: CheckMessage): Promise<boolean> {
  try {
    await (check.kind === 'tag' ? syncTag(env, check.names) : syncVenue(env, check.merchant))
    return true
  } catch (error) {
    log(env, 'KV write failed', { error: String(error) })
    return false
  }
}

/** Tries to enqueue checks again. If that fails, makes some of them in this invocation. Repeats until all are enqueued or made. */
async function repeatChecks(env: Bindings, checks: readonly CheckMessage[]): Promise<void> {
  let left = checks
  let pauseMs: number = repeatLimits.firstPauseMs
  for (let attempt = 0; attempt < repeatLimits.attempts && left.length > 0; attempt++, pauseMs *= 2) {
    await scheduler.wait(pauseMs)
    left = await enqueueChecks(env, left, 0)
    const made = await Promise.all(left.slice(0, maxRepeatedChecks).map((check) => makeCheck(env, check)))
    // Failed checks come last in the next attempt.
    left = [...left.slice(maxRepeatedChecks), ...left.filter((_, index) => made[index] === false)]
  }
  if (left.length > 0) log(env, 'KV checks given up', { checks: left.length })
}

/** Enqueues the checks of written copies. After the response, tries again with those that the queue did not accept. */
async function checkCopies(env: Bindings, waiting: Waiting, checks: readonly CheckMessage[]): Promise<void> {
  const left = await enqueueChecks(env, checks, checkDelaySeconds)
  if (left.length > 0) waiting.waitUntil(repeatChecks(env, left))
}

/** Maximum number of tags that are written to KV before a response. An invocation has a limited number of calls. */
export const maxDirectWrites = 20
/** Maximum number of tags that are written to KV before a response if the queue does not accept them. */
export const maxUnqueuedWrites = 200

/**
 * Writes changed tags to this isolate. Few tags are also written to KV before the response, and their checks are enqueued. Larger numbers are written
 * by the consumer of the queue, and so are tags whose details cannot be read. `attempts` are those of reading names, which only details need.
 */
export async function writeTagChanges(
  env: Bindings,
  waiting: Waiting,
  merchantId: string,
  changes: readonly TagChange[],
  attempts = 1,
): Promise<void> {
  const read = await readChanged(env, merchantId, changes)
  const unnamed = read ? [] : changes.filter((change) => isPartial(change) && !change.item)
  if (unnamed.length > 0 && attempts < repeatLimits.attempts) {
    const again = async () => {
      await scheduler.wait(repeatLimits.firstPauseMs * attempts)
      await writeTagChanges(env, waiting, merchantId, unnamed, attempts + 1)
    }
    waiting.waitUntil(again())
  }
  const records = new Map<CheckMessage, TagRecord | undefined>()
  let venue: VenueRecord | undefined
  for (const change of changes) {
    const found = read?.get(getId(change))
    // Deleted by another request, which writes the deletion.
    if (read && !found && isPartial(change)) continue
    const names = found?.names ?? listChangedNames(change)
    const record = found?.tag ?? (isPartial(change) ? undefined : toTagRecord(merchantId, change))
    if (record) applyTagChange(names, record)
    // Copies of earlier releases lack the website, whose host the tag may need.
    if (record?.url !== undefined || record?.rules) venue = found?.venue
    records.set({ kind: 'tag', names: [...names] }, record)
  }
  const isFew = records.size <= maxDirectWrites
  const checks = isFew ? [...records.keys()] : await enqueueChecks(env, [...records.keys()], 0)
  const writes = checks.slice(0, maxUnqueuedWrites).flatMap((check) => {
    const record = records.get(check)
    return record && check.kind === 'tag' ? check.names.map((name) => writeKv(env, toTagKey(name), record)) : []
  })
  if (venue?.website !== undefined) writes.push(writeKv(env, toVenueKey(merchantId), venue))
  await waitBriefly(env, Promise.all(writes))
  if (isFew) await checkCopies(env, waiting, checks)
  else if (checks.length > 0) waiting.waitUntil(repeatChecks(env, checks))
}

/** Enqueues the sync of a tag and its merchant after a scan whose tag was not read from KV. */
export async function restoreTag(env: Bindings, { merchantId, gone }: TagRecord, names: readonly string[]) {
  const venue: CheckMessage[] = gone ? [] : [{ kind: 'merchant', merchant: merchantId }]
  await enqueueChecks(env, [{ kind: 'tag', names: [...names] }, ...venue], 0)
}

const findVenue = lazy(() =>
  selectVenues((select) =>
    db
      .select(select)
      .from(merchantTable)
      .where(eq(merchantTable.id, param('id'))),
  ),
)

async function readVenue(env: Bindings, id: string): Promise<VenueRecord | undefined> {
  const database = directoryDatabase(env)
  database.usePrimary()
  const [[found]] = await database.run([findVenue(), { id }])
  return found?.venue
}

/** Writes a changed merchant to this isolate and to KV before the response, and enqueues a check. */
export async function writeVenueChange(env: Bindings, waiting: Waiting, merchantId: string): Promise<void> {
  const copy = async () => {
    const venue = await readVenue(env, merchantId)
    if (!venue) return
    applyVenueChange(merchantId, venue)
    await writeKv(env, toVenueKey(merchantId), venue)
  }
  await waitBriefly(env, copy())
  await checkCopies(env, waiting, [{ kind: 'merchant', merchant: merchantId }])
}

/**
 * Writes the row of D1 to KV until D1 has the same version after the write. The last writer has then written the latest version, in any order of
 * writes. Throws if KV fails or the row keeps changing. The message is then retried.
 */
async function writeUntilStable<Value extends { version: number }>(
  read: () => Promise<Value | undefined>,
  write: (value: Value) => Promise<unknown>,
): Promise<void> {
  let value = await read()
  for (let writes = 0; value !== undefined && writes < maxWrites; writes++) {
    if ((await withTimeout(kvWriteTimeoutMs, write(value))) === timedOut) throw new Error('KV does not respond')
    const after = await read()
    if (after?.version === value.version) return
    value = after
  }
  if (value !== undefined) throw new Error('the row changes too fast')
}

/** Writes a tag to KV under each of the names. */
export async function syncTag(env: Bindings, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const read = async () => (await readTag(env, [name], true))?.tag
    await writeUntilStable(read, (tag) => writeKv(env, toTagKey(name), tag))
  }
}

/** Writes a merchant to KV. */
export const syncVenue = (env: Bindings, merchantId: string) =>
  writeUntilStable(
    () => readVenue(env, merchantId),
    (venue) => writeKv(env, toVenueKey(merchantId), venue),
  )
