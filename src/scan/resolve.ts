import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, directoryDatabase, lazy, param, type Row } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { log } from '../lib/log.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import { namesOf, type TagEntry, tagEntry, type Venue, venue } from './entry.ts'
import {
  last,
  lastKnown,
  leading,
  nothing,
  type Resolved,
  recall,
  recallVenue,
  remember,
  rememberAbsent,
  rememberVenue,
  seen,
  seenVenue,
  versionOf,
} from './memory.ts'

/** How long KV may answer from its own cache, in seconds. */
export const kvCacheSeconds = 30
/** How long KV and D1 may take before the next is asked. */
export const kvPatienceMs = 150
export const d1PatienceMs = 2_000

/** A value of KV; undefined where there is none, and where KV does not answer, or nothing sensible. */
async function readKv<Value>(env: Bindings, key: string, form: z.ZodMiniType<Value>): Promise<Value | undefined> {
  try {
    const value = await withTimeout(kvPatienceMs, env.TAGS.get(key, { type: 'json', cacheTtl: kvCacheSeconds }))
    return form.safeParse(value).data
  } catch {
    return undefined
  }
}

/** Whether memory or KV knows a merchant. */
export const isKnownMerchant = async (env: Bindings, merchantId: string): Promise<boolean> =>
  recallVenue(merchantId, Date.now()) !== undefined || (await readKv(env, venueKey(merchantId), venue)) !== undefined

/** What KV knows, and since when; undefined for a miss, and for anything that does not add up: D1 then decides. */
async function fromKv(env: Bindings, name: string, nowMs: number): Promise<[Resolved, number] | undefined> {
  const tag = await readKv(env, tagKey(name), tagEntry)
  if (!tag || versionOf(tag) < seen(name)) return undefined
  if (tag.gone) return [nothing(tag), nowMs]
  const { merchantId } = tag
  const known = recallVenue(merchantId, nowMs)
  if (known) return [leading(tag, known.venue), known.atMs]
  const found = await readKv(env, venueKey(merchantId), venue)
  if (!found || found.version < seenVenue(merchantId)) return undefined
  rememberVenue(merchantId, found, nowMs)
  return [leading(tag, found), nowMs]
}

export const tagKey = (name: string) => `t:${name}`
export const venueKey = (merchantId: string) => `m:${merchantId}`

const found = lazy(() =>
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

const living = z.object({
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
  if (row['id'] === null) return nothing(gone)
  const { merchant_id: merchantId, id, code, version, ...rest } = living.parse(row)
  const shown = readMetadata(rest.metadata).filter(({ visible }) => visible)
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
  return leading(tag, place)
}

export interface Found extends Resolved {
  name: string
}

/** What D1 knows of the first of some names that exists; undefined where none does. Asks the nearest replica unless told otherwise. */
export async function readTag(env: Bindings, names: readonly string[], primary = false): Promise<Found | undefined> {
  const database = directoryDatabase(env)
  if (primary) database.usePrimary()
  const [rows = []] = await database.run([found(), { names: JSON.stringify(names) }])
  return rows.map((row) => ({ ...resolvedFrom(row), name: String(row['name']) }))[0]
}

/** Whether D1 has answered with less than this isolate has seen: its replica has not heard of it yet. */
function isBehind(found: Found | undefined, names: readonly string[]): boolean {
  if (!found) return names.some((name) => seen(name) > 0)
  const { name, tag, venue } = found
  return versionOf(tag) < seen(name) || venue.version < seenVenue(tag.merchantId)
}

/** `late` where D1 does not answer. */
async function fromD1(env: Bindings, names: readonly string[]): Promise<Found | undefined | typeof timedOut> {
  try {
    const nearest = await withTimeout(d1PatienceMs, readTag(env, names))
    return nearest !== timedOut && isBehind(nearest, names)
      ? await withTimeout(d1PatienceMs, readTag(env, names, true))
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

/** `fromKv` for each name, as D1 would be asked for all of them. */
async function fromKvByAnyName(env: Bindings, names: readonly string[], nowMs: number): Promise<Found | undefined> {
  for (const name of names) {
    const kept = await fromKv(env, name, nowMs)
    if (kept) return { name, ...remember(name, ...kept) }
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
  missed: (tag: TagEntry, names: readonly string[]) => void,
  isFromLimited = false,
): Promise<Resolution> {
  const names = namesOf(path)
  const [likeliest] = names
  if (likeliest === undefined) return 'unknown'
  const nowMs = Date.now()
  const recalled = recall(names, nowMs)
  if (recalled) return recalled

  const kept = await fromKv(env, likeliest, nowMs)
  if (kept) return remember(likeliest, ...kept)
  if (isFromLimited) {
    const other = await fromKvByAnyName(env, names.slice(1), nowMs)
    if (other) return other
    if (!mayReadD1(nowMs)) return lastKnown(names, nowMs) ?? 'limited'
  }

  const read = await fromD1(env, names)
  if (read === timedOut) return lastKnown(names, nowMs) ?? 'unavailable'
  rememberAbsent(read ? names.slice(0, names.indexOf(read.name)) : names, nowMs)
  if (!read) return 'unknown'
  const { name, ...resolved } = read
  if (!resolved.tag.gone) rememberVenue(resolved.tag.merchantId, resolved.venue, nowMs)
  missed(resolved.tag, names)
  return remember(name, resolved, nowMs)
}
