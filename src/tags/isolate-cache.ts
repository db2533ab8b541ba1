import { ByteCache, estimateBytes } from '../lib/byte-cache.ts'
import { getRedirectUrl } from './redirect-url.ts'
import type { TagRecord, VenueRecord } from './tag-record.ts'

/** How long an isolate goes by what it knows, in seconds. */
export const isolateCacheSeconds = 5
/** For how long an old answer is better than none, in seconds. */
export const staleTagSeconds = 86_400
/** Budgets for what an isolate remembers, in bytes: tags under each of their names, merchants' addresses, names that no tag has. */
export const tagMemoryBytes = 16 * 1024 * 1024
export const venueMemoryBytes = 2 * 1024 * 1024
export const absentMemoryBytes = 1024 * 1024
/** The headers of a tag's redirect, which are kept beside it. */
const headerBytes = 512

/** Where a tag leads; without a `target` to the hosted menu. */
export interface Resolved {
  tag: TagRecord
  venue: VenueRecord
  target: string | undefined
}

const unknownVenue: VenueRecord = { version: 0, timezone: 'UTC' }
/** What is known of a tag that is gone. */
export const toDeleted = (tag: TagRecord): Resolved => ({ tag, venue: unknownVenue, target: undefined })
export const toResolved = (tag: TagRecord, venue: VenueRecord): Resolved => ({
  tag,
  venue,
  target: getRedirectUrl(tag, venue),
})

interface CachedTag {
  /** The newest version that was seen. What is older comes from a storage that has not heard of it yet. */
  version: number
  /** Absent: only that there is such a version is known. */
  resolved: Resolved | undefined
  atMs: number
}

const tagCache = new ByteCache<CachedTag>(tagMemoryBytes, (known) => {
  const target = known.resolved?.target ?? ''
  return estimateBytes(known) + headerBytes + estimateBytes(target)
})
const venueCache = new ByteCache<{ venue: VenueRecord; atMs: number }>(venueMemoryBytes)
/** Names that no tag has. Apart, so that whoever tries out names drives no tag from the memory. */
const absentCache = new ByteCache<number>(absentMemoryBytes)

/** Estimated size of what is remembered, in bytes. */
export const memoryBytes = () => ({ tags: tagCache.bytes, venues: venueCache.bytes, absent: absentCache.bytes })

const isFresh = (atMs: number, nowMs: number) => nowMs - atMs < isolateCacheSeconds * 1000

/** A version that nothing comes behind: a deleted tag stays deleted. */
export const lastVersion = Number.MAX_SAFE_INTEGER
export const getVersion = ({ gone, version }: TagRecord) => (gone ? lastVersion : version)
/** The newest version of a name's tag that this isolate has seen. */
export const getSeenVersion = (name: string) => tagCache.get(name)?.version ?? 0

/** Whoever asked before a change may be answered behind it: what is newer stays. */
export function cacheTag(name: string, resolved: Resolved, atMs: number): Resolved {
  const version = getVersion(resolved.tag)
  if (version < getSeenVersion(name)) return tagCache.get(name)?.resolved ?? resolved
  tagCache.set(name, { version, resolved, atMs })
  return resolved
}

export function cacheVenue(merchantId: string, venue: VenueRecord, atMs: number) {
  if (venue.version >= getSeenVenueVersion(merchantId)) venueCache.set(merchantId, { venue, atMs })
}

/** The newest version of a merchant that this isolate has seen. */
export const getSeenVenueVersion = (merchantId: string) => venueCache.get(merchantId)?.venue.version ?? 0

/** A merchant's addresses, and since when they are known; undefined where they have to be asked for. */
export function getCachedVenue(merchantId: string, nowMs: number) {
  const known = venueCache.get(merchantId)
  return known && isFresh(known.atMs, nowMs) ? known : undefined
}

/** Makes this isolate go by it that no tag has these names. */
export function cacheAbsent(names: readonly string[], nowMs: number) {
  for (const name of names) absentCache.set(name, nowMs)
}

/** The last answer that was known, for when nobody answers. */
export function getStaleTag(names: readonly string[], nowMs: number): Resolved | undefined {
  const known = names.map((name) => tagCache.get(name)).find((known) => known?.resolved)
  return known && nowMs - known.atMs < staleTagSeconds * 1000 ? known.resolved : undefined
}

/** What the isolate knows of the first of some names that exists; undefined where it has to ask. */
export function getCachedTag(names: readonly string[], nowMs: number): Resolved | 'unknown' | undefined {
  for (const name of names) {
    const known = tagCache.get(name)
    if (known) return isFresh(known.atMs, nowMs) ? known.resolved : undefined
    if (!isFresh(absentCache.get(name) ?? 0, nowMs)) return undefined
  }
  return 'unknown'
}

/** Makes this isolate go by a change at once. */
export function applyTagChange(names: readonly string[], tag: TagRecord) {
  const version = getVersion(tag)
  for (const name of names) {
    const known = tagCache.get(name)
    if (version < (known?.version ?? 0)) continue
    if (tag.gone) tagCache.set(name, { version, resolved: toDeleted(tag), atMs: Date.now() })
    else if (!known?.resolved) tagCache.set(name, { version, resolved: undefined, atMs: 0 })
    else {
      const { resolved, atMs } = known
      tagCache.set(name, { version, resolved: { ...resolved, tag, target: getRedirectUrl(tag, resolved.venue) }, atMs })
    }
  }
}

/** Makes this isolate go by a merchant's new addresses at once. */
export function applyVenueChange(merchantId: string, venue: VenueRecord) {
  cacheVenue(merchantId, venue, Date.now())
  for (const [name, { resolved, ...known }] of tagCache.entries()) {
    if (resolved?.tag.merchantId !== merchantId || resolved.tag.gone || resolved.venue.version > venue.version) continue
    tagCache.set(name, { ...known, resolved: { ...resolved, venue, target: getRedirectUrl(resolved.tag, venue) } })
  }
}
