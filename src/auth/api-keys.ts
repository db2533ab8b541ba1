import { eq, isNull, lt, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { readRows, reportDamage } from '../db/damaged-rows.ts'
import { allOf, compile, directoryDatabase, lazy, param, updateSet } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import { createRowReader } from '../db/row-reader.ts'
import { keyTable } from '../db/schema/keys.ts'
import type { Scope } from '../db/scope.ts'
import type { Bindings } from '../env.ts'
import { UnavailableError } from '../errors.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { encodeBase32, randomBase32 } from '../lib/encoding/base32.ts'
import { crc32 } from '../lib/encoding/crc32.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { timedOut, withTimeout } from '../lib/timeout.ts'
import { resourceNames } from '../names.ts'

/** What a key may be allowed to do: `<resource>:read`, `<resource>:write`, and what is not about one resource. */
export const scopes = [
  ...resourceNames.flatMap((name) => [`${name}s:read`, `${name}s:write`] as const),
  'events:read',
  'events:write',
  'audit:read',
] as const
export type KeyScope = (typeof scopes)[number]

/** What the service knows of a key that it accepts. */
export interface Credential extends Scope {
  id: string
  /** Absent: everything. */
  scopes?: readonly string[] | undefined
  expiresAt?: number | undefined
}

const prefixes = { live: 'sk_live_', test: 'sk_test_' } as const
export const getKeyPrefix = (testMode: boolean) => prefixes[testMode ? 'test' : 'live']

const utf8 = new TextEncoder()

/** Seven base 32 digits by which a typo or a scanner's guess is known without asking the database. */
function checksum(text: string): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(utf8.encode(text)))
  return encodeBase32(bytes)
}

/** A new API key: its mode, 160 random bits, and a checksum over both. */
export function createKey(testMode: boolean): string {
  const key = getKeyPrefix(testMode) + randomBase32(160)
  return key + checksum(key)
}

const keyPattern = /^(sk_(?:live|test)_[0-9A-HJKMNP-TV-Z]{32})([0-9A-HJKMNP-TV-Z]{7})$/

function isWellFormed(key: string): boolean {
  const [, body = '', check] = keyPattern.exec(key) ?? []
  return checksum(body) === check
}

/** How long an isolate believes what it knows of a key: the time until a revocation has arrived everywhere. */
const keyCacheMs = 30_000
/** `lastUsedAt` is written at most this often, in seconds. */
const lastUsedPrecisionSeconds = 300

/** Budgets for what an isolate remembers of keys, in bytes. */
export const keyMemoryBytes = 4 * 1024 * 1024
export const unknownKeyMemoryBytes = 512 * 1024
/** How long an isolate goes by it that a key is not good, in milliseconds. */
const unknownKeyMs = 30_000

const keyCache = new ByteCache<{ credential: Credential; until: number }>(keyMemoryBytes)
/** Hashes of keys that are unknown, revoked or expired, and until when they are taken for that. */
const unknown = new ByteCache<number>(unknownKeyMemoryBytes)

/** Makes this isolate ask the database again, so that a change of keys counts at once where it was made. */
export function clearKeyCache() {
  keyCache.clear()
  unknown.clear()
}

const findStatement = lazy(() => compile(sql`select * from ${keyTable} where ${keyTable.hash} = ${param('hash')}`))
const foundTogether = lazy(() =>
  compile(sql`select * from ${keyTable} where ${keyTable.hash} in (select value from json_each(${param('hashes')}))`),
)
const touchStatement = lazy(() => {
  const longAgo = or(isNull(keyTable.lastUsedAt), lt(keyTable.lastUsedAt, param('before')))
  const used = { lastUsedAt: sql`${param('now')}` }
  return compile(sql`${updateSet(keyTable, used)} where ${allOf(eq(keyTable.id, param('id')), longAgo)}`)
})
const storedKey = z.object({
  id: z.string(),
  merchantId: z.string(),
  testMode: z.boolean(),
  scopes: z.optional(z.array(z.string())),
  expiresAt: z.optional(z.number()),
  lastUsedAt: z.optional(z.number()),
})
const readKey = createRowReader(keyTable, storedKey)

/** The row of a key by its hash. */
async function lookUp(env: Bindings, hash: string): Promise<Row | undefined> {
  const database = directoryDatabase(env)
  const find = async () => (await database.run([findStatement(), { hash }]))[0]?.[0]
  const row = await find()
  if (row) return row
  // A replica may not have heard of a key that was made a moment ago.
  database.usePrimary()
  return find()
}

/** The shortest time between two look-ups of keys for addresses that are limited, in milliseconds. */
export const lookUpPauseMs = 1_000
/** Most keys in one of them. */
export const maxKeysTogether = 500
/** How long a request waits for one, in milliseconds. */
const lookUpTimeoutMs = 12_000

interface LookUp {
  hashes: Set<string>
  rows: Promise<ReadonlyMap<string, Row>>
  sinceMs: number
}
/** The look-up that still takes keys. */
let gathering: LookUp | undefined
let lastLookUpMs = 0

async function send(env: Bindings, hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, Row>> {
  await scheduler.wait(Math.min(Math.max(0, lastLookUpMs + lookUpPauseMs - Date.now()), lookUpPauseMs))
  gathering = undefined
  lastLookUpMs = Date.now()
  const database = directoryDatabase(env)
  database.usePrimary()
  const [rows = []] = await database.run([foundTogether(), { hashes: JSON.stringify([...hashes]) }])
  return new Map(rows.map((row) => [String(row['hash']), row]))
}

/**
 * `lookUp` for addresses that are limited: one round trip a second for all of them together, so that a good key is found however many
 * bad ones come beside it, and bad ones cost next to nothing.
 */
async function lookUpTogether(
  env: Bindings,
  hash: string,
  later: (work: Promise<unknown>) => void,
): Promise<Row | undefined> {
  const nowMs = Date.now()
  // One that was lost with the request that started it is not waited for.
  const isLost = gathering !== undefined && Math.abs(nowMs - gathering.sinceMs) > 2 * lookUpPauseMs
  let current = isLost ? undefined : gathering
  if (!current) {
    const hashes = new Set<string>()
    current = { hashes, rows: send(env, hashes), sinceMs: nowMs }
    gathering = current
    later(current.rows.catch(() => undefined))
  }
  if (current.hashes.size >= maxKeysTogether) throw new UnavailableError('too many keys to look up')
  current.hashes.add(hash)
  const rows = await withTimeout(lookUpTimeoutMs, current.rows)
  if (rows === timedOut) throw new UnavailableError('keys were not looked up in time')
  return rows.get(hash)
}

/**
 * The credential behind a key; undefined for one that is malformed, unknown, revoked or expired. The database is asked when the
 * isolate has not seen the key for half a minute; `later` takes work that the answer need not wait for. A key from an address that is
 * limited is looked up along with others.
 */
export async function findCredential(
  env: Bindings,
  key: string,
  later: (work: Promise<unknown>) => void,
  isFromLimited = false,
): Promise<Credential | undefined> {
  const nowMs = Date.now()
  const now = Math.floor(nowMs / 1000)
  const isCurrent = ({ expiresAt }: Credential) => expiresAt === undefined || expiresAt > now
  const known = keyCache.get(key)
  if (known && known.until > nowMs) return isCurrent(known.credential) ? known.credential : undefined
  if (!isWellFormed(key)) return undefined

  const hash = await hashKey(key)
  if ((unknown.get(hash) ?? 0) > nowMs) return undefined
  const row = await (isFromLimited ? lookUpTogether(env, hash, later) : lookUp(env, hash))
  // What a damaged key may do cannot be known, so it may do nothing.
  const [stored] = row ? readRows({ report: (damages) => reportDamage(env, damages) }, [row], readKey) : []
  if (!stored || !isCurrent(stored)) {
    unknown.set(hash, nowMs + unknownKeyMs)
    return undefined
  }
  const { lastUsedAt = 0, ...credential } = stored
  keyCache.set(key, { credential, until: nowMs + keyCacheMs })
  const before = now - lastUsedPrecisionSeconds
  // Whether its use could be noted is of no concern to whoever uses the key; the next use is noted instead.
  if (lastUsedAt < before) {
    const values = { id: credential.id, now, before }
    later(
      directoryDatabase(env)
        .run([touchStatement(), values])
        .catch(() => undefined),
    )
  }
  return credential
}
