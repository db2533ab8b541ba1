import { signHmac, verifyHmac } from '../../../platform/auth/hmac.ts'
import type { Bindings } from '../../../platform/env.ts'
import { randomBase32 } from '../../../platform/lib/encoding/base32.ts'
import { createIdAt, getCreationMs } from '../../../platform/lib/ids.ts'

/** How long a challenge is accepted, in seconds. */
export const challengeSeconds = 300

const purpose = (id: string) => `passkey-challenge:${id}`

/** Random bits of a challenge. */
const randomBits = 80
const randomDigits = randomBits / 5

/** Creates a challenge that the service can verify without storing it: its time, random bits and a signature. */
export async function createChallenge(env: Bindings): Promise<string> {
  const id = createIdAt('chl', Date.now()).slice(0, -randomDigits) + randomBase32(randomBits).toLowerCase()
  return `${id}.${await signHmac(env, purpose(id))}`
}

/** Id of a challenge of the service that is not too old; otherwise undefined. A row in `used_challenges` shows whether it was used. */
export async function readChallenge(env: Bindings, challenge: string): Promise<string | undefined> {
  const [, id = '', seal = ''] = /^(chl_[0-9a-z]{26})\.([0-9A-Z]{16})$/.exec(challenge) ?? []
  if (!(await verifyHmac(env, purpose(id), seal))) return undefined
  const ageMs = Date.now() - getCreationMs(id)
  return ageMs < challengeSeconds * 1000 ? id : undefined
}

/** User handle of the person who registers the first passkey with a challenge: random, and the same in both requests. */
export const toPerson = (env: Bindings, challengeId: string) => signHmac(env, `person:${challengeId}`)
