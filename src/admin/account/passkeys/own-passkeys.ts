import type { Context } from 'hono'
import * as z from 'zod/mini'
import { requireConfirmed } from '../../../platform/auth/assertion.ts'
import { clearSessionCache } from '../../../platform/auth/sessions.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import type { RowOf } from '../../../platform/db/query.ts'
import { commit } from '../../../platform/db/transaction.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { getDirectoryActor } from '../session-routes.ts'
import { requireMember } from './ceremony.ts'
import { tellPerson } from './notices.ts'
import type { membershipView, passkeyBodies, passkeyView } from './passkey-schemas.ts'
import { type passkeyFields, passkeyStatements as statements } from './passkey-statements.ts'

const transportList = z.catch(z.array(z.string()), [])
/** Stored hints for browsers. A damaged value counts as empty. */
export const readTransports = (stored: unknown) => transportList.parse(stored)

/** A passkey as its owner sees it. */
export const toPasskeyView = ({
  id,
  title,
  createdAt,
  lastUsedAt,
}: RowOf<typeof passkeyFields>): z.output<typeof passkeyView> => ({
  id,
  title: title ?? undefined,
  createdAt,
  lastUsedAt: lastUsedAt ?? undefined,
})

/** Lists the passkeys of the member who is signed in. */
export async function listPasskeys(c: Context<Env>) {
  const { member, merchant } = await requireMember(c)
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [passkeys] = await database.run([statements.list(), { userId: member.id, merchantId: merchant.id }])
  return c.json(passkeys.map(toPasskeyView), 200)
}

/** Changes the name of a passkey of the member who is signed in. */
export async function renamePasskey(c: Context<Env>, id: string, { title }: z.output<typeof passkeyBodies.update>) {
  const { member, merchant } = await requireMember(c)
  const actor = getDirectoryActor(c, { id: member.id, merchantId: merchant.id, testMode: false })
  const operation = { operation: 'passkeys.update', object: member.id }
  const values = { userId: member.id, merchantId: merchant.id, passkey: id, title }
  const [[renamed]] = await commit(actor, operation, [[statements.rename(), values]])
  if (!renamed) throw notFound()
  return c.json(toPasskeyView(renamed), 200)
}

/** Lists the memberships of the person who is signed in. */
export async function listMemberships(c: Context<Env>) {
  const { member, merchant } = await requireMember(c)
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [found] = await database.run([statements.listMemberships(), { userId: member.id, merchantId: merchant.id }])
  const memberships = found.map(
    ({ id, role, merchantId, venue, suspended }): z.output<typeof membershipView> => ({
      id,
      role,
      merchant: { id: merchantId, name: venue },
      suspended: suspended === 1,
      current: id === member.id,
    }),
  )
  return c.json(memberships, 200)
}

/**
 * Deletes a passkey of the member who is signed in, and ends the person's other sessions: the passkey may have started them. The last passkey cannot
 * be deleted, because nobody could sign in then.
 */
export async function removePasskey(c: Context<Env>, id: string) {
  const { id: session, member, merchant } = await requireMember(c)
  await requireConfirmed(c, session)
  const actor = getDirectoryActor(c, { id: member.id, merchantId: merchant.id, testMode: false })
  const values = { userId: member.id, merchantId: merchant.id, passkey: id, session }
  const list = [statements.list(), values] as const
  actor.database.usePrimary()
  const [own] = await actor.database.run(list)
  const title = own.find((passkey) => passkey.id === id)?.title
  const change = { ...values, operation: 'passkeys.delete', title, venue: merchant.name } as const
  const [tell, record] = tellPerson(actor, change)
  const [[removed], , , , left] = await commit(
    actor,
    { operation: change.operation, object: member.id },
    [[statements.remove(), values]],
    [tell, [statements.endOtherSessions(), values], record, list],
  )
  if (removed) {
    clearSessionCache()
    return c.json({ id, object: toPasskeyView(removed), message: 'Passkey deleted', deleted: true as const }, 200)
  }
  // Throws if another request has ended the session.
  await requireConfirmed(c, session)
  throw left.some((passkey) => passkey.id === id)
    ? new ApiError('conflict', 'The last passkey cannot be deleted. Add another one first.')
    : notFound()
}
