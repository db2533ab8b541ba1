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
let cachedKey: CryptoKey | undefined

async function loadKey(env: Bindings): Promise<CryptoKey> {
  const [[setting] = []] = await directoryDatabase(env).run([secretStatement(), {}])
  const secret = utf8.encode(setting?.value ?? '')
  if (secret.length < minSecretBytes) throw new Error('the service has no signing secret')
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Signs a text with HMAC-SHA-256, cut to 80 bits. A migration creates the secret; an isolate reads it once. */
export async function signHmac(env: Bindings, text: string): Promise<string> {
  cachedKey ??= await loadKey(env)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', cachedKey, utf8.encode(text)))
  return encodeBase32(signature).slice(0, signatureDigits)
}

/** Verifies the signature of a text in constant time; case does not matter. */
export async function verifyHmac(env: Bindings, text: string, candidate: string): Promise<boolean> {
  const [expected, guess] = [await signHmac(env, text), candidate.toUpperCase()].map((digits) => utf8.encode(digits))
  if (!expected || !guess || expected.length !== guess.length) return false
  return crypto.subtle.timingSafeEqual(expected, guess)
}
