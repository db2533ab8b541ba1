import { deriveBytes } from '../../platform/auth/hmac.ts'
import type { Bindings } from '../../platform/env.ts'

/** DER of PKCS #8 before the 32 bytes of an Ed25519 private key (RFC 8410, section 7). */
const pkcs8Prefix = Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20])

/** The key of a webhook that signs with `v1a`. Each rotation of its secret begins a generation. */
interface KeyName {
  webhookId: string
  generation: number
}

/**
 * The private key of a webhook. It is computed from the signing secret of the service and stored nowhere. Each webhook has its own: with a common key,
 * a merchant could point a webhook at the receiver of another, which would accept its events.
 */
async function createPrivateKey(env: Bindings, { webhookId, generation }: KeyName): Promise<CryptoKey> {
  const seed = await deriveBytes(env, `webhook:${webhookId}:${generation}`)
  return crypto.subtle.importKey('pkcs8', Uint8Array.from([...pkcs8Prefix, ...seed]), { name: 'Ed25519' }, true, [
    'sign',
  ])
}

/** The public key of a webhook in the format of Standard Webhooks: `whpk_` and 32 bytes in base64. */
export async function getPublicKey(env: Bindings, name: KeyName): Promise<string> {
  const jwk = await crypto.subtle.exportKey('jwk', await createPrivateKey(env, name))
  if (jwk instanceof ArrayBuffer || jwk.x === undefined) throw new Error('an Ed25519 key has no public part')
  // A JWK has base64 for URLs, without padding (RFC 7515).
  return `whpk_${jwk.x.replaceAll('-', '+').replaceAll('_', '/')}=`
}

/** A `v1a` signature of Standard Webhooks. */
export async function signAsymmetrically(env: Bindings, name: KeyName, content: Uint8Array): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'Ed25519' }, await createPrivateKey(env, name), content)
  return `v1a,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`
}
