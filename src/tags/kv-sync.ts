import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { lazy, param } from '../db/database.ts'
import { directoryDatabase } from '../db/home/connect.ts'
import { db } from '../db/query.ts'
import { merchantTable } from '../db/schema/merchants.ts'
import type { Bindings, Waiting } from '../env.ts'
import type { Env } from '../http/context.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import type { ScanMessage } from '../messages.ts'
import type { ResourceChange } from '../resource/routes.ts'
import { listTagNames, type TagItem } from '../resources/tags.ts'
import { applyTagChange, applyVenueChange } from './isolate-cache.ts'
import { readTag, toTagKey, toVenueKey } from './resolve.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'
import { selectVenues } from './tag-rows.ts'

/** How long KV keeps a record, in seconds. Each change, and each scan that misses it, renews the record. */
const kvRetentionSeconds = 2_592_000
/** Delay after which a written record is checked, in seconds: a write to KV may overtake a later one. */
const checkDelaySeconds = 3
/** Longest time that a response waits for KV or the queue. */
const kvWriteTimeoutMs = 1_000
/**
 * Attempts to check a copy after the queue rejected the message. They run after the response, which allows 30 seconds in all. Each pause is
 * twice as long as the one before.
 */
export const repeatLimits = { attempts: 3, firstPauseMs: 2_000 } as const
/** Writes of one key in one sync, before the message is retried. */
const maxWrites = 3

export const writeKv = (env: Bindings, key: string, value: TagRecord | VenueRecord) =>
  env.TAGS.put(key, JSON.stringify(value), { expirationTtl: kvRetentionSeconds })

/** Waits for a write, but not longer than the timeout. A failure is logged: the check repairs it. */
const waitBriefly = (env: Bindings, work: Promise<unknown>) =>
  withTimeout(kvWriteTimeoutMs, work).catch((error: unknown) => {
    log(env, 'KV write failed', { error: String(error) })
  })

type CheckMessage = Exclude<ScanMessage, { kind: 'scan' }>

/** Returns whether the queue took the check. */
async function enqueueCheck(env: Bindings, message: CheckMessage, delaySeconds: number): Promise<boolean> {
  try {
    await env.SCANS.send(message, { delaySeconds })
    return true
  } catch (error) {
    log(env, 'KV check not enqueued', { kind: message.kind, error: String(error) })
    return false
  }
}

/** Tries to enqueue a check again or, if that fails, to make it here, until one of them succeeds. */
async function repeatCheck(env: Bindings, message: CheckMessage): Promise<void> {
  let pauseMs: number = repeatLimits.firstPauseMs
  for (let attempt = 0; attempt < repeatLimits.attempts; attempt++, pauseMs *= 2) {
    await scheduler.wait(pauseMs)
    if ((await withTimeout(kvWriteTimeoutMs, enqueueCheck(env, message, 0))) === true) return
    const synced = message.kind === 'tag' ? syncTag(env, message.names) : syncVenue(env, message.merchant)
    try {
      await synced
      return
    } catch (error) {
      log(env, 'KV write failed', { error: String(error) })
    }
  }
}

/** Enqueues the check of a written copy. If the queue does not take it within a second, tries again after the response. */
async function checkCopy(env: Bindings, waiting: Waiting, message: CheckMessage): Promise<void> {
  const isEnqueued = await withTimeout(kvWriteTimeoutMs, enqueueCheck(env, message, checkDelaySeconds))
  if (isEnqueued !== true) waiting.waitUntil(repeatCheck(env, message))
}

/** Enqueues the sync of tags whose copies no other code writes. Returns whether it succeeded. */
async function enqueueSyncs(env: Bindings, messages: readonly ScanMessage[], delaySeconds = 0): Promise<boolean> {
  try {
    const batch = messages.map((body) => ({ body }))
    const sent = await withTimeout(kvWriteTimeoutMs, env.SCANS.sendBatch(batch, { delaySeconds }))
    return sent !== timedOut
  } catch (error) {
    log(env, 'KV syncs not enqueued', { messages: messages.length, error: String(error) })
    return false
  }
}

function toTagRecord(merchantId: string, { item, version, deleted }: ResourceChange<TagItem>): TagRecord {
  // Of a deleted tag only `gone` and `version` are read.
  if (!item) return { version, merchantId, id: '', code: '', testMode: false, nfc: false, shown: [], gone: true }
  return {
    version,
    merchantId,
    id: item.id,
    code: item.code,
    testMode: item.testMode,
    nfc: item.nfc,
    shown: item.metadata.filter(({ visible }) => visible).map(({ key, value }) => [key, value]),
    gone: deleted,
  }
}

const listChangedNames = (change: ResourceChange<TagItem>) =>
  listTagNames(change.item ?? { ...change.readable, id: change.id })

/** Writes a changed tag to this isolate and to KV before the response, and enqueues a check. */
export async function writeTagChange(
  env: Bindings,
  waiting: Waiting,
  merchantId: string,
  change: ResourceChange<TagItem>,
): Promise<void> {
  const names = listChangedNames(change)
  const record = toTagRecord(merchantId, change)
  applyTagChange(names, record)
  await waitBriefly(env, Promise.all(names.map((name) => writeKv(env, toTagKey(name), record))))
  await checkCopy(env, waiting, { kind: 'tag', names })
}

/** Most tags of one batch that are written to KV before the response: an invocation has a limited number of calls. */
export const maxDirectWrites = 20
/** Messages in one call of the queue, as Cloudflare documents it. */
const maxQueuedTogether = 100

/**
 * Writes the changed tags of a batch to this isolate. A few tags are written to KV as `writeTagChange` does; of more, the consumer of
 * the queue writes them.
 */
export async function writeTagChanges(
  env: Bindings,
  waiting: Waiting,
  merchantId: string,
  changes: readonly ResourceChange<TagItem>[],
): Promise<void> {
  const writeDirectly = (some: readonly ResourceChange<TagItem>[]) =>
    Promise.all(some.map((change) => writeTagChange(env, waiting, merchantId, change)))
  if (changes.length <= maxDirectWrites) {
    await writeDirectly(changes)
    return
  }
  const syncs = changes.map((change): ScanMessage => {
    const names = listChangedNames(change)
    applyTagChange(names, toTagRecord(merchantId, change))
    return { kind: 'tag', names }
  })
  for (let start = 0; start < syncs.length; start += maxQueuedTogether) {
    const end = start + maxQueuedTogether
    if (!(await enqueueSyncs(env, syncs.slice(start, end)))) await writeDirectly(changes.slice(start, end))
  }
}

/** Enqueues the sync of tags that may have changed: the answer of the transaction was lost. */
export async function enqueueTagSyncs(env: Bindings, changes: readonly ResourceChange<TagItem>[]): Promise<void> {
  const syncs = changes.map((change): ScanMessage => ({ kind: 'tag', names: listChangedNames(change) }))
  for (let start = 0; start < syncs.length; start += maxQueuedTogether) {
    await enqueueSyncs(env, syncs.slice(start, start + maxQueuedTogether), checkDelaySeconds)
  }
}

/** `writeTagChange`, for the routes of tags. */
export const onTagChanged = (c: Context<Env>, change: ResourceChange<TagItem>) =>
  writeTagChange(c.env, c.executionCtx, c.var.scope.merchantId, change)

/** Enqueues the sync of a tag and its merchant after a scan whose tag was not read from KV. */
export async function restoreTag(env: Bindings, { merchantId, gone }: TagRecord, names: readonly string[]) {
  await enqueueCheck(env, { kind: 'tag', names: [...names] }, 0)
  if (!gone) await enqueueCheck(env, { kind: 'merchant', merchant: merchantId }, 0)
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
  await checkCopy(env, waiting, { kind: 'merchant', merchant: merchantId })
}

/**
 * Writes the row of D1 to KV until D1 has the same version after the write. The last writer has then written the last version, in
 * whatever order the writes arrive. Throws where KV fails or the row keeps changing; the message is then retried.
 */
async function writeUntilStable<Value extends { version: number }>(
  read: () => Promise<Value | undefined>,
  write: (value: Value) => Promise<unknown>,
): Promise<void> {
  let value = await read()
  for (let writes = 0; value !== undefined && writes < maxWrites; writes++) {
    await write(value)
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
