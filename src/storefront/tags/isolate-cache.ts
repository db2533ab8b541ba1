import { ByteCache, estimateBytes } from '../../platform/lib/byte-cache.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { getRedirectUrl } from './redirect-url.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'

/** How long a cached tag or merchant is fresh, in seconds. */
export const isolateCacheSeconds = 5
/** How long a stale tag is used if KV and D1 fail, in seconds. */
export const staleTagSeconds = daySeconds
/** Budgets of the caches, in bytes: tags under each of their names, merchants, and names that no tag has. */
export const tagMemoryBytes = 16 * 1024 * 1024
export const venueMemoryBytes = 2 * 1024 * 1024
export const absentMemoryBytes = 1024 * 1024
/** Size of the cached headers of a tag's redirect, in bytes. */
const headerBytes = 512

/** A tag and its redirect. Without a `target`, it redirects to the hosted menu. */
export interface Resolved {
  tag: TagRecord
  venue: VenueRecord
  target: string | undefined
}

const unknownVenue: VenueRecord = { version: 0, timezone: 'UTC' }
/** A deleted tag. It has no redirect, so its merchant is not read. */
export const toDeleted = (tag: TagRecord): Resolved => ({ tag, venue: unknownVenue, target: undefined })
/** A tag with the address to which it leads. */
export const toResolved = (tag: TagRecord, venue: VenueRecord): Resolved => ({
  tag,
  venue,
  target: getRedirectUrl(tag, venue),
})

/** Whether the venue takes calls from a tag: it has switched them on, and has no ordering system. */
export const takesCalls = ({ tag, venue }: Pick<Resolved, 'tag' | 'venue'>): boolean =>
  venue.calls === true && (tag.testMode ? venue.sandboxUrl : venue.orderingUrl) === undefined
/** Whether the redirect of a tag has a seat: it shows the hosted menu of a venue that takes calls. */
export const hasSeat = (resolved: Resolved): boolean => resolved.target === undefined && takesCalls(resolved)

interface CachedTag {
  /** Newest version that this isolate has seen. Older records come from a stale replica or cache. */
  version: number
  /** Absent: only the version is known. */
  resolved: Resolved | undefined
  atMs: number
}

const tagCache = new ByteCache<CachedTag>(tagMemoryBytes, (cached) => {
  const target = cached.resolved?.target ?? ''
  return estimateBytes(cached) + headerBytes + estimateBytes(target)
})
const venueCache = new ByteCache<{ venue: VenueRecord; atMs: number }>(venueMemoryBytes)
/** Names that no tag has. They have a separate cache, so that guessed names do not evict tags. */
const absentCache = new ByteCache<number>(absentMemoryBytes)

/** Estimated size of the caches, in bytes. */
export const memoryBytes = () => ({ tags: tagCache.bytes, venues: venueCache.bytes, absent: absentCache.bytes })

const isFresh = (atMs: number, nowMs: number) => nowMs - atMs < isolateCacheSeconds * 1000

/** The version of a deleted tag, which is higher than all others. */
export const lastVersion = Number.MAX_SAFE_INTEGER
/** The version of a tag, for comparisons. */
export const getVersion = ({ gone, version }: TagRecord) => (gone ? lastVersion : version)
/** Newest version of a name's tag that this isolate has seen; 0 if it has seen none. */
export const getSeenVersion = (name: string) => tagCache.get(name)?.version ?? 0

/** Forgets a version of a name's tag, unless the isolate has since seen another version. */
export function forgetVersion(name: string, version: number) {
  if (getSeenVersion(name) === version) tagCache.delete(name)
}

/** Caches a tag and returns the newest one: a response that was requested before a change may arrive after it. */
export function cacheTag(name: string, resolved: Resolved, atMs: number): Resolved {
  const version = getVersion(resolved.tag)
  if (version < getSeenVersion(name)) return tagCache.get(name)?.resolved ?? resolved
  tagCache.set(name, { version, resolved, atMs })
  return resolved
}

/** Keeps a merchant's addresses, unless the isolate has seen a newer version. */
export function cacheVenue(merchantId: string, venue: VenueRecord, atMs: number) {
  if (venue.version >= getSeenVenueVersion(merchantId)) venueCache.set(merchantId, { venue, atMs })
}

/** Newest version of a merchant that this isolate has seen; 0 if it has seen none. */
export const getSeenVenueVersion = (merchantId: string) => venueCache.get(merchantId)?.venue.version ?? 0

/** A fresh cached merchant, and when it was read; undefined if KV or D1 must be read. */
export function getCachedVenue(merchantId: string, nowMs: number) {
  const cached = venueCache.get(merchantId)
  return cached && isFresh(cached.atMs, nowMs) ? cached : undefined
}

/** Caches that no tag has these names. */
export function cacheAbsent(names: readonly string[], nowMs: number) {
  for (const name of names) absentCache.set(name, nowMs)
}

/** The last known redirect of the names. Used if KV and D1 fail. */
export function getStaleTag(names: readonly string[], nowMs: number): Resolved | undefined {
  const cached = names.map((name) => tagCache.get(name)).find((entry) => entry?.resolved)
  return cached && nowMs - cached.atMs < staleTagSeconds * 1000 ? cached.resolved : undefined
}

/** The fresh cached tag of the first name that exists, `unknown` if no name exists; undefined if KV or D1 must be read. */
export function getCachedTag(names: readonly string[], nowMs: number): Resolved | 'unknown' | undefined {
  for (const name of names) {
    const cached = tagCache.get(name)
    if (cached) return isFresh(cached.atMs, nowMs) ? cached.resolved : undefined
    if (!isFresh(absentCache.get(name) ?? 0, nowMs)) return undefined
  }
  return 'unknown'
}

/** Applies a changed tag to the cache. */
export function applyTagChange(names: readonly string[], tag: TagRecord) {
  const version = getVersion(tag)
  for (const name of names) {
    const cached = tagCache.get(name)
    const { tag: known } = cached?.resolved ?? {}
    const isBack = !tag.gone && known?.gone === true && version > known.version
    if (!isBack && version < (cached?.version ?? 0)) continue
    if (tag.gone) tagCache.set(name, { version, resolved: toDeleted(tag), atMs: Date.now() })
    // A restored tag: the record of the deleted one does not know its merchant.
    else if (isBack) tagCache.delete(name)
    else if (!cached?.resolved) tagCache.set(name, { version, resolved: undefined, atMs: 0 })
    else {
      const { resolved, atMs } = cached
      tagCache.set(name, { version, resolved: { ...resolved, tag, target: getRedirectUrl(tag, resolved.venue) }, atMs })
    }
  }
}

/** Applies a changed merchant to the cache, and to its tags. */
export function applyVenueChange(merchantId: string, venue: VenueRecord) {
  cacheVenue(merchantId, venue, Date.now())
  for (const [name, { resolved, ...cached }] of tagCache.entries()) {
    if (resolved?.tag.merchantId !== merchantId || resolved.tag.gone || resolved.venue.version > venue.version) continue
    tagCache.set(name, { ...cached, resolved: { ...resolved, venue, target: getRedirectUrl(resolved.tag, venue) } })
  }
}
