import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Bindings } from '../../env.ts'
import type { Env } from '../../http/context.ts'
import { log } from '../../lib/log.ts'
import { rejectForeignRequests } from '../sessions.ts'

/** Header in which Cloudflare Access passes the identity of the signed-in person. */
const header = 'cf-access-jwt-assertion'
const maxAssertionLength = 8_192
/** Cache time of the team's keys in an isolate, and minimum time between two requests for them, in milliseconds. */
const keysMs = 3_600_000
const minRefreshMs = 60_000
const timeoutMs = 5_000
/** Clocks may differ by this many seconds. */
const toleranceSeconds = 60

const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const
const keySet = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.literal('RSA'), n: z.string(), e: z.string() })),
})
const headerFields = z.object({ alg: z.literal('RS256'), kid: z.string() })
const claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.optional(z.number()),
  /** Absent for service tokens. */
  email: z.optional(z.string()),
})
type Claims = z.output<typeof claims>

/** An isolate serves one deployment and therefore one team. */
let cached: { issuer: string; readAtMs: number; keys: ReadonlyMap<string, CryptoKey> } | undefined

/** The keys of the team, from its configured domain. Throws if they cannot be read. */
async function readKeys(issuer: string): Promise<ReadonlyMap<string, CryptoKey>> {
  const response = await fetch(`${issuer}/cdn-cgi/access/certs`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the keys of Access returned ${response.status}`)
  const { keys } = keySet.parse(await response.json())
  return new Map(
    await Promise.all(
      keys.map(
        async ({ kid, ...jwk }) =>
          [kid, await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])] as const,
      ),
    ),
  )
}

async function findKey(env: Bindings, issuer: string, kid: string): Promise<CryptoKey | undefined> {
  const known = cached?.issuer === issuer ? cached : undefined
  const ageMs = Date.now() - (known?.readAtMs ?? 0)
  // A team rotates its keys, so an unknown key triggers a request for them, but only after a minimum time.
  if (known && (known.keys.has(kid) ? ageMs < keysMs : ageMs < minRefreshMs)) return known.keys.get(kid)
  try {
    cached = { issuer, readAtMs: Date.now(), keys: await readKeys(issuer) }
  } catch (error) {
    log(env, 'keys of Access not read', { error: String(error) })
  }
  return cached?.issuer === issuer ? cached.keys.get(kid) : undefined
}

const decode = (part: string) => Uint8Array.fromBase64(part, { alphabet: 'base64url' })
const parse = (part: string): unknown => JSON.parse(new TextDecoder().decode(decode(part)))

/** Origin of the team's domain, which issues the assertions. */
const toIssuer = (domain: string) => (domain.includes('://') ? domain : `https://${domain}`).replace(/\/+$/, '')

/** The claims of an assertion that is signed by the configured team, for this application, and current. Otherwise undefined. */
async function verifyAssertion(env: Bindings, assertion: string): Promise<Claims | undefined> {
  const { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE } = env
  if (!ACCESS_TEAM_DOMAIN || !ACCESS_AUDIENCE || assertion.length > maxAssertionLength) return undefined
  const issuer = toIssuer(ACCESS_TEAM_DOMAIN)
  const [head = '', body = '', signature = '', ...rest] = assertion.split('.')
  try {
    const { kid } = headerFields.parse(parse(head))
    const read = claims.parse(parse(body))
    const { iss, aud, exp, nbf = 0 } = read
    const now = Date.now() / 1000
    const isCurrent = exp > now && nbf <= now + toleranceSeconds
    if (rest.length > 0 || iss !== issuer || ![aud].flat().includes(ACCESS_AUDIENCE) || !isCurrent) return undefined
    const key = await findKey(env, issuer, kid)
    if (!key) return undefined
    const signed = new TextEncoder().encode(`${head}.${body}`)
    return (await crypto.subtle.verify(algorithm, key, decode(signature), signed)) ? read : undefined
  } catch {
    return undefined
  }
}

/**
 * Claims of Cloudflare Access about the person who is signed in. Undefined if nobody is. A browser sends the cookie of Access from pages of other sites too, so the request
 * must come from a page of this origin.
 */
export async function readAccess(c: Context<Env>): Promise<Pick<Claims, 'email'> | undefined> {
  const assertion = c.req.header(header)
  const verified = assertion === undefined ? undefined : await verifyAssertion(c.env, assertion)
  if (verified) rejectForeignRequests(c)
  return verified
}
