import { vi } from 'vitest'
import { sameOrigin } from './authenticator.ts'
import { observe } from './d1.ts'

interface Request {
  method?: string
  json?: object
  headers?: Record<string, string>
  [binding: string]: unknown
}

export const audience = 'a1b2c3'
let teams = 0

/** JSON or bytes in base64url. */
export const encode = (value: object | ArrayBuffer) =>
  (value instanceof ArrayBuffer ? new Uint8Array(value) : new TextEncoder().encode(JSON.stringify(value))).toBase64({
    alphabet: 'base64url',
    omitPadding: true,
  })

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
/** A signing key of a team. */
export async function createAccessKey(kid: string) {
  const size = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const pair = (await crypto.subtle.generateKey({ ...algorithm, ...size }, true, ['sign', 'verify'])) as CryptoKeyPair
  const jwk = { ...((await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey), kid, use: 'sig' }
  return {
    jwk,
    async sign(claims: object, head: object = { alg: 'RS256', kid, typ: 'JWT' }) {
      const text = `${encode(head)}.${encode(claims)}`
      const signature = await crypto.subtle.sign(algorithm, pair.privateKey, new TextEncoder().encode(text))
      return `${text}.${encode(signature as ArrayBuffer)}`
    },
  }
}

/** A team of Cloudflare Access of its own, because an isolate caches keys. Its keys are read over `fetch`. */
export async function createTeam() {
  const domain = `team${++teams}.cloudflareaccess.com`
  const key = await createAccessKey('first')
  const team = { published: [key.jwk] as object[], fetched: [] as string[], isDown: false }
  vi.stubGlobal('fetch', async (url: string) => {
    team.fetched.push(url)
    return team.isDown ? new Response(null, { status: 503 }) : Response.json({ keys: team.published })
  })
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: `https://${domain}`, aud: [audience], exp: now + 300, nbf: now, email: 'zoe@example.com' }
  const bindings = { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUDIENCE: audience }
  const request = async (
    assertion: string,
    { method = 'GET', json, headers = sameOrigin, ...besides }: Request = {},
  ) => {
    const all = { 'cf-access-jwt-assertion': assertion, ...headers }
    return (
      await observe(method, '/admin/merchants', {
        headers: all,
        bindings: { ...bindings, ...besides },
        ...(json && { json }),
      })
    ).status
  }
  return { team, key, claims, request, domain, now, bindings }
}
