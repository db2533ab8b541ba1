import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { compile, directoryDatabase, lazy, type Row } from '../core/database.ts'
import type { Bindings } from '../env.ts'
import { namesOf, type TagEntry, tagEntry, type Venue, venue } from './entry.ts'
import { targetOf } from './target.ts'

/** How long an isolate goes by what it knows, and how long KV may answer from its own cache, in seconds. */
export const memorySeconds = 5
export const kvCacheSeconds = 30
/** How long KV and D1 may take before the next is asked. */
export const kvPatienceMs = 150
export const d1PatienceMs = 2_000
/** For how long an old answer is better than none, in seconds. */
export const staleSeconds = 86_400
const mostRemembered = 20_000

/** Where a tag leads; without a `target` to the hosted menu. */
export interface Resolved {
  tag: TagEntry
  venue: Venue
  target: string | undefined
}

interface Remembered {
  /** Absent: there is no such tag. */
  resolved: Resolved | undefined
  atMs: number
}

const memory = new Map<string, Remembered>()
const venues = new Map<string, { venue: Venue; atMs: number }>()

function remember(name: string, resolved: Resolved | undefined, atMs: number) {
  if (memory.size >= mostRemembered) memory.clear()
  memory.set(name, { resolved, atMs })
  return resolved
}

/** Makes this isolate go by a change at once. */
export function note(names: readonly string[], tag: TagEntry) {
  for (const name of names) {
    const known = memory.get(name)?.resolved
    if (known) remember(name, { ...known, tag, target: targetOf(tag, known.venue) }, Date.now())
    else memory.delete(name)
  }
}

/** Makes this isolate ask again where the tags of a merchant lead. */
export function forgetVenue(merchantId: string) {
  venues.delete(merchantId)
  for (const [name, { resolved }] of memory) if (resolved?.tag.merchantId === merchantId) memory.delete(name)
}

const late = Symbol('late')
/** A promise's value, or `late` when it takes too long. */
function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | typeof late> {
  let timer: ReturnType<typeof setTimeout>
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/** A value of KV; undefined where there is none, and `late` where KV does not answer, or nothing sensible. */
async function readKv<Value>(
  env: Bindings,
  key: string,
  form: z.ZodType<Value>,
): Promise<Value | undefined | typeof late> {
  try {
    const value = await within(kvPatienceMs, env.TAGS.get(key, { type: 'json', cacheTtl: kvCacheSeconds }))
    if (value === late || value === null) return value ?? undefined
    const parsed = form.safeParse(value)
    return parsed.success ? parsed.data : undefined
  } catch {
    return late
  }
}

/** `undefined` for a miss, and for anything that does not add up: D1 then decides. */
async function fromKv(env: Bindings, name: string, known: Resolved | undefined): Promise<Resolved | undefined> {
  const tag = await readKv(env, tagKey(name), tagEntry)
  if (tag === undefined || tag === late || (known && known.tag.version > tag.version)) return undefined
  if (tag.gone) return { tag, venue: nowhere, target: undefined }
  const remembered = venues.get(tag.merchantId)
  const fresh = remembered && Date.now() - remembered.atMs < memorySeconds * 1000 ? remembered.venue : undefined
  const found = fresh ?? (await readKv(env, venueKey(tag.merchantId), venue))
  if (found === undefined || found === late) return undefined
  if (!fresh) venues.set(tag.merchantId, { venue: found, atMs: Date.now() })
  return { tag, venue: found, target: targetOf(tag, found) }
}

const nowhere: Venue = { version: 0, timezone: 'UTC' }

export const tagKey = (name: string) => `t:${name}`
export const venueKey = (merchantId: string) => `m:${merchantId}`

const found = lazy(() =>
  compile(sql`
    select n.name, t.merchant_id, t.id, t.code, t.test_mode, t.nfc, t.version, t.metadata,
      m.timezone, m.ordering_url, m.sandbox_url, m.updated_at
    from json_each(${sql.placeholder('names')}) as asked cross join tag_names as n on n.name = asked.value
    left join tags as t on t.seq = n.tag left join merchants as m on m.id = t.merchant_id
    order by asked.key limit 1`),
)

const metadata = z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() }))
const living = z.object({
  merchant_id: z.string(),
  id: z.string(),
  code: z.string(),
  test_mode: z.number(),
  nfc: z.number(),
  version: z.number(),
  metadata: z.string(),
  timezone: z.string(),
  ordering_url: z.string().nullable(),
  sandbox_url: z.string().nullable(),
  updated_at: z.number(),
})

/** A version that nothing comes behind: a deleted tag stays deleted. */
const last = Number.MAX_SAFE_INTEGER
const gone: TagEntry = {
  version: last,
  merchantId: '',
  id: '',
  code: '',
  testMode: false,
  nfc: false,
  shown: [],
  gone: true,
}

/** A row of `found`, as it is kept; a name whose tag is gone has no tag. */
export function resolvedFrom(row: Row): Resolved {
  if (row['id'] === null) return { tag: gone, venue: nowhere, target: undefined }
  const { merchant_id: merchantId, id, code, version, ...rest } = living.parse(row)
  const shown = metadata.parse(JSON.parse(rest.metadata)).filter(({ visible }) => visible)
  const tag: TagEntry = {
    version,
    merchantId,
    id,
    code,
    testMode: rest.test_mode === 1,
    nfc: rest.nfc === 1,
    shown: shown.map(({ key, value }) => [key, value]),
    gone: false,
  }
  const addresses = {
    ...(rest.ordering_url === null ? {} : { orderingUrl: rest.ordering_url }),
    ...(rest.sandbox_url === null ? {} : { sandboxUrl: rest.sandbox_url }),
  }
  const place: Venue = { version: rest.updated_at, timezone: rest.timezone, ...addresses }
  return { tag, venue: place, target: targetOf(tag, place) }
}

/** What D1 knows of the first of some names that exists; undefined where none does. Asks the nearest replica unless told otherwise. */
export async function readTag(env: Bindings, names: readonly string[], primary = false): Promise<Resolved | undefined> {
  const database = directoryDatabase(env)
  if (primary) database.usePrimary()
  const [rows = []] = await database.run([found(), { names: JSON.stringify(names) }])
  return rows.map(resolvedFrom)[0]
}

/** What a path may lead to: a tag, nothing (`unknown`), or nobody can say (`unavailable`). */
export type Resolution = Resolved | 'unknown' | 'unavailable'

/**
 * Where what a guest has scanned leads: from the isolate's memory, else KV, else D1, else the last that was known.
 * `missed` is told of tags that KV should have known.
 */
export async function resolve(env: Bindings, path: string, missed: (tag: TagEntry) => void): Promise<Resolution> {
  const names = namesOf(path)
  const [name] = names
  if (name === undefined) return 'unknown'
  const nowMs = Date.now()
  const known = memory.get(name)
  if (known && nowMs - known.atMs < memorySeconds * 1000) return known.resolved ?? 'unknown'

  const kept = await fromKv(env, name, known?.resolved)
  if (kept) {
    remember(name, kept, nowMs)
    return kept
  }
  try {
    const read = await within(d1PatienceMs, readTag(env, names))
    if (read !== late) {
      // A replica may lag behind what this isolate has seen.
      const newer = known?.resolved && read && known.resolved.tag.version > read.tag.version ? known.resolved : read
      if (newer && !newer.tag.gone) missed(newer.tag)
      return remember(name, newer, nowMs) ?? 'unknown'
    }
  } catch (error) {
    console.error(JSON.stringify({ message: 'tag not read', error: String(error) }))
  }
  if (known?.resolved && nowMs - known.atMs < staleSeconds * 1000) return known.resolved
  return 'unavailable'
}
