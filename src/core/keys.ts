import { eq, isNull, lt, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Bindings, Scope } from '../env.ts'
import { keys } from './accounts.ts'
import { encodeBase32, randomBase32 } from './base32.ts'
import { crc32 } from './crc32.ts'
import { compile, directoryDatabase, every, lazy, updating } from './database.ts'
import { createReader } from './reader.ts'
import { resourceNames } from './resource.ts'

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
export const keyPrefix = (testMode: boolean) => prefixes[testMode ? 'test' : 'live']

const utf8 = new TextEncoder()

/** Seven base 32 digits by which a typo or a scanner's guess is known without asking the database. */
function checksum(text: string): string {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, crc32(utf8.encode(text)))
  return encodeBase32(bytes)
}

/** A new API key: its mode, 160 random bits, and a checksum over both. */
export function createKey(testMode: boolean): string {
  const key = keyPrefix(testMode) + randomBase32(160)
  return key + checksum(key)
}

const keyForm = /^(sk_(?:live|test)_[0-9A-HJKMNP-TV-Z]{32})([0-9A-HJKMNP-TV-Z]{7})$/

function isWellFormed(key: string): boolean {
  const [, body = '', check] = keyForm.exec(key) ?? []
  return checksum(body) === check
}

/** SHA-256 in hex: all that is stored of a key. */
export async function hashKey(key: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(key))).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, '0'),
    '',
  )
}

/** How long an isolate believes what it knows of a key: the time until a revocation has arrived everywhere. */
const trustMs = 30_000
/** `lastUsedAt` is written at most this often, in seconds. */
const lastUsedPrecision = 300
const mostRemembered = 10_000

const remembered = new Map<string, { credential: Credential; until: number }>()

/** Makes this isolate ask the database again, so that a revocation counts at once where it was said. */
export const forgetKeys = () => remembered.clear()

const found = lazy(() => compile(sql`select * from ${keys} where ${keys.hash} = ${sql.placeholder('hash')}`))
const touched = lazy(() => {
  const longAgo = or(isNull(keys.lastUsedAt), lt(keys.lastUsedAt, sql.placeholder('before')))
  const used = { lastUsedAt: sql`${sql.placeholder('now')}` }
  return compile(sql`${updating(keys, used)} where ${every(eq(keys.id, sql.placeholder('id')), longAgo)}`)
})
const storedKey = z.object({
  id: z.string(),
  merchantId: z.string(),
  testMode: z.boolean(),
  scopes: z.optional(z.array(z.string())),
  expiresAt: z.optional(z.number()),
  lastUsedAt: z.optional(z.number()),
})
const readKey = createReader(keys, storedKey)

/**
 * The credential behind a key; undefined for one that is malformed, unknown, revoked or expired. The database is asked when the
 * isolate has not seen the key for half a minute; `later` takes work that the answer need not wait for.
 */
export async function findCredential(
  env: Bindings,
  key: string,
  later: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const nowMs = Date.now()
  const now = Math.floor(nowMs / 1000)
  const isCurrent = ({ expiresAt }: Credential) => expiresAt === undefined || expiresAt > now
  const known = remembered.get(key)
  if (known && known.until > nowMs) return isCurrent(known.credential) ? known.credential : undefined
  if (!isWellFormed(key)) return undefined

  const database = directoryDatabase(env)
  const values = { hash: await hashKey(key) }
  const find = async () => (await database.run([found(), values]))[0]?.[0]
  let row = await find()
  if (!row) {
    // A replica may not have heard of a key that was made a moment ago.
    database.usePrimary()
    row = await find()
  }
  if (!row) return undefined
  const { lastUsedAt = 0, ...credential } = readKey(row)
  if (!isCurrent(credential)) return undefined
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(key, { credential, until: nowMs + trustMs })
  const before = now - lastUsedPrecision
  // Whether its use could be noted is of no concern to whoever uses the key; the next use is noted instead.
  if (lastUsedAt < before) later(database.run([touched(), { id: credential.id, now, before }]).catch(() => undefined))
  return credential
}
