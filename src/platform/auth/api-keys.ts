import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Context } from 'hono'
import { compile, lazy, param } from '../db/database.ts'
import { directoryDatabase } from '../db/home/d1-connection.ts'
import type { Home } from '../db/home/home.ts'
import { columnParam, db } from '../db/query.ts'
import { keyTable } from '../db/schema/keys.ts'
import type { Scope } from '../db/scope.ts'
import type { Bindings } from '../env.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { hashKey } from '../lib/encoding/sha256.ts'
import { nowInSeconds, toSeconds } from '../lib/time.ts'
import { resourcePaths } from '../names.ts'
import { isWellFormedKey } from './key-format.ts'
import { findKey } from './key-lookup.ts'

/** Scopes that a key without a list of scopes has: `<resource>:read`, `<resource>:write`, and those outside resources. */
export const defaultScopes = [
  ...resourcePaths.flatMap((path) => [`${path}:read`, `${path}:write`] as const),
  'redemptions:read',
  'redemptions:write',
  'stock:read',
  'stock:write',
  'events:read',
  'events:write',
  'audit:read',
  'changes:read',
  'changes:write',
  'releases:read',
  'releases:write',
  'releases:publish',
] as const
/** Scopes of the account. A key has them only if its list names them, so that older keys do not gain them. */
const accountScopes = [
  'merchant:read',
  'merchant:write',
  'keys:read',
  'keys:write',
  'members:read',
  'members:write',
] as const
/** All scopes that a key can have. */
export const scopes = [...defaultScopes, ...accountScopes] as const
export type KeyScope = (typeof scopes)[number]

/** The identity and rights of an accepted key, or of a member of the merchant. */
export interface Credential extends Scope {
  id: string
  /** Where the merchant's data is. Undefined while the merchant is being moved: each request then looks it up. */
  home: Home | undefined
  /** Undefined means `defaultScopes`. */
  scopes?: readonly string[] | undefined
  /** Ranges of addresses from which it is accepted. Undefined means all. */
  allowedIps?: readonly string[] | undefined
  /** In seconds; undefined means never. */
  expiresAt?: number | undefined
  /** The merchant is suspended or closed. */
  suspended: boolean
  /** Whether the key may change data that live mode uses. Default: true for keys of live mode. */
  grantsLive?: boolean
  /** Changes the response of a request. */
  finish?: (c: Context) => Promise<void>
}

/**
 * How long an isolate caches an accepted key, in milliseconds: a revocation, or a suspension of the merchant, reaches every isolate
 * within this time.
 */
export const keyCacheMs = 30_000
/** How long an isolate caches that a key is not accepted, in milliseconds. */
const unknownKeyMs = 30_000
/** Minimum time between two writes of `lastUsedAt` of a key or a session, in seconds. */
export const lastUsedPrecisionSeconds = 300

/** Budgets of the two caches of an isolate, in bytes. */
const keyMemoryBytes = 4 * 1024 * 1024
const unknownKeyMemoryBytes = 512 * 1024

const keyCache = new ByteCache<{ credential: Credential; until: number }>(keyMemoryBytes)
/** Hashes of keys that are unknown, revoked or expired, with the expiry of each entry. */
const unknownKeys = new ByteCache<number>(unknownKeyMemoryBytes)

/** Clears the caches of this isolate, so that a change of keys or of the merchant's state takes effect here immediately. */
export function clearKeyCache() {
  keyCache.clear()
  unknownKeys.clear()
}

/** Throws `address_not_allowed` for a request from an address from which the credential is not accepted. */
export async function requireAllowedAddress(c: Context, { allowedIps }: Pick<Credential, 'allowedIps'>): Promise<void> {
  if (!allowedIps) return
  const { requireAddress } = await import('./allowed-addresses.ts')
  requireAddress(allowedIps, c.req.header('cf-connecting-ip'))
}

const touchStatement = lazy(() => {
  const isOutdated = or(isNull(keyTable.lastUsedAt), lt(keyTable.lastUsedAt, param('before')))
  return compile(
    db
      .update(keyTable)
      .set({ lastUsedAt: columnParam(keyTable.lastUsedAt, 'now') })
      .where(and(eq(keyTable.id, param('id')), isOutdated)),
  )
})

/**
 * The credential of a key; undefined if the key is malformed, unknown, damaged, revoked or expired. Queries the database if the isolate
 * has not cached the key, or if the key must be current. `waitUntil` takes work that the response does not wait for. Keys from rate-limited
 * addresses are looked up in batches.
 */
export async function findCredential(
  env: Bindings,
  key: string,
  waitUntil: (work: Promise<unknown>) => void,
  isFromLimited = false,
  mustBeCurrent = false,
): Promise<Credential | undefined> {
  const nowMs = Date.now()
  const now = toSeconds(nowMs)
  // Reads the clock each time: a lookup may take seconds.
  const isCurrent = ({ expiresAt }: { expiresAt?: number | null | undefined }) =>
    (expiresAt ?? Infinity) > nowInSeconds()
  if (mustBeCurrent) keyCache.delete(key)
  const cached = keyCache.get(key)
  if (cached && cached.until > nowMs) return isCurrent(cached.credential) ? cached.credential : undefined
  if (!isWellFormedKey(key)) return undefined

  const hash = await hashKey(key)
  if ((unknownKeys.get(hash) ?? 0) > nowMs) return undefined
  const { clears } = keyCache
  const stored = isFromLimited
    ? await (await import('./failures/batched-lookup.ts')).findKeyBatched(env, hash, waitUntil)
    : await findKey(env, hash, mustBeCurrent)
  if (!stored || !isCurrent(stored)) {
    if (keyCache.clears === clears) unknownKeys.set(hash, nowMs + unknownKeyMs)
    return undefined
  }
  const { id, merchantId, testMode, scopes, allowedIps, suspended, home } = stored
  const expiresAt = stored.expiresAt ?? undefined
  const credential = { id, merchantId, testMode, scopes, allowedIps, expiresAt, suspended, home }
  // The key may have been revoked during the lookup.
  if (keyCache.clears === clears) keyCache.set(key, { credential, until: nowMs + keyCacheMs })
  const before = now - lastUsedPrecisionSeconds
  if ((stored.lastUsedAt ?? 0) < before) {
    // A failure must not affect the request. The next use writes the time instead.
    const touched = directoryDatabase(env).run([touchStatement(), { id, now, before }])
    waitUntil(touched.catch(() => undefined))
  }
  return credential
}
