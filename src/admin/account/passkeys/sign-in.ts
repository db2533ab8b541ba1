import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { assertionSeconds } from '../../../platform/auth/assertion.ts'
import { createUnauthenticatedError } from '../../../platform/auth/authenticate.ts'
import { requireLookup } from '../../../platform/auth/sessions.ts'
import type { Values } from '../../../platform/db/database.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import { commit, createAuditEntry } from '../../../platform/db/transaction.ts'
import { ApiError, merchantSuspended } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { memberIdPrefix } from '../../../platform/names.ts'
import { invitationStatements } from '../members/invitation-statements.ts'
import { createSessionRow, getDirectoryActor, respondWithSession } from '../session-routes.ts'
import { sessionStatements } from '../session-statements.ts'
import {
  ceremonyMs,
  createPasskeyError,
  finishCeremony,
  rejectReplay,
  requireMember,
  startCeremony,
} from './ceremony.ts'
import { createUnknownInvitationError, requireInvitation } from './invitation.ts'
import { noticeStatements } from './notices.ts'
import type { passkeyBodies, requestOptionsView } from './passkey-schemas.ts'
import { passkeyStatements as statements } from './passkey-statements.ts'
import { verifyAssertion } from './webauthn.ts'

/** Options of a sign-in with a discoverable passkey. */
export async function createRequestOptions(c: Context<Env>) {
  const { rpId, encoded } = await startCeremony(c)
  const options: z.output<typeof requestOptionsView> = {
    challenge: encoded,
    rpId,
    timeout: ceremonyMs,
    userVerification: 'required',
  }
  return c.json(options, 200)
}

type Body = z.output<typeof passkeyBodies.signIn>

/** Verifies a passkey. Returns the memberships of its person, and the parameters of the statements that use it. */
async function verify(c: Context<Env>, { credential }: Pick<Body, 'credential'>) {
  const expected = await finishCeremony(c, 'webauthn.get', credential.response)
  const now = nowInSeconds()
  requireLookup(c, now)
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [memberships] = await database.run([statements.findMemberships(), { passkey: credential.id }])
  const [passkey] = memberships
  if (!passkey) throw await createPasskeyError(c)
  const counter = await verifyAssertion(credential, passkey, expected)
  if (counter === undefined) throw await createPasskeyError(c)
  const { challenge, challengedAt } = expected
  return { memberships, passkey, values: { challenge, challengedAt, passkey: credential.id, counter, now } }
}

/** Rejects a passkey whose counter did not increase: it may have been copied. The statements after its use then write nothing. */
async function requireUse(c: Context<Env>, used: readonly unknown[]): Promise<void> {
  if (used.length === 0) throw await createPasskeyError(c)
}

/** Signs a member in. */
async function startSession(c: Context<Env>, merchantId: string, userId: string, values: Values) {
  const { token, row } = await createSessionRow(c, merchantId)
  const all = { ...values, ...row, userId }
  const actor = getDirectoryActor(c, { id: userId, merchantId, testMode: false })
  const results = await commit(
    actor,
    { operation: 'sessions.create', object: row.id },
    [
      [statements.useChallenge(), all],
      [statements.use(), all],
      [sessionStatements.insertOfMember(), all],
    ],
    [
      [statements.useMember(), all],
      [sessionStatements.trimOfMember(), all],
      [sessionStatements.endReplaced(), all],
      [noticeStatements.list(), all],
    ],
  ).catch((error: unknown) => rejectReplay(c, error))
  await requireUse(c, results[1])
  return respondWithSession(c, token, row.hash, results[6])
}

/** Makes the person of a passkey a member of the inviting merchant, and signs the person in there. */
async function joinMerchant(c: Context<Env>, invitation: string, values: Values, name: string, person: string) {
  const { merchantId, hash } = await requireInvitation(c, invitation)
  const { token, row } = await createSessionRow(c, merchantId)
  const userId = createId(memberIdPrefix)
  const all = { ...values, ...row, userId, person, name, invitation: hash }
  const actor = getDirectoryActor(c, { id: userId, merchantId, testMode: false })
  const results = await commit(
    actor,
    { operation: 'sessions.create', object: row.id },
    [
      [statements.useChallenge(), all],
      [statements.use(), all],
      [invitationStatements.accept(), all],
      createAuditEntry(actor, 'members.create', userId),
      [sessionStatements.insertOfMember(), all],
    ],
    [
      [invitationStatements.use(), all],
      [sessionStatements.endReplaced(), all],
      [noticeStatements.list(), all],
    ],
  ).catch((error: unknown) => {
    if (error instanceof ConstraintError && /^users\.person/.test(error.subject))
      throw new ApiError('conflict', 'The person is a member of this merchant already.')
    return rejectReplay(c, error)
  })
  await requireUse(c, results[1])
  if (results[2].length === 0) throw await createUnknownInvitationError(c)
  return respondWithSession(c, token, row.hash, results[7])
}

/** Confirms the session of a member with a passkey of the same person. */
export async function assertPasskey(c: Context<Env>, body: z.output<typeof passkeyBodies.assertion>) {
  const { id, member, merchant } = await requireMember(c)
  const { memberships, values } = await verify(c, body)
  if (!memberships.some(({ userId }) => userId === member.id)) throw await createPasskeyError(c)
  const actor = getDirectoryActor(c, { id: member.id, merchantId: merchant.id, testMode: false })
  const all = { ...values, session: id }
  const [, used, [asserted]] = await commit(actor, { operation: 'sessions.update', object: id }, [
    [statements.useChallenge(), all],
    [statements.use(), all],
    [sessionStatements.assert(), all],
  ]).catch((error: unknown) => rejectReplay(c, error))
  await requireUse(c, used)
  if (!asserted) throw await createUnauthenticatedError(c)
  const { assertedAt } = asserted
  return c.json({ id, assertedAt, expiresAt: assertedAt + assertionSeconds }, 200)
}

/** Exchanges the response of a passkey for a session. */
export async function signIn(c: Context<Env>, body: Body) {
  const { memberships, passkey, values } = await verify(c, body)
  if (body.token) return joinMerchant(c, body.token, values, passkey.name, passkey.person)
  const { merchant } = body
  const membership = memberships.find(({ merchantId }) => (merchant ?? merchantId) === merchantId)
  if (!membership) throw await createPasskeyError(c)
  if (membership.suspended === 1) throw merchantSuspended()
  return startSession(c, membership.merchantId, membership.userId, values)
}
