import { eq, type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { detailTable } from '../../platform/db/schema/objects/details.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { parseTagNames } from '../../platform/lib/tag-code.ts'
import { timedOut, withTimeout } from '../../platform/lib/time.ts'
import {
  cacheAbsent,
  cacheTag,
  cacheVenue,
  forgetVersion,
  getCachedTag,
  getCachedVenue,
  getSeenVenueVersion,
  getSeenVersion,
  getStaleTag,
  getVersion,
  type Resolved,
  toDeleted,
  toResolved,
} from './isolate-cache.ts'
import { type TagRecord, tagRecord, venueRecord } from './tag-record.ts'
import { createTagStatement, type FoundTag, isElsewhere, type NameElsewhere, tagJoins } from './tag-rows.ts'

/** `cacheTtl` of reads of KV, in seconds. */
const kvCacheSeconds = 30
/** Timeouts of KV and D1, in milliseconds. After a timeout, the next source is read. */
export const kvTimeoutMs = 150
const d1TimeoutMs = 2_000

/** Reads a value of KV; undefined for a miss, a timeout, a failure and a malformed value. */
async function readKv<Value>(env: Bindings, key: string, schema: z.ZodMiniType<Value>): Promise<Value | undefined> {
  try {
    const value = await withTimeout(kvTimeoutMs, env.TAGS.get(key, { type: 'json', cacheTtl: kvCacheSeconds }))
    return schema.safeParse(value).data
  } catch {
    return undefined
  }
}

/** Whether the isolate's cache or KV has a merchant. */
export const isKnownMerchant = async (env: Bindings, merchantId: string): Promise<boolean> =>
  getCachedVenue(merchantId, Date.now()) !== undefined ||
  (await readKv(env, toVenueKey(merchantId), venueRecord)) !== undefined

/** Resolves a name from KV, with the time of its data; undefined for a miss and for data older than this isolate has seen. */
async function resolveFromKv(env: Bindings, name: string, nowMs: number): Promise<[Resolved, number] | undefined> {
  const tag = await readKv(env, toTagKey(name), tagRecord)
  if (!tag || getVersion(tag) < getSeenVersion(name)) return undefined
  if (tag.gone) return [toDeleted(tag), nowMs]
  const { merchantId } = tag
  const cached = getCachedVenue(merchantId, nowMs)
  if (cached) return [toResolved(tag, cached.venue), cached.atMs]
  const found = await readKv(env, toVenueKey(merchantId), venueRecord)
  if (!found || found.version < getSeenVenueVersion(merchantId)) return undefined
  cacheVenue(merchantId, found, nowMs)
  return [toResolved(tag, found), nowMs]
}

/** Key of a tag in KV, by one of its names. */
export const toTagKey = (name: string) => `t:${name}`
/** Key of a merchant's addresses in KV. */
export const toVenueKey = (merchantId: string) => `m:${merchantId}`

/** The names that exist. `cross join` makes the list of names the outer loop. */
const selectNames = (select: Record<string, SQL.Aliased>) =>
  db
    .select(select)
    .from(sql`json_each(${param('names')}) as requested`)
    .crossJoin(tagNameTable)
    .leftJoin(tagTable, tagJoins.tag)
    .leftJoin(homeTable, tagJoins.home)
    .leftJoin(merchantTable, tagJoins.merchant)
    .leftJoin(detailTable, tagJoins.details)
    .where(eq(tagNameTable.name, sql`requested.value`))
    .orderBy(sql`requested.key`)
const findTag = lazy(() => createTagStatement((select) => selectNames(select).limit(1)))
/** A statement that reads the tags of `:names`. */
export const findTags = lazy(() => createTagStatement(selectNames))

/** Reads tags from the objects that have them, with one round trip for each object. Leaves out tags that were never created. */
export async function readTagsElsewhere(env: Bindings, names: readonly NameElsewhere[]): Promise<FoundTag[]> {
  const read = async ([first, ...others]: readonly NameElsewhere[]) => {
    if (!first) return []
    const values = { names: JSON.stringify([first, ...others].map(({ name }) => name)) }
    const [tags] = await merchantDatabase(env, first.merchant).run([findTags(), values])
    return tags.flatMap((tag) => (isElsewhere(tag) ? [] : [tag]))
  }
  const byMerchant = Map.groupBy(names, ({ merchant }) => merchant.merchantId)
  return (await Promise.all(byMerchant.values().map(read))).flat()
}

/** Reads the first existing name of a list from D1; undefined if none exists. Reads the nearest replica unless `primary`. */
export async function readTag(env: Bindings, names: readonly string[], primary = false): Promise<FoundTag | undefined> {
  const database = directoryDatabase(env)
  if (primary) database.usePrimary()
  const [[found]] = await database.run([findTag(), { names: JSON.stringify(names) }])
  return found && isElsewhere(found) ? (await readTagsElsewhere(env, [found]))[0] : found
}

/** Whether a row of D1 is older than the version that this isolate has seen, or may be missing, because the replica is stale. */
function isBehind(found: FoundTag | undefined, names: readonly string[], isRateLimited: boolean): boolean {
  if (!found) return !isRateLimited || names.some((name) => getSeenVersion(name) > 0)
  const { name, tag, venue } = found
  return getVersion(tag) < getSeenVersion(name) || venue.version < getSeenVenueVersion(tag.merchantId)
}

/** Reads names from the primary. Forgets versions that the primary does not have, because earlier data was restored. */
async function readPrimary(env: Bindings, names: readonly string[]): Promise<FoundTag | undefined | typeof timedOut> {
  const seen = names.map((name) => [name, getSeenVersion(name)] as const)
  const found = await withTimeout(d1TimeoutMs, readTag(env, names, true))
  if (found === timedOut) return found
  for (const [name, version] of seen) {
    const isFound = name === found?.name
    if (version > (isFound ? getVersion(found.tag) : 0)) forgetVersion(name, version)
    if (isFound) break
  }
  return found
}

/**
 * Resolves names from D1; `timedOut` also for a failure. Reads the primary if the replica is stale, and before it reports a name as unknown, unless
 * the IP address is rate-limited.
 */
async function resolveFromD1(
  env: Bindings,
  names: readonly string[],
  isRateLimited: boolean,
): Promise<FoundTag | undefined | typeof timedOut> {
  try {
    const nearest = await withTimeout(d1TimeoutMs, readTag(env, names))
    return nearest !== timedOut && isBehind(nearest, names, isRateLimited) ? await readPrimary(env, names) : nearest
  } catch (error) {
    log(env, 'tag not read', { error: String(error) })
    return timedOut
  }
}

/** Minimum time between two reads of D1 for all rate-limited IP addresses together, in milliseconds. */
const limitedReadPauseMs = 10_000
let lastLimitedReadMs = Number.NEGATIVE_INFINITY

/** Whether a request of a rate-limited IP address may read D1. Each permitted read starts the next pause. */
function mayReadD1(nowMs: number): boolean {
  if (Math.abs(nowMs - lastLimitedReadMs) < limitedReadPauseMs) return false
  lastLimitedReadMs = nowMs
  return true
}

/** `resolveFromKv` for each of the names. */
async function resolveAnyFromKv(env: Bindings, names: readonly string[], nowMs: number): Promise<FoundTag | undefined> {
  for (const name of names) {
    const found = await resolveFromKv(env, name, nowMs)
    if (found) return { name, ...cacheTag(name, ...found) }
  }
  return undefined
}

/**
 * The result for a path: a tag; `unknown`: no tag has this name; `unavailable`: no source responds. `limited`: neither the cache nor KV has it, and
 * D1 is not read because the IP address has exceeded its limit of misses.
 */
type Resolution = Resolved | 'unknown' | 'unavailable' | 'limited'

/**
 * Resolves a scanned path from the first source that has it: the isolate's cache, KV, D1, the stale cache. Calls `onKvMiss` with a tag that was read
 * from D1, and its requested names. Rate-limited IP addresses together read D1 at most once in `limitedReadPauseMs`.
 */
export async function resolveScan(
  env: Bindings,
  path: string,
  onKvMiss: (tag: TagRecord, names: readonly string[]) => void,
  isRateLimited = false,
): Promise<Resolution> {
  const names = parseTagNames(path)
  const [firstName] = names
  if (firstName === undefined) return 'unknown'
  const nowMs = Date.now()
  const cached = getCachedTag(names, nowMs)
  if (cached) return cached

  const found = await resolveFromKv(env, firstName, nowMs)
  if (found) return cacheTag(firstName, ...found)
  if (isRateLimited) {
    const other = await resolveAnyFromKv(env, names.slice(1), nowMs)
    if (other) return other
    if (!mayReadD1(nowMs)) return getStaleTag(names, nowMs) ?? 'limited'
  }

  const read = await resolveFromD1(env, names, isRateLimited)
  if (read === timedOut)
    return (await resolveAnyFromKv(env, names.slice(1), nowMs)) ?? getStaleTag(names, nowMs) ?? 'unavailable'
  cacheAbsent(read ? names.slice(0, names.indexOf(read.name)) : names, nowMs)
  if (!read) return 'unknown'
  const { name, ...resolved } = read
  if (!resolved.tag.gone) cacheVenue(resolved.tag.merchantId, resolved.venue, nowMs)
  onKvMiss(resolved.tag, names)
  return cacheTag(name, resolved, nowMs)
}
