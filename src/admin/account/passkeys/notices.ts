import { and, desc, eq, exists, gt, gte, isNull, ne, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { createAuditStatement } from '../../../platform/db/audit-log.ts'
import { lazy, param } from '../../../platform/db/database.ts'
import { directoryDatabase } from '../../../platform/db/home/d1-connection.ts'
import { columnParam, db, insertSelect, type RowOf, selectList, typed } from '../../../platform/db/query.ts'
import { noticeMarkTable as marks, noticeTable as table } from '../../../platform/db/schema/directory/notices.ts'
import { sessionTable } from '../../../platform/db/schema/directory/sessions.ts'
import { passkeyTable, userTable } from '../../../platform/db/schema/directory/users.ts'
import type { Actor } from '../../../platform/db/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { createIdRetention } from '../../../platform/purge-statements.ts'
import { requireMember } from './ceremony.ts'
import type { noticeView } from './passkey-schemas.ts'

/** Maximum number of notices that are shown. */
const maxNotices = 20

const noticeFields = { id: table.id, at: table.at, operation: table.operation, title: table.title, venue: table.venue }
const returned = { notice: marks.notice }
const isMember = and(eq(userTable.id, param('userId')), eq(userTable.merchantId, param('merchantId')))

export const noticeStatements = {
  /** Inserts a notice for the person of a member, if the previous statement of the transaction wrote a row. */
  insert: lazy(() =>
    typed({ id: table.id }, () =>
      insertSelect(
        table,
        {
          id: param('notice'),
          person: userTable.person,
          at: columnParam(table.at, 'now'),
          operation: columnParam(table.operation, 'operation'),
          passkey: param('passkey'),
          title: param('title'),
          sessionId: param('session'),
          venue: param('venue'),
        },
        sql`from ${userTable} where changes() > 0 and ${isMember} returning ${selectList({ id: table.id })}`,
      ),
    ),
  ),
  /** Writes an entry to the audit log of each other venue of the person of a notice. */
  recordElsewhere: lazy(() => {
    const person = db
      .select({ person: table.person })
      .from(table)
      .where(eq(table.id, param('notice')))
    const isOther = and(eq(userTable.person, person), ne(userTable.id, param('userId')))
    return createAuditStatement(sql`from ${userTable} where ${isOther}`, {
      merchantId: userTable.merchantId,
      key: userTable.id,
      object: userTable.id,
    })
  }),
  /**
   * Notices for a session of a member: those that its passkey has not confirmed at its venue, except changes by the session itself. Excludes changes
   * before the passkey was registered, and its own registration.
   */
  list: lazy(() =>
    typed(noticeFields, (select) =>
      db
        .select(select)
        .from(sessionTable)
        .innerJoin(userTable, eq(userTable.id, sessionTable.userId))
        .innerJoin(passkeyTable, eq(passkeyTable.id, sessionTable.passkey))
        .innerJoin(table, eq(table.person, userTable.person))
        .leftJoin(marks, and(eq(marks.passkey, sessionTable.passkey), eq(marks.userId, sessionTable.userId)))
        .where(
          and(
            eq(sessionTable.hash, param('hash')),
            ne(table.sessionId, sessionTable.id),
            ne(table.passkey, sessionTable.passkey),
            gte(table.at, passkeyTable.createdAt),
            or(isNull(marks.notice), gt(table.id, marks.notice)),
          ),
        )
        .orderBy(desc(table.id))
        .limit(maxNotices),
    ),
  ),
  /** Marks a notice of the session's person, and all earlier ones, as read with the session's passkey at its venue. */
  mark: lazy(() => {
    const isOfPerson = exists(
      db
        .select({ one: sql`1` })
        .from(userTable)
        .where(and(eq(userTable.id, sessionTable.userId), eq(userTable.person, table.person))),
    )
    const last = sql`max(${marks.notice}, excluded.notice)`
    return typed(returned, () =>
      insertSelect(
        marks,
        // The condition leaves out sessions of keys, which have neither a person nor a passkey.
        { passkey: sql`${sessionTable.passkey}`, userId: sql`${sessionTable.userId}`, notice: table.id },
        sql`from ${sessionTable}, ${table} where ${and(eq(sessionTable.id, param('session')), eq(table.id, param('notice')))}
          and ${sessionTable.passkey} is not null and ${isOfPerson}
          on conflict (passkey, user_id) do update set notice = ${last} returning ${selectList(returned)}`,
      ),
    )
  }),
}

export const noticeRetention = createIdRetention(table)

/** Parameters of the notice about a change of a passkey, and of the entries in the audit logs of the person's other venues. */
interface PasskeyChange {
  operation: 'passkeys.create' | 'passkeys.delete'
  passkey: string
  title: string | null | undefined
  userId: string
  merchantId: string
  session: string
  venue: string
}

/** Statements after a change of a passkey. The first one inserts the notice if the previous statement wrote a row. */
export function tellPerson({ requestId }: Actor, change: PasskeyChange) {
  const values = { ...change, title: change.title ?? null, notice: createId('ntc'), now: nowInSeconds() }
  const entry = { ...values, entry: createId('aud'), testMode: false, requestId }
  return [
    [noticeStatements.insert(), values],
    [noticeStatements.recordElsewhere(), entry],
  ] as const
}

/** A notice as its person sees it. */
export const toNoticeView = ({ title, ...notice }: RowOf<typeof noticeFields>): z.output<typeof noticeView> => ({
  ...notice,
  title: title ?? undefined,
})

/** Marks a notice as read. */
export async function readNotice(c: Context<Env>, notice: string) {
  const { id: session } = await requireMember(c)
  const database = directoryDatabase(c.env)
  database.usePrimary()
  const [marked] = await database.run([noticeStatements.mark(), { session, notice }])
  if (marked.length === 0) throw notFound()
  return c.body(null, 204)
}
