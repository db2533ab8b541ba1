import { eq } from 'drizzle-orm'
import { lazy } from '../db/database.ts'
import { directoryDatabase } from '../db/home/d1-connection.ts'
import { db, typed } from '../db/query.ts'
import { settingTable } from '../db/schema/settings.ts'
import type { Bindings } from '../env.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'

/** Base 32 digits of a signature: 80 bits, as many as a tag's code has. */
const signatureDigits = 16
/** Minimum length of a signing secret, in bytes. */
const minSecretBytes = 32

const secretStatement = lazy(() =>
  typed({ value: settingTable.value }, (select) =>
    db.select(select).from(settingTable).where(eq(settingTable.name, 'signing')),
  ),
)
const utf8 = new TextEncoder()

/** An isolate serves one deployment and therefore needs one secret. */
let cachedKeys: { hmac: CryptoKey; hkdf: CryptoKey } | undefined

async function loadKeys(env: Bindings): Promise<NonNullable<typeof cachedKeys>> {
  const [[setting] = []] = await directoryDatabase(env).run([secretStatement(), {}])
  const secret = utf8.encode(setting?.value ?? '')
  if (secret.length < minSecretBytes) throw new Error('the service has no signing secret')
  const [hmac, hkdf] = await Promise.all([
    crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']),
    crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']),
  ])
  return { hmac, hkdf }
}

/** 32 bytes that belong to a text: HKDF-SHA-256 (RFC 5869) of the signing secret, with the text as `info`. They are never stored. */
export async function deriveBytes(env: Bindings, info: string): Promise<Uint8Array> {
  cachedKeys ??= await loadKeys(env)
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8.encode(info) }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, cachedKeys.hkdf, 256))
}

/** Signs a text with HMAC-SHA-256, cut to 80 bits. A migration creates the secret; an isolate reads it once. */
export async function signHmac(env: Bindings, text: string): Promise<string> {
  cachedKeys ??= await loadKeys(env)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', cachedKeys.hmac, utf8.encode(text)))
  return encodeBase32(signature).slice(0, signatureDigits)
}

/** Verifies the signature of a text in constant time; case does not matter. */
export async function verifyHmac(env: Bindings, text: string, candidate: string): Promise<boolean> {
  const [expected, guess] = [await signHmac(env, text), candidate.toUpperCase()].map((digits) => utf8.encode(digits))
  if (!expected || !guess || expected.length !== guess.length) return false
  return crypto.subtle.timingSafeEqual(expected, guess)
}
