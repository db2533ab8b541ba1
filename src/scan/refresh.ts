import { sql } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import * as z from 'zod/mini'
import { compile, directoryDatabase, lazy, param } from '../db/database.ts'
import type { Bindings, Env } from '../env.ts'
import { log } from '../lib/log.ts'
import type { ScanMessage } from '../messages.ts'
import type { ResourceChange } from '../resource/routes.ts'
import { legacyFields, type TagItem } from '../resources/tags.ts'
import type { TagEntry, Venue } from './entry.ts'
import { note, noteVenue } from './memory.ts'
import { readTag, tagKey, venueKey } from './resolve.ts'

/** How long a copy stays in KV, in seconds; it is renewed by every change and by every scan that misses it. */
const keptSeconds = 2_592_000
/** How long after a change its copy is looked at again, in seconds: writes to KV may overtake each other. */
const checkAfterSeconds = 3
/** How long an answer waits for KV. */
const patienceMs = 1_000

export const put = (env: Bindings, key: string, value: TagEntry | Venue) =>
  env.TAGS.put(key, JSON.stringify(value), { expirationTtl: keptSeconds })

const inTime = (env: Bindings, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, patienceMs))]).catch((error: unknown) => {
    log(env, 'copy not written', { error: String(error) })
  })

async function check(env: Bindings, message: ScanMessage, delaySeconds: number) {
  try {
    await env.SCANS.send(message, { delaySeconds })
  } catch (error) {
    log(env, 'copy will not be checked', { kind: message.kind, error: String(error) })
  }
}

function entryOf(merchantId: string, { item, version, deleted }: ResourceChange<TagItem>): TagEntry {
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
const namesOfTag = ({ id, code, legacy }: Names) => [
  ...(code === undefined ? [] : [code]),
  id,
  ...(legacy?.alias ?? []),
]
type Names = Pick<TagItem, 'id'> & z.output<typeof readableNames>

const readableNames = z.object({ code: z.optional(z.string()), legacy: z.optional(legacyFields) })

/** Brings the copies of a tag up to date before its change is answered, and has them looked at again a little later. */
export async function tagChanged(env: Bindings, merchantId: string, change: ResourceChange<TagItem>): Promise<void> {
  const names = namesOfTag(change.item ?? { id: change.id, ...readableNames.parse(change.readable) })
  const entry = entryOf(merchantId, change)
  note(names, entry)
  await inTime(env, Promise.all(names.map((name) => put(env, tagKey(name), entry))))
  await inTime(env, check(env, { kind: 'tag', names }, checkAfterSeconds))
}

/** `tagChanged`, for the routes of tags. */
export const onTagChanged = (c: Context<Env>, change: ResourceChange<TagItem>) =>
  tagChanged(c.env, c.var.scope.merchantId, change)

/** A scan had to ask D1: KV is to know again what it was about. */
export async function tagMissed(env: Bindings, { merchantId, gone }: TagEntry, names: readonly string[]) {
  await check(env, { kind: 'tag', names: [...names] }, 0)
  if (!gone) await check(env, { kind: 'merchant', merchant: merchantId }, 0)
}

const venueRead = lazy(() =>
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
    ({ timezone, ordering_url, sandbox_url, updated_at }): Venue => ({
      version: updated_at,
      timezone,
      ...(ordering_url === null ? {} : { orderingUrl: ordering_url }),
      ...(sandbox_url === null ? {} : { sandboxUrl: sandbox_url }),
    }),
  ),
)

async function readVenue(env: Bindings, id: string): Promise<Venue | undefined> {
  const database = directoryDatabase(env)
  database.usePrimary()
  const [rows = []] = await database.run([venueRead(), { id }])
  return rows.map((row) => venueRow.parse(row))[0]
}

/** Brings a merchant's addresses up to date wherever tags are scanned. */
export async function merchantChanged(env: Bindings, merchantId: string): Promise<void> {
  const copy = async () => {
    const venue = await readVenue(env, merchantId)
    if (!venue) return
    noteVenue(merchantId, venue)
    await put(env, venueKey(merchantId), venue)
  }
  await inTime(env, copy())
  await inTime(env, check(env, { kind: 'merchant', merchant: merchantId }, checkAfterSeconds))
}

/**
 * Writes what D1 says and looks whether it still says so: whoever writes last has seen the last version, however writes overtake
 * each other. Throws when KV fails, or does not come to rest; the message then comes again.
 */
async function settle<Value extends { version: number }>(
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
export async function refreshTag(env: Bindings, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const read = async () => (await readTag(env, [name], true))?.tag
    await settle(read, (tag) => put(env, tagKey(name), tag))
  }
}

/** Looks after a merchant's copy in KV. */
export const refreshVenue = (env: Bindings, merchantId: string) =>
  settle(
    () => readVenue(env, merchantId),
    (venue) => put(env, venueKey(merchantId), venue),
  )

/** Around the operator's routes of merchants: what one makes or changes is where tags are scanned before it is answered. */
export const observeMerchant: MiddlewareHandler<Env> = async (c, next) => {
  await next()
  const merchantId = c.req.param('merchantId') ?? c.res.headers.get('location')?.split('/').pop()
  if (c.req.method === 'POST' && c.res.ok && merchantId) await merchantChanged(c.env, merchantId)
}
