import type { Context } from 'hono'
import { requireLookup } from '../../../platform/auth/sessions.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import { ApiError, merchantSuspended, notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { countMiss } from '../../../platform/http/rate-limit.ts'
import { hashKey } from '../../../platform/lib/encoding/sha256.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { invitationStatements, maxMembers } from '../members/invitation-statements.ts'

/** Rejects an invitation that is unknown, used, revoked or expired: always with the same problem. */
export const createUnknownInvitationError = (c: Context<Env>) => countMiss(c, notFound())

/** The usable invitation of a token, and the hash of the token. */
export async function requireInvitation(c: Context<Env>, token: string) {
  const [now, hash] = [nowInSeconds(), await hashKey(token)]
  requireLookup(c, now)
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [[found]] = await database.run([invitationStatements.find(), { invitation: hash, now }])
  if (!found) throw await createUnknownInvitationError(c)
  if (found.suspended === 1) throw merchantSuspended()
  if (found.members >= maxMembers) throw new ApiError('too_many', `The merchant has ${maxMembers} members.`)
  return { ...found, hash }
}
