import { and, desc, eq, exists, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isCurrent } from '../../platform/auth/current-sessions.ts'
import { sessionSeconds } from '../../platform/auth/sessions.ts'
import { allOf, compile, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, type RowOf, selectList, typed } from '../../platform/db/query.ts'
import { sessionTable as table } from '../../platform/db/schema/directory/sessions.ts'
import { keyTable } from '../../platform/db/schema/keys.ts'
import { createPageStatements } from '../../platform/http/keyset-list.ts'
import { createIdRetention } from '../../platform/purge-statements.ts'

/** Maximum number of sessions of one key or member. A further sign-in ends the oldest. */
export const maxSessionsPerKey = 50

const keyExpiresAt = sql<
  number | null
>`(select ${keyTable.expiresAt} from ${keyTable} where ${keyTable.id} = ${table.keyId})`
/** Columns that are read of a session. */
const sessionFields = {
  id: table.id,
  keyId: table.keyId,
  userId: table.userId,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
  userAgent: table.userAgent,
  keyExpiresAt,
}
export type StoredSession = RowOf<typeof sessionFields>

/** Sessions of one key or member, or of the merchant if `:subject` is null. */
const isVisible = and(
  eq(table.merchantId, param('merchantId')),
  sql`(${param('subject')} is null or ${param('subject')} in (${table.keyId}, ${table.userId}))`,
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
  /** Deletes the expired sessions of a key or a member, and the oldest beyond the limit. */
  trim: lazy(() => createTrim(eq(table.keyId, param('keyId')))),
  trimOfMember: lazy(() => createTrim(eq(table.userId, param('userId')))),
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
    allOf(isVisible, isCurrent(table), sql`coalesce(${keyExpiresAt} > ${databaseNow}, true)`),
  ),
}

export const sessionRetention = createIdRetention(table)
