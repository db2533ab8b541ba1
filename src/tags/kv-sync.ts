import { sql } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { compile, directoryDatabase, lazy, param } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import type { Env } from '../http/context.ts'
import { log } from '../lib/log.ts'
import type { ScanMessage } from '../messages.ts'
import type { ResourceChange } from '../resource/routes.ts'
import { legacyFields, type TagItem } from '../resources/tags.ts'
import { applyTagChange, applyVenueChange } from './isolate-cache.ts'
import { readTag, toTagKey, toVenueKey } from './resolve.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'

/** How long a copy stays in KV, in seconds; it is renewed by every change and by every scan that misses it. */
const kvRetentionSeconds = 2_592_000
/** How long after a change its copy is looked at again, in seconds: writes to KV may overtake each other. */
const checkAfterSeconds = 3
/** How long an answer waits for KV. */
const kvWriteTimeoutMs = 1_000

export const writeKv = (env: Bindings, key: string, value: TagRecord | VenueRecord) =>
  env.TAGS.put(key, JSON.stringify(value), { expirationTtl: kvRetentionSeconds })

const withinTimeout = (env: Bindings, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, kvWriteTimeoutMs))]).catch((error: unknown) => {
    log(env, 'copy not written', { error: String(error) })
  })

async function enqueueCheck(env: Bindings, message: ScanMessage, delaySeconds: number) {
  try {
    await env.SCANS.send(message, { delaySeconds })
  } catch (error) {
    log(env, 'copy will not be checked', { kind: message.kind, error: String(error) })
  }
}

function toTagRecord(merchantId: string, { item, version, deleted }: ResourceChange<TagItem>): TagRecord {
  // Nothing is asked of a copy that only says that the tag is gone.
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

/** Everything a tag is reached by. */
const listTagNames = ({ id, code, legacy }: Names) => [
  ...(code === undefined ? [] : [code]),
  id,
  ...(legacy?.alias ?? []),
]
type Names = Pick<TagItem, 'id'> & z.output<typeof readableNames>

const readableNames = z.object({ code: z.optional(z.string()), legacy: z.optional(legacyFields) })

/** Brings the copies of a tag up to date before its change is answered, and has them looked at again a little later. */
export async function writeTagChange(
  env: Bindings,
  merchantId: string,
  change: ResourceChange<TagItem>,
): Promise<void> {
  const names = listTagNames(change.item ?? { id: change.id, ...readableNames.parse(change.readable) })
  const entry = toTagRecord(merchantId, change)
  applyTagChange(names, entry)
  await withinTimeout(env, Promise.all(names.map((name) => writeKv(env, toTagKey(name), entry))))
  await withinTimeout(env, enqueueCheck(env, { kind: 'tag', names }, checkAfterSeconds))
}

/** `writeTagChange`, for the routes of tags. */
export const onTagChanged = (c: Context<Env>, change: ResourceChange<TagItem>) =>
  writeTagChange(c.env, c.var.scope.merchantId, change)

/** A scan had to ask D1: KV is to know again what it was about. */
export async function restoreTag(env: Bindings, { merchantId, gone }: TagRecord, names: readonly string[]) {
  await enqueueCheck(env, { kind: 'tag', names: [...names] }, 0)
  if (!gone) await enqueueCheck(env, { kind: 'merchant', merchant: merchantId }, 0)
}

const venueStatement = lazy(() =>
  compile(sql`select timezone, ordering_url, sandbox_url, updated_at from merchants where id = ${param('id')}`),
)
export const venueRow = z.pipe(
  z.object({
    timezone: z.string(),
    ordering_url: z.nullable(z.string()),
    sandbox_url: z.nullable(z.string()),
    updated_at: z.number(),
  }),
  z.transform(
    ({ timezone, ordering_url, sandbox_url, updated_at }): VenueRecord => ({
      version: updated_at,
      timezone,
      ...(ordering_url === null ? {} : { orderingUrl: ordering_url }),
      ...(sandbox_url === null ? {} : { sandboxUrl: sandbox_url }),
    }),
  ),
)

async function readVenue(env: Bindings, id: string): Promise<VenueRecord | undefined> {
  const database = directoryDatabase(env)
  database.usePrimary()
  const [rows = []] = await database.run([venueStatement(), { id }])
  return rows.map((row) => venueRow.parse(row))[0]
}

/** Brings a merchant's addresses up to date wherever tags are scanned. */
export async function writeVenueChange(env: Bindings, merchantId: string): Promise<void> {
  const copy = async () => {
    const venue = await readVenue(env, merchantId)
    if (!venue) return
    applyVenueChange(merchantId, venue)
    await writeKv(env, toVenueKey(merchantId), venue)
  }
  await withinTimeout(env, copy())
  await withinTimeout(env, enqueueCheck(env, { kind: 'merchant', merchant: merchantId }, checkAfterSeconds))
}

/**
 * Writes what D1 says and looks whether it still says so: whoever writes last has seen the last version, however writes overtake
 * each other. Throws when KV fails, or does not come to rest; the message then comes again.
 */
async function writeUntilStable<Value extends { version: number }>(
  read: () => Promise<Value | undefined>,
  write: (value: Value) => Promise<unknown>,
): Promise<void> {
  let value = await read()
  for (let tries = 0; value !== undefined && tries < 3; tries++) {
    await write(value)
    const after = await read()
    if (after?.version === value.version) return
    value = after
  }
  if (value !== undefined) throw new Error('the copy does not come to rest')
}

/** Looks after a tag's copies in KV, as a message of the queue asks. */
export async function syncTag(env: Bindings, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const read = async () => (await readTag(env, [name], true))?.tag
    await writeUntilStable(read, (tag) => writeKv(env, toTagKey(name), tag))
  }
}

/** Looks after a merchant's copy in KV. */
export const syncVenue = (env: Bindings, merchantId: string) =>
  writeUntilStable(
    () => readVenue(env, merchantId),
    (venue) => writeKv(env, toVenueKey(merchantId), venue),
  )

/** Around the operator's routes of merchants: what one makes or changes is where tags are scanned before it is answered. */
export const observeMerchant: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const merchantId = c.req.param('merchantId') ?? c.res.headers.get('location')?.split('/').pop()
  if (c.req.method === 'POST' && c.res.ok && merchantId) await writeVenueChange(c.env, merchantId)
}
