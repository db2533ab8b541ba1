import { sql } from 'drizzle-orm'
import { compile, directoryDatabase, lazy } from '../db/database.ts'
import type { Bindings } from '../env.ts'
import { encodeBase32 } from '../lib/encoding/base32.ts'

/** Base 32 digits of a signature: 80 bits, as many as a tag's code has. */
const signatureDigits = 16

const secretStatement = lazy(() => compile(sql`select value from settings where name = 'signing'`))
const utf8 = new TextEncoder()

/** An isolate serves one deployment, and so one secret. */
let cachedKey: CryptoKey | undefined

async function loadKey(env: Bindings): Promise<CryptoKey> {
  const [rows = []] = await directoryDatabase(env).run([secretStatement(), {}])
  const secret = utf8.encode(String(rows[0]?.['value'] ?? ''))
  if (secret.length < 32) throw new Error('the service has no signing secret')
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** A signature (HMAC-SHA-256, cut to 80 bits) with a secret that the database made for itself; an isolate reads it once. */
export async function signHmac(env: Bindings, text: string): Promise<string> {
  cachedKey ??= await loadKey(env)
  return encodeBase32(new Uint8Array(await crypto.subtle.sign('HMAC', cachedKey, utf8.encode(text)))).slice(
    0,
    signatureDigits,
  )
}

/** Whether a signature is a text's, told without showing by its duration how much of a guess was right; case does not matter. */
export async function verifyHmac(env: Bindings, text: string, candidate: string): Promise<boolean> {
  const [expected, guess] = [await signHmac(env, text), candidate.toUpperCase()].map((digits) => utf8.encode(digits))
  if (!expected || !guess || expected.length !== guess.length) return false
  return crypto.subtle.timingSafeEqual(expected, guess)
}
