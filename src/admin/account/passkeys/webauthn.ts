import * as z from 'zod/mini'
import { concatenate } from '../../../platform/lib/encoding/concatenate.ts'
import type { assertionFields, registrationFields } from './passkey-schemas.ts'

/** Values that a response must be bound to. */
interface Expected {
  /** Origin of the page, and the host name that the passkey is bound to. */
  origin: string
  rpId: string
}

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }
const sha256 = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Bytes of base64url; undefined if the text is not base64url. */
function decode(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: 'base64url' })
  } catch {
    return undefined
  }
}

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.optional(z.boolean()),
})

/** Challenge of `clientDataJSON`; undefined if it belongs to another ceremony or origin, or comes from a frame of another origin. */
export function readClientData(encoded: string, type: 'webauthn.create' | 'webauthn.get', { origin }: Expected) {
  const bytes = decode(encoded)
  let parsed: unknown
  try {
    parsed = JSON.parse(utf8.decoder.decode(bytes))
  } catch {
    return undefined
  }
  const { data } = clientData.safeParse(parsed)
  if (data?.type !== type || data.origin !== origin || data.crossOrigin) return undefined
  return utf8.decoder.decode(decode(data.challenge))
}

/** Flags of authenticator data: the person was present, was verified, and a new credential is included. */
const flags = { present: 0x01, verified: 0x04, attested: 0x40 } as const
/** Offsets in authenticator data, in bytes. */
const offsets = { flags: 32, counter: 33, idLength: 53, id: 55 } as const

/** Authenticator data; undefined if it is not for the relying party, or if the person was not verified. */
async function readAuthenticatorData(encoded: string, { rpId }: Expected) {
  const bytes = decode(encoded)
  if (!bytes || bytes.length < offsets.counter + 4) return undefined
  const rpHash = await sha256(utf8.encoder.encode(rpId))
  if (!crypto.subtle.timingSafeEqual(bytes.slice(0, offsets.flags), rpHash)) return undefined
  const set = bytes[offsets.flags] ?? 0
  const required = flags.present | flags.verified
  if ((set & required) !== required) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { bytes, view, set, counter: view.getUint32(offsets.counter) }
}

/** COSE numbers of signature algorithms, in the order of preference, as WebCrypto names them. */
const algorithms = {
  [-8]: { name: 'Ed25519' },
  [-7]: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  [-257]: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
} as const
export const algorithmNumbers = [-8, -7, -257] as const
type Algorithm = (typeof algorithmNumbers)[number]
const isSupported = (number: number): number is Algorithm => algorithmNumbers.some((known) => known === number)

const importKey = (algorithm: Algorithm, spki: Uint8Array) =>
  crypto.subtle.importKey('spki', spki, algorithms[algorithm], false, ['verify'])

/** A verified passkey; undefined if the response is not acceptable. Authenticators are not attested. */
export async function verifyRegistration(
  { id, response }: z.output<typeof registrationFields>,
  expected: Expected,
): Promise<{ counter: number; algorithm: number; publicKey: string } | undefined> {
  const data = await readAuthenticatorData(response.authenticatorData, expected)
  if (!data || (data.set & flags.attested) === 0 || data.bytes.length < offsets.id) return undefined
  const end = offsets.id + data.view.getUint16(offsets.idLength)
  const attested = data.bytes.slice(offsets.id, end).toBase64({ alphabet: 'base64url', omitPadding: true })
  const { publicKeyAlgorithm: algorithm, publicKey } = response
  const spki = decode(publicKey)
  if (attested !== id || !isSupported(algorithm) || !spki) return undefined
  try {
    await importKey(algorithm, spki)
  } catch {
    return undefined
  }
  return { counter: data.counter, algorithm, publicKey }
}

/** Bytes of each of the two numbers of an ECDSA signature. */
const numberBytes = 32

/** An ECDSA signature in the format of WebCrypto (two numbers of 32 bytes), from DER. Undefined if it is malformed. */
function toRawSignature(der: Uint8Array): Uint8Array | undefined {
  const raw = new Uint8Array(2 * numberBytes)
  let at = 2
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined
  for (const end of [numberBytes, 2 * numberBytes]) {
    const length = der[at + 1] ?? 0
    const digits = der.slice(at + 2, at + 2 + length)
    const significant = digits.slice(Math.max(0, digits.length - numberBytes))
    const padding = digits.slice(0, Math.max(0, digits.length - numberBytes))
    if (der[at] !== 0x02 || length === 0 || digits.length !== length || padding.some((byte) => byte !== 0))
      return undefined
    raw.set(significant, end - significant.length)
    at += 2 + length
  }
  return at === der.length ? raw : undefined
}

/** Signature counter of a verified sign-in; undefined if the response is not signed by the passkey for this service. */
export async function verifyAssertion(
  { response }: z.output<typeof assertionFields>,
  passkey: { publicKey: string; algorithm: number },
  expected: Expected,
): Promise<number | undefined> {
  const data = await readAuthenticatorData(response.authenticatorData, expected)
  const [client, spki, signature] = [response.clientDataJSON, passkey.publicKey, response.signature].map(decode)
  if (!data || !client || !spki || !signature || !isSupported(passkey.algorithm)) return undefined
  const algorithm = algorithms[passkey.algorithm]
  const raw = algorithm.name === 'ECDSA' ? toRawSignature(signature) : signature
  if (!raw) return undefined
  const signed = concatenate([data.bytes, await sha256(client)])
  const isValid = await crypto.subtle.verify(algorithm, await importKey(passkey.algorithm, spki), raw, signed)
  return isValid ? data.counter : undefined
}
