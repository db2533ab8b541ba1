import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { requireDistinctTokens } from '../../../platform/auth/operator/operator-tokens.ts'
import { requireLookup } from '../../../platform/auth/sessions.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import type { Env } from '../../../platform/http/context.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { respondWithOperatorSession } from '../operator-session-routes.ts'
import { createPasskeyError, finishCeremony, rejectReplay } from '../passkeys/ceremony.ts'
import { readChallenge, toPerson } from '../passkeys/challenge.ts'
import { createUnknownInvitationError } from '../passkeys/invitation.ts'
import type { assertionFields } from '../passkeys/passkey-schemas.ts'
import { passkeyStatements } from '../passkeys/passkey-statements.ts'
import { rejectKnown, respondWithOptions, verifyNewPasskey } from '../passkeys/register.ts'
import { verifyAssertion } from '../passkeys/webauthn.ts'
import { readUserAgent } from '../session-routes.ts'
import type { operatorBodies } from './operator-schemas.ts'
import { operatorStatements as statements } from './operator-statements.ts'

const primary = (c: Context<Env>) => {
  const database = directoryDatabase(c.env)
  database.usePrimary()
  return database
}

/** The operator whom an unused invitation is for, and the hash of its token. */
export async function requireOperatorInvitation(c: Context<Env>, token: string) {
  requireLookup(c, nowInSeconds())
  const hash = await hashKey(token)
  const [[operator]] = await primary(c).run([statements.findInvited(), { invitation: hash }])
  if (!operator) throw await createUnknownInvitationError(c)
  return { ...operator, hash }
}

/** Options of the registration of an invited operator's passkey. */
export const createOperatorOptions = (c: Context<Env>, token: string) =>
  respondWithOptions(c, async (challenge) => {
    const { name } = await requireOperatorInvitation(c, token)
    const id = await readChallenge(c.env, challenge)
    return { person: await toPerson(c.env, id ?? ''), name, venue: 'Operator', passkeys: [] }
  })

/** Registers the passkey of an invited operator, who is then signed in. It replaces earlier passkeys of the operator. */
export async function joinOperators(c: Context<Env>, body: z.output<typeof operatorBodies.registration>) {
  requireDistinctTokens(c.env)
  const { id, hash: invitation } = await requireOperatorInvitation(c, body.token)
  const values = await verifyNewPasskey(c, body)
  const person = await toPerson(c.env, values.challenge)
  const all = { ...values, id, person, invitation }
  const [, , accepted] = await primary(c)
    .run(
      [passkeyStatements.useChallenge(), all],
      [statements.replacePasskeys(), all],
      [statements.accept(), all],
      [passkeyStatements.insertOfNew(), all],
      [statements.endSessions(), all],
      [statements.endSupport(), all],
    )
    .catch((error: unknown) => rejectKnown(c, error))
  if (accepted.length === 0) throw await createUnknownInvitationError(c)
  return respondWithOperatorSession(c, { userAgent: readUserAgent(c), operator: id, isAsserted: true })
}

/** Signs an operator in with a passkey. */
export async function signInOperator(c: Context<Env>, credential: z.output<typeof assertionFields>) {
  const expected = await finishCeremony(c, 'webauthn.get', credential.response)
  requireLookup(c, nowInSeconds())
  const [[found]] = await primary(c).run([statements.findByPasskey(), { passkey: credential.id }])
  if (!found) throw await createPasskeyError(c)
  const counter = await verifyAssertion(credential, found, expected)
  if (counter === undefined) throw await createPasskeyError(c)
  requireDistinctTokens(c.env)
  const { challenge, challengedAt } = expected
  const all = { challenge, challengedAt, passkey: credential.id, counter, now: nowInSeconds(), id: found.id }
  const [, used] = await primary(c)
    .run([passkeyStatements.useChallenge(), all], [passkeyStatements.use(), all], [statements.touch(), all])
    .catch((error: unknown) => rejectReplay(c, error))
  // The counter did not increase: the passkey may have been copied.
  if (used.length === 0) throw await createPasskeyError(c)
  return respondWithOperatorSession(c, { userAgent: readUserAgent(c), operator: found.id, isAsserted: true })
}
