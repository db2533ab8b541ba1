import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { requireConfirmed } from '../../../platform/auth/assertion.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import { commit, createAuditEntry } from '../../../platform/db/transaction.ts'
import { ApiError, invalid } from '../../../platform/errors.ts'
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
  encodeText,
  finishCeremony,
  rejectReplay,
  requireMember,
  startCeremony,
} from './ceremony.ts'
import { readChallenge, toPerson } from './challenge.ts'
import { createUnknownInvitationError, requireInvitation } from './invitation.ts'
import { tellPerson } from './notices.ts'
import { readTransports, toPasskeyView } from './own-passkeys.ts'
import type { creationOptionsView, passkeyBodies } from './passkey-schemas.ts'
import { maxPasskeys, passkeyStatements as statements } from './passkey-statements.ts'
import { algorithmNumbers, verifyRegistration } from './webauthn.ts'

type Options = z.output<typeof passkeyBodies.registrationOptions>
type Body = z.output<typeof passkeyBodies.registration>

const requireName = (name: string | null | undefined) => {
  if (name) return name
  throw invalid([{ pointer: '/name', code: 'required', message: 'must be given' }])
}

/** The registering person: a new member with an invitation, or the member who is signed in. */
async function findPerson(c: Context<Env>, { token, name }: Options, challenge: string) {
  if (token) {
    const { venue } = await requireInvitation(c, token)
    const id = await readChallenge(c.env, challenge)
    return { person: await toPerson(c.env, id ?? ''), name: requireName(name), venue, passkeys: [] }
  }
  const { id: session, member, merchant } = await requireMember(c)
  await requireConfirmed(c, session)
  const database = directoryDatabase(c.env)
  const values = { userId: member.id, merchantId: merchant.id }
  const [[found], passkeys] = await database.run([statements.findPerson(), values], [statements.list(), values])
  if (!found) throw await createPasskeyError(c)
  return { person: found.person, name: found.name, venue: merchant.name, passkeys }
}

/** The person who registers a passkey, and where. */
interface Registering {
  person: string
  name: string
  venue: string
  passkeys: readonly { id: string; transports: unknown }[]
}

/** Options of the registration of a passkey. `find` returns the person who answers a challenge. */
export async function respondWithOptions(c: Context<Env>, find: (challenge: string) => Promise<Registering>) {
  const { rpId, challenge, encoded } = await startCeremony(c)
  const { person, name, venue, passkeys } = await find(challenge)
  const options: z.output<typeof creationOptionsView> = {
    challenge: encoded,
    timeout: ceremonyMs,
    rp: { id: rpId, name: venue },
    user: { id: encodeText(person), name: `${name} (${venue})`, displayName: name },
    pubKeyCredParams: algorithmNumbers.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: passkeys.map(({ id, transports }) => ({
      type: 'public-key',
      id,
      transports: readTransports(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  }
  return c.json(options, 200)
}

/** Options of the registration of a member's passkey. */
export const createCreationOptions = (c: Context<Env>, body: Options) =>
  respondWithOptions(c, (challenge) => findPerson(c, body, challenge))

/** Verifies a new passkey. Returns the parameters of the statements that store it. */
export async function verifyNewPasskey(c: Context<Env>, { credential, title }: Pick<Body, 'credential' | 'title'>) {
  const expected = await finishCeremony(c, 'webauthn.create', credential.response)
  const verified = await verifyRegistration(credential, expected)
  if (!verified) throw await createPasskeyError(c)
  const transports = credential.response.transports ?? []
  const { challenge, challengedAt } = expected
  const values = { challenge, challengedAt, passkey: credential.id, title: title ?? null, now: nowInSeconds() }
  return { ...verified, ...values, transports }
}

/** Replaces the error of a passkey that is registered already, or of a challenge that was used. */
export async function rejectKnown(c: Context<Env>, error: unknown): Promise<never> {
  if (error instanceof ConstraintError && /^passkeys\./.test(error.subject))
    throw new ApiError('conflict', 'The passkey is registered already.')
  return rejectReplay(c, error)
}

/** Registers the passkey of a new member, who is then signed in. */
async function accept(c: Context<Env>, body: Body, invitation: string) {
  const { merchantId, hash } = await requireInvitation(c, invitation)
  const values = await verifyNewPasskey(c, body)
  const { token, row } = await createSessionRow(c, merchantId)
  const userId = createId(memberIdPrefix)
  const person = await toPerson(c.env, values.challenge)
  const all = { ...values, ...row, userId, person, name: requireName(body.name), invitation: hash }
  const actor = getDirectoryActor(c, { id: userId, merchantId, testMode: false })
  const results = await commit(
    actor,
    { operation: 'sessions.create', object: row.id },
    [
      [statements.useChallenge(), all],
      [invitationStatements.accept(), all],
      createAuditEntry(actor, 'members.create', userId),
      [statements.insertOfNew(), all],
      [sessionStatements.insertOfMember(), all],
    ],
    [
      [invitationStatements.use(), all],
      [sessionStatements.endReplaced(), all],
    ],
  ).catch((error: unknown) => rejectKnown(c, error))
  if (results[1].length === 0) throw await createUnknownInvitationError(c)
  return respondWithSession(c, token, row.hash)
}

/** Registers a further passkey of the member who is signed in. */
async function add(c: Context<Env>, body: Body) {
  const { id: session, member, merchant } = await requireMember(c)
  await requireConfirmed(c, session)
  const values = await verifyNewPasskey(c, body)
  const own = { userId: member.id, merchantId: merchant.id }
  const actor = getDirectoryActor(c, { id: member.id, merchantId: merchant.id, testMode: false })
  const [[found]] = await actor.database.run([statements.findPerson(), own])
  if (!found) throw await createPasskeyError(c)
  const all = { ...values, ...own, session, person: found.person }
  const change = { ...all, operation: 'passkeys.create', session, venue: merchant.name } as const
  const results = await commit(
    actor,
    { operation: change.operation, object: member.id },
    [
      [statements.useChallenge(), all],
      [statements.insert(), all],
    ],
    tellPerson(actor, change),
  ).catch((error: unknown) => rejectKnown(c, error))
  if (results[1].length === 0) {
    // Throws if another request has ended the session.
    await requireConfirmed(c, session)
    throw new ApiError('too_many', `A person has at most ${maxPasskeys} passkeys.`)
  }
  return c.json(
    toPasskeyView({ id: values.passkey, title: values.title, createdAt: values.now, lastUsedAt: null }),
    201,
  )
}

/** Registers a passkey. */
export const register = (c: Context<Env>, body: Body) => (body.token ? accept(c, body, body.token) : add(c, body))
