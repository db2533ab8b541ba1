import type { Bindings } from '../env.ts'
import { nowInSeconds } from '../lib/time.ts'
import { signHmac, verifyHmac } from './hmac.ts'

/** Lifetime of a signed link, in seconds. */
export const linkSeconds = 900

const toSignedText = (purpose: string, content: string, expires: number | string) => `${purpose}:${content}:${expires}`

/** Signs a link to `content` that works without an API key until it expires. `purpose` keeps links of different pages apart. */
export async function signLink(env: Bindings, purpose: string, content: string, lifetime: number = linkSeconds) {
  const expiresAt = nowInSeconds() + lifetime
  return { expiresAt, seal: await signHmac(env, toSignedText(purpose, content, expiresAt)) }
}

/** Parts of a link, as its URL contains them. */
export interface SignedLink {
  content: string
  /** Seconds since 1970-01-01 UTC. */
  expires: string
  seal: string
}

/** Checks a link. After its expiry the result is `expired`, even for a wrong signature: an expired link is never reported as invalid. */
export async function checkLink(
  env: Bindings,
  purpose: string,
  { content, expires, seal }: SignedLink,
): Promise<'valid' | 'expired' | 'invalid'> {
  if (!/^\d{10}$/.test(expires)) return 'invalid'
  if (Number(expires) * 1000 <= Date.now()) return 'expired'
  return (await verifyHmac(env, toSignedText(purpose, content, expires), seal)) ? 'valid' : 'invalid'
}
