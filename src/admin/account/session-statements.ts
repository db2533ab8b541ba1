import { and, desc, eq, exists, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { sessionSeconds } from '../../platform/auth/console-session.ts'
import { isCurrent } from '../../platform/auth/current-sessions.ts'
import { isCurrentOperator } from '../../platform/auth/operator/active-operators.ts'
import { supportAccess, supportSeconds } from '../../platform/auth/operator/support-sessions.ts'
import { allOf, compile, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, selectList, typed } from '../../platform/db/query.ts'
import { operatorTable } from '../../platform/db/schema/directory/operators.ts'
import { sessionTable as table } from '../../platform/db/schema/directory/sessions.ts'
import { keyTable } from '../../platform/db/schema/keys.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { createPageStatements } from '../../platform/http/keyset-list.ts'
import { createIdRetention } from '../../platform/purge-statements.ts'

/** Maximum number of sessions of one key or member, and of support of one operator. A further sign-in ends the oldest. */
export const maxSessionsPerKey = 50

/** When a session ends even if it is used: with its key, or after the hour of support. */
const endsAt = sql<number | null>`case when ${table.operatorId} is null
  then (select ${keyTable.expiresAt} from ${keyTable} where ${keyTable.id} = ${table.keyId})
  else ${table.createdAt} + ${sql.raw(String(supportSeconds))} end`
/** Also the name of a removed operator. */
const operatorName = sql<
  string | null
>`(select ${operatorTable.name} from ${operatorTable} where ${operatorTable.id} = ${table.operatorId})`
/** Columns that are read of a session. */
const sessionFields = {
  id: table.id,
  keyId: table.keyId,
  userId: table.userId,
  operatorId: table.operatorId,
  operatorName,
  reason: table.reason,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
  userAgent: table.userAgent,
  endsAt,
}
export type StoredSession = RowOf<typeof sessionFields>

/** Sessions of one key, member or operator, or of the merchant if `:subject` is null. */
const isVisible = and(
  eq(table.merchantId, param('merchantId')),
  sql`(${param('subject')} is null or ${param('subject')} in (${table.keyId}, ${table.userId}, ${table.operatorId}))`,
)
const insertedColumns = {
  id: param('id'),
  merchantId: param('merchantId'),
  hash: param('hash'),
  createdAt: columnParam(table.createdAt, 'now'),
  lastUsedAt: columnParam(table.lastUsedAt, 'now'),
  userAgent: columnParam(table.userAgent, 'userAgent'),
}
const returned = { id: table.id }

function createTrim(isOfSubject: SQL) {
  const ids = db.select(returned).from(table).where(isOfSubject).orderBy(desc(table.id))
  const lastBeyond = ids.limit(1).offset(maxSessionsPerKey)
  const isExpired = lt(table.createdAt, sql`${databaseNow} - ${sql.raw(String(sessionSeconds.total))}`)
  return compile(db.delete(table).where(and(isOfSubject, or(isExpired, lte(table.id, sql`(${lastBeyond})`)))))
}

export const sessionStatements = {
  insert: lazy(() => compile(db.insert(table).values({ ...insertedColumns, keyId: param('keyId') }))),
  /** Inserts the session of a member if the previous statement of the transaction wrote a row. */
  insertOfMember: lazy(() =>
    typed(returned, () =>
      insertSelect(
        table,
        { ...insertedColumns, userId: param('userId'), passkey: param('passkey'), assertedAt: databaseNow },
        sql`where changes() > 0 returning ${selectList(returned)}`,
      ),
    ),
  ),
  /** Inserts the session of an operator, unless the operator was removed or the venue allows no support. */
  insertOfOperator: lazy(() => {
    const isOperator = and(eq(operatorTable.id, param('operatorId')), isCurrentOperator)
    return typed(returned, () =>
      insertSelect(
        table,
        { ...insertedColumns, operatorId: param('operatorId'), reason: param('reason') },
        sql`from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')} and ${supportAccess} <> 'off'
          and ${exists(db.select({ id: operatorTable.id }).from(operatorTable).where(isOperator))} returning ${selectList(returned)}`,
      ),
    )
  }),
  /** Deletes the expired sessions of a key or a member, and the oldest beyond the limit. */
  trim: lazy(() => createTrim(eq(table.keyId, param('keyId')))),
  trimOfMember: lazy(() => createTrim(eq(table.userId, param('userId')))),
  trimOfOperator: lazy(() => createTrim(eq(table.operatorId, param('operatorId')))),
  /** Deletes the session whose cookie the session `:id` has replaced, because its browser can no longer use or end it. */
  endReplaced: lazy(() => {
    const started = alias(table, 'started')
    const isStarted = exists(
      db
        .select({ id: started.id })
        .from(started)
        .where(eq(started.id, param('id'))),
    )
    return compile(db.delete(table).where(and(eq(table.hash, param('replaced')), isStarted)))
  }),
  /** Stores the time of an assertion, if the previous statement of the transaction wrote a row. */
  assert: lazy(() =>
    typed({ assertedAt: sql<number>`${table.assertedAt}` }, (select) =>
      db
        .update(table)
        .set({ assertedAt: databaseNow })
        .where(and(eq(table.id, param('session')), sql`changes() > 0`))
        .returning(select),
    ),
  ),
  end: lazy(() =>
    typed(sessionFields, (select) =>
      db
        .delete(table)
        .where(and(isVisible, eq(table.id, param('id'))))
        .returning(select),
    ),
  ),
  list: createPageStatements(
    sessionFields,
    allOf(isVisible, isCurrent(table), sql`coalesce(${endsAt} > ${databaseNow}, true)`),
  ),
}

export const sessionRetention = createIdRetention(table)
