import type { Context } from 'hono'
import { createUnauthenticatedError } from '../../../platform/auth/authenticate.ts'
import type { ConsoleSession } from '../../../platform/auth/console-session.ts'
import { findSession } from '../../../platform/auth/sessions.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { getCreationMs } from '../../../platform/lib/ids.ts'
import { toSeconds } from '../../../platform/lib/time.ts'
import { createChallenge, readChallenge } from './challenge.ts'
import { getRelyingParty } from './relying-party.ts'
import { readClientData } from './webauthn.ts'

/** Timeout of a ceremony for the person, in milliseconds. */
export const ceremonyMs = 240_000

const utf8 = new TextEncoder()
/** Text in base64url. */
export const encodeText = (text: string) => utf8.encode(text).toBase64({ alphabet: 'base64url', omitPadding: true })

/** Rejects a passkey that is unknown, replayed, of another service, or not verified: always with the same problem. */
export const createPasskeyError = (c: Context<Env>) => createUnauthenticatedError(c, 'The passkey is not accepted.')

/** A challenge, and the host name that passkeys are bound to. */
export async function startCeremony(c: Context<Env>) {
  const { id } = getRelyingParty(c.env)
  const challenge = await createChallenge(c.env)
  return { rpId: id, challenge, encoded: encodeText(challenge) }
}

/** Values that a response must be bound to, with the id of its challenge. Throws if the challenge is not from this service, or too old. */
export async function finishCeremony(
  c: Context<Env>,
  type: 'webauthn.create' | 'webauthn.get',
  response: { clientDataJSON: string },
) {
  const { origin, id: rpId } = getRelyingParty(c.env)
  const challenge = readClientData(response.clientDataJSON, type, { origin, rpId })
  const challengeId = challenge === undefined ? undefined : await readChallenge(c.env, challenge)
  if (challengeId === undefined) throw await createPasskeyError(c)
  return { origin, rpId, challenge: challengeId, challengedAt: toSeconds(getCreationMs(challengeId)) }
}

/** Replaces the error of a challenge or a member that no longer exists, or was already used. */
export async function rejectReplay(c: Context<Env>, error: unknown): Promise<never> {
  const isReplay = error instanceof ConstraintError && /^used_challenges\./.test(error.subject)
  const isRemoved = error instanceof ConstraintError && error.kind === 'foreign_key'
  throw isReplay || isRemoved ? await createPasskeyError(c) : error
}

/** The session of a member. */
export async function requireMember(
  c: Context<Env>,
): Promise<ConsoleSession & { member: NonNullable<ConsoleSession['member']> }> {
  const session = await findSession(c)
  if (!session?.member) throw await createUnauthenticatedError(c, 'Sign in with a passkey.')
  return { ...session, member: session.member }
}
