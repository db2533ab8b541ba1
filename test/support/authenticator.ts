import { expect } from 'vitest'
import { cookieName } from '../../src/platform/auth/sessions.ts'
import { adminToken, call } from './api.ts'

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() }
const encode = (bytes: ArrayBuffer | Uint8Array) =>
  new Uint8Array(bytes instanceof Uint8Array ? bytes : bytes).toBase64({ alphabet: 'base64url', omitPadding: true })
const sha256 = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

/** Origin of the console in tests: `PUBLIC_BASE_URL`. */
export const consoleOrigin = 'https://menu.example'
export const sameOrigin = { 'sec-fetch-site': 'same-origin' }

/** Deviations of a response from the valid one. */
export interface Forgery {
  origin?: string
  rpId?: string
  type?: string
  crossOrigin?: boolean
  flags?: number
  counter?: number
  id?: string
}

/** An ECDSA number in DER. */
const toDerNumber = (digits: Uint8Array) => {
  const start = digits.findIndex((byte) => byte !== 0)
  const significant = digits.slice(start)
  const padded = (significant[0] ?? 0) >= 0x80 ? [0, ...significant] : [...significant]
  return [0x02, padded.length, ...padded]
}
const toDer = (raw: Uint8Array) => {
  const body = [...toDerNumber(raw.slice(0, 32)), ...toDerNumber(raw.slice(32))]
  return new Uint8Array([0x30, body.length, ...body])
}

const keys = {
  [-7]: { generate: { name: 'ECDSA', namedCurve: 'P-256' }, sign: { name: 'ECDSA', hash: 'SHA-256' } },
  [-8]: { generate: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  [-257]: {
    generate: {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    sign: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const

/** A passkey in software, which signs as an authenticator does. */
export async function createAuthenticator(algorithm: keyof typeof keys = -7) {
  const { generate, sign } = keys[algorithm]
  const pair = (await crypto.subtle.generateKey(generate, true, ['sign', 'verify'])) as CryptoKeyPair
  const idBytes = crypto.getRandomValues(new Uint8Array(16))
  const id = encode(idBytes)
  const exported = await crypto.subtle.exportKey('spki', pair.publicKey)
  const publicKey = encode(exported as ArrayBuffer)
  let userHandle = ''

  const toClientData = (type: string, challenge: string, { origin = consoleOrigin, ...wrong }: Forgery) =>
    utf8.encoder.encode(
      JSON.stringify({ type: wrong.type ?? type, challenge, origin, crossOrigin: wrong.crossOrigin ?? false }),
    )
  const toData = async (flags: number, { rpId = 'menu.example', counter = 0, ...wrong }: Forgery) =>
    new Uint8Array([
      ...(await sha256(utf8.encoder.encode(rpId))),
      wrong.flags ?? flags,
      ...new Uint8Array(new Uint32Array([counter]).buffer).reverse(),
    ])

  return {
    id,
    /** A new passkey, for the options of the service. */
    async register(options: { challenge: string; user: { id: string } }, wrong: Forgery = {}) {
      userHandle = options.user.id
      const data = [...(await toData(0x45, wrong)), ...new Uint8Array(16), 0, idBytes.length, ...idBytes]
      return {
        id: wrong.id ?? id,
        rawId: id,
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(toClientData('webauthn.create', options.challenge, wrong)),
          attestationObject: 'o2NmbXRkbm9uZQ',
          authenticatorData: encode(new Uint8Array(data)),
          publicKey,
          publicKeyAlgorithm: algorithm,
          transports: ['internal', 'hybrid'],
        },
      }
    },
    /** A sign-in, for the options of the service. */
    async sign(options: { challenge: string }, wrong: Forgery = {}) {
      const client = toClientData('webauthn.get', options.challenge, wrong)
      const data = await toData(0x05, wrong)
      const signed = new Uint8Array([...data, ...(await sha256(client))])
      const raw = new Uint8Array(await crypto.subtle.sign(sign, pair.privateKey, signed))
      return {
        id: wrong.id ?? id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(algorithm === -7 ? toDer(raw) : raw),
          userHandle,
        },
      }
    },
  }
}
export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>

/** A request of a page of the console. */
export const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(method, path, undefined, body, { ...sameOrigin, ...headers })

/** Options of a sign-in. */
export const requestOptions = async () => (await request('POST', '/console/passkeys/options', {})).body

/** Invites a person. Returns the token of the link. */
export async function invite(merchantId: string, role = 'owner'): Promise<string> {
  const path = `/admin/merchants/${merchantId}/invitations`
  const { status, body } = await call('POST', path, adminToken, { role })
  expect(status).toBe(201)
  return new URL(body.url).hash.slice(1)
}

/** A request that registers a passkey with an invitation. */
export async function accept(token: string, authenticator: Authenticator, name = 'Zoë', wrong: Forgery = {}) {
  const { body: options } = await request('POST', '/console/passkeys/registration', { token, name })
  const credential = await authenticator.register(options, wrong)
  return request('POST', '/console/passkeys', { token, name, credential })
}

/** A request that signs in. */
export async function signIn(authenticator: Authenticator, wrong: Forgery = {}, besides: object = {}) {
  const credential = await authenticator.sign(await requestOptions(), wrong)
  return request('POST', '/console/passkeys/session', { credential, ...besides })
}

/** Calls with the session that a sign-in has started. */
export function asSession({ headers, body }: { headers: Headers; body: { user: { id: string } } }) {
  const [, token = ''] = /^__Host-session=(\w+);/.exec(headers.get('set-cookie') ?? '') ?? []
  const cookie = `${cookieName}=${token}`
  return {
    userId: body.user.id,
    cookie,
    request: (method: string, path: string, json?: unknown, more: Record<string, string> = {}) =>
      request(method, path, json, { cookie, ...more }),
  }
}

/** A member of a merchant with a passkey, signed in. */
export async function createMember(merchantId: string, role = 'owner', name = 'Zoë') {
  const authenticator = await createAuthenticator()
  const response = await accept(await invite(merchantId, role), authenticator, name)
  expect(response.status).toBe(201)
  const { userId, cookie, request: send } = asSession(response)
  return {
    authenticator,
    userId,
    cookie,
    request: send,
    to: (method: string, path: string, json?: unknown, more?: Record<string, string>) =>
      send(method, `/merchants/${merchantId}${path}`, json, more),
  }
}
