import { ByteCache, estimateBytes } from '../lib/byte-cache.ts'
import type { TagEntry, Venue } from './entry.ts'
import { targetOf } from './target.ts'

/** How long an isolate goes by what it knows, in seconds. */
export const memorySeconds = 5
/** For how long an old answer is better than none, in seconds. */
export const staleSeconds = 86_400
/** Budgets for what an isolate remembers, in bytes: tags under each of their names, merchants' addresses, names that no tag has. */
export const tagMemoryBytes = 16 * 1024 * 1024
export const venueMemoryBytes = 2 * 1024 * 1024
export const absentMemoryBytes = 1024 * 1024
/** The headers of a tag's redirect, which are kept beside it. */
const headerBytes = 512

/** Where a tag leads; without a `target` to the hosted menu. */
export interface Resolved {
  tag: TagEntry
  venue: Venue
  target: string | undefined
}

const nowhere: Venue = { version: 0, timezone: 'UTC' }
/** What is known of a tag that is gone. */
export const nothing = (tag: TagEntry): Resolved => ({ tag, venue: nowhere, target: undefined })
export const leading = (tag: TagEntry, venue: Venue): Resolved => ({ tag, venue, target: targetOf(tag, venue) })

interface Remembered {
  /** The newest version that was seen. What is older comes from a storage that has not heard of it yet. */
  version: number
  /** Absent: only that there is such a version is known. */
  resolved: Resolved | undefined
  atMs: number
}

const memory = new ByteCache<Remembered>(tagMemoryBytes, (known) => {
  const target = known.resolved?.target ?? ''
  return estimateBytes(known) + headerBytes + estimateBytes(target)
})
const venues = new ByteCache<{ venue: Venue; atMs: number }>(venueMemoryBytes)
/** Names that no tag has. Apart, so that whoever tries out names drives no tag from the memory. */
const absent = new ByteCache<number>(absentMemoryBytes)

/** Estimated size of what is remembered, in bytes. */
export const memoryBytes = () => ({ tags: memory.bytes, venues: venues.bytes, absent: absent.bytes })

const isFresh = (atMs: number, nowMs: number) => nowMs - atMs < memorySeconds * 1000

/** A version that nothing comes behind: a deleted tag stays deleted. */
export const last = Number.MAX_SAFE_INTEGER
export const versionOf = ({ gone, version }: TagEntry) => (gone ? last : version)
/** The newest version of a name's tag that this isolate has seen. */
export const seen = (name: string) => memory.get(name)?.version ?? 0

/** Whoever asked before a change may be answered behind it: what is newer stays. */
export function remember(name: string, resolved: Resolved, atMs: number): Resolved {
  const version = versionOf(resolved.tag)
  if (version < seen(name)) return memory.get(name)?.resolved ?? resolved
  memory.set(name, { version, resolved, atMs })
  return resolved
}

export function rememberVenue(merchantId: string, venue: Venue, atMs: number) {
  if (venue.version >= seenVenue(merchantId)) venues.set(merchantId, { venue, atMs })
}

/** The newest version of a merchant that this isolate has seen. */
export const seenVenue = (merchantId: string) => venues.get(merchantId)?.venue.version ?? 0

/** A merchant's addresses, and since when they are known; undefined where they have to be asked for. */
export function recallVenue(merchantId: string, nowMs: number) {
  const known = venues.get(merchantId)
  return known && isFresh(known.atMs, nowMs) ? known : undefined
}

/** Makes this isolate go by it that no tag has these names. */
export function rememberAbsent(names: readonly string[], nowMs: number) {
  for (const name of names) absent.set(name, nowMs)
}

/** The last answer that was known, for when nobody answers. */
export function lastKnown(names: readonly string[], nowMs: number): Resolved | undefined {
  const known = names.map((name) => memory.get(name)).find((known) => known?.resolved)
  return known && nowMs - known.atMs < staleSeconds * 1000 ? known.resolved : undefined
}

/** What the isolate knows of the first of some names that exists; undefined where it has to ask. */
export function recall(names: readonly string[], nowMs: number): Resolved | 'unknown' | undefined {
  for (const name of names) {
    const known = memory.get(name)
    if (known) return isFresh(known.atMs, nowMs) ? known.resolved : undefined
    if (!isFresh(absent.get(name) ?? 0, nowMs)) return undefined
  }
  return 'unknown'
}

/** Makes this isolate go by a change at once. */
export function note(names: readonly string[], tag: TagEntry) {
  const version = versionOf(tag)
  for (const name of names) {
    const known = memory.get(name)
    if (version < (known?.version ?? 0)) continue
    if (tag.gone) memory.set(name, { version, resolved: nothing(tag), atMs: Date.now() })
    else if (!known?.resolved) memory.set(name, { version, resolved: undefined, atMs: 0 })
    else {
      const { resolved, atMs } = known
      memory.set(name, { version, resolved: { ...resolved, tag, target: targetOf(tag, resolved.venue) }, atMs })
    }
  }
}

/** Makes this isolate go by a merchant's new addresses at once. */
export function noteVenue(merchantId: string, venue: Venue) {
  rememberVenue(merchantId, venue, Date.now())
  for (const [name, { resolved, ...known }] of memory.entries()) {
    if (resolved?.tag.merchantId !== merchantId || resolved.tag.gone || resolved.venue.version > venue.version) continue
    memory.set(name, { ...known, resolved: { ...resolved, venue, target: targetOf(resolved.tag, venue) } })
  }
}
