import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, directoryDatabase, lazy, param } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { parseTagNames } from '../lib/tag-code.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import {
  cacheAbsent,
  cacheTag,
  cacheVenue,
  getCachedTag,
  getCachedVenue,
  getSeenVenueVersion,
  getSeenVersion,
  getStaleTag,
  getVersion,
  lastVersion,
  type Resolved,
  toDeleted,
  toResolved,
} from './isolate-cache.ts'
import { type TagRecord, tagRecord, type VenueRecord, venueRecord } from './tag-record.ts'

/** How long KV may answer from its own cache, in seconds. */
export const kvCacheSeconds = 30
/** How long KV and D1 may take before the next is asked. */
export const kvTimeoutMs = 150
export const d1TimeoutMs = 2_000

/** A value of KV; undefined where there is none, and where KV does not answer, or nothing sensible. */
async function readKv<Value>(env: Bindings, key: string, form: z.ZodMiniType<Value>): Promise<Value | undefined> {
  try {
    const value = await withTimeout(kvTimeoutMs, env.TAGS.get(key, { type: 'json', cacheTtl: kvCacheSeconds }))
    return form.safeParse(value).data
  } catch {
    return undefined
  }
}

/** Whether memory or KV knows a merchant. */
export const isKnownMerchant = async (env: Bindings, merchantId: string): Promise<boolean> =>
  getCachedVenue(merchantId, Date.now()) !== undefined ||
  (await readKv(env, toVenueKey(merchantId), venueRecord)) !== undefined

/** What KV knows, and since when; undefined for a miss, and for anything that does not add up: D1 then decides. */
async function resolveFromKv(env: Bindings, name: string, nowMs: number): Promise<[Resolved, number] | undefined> {
  const tag = await readKv(env, toTagKey(name), tagRecord)
  if (!tag || getVersion(tag) < getSeenVersion(name)) return undefined
  if (tag.gone) return [toDeleted(tag), nowMs]
  const { merchantId } = tag
  const known = getCachedVenue(merchantId, nowMs)
  if (known) return [toResolved(tag, known.venue), known.atMs]
  const found = await readKv(env, toVenueKey(merchantId), venueRecord)
  if (!found || found.version < getSeenVenueVersion(merchantId)) return undefined
  cacheVenue(merchantId, found, nowMs)
  return [toResolved(tag, found), nowMs]
}

export const toTagKey = (name: string) => `t:${name}`
export const toVenueKey = (merchantId: string) => `m:${merchantId}`

const findStatement = lazy(() =>
  compile(sql`
    select n.name, t.merchant_id, t.id, t.code, t.test_mode, t.nfc, t.version, t.metadata,
      m.timezone, m.ordering_url, m.sandbox_url, m.updated_at
    from json_each(${param('names')}) as asked cross join tag_names as n on n.name = asked.value
    left join tags as t on t.seq = n.tag left join merchants as m on m.id = t.merchant_id
    order by asked.key limit 1`),
)

const metadata = z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() }))
/** A damaged tag goes on leading guests to its venue, without metadata. */
function readMetadata(json: string) {
  try {
    return metadata.safeParse(JSON.parse(json)).data ?? []
  } catch {
    return []
  }
}

const tagRow = z.object({
  merchant_id: z.string(),
  id: z.string(),
  code: z.string(),
  test_mode: z.number(),
  nfc: z.number(),
  version: z.number(),
  metadata: z.string(),
  timezone: z.string(),
  ordering_url: z.nullable(z.string()),
  sandbox_url: z.nullable(z.string()),
  updated_at: z.number(),
})

const deletedTag: TagRecord = {
  version: lastVersion,
  merchantId: '',
  id: '',
  code: '',
  testMode: false,
  nfc: false,
  shown: [],
  gone: true,
}

/** A row of `found`, as it is kept; a name whose tag is gone has no tag. */
export function parseTagRow(row: Row): Resolved {
  if (row['id'] === null) return toDeleted(deletedTag)
  const { merchant_id: merchantId, id, code, version, ...rest } = tagRow.parse(row)
  const shown = readMetadata(rest.metadata).filter(({ visible }) => visible)
  const tag: TagRecord = {
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
  const place: VenueRecord = { version: rest.updated_at, timezone: rest.timezone, ...addresses }
  return toResolved(tag, place)
}

export interface FoundTag extends Resolved {
  name: string
}

/** What D1 knows of the first of some names that exists; undefined where none does. Asks the nearest replica unless told otherwise. */
export async function readTag(env: Bindings, names: readonly string[], primary = false): Promise<FoundTag | undefined> {
  const database = directoryDatabase(env)
  if (primary) database.usePrimary()
  const [rows = []] = await database.run([findStatement(), { names: JSON.stringify(names) }])
  return rows.map((row) => ({ ...parseTagRow(row), name: String(row['name']) }))[0]
}

/** Whether D1 has answered with less than this isolate has seen: its replica has not heard of it yet. */
function isBehind(found: FoundTag | undefined, names: readonly string[]): boolean {
  if (!found) return names.some((name) => getSeenVersion(name) > 0)
  const { name, tag, venue } = found
  return getVersion(tag) < getSeenVersion(name) || venue.version < getSeenVenueVersion(tag.merchantId)
}

/** `late` where D1 does not answer. */
async function resolveFromD1(env: Bindings, names: readonly string[]): Promise<FoundTag | undefined | typeof timedOut> {
  try {
    const nearest = await withTimeout(d1TimeoutMs, readTag(env, names))
    return nearest !== timedOut && isBehind(nearest, names)
      ? await withTimeout(d1TimeoutMs, readTag(env, names, true))
      : nearest
  } catch (error) {
    log(env, 'tag not read', { error: String(error) })
    return timedOut
  }
}

/** The shortest time between two reads of D1 for addresses that are limited, in milliseconds: one read for all of them. */
export const limitedReadPauseMs = 10_000
let lastLimitedReadMs = Number.NEGATIVE_INFINITY

/** Whether an address that is limited may have D1 read; each time it may, the next pause begins. */
function mayReadD1(nowMs: number): boolean {
  if (Math.abs(nowMs - lastLimitedReadMs) < limitedReadPauseMs) return false
  lastLimitedReadMs = nowMs
  return true
}

/** `resolveFromKv` for each name, as D1 would be asked for all of them. */
async function fromKvByAnyName(env: Bindings, names: readonly string[], nowMs: number): Promise<FoundTag | undefined> {
  for (const name of names) {
    const kept = await resolveFromKv(env, name, nowMs)
    if (kept) return { name, ...cacheTag(name, ...kept) }
  }
  return undefined
}

/**
 * What a path may lead to: a tag, nothing (`unknown`), or nobody can say (`unavailable`). `limited`: neither memory nor KV knows it,
 * and the address it was asked from has asked for too much that does not exist to have D1 read.
 */
export type Resolution = Resolved | 'unknown' | 'unavailable' | 'limited'

/**
 * Where what a guest has scanned leads: from the isolate's memory, else KV, else D1, else the last that was known.
 * `missed` is told of tags that KV should have known, and the names they were asked for by. For an address that is limited D1 is read
 * once in ten seconds at most.
 */
export async function resolve(
  env: Bindings,
  path: string,
  missed: (tag: TagRecord, names: readonly string[]) => void,
  isFromLimited = false,
): Promise<Resolution> {
  const names = parseTagNames(path)
  const [likeliest] = names
  if (likeliest === undefined) return 'unknown'
  const nowMs = Date.now()
  const recalled = getCachedTag(names, nowMs)
  if (recalled) return recalled

  const kept = await resolveFromKv(env, likeliest, nowMs)
  if (kept) return cacheTag(likeliest, ...kept)
  if (isFromLimited) {
    const other = await fromKvByAnyName(env, names.slice(1), nowMs)
    if (other) return other
    if (!mayReadD1(nowMs)) return getStaleTag(names, nowMs) ?? 'limited'
  }

  const read = await resolveFromD1(env, names)
  if (read === timedOut) return getStaleTag(names, nowMs) ?? 'unavailable'
  cacheAbsent(read ? names.slice(0, names.indexOf(read.name)) : names, nowMs)
  if (!read) return 'unknown'
  const { name, ...resolved } = read
  if (!resolved.tag.gone) cacheVenue(resolved.tag.merchantId, resolved.venue, nowMs)
  missed(resolved.tag, names)
  return cacheTag(name, resolved, nowMs)
}
