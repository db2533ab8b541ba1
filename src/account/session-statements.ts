import { and, desc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm'
import { sessionSeconds } from '../auth/sessions.ts'
import { allOf, compile, lazy, param } from '../db/database.ts'
import { columnParam, db, type RowOf, typed } from '../db/query.ts'
import { sessionTable as table } from '../db/schema/directory/sessions.ts'
import { createPageStatements } from '../http/keyset-list.ts'

/** Most sessions of one key. A further sign-in ends the oldest. */
export const maxSessionsPerKey = 50

/** Columns that are read of a session. */
export const sessionFields = {
  id: table.id,
  keyId: table.keyId,
  createdAt: table.createdAt,
  lastUsedAt: table.lastUsedAt,
  userAgent: table.userAgent,
}
export type StoredSession = RowOf<typeof sessionFields>

/** Sessions of one key, or of the merchant if `:key` is null. */
const isVisible = and(
  eq(table.merchantId, param('merchantId')),
  sql`(${param('key')} is null or ${table.keyId} = ${param('key')})`,
)
const isCurrent = and(gt(table.createdAt, param('startedAfter')), gt(table.lastUsedAt, param('usedAfter')))

/** Parameters for `isCurrent`. */
export const currentSince = (now: number) => ({
  startedAfter: now - sessionSeconds.total,
  usedAfter: now - sessionSeconds.idle,
})

export const sessionStatements = {
  insert: lazy(() =>
    compile(
      db.insert(table).values({
        id: param('id'),
        merchantId: param('merchantId'),
        keyId: param('keyId'),
        hash: param('hash'),
        createdAt: columnParam(table.createdAt, 'now'),
        lastUsedAt: columnParam(table.lastUsedAt, 'now'),
        userAgent: columnParam(table.userAgent, 'userAgent'),
      }),
    ),
  ),
  /** Deletes the expired sessions of a key, and the oldest beyond the limit. */
  trim: lazy(() => {
    const isOfKey = eq(table.keyId, param('keyId'))
    const lastBeyond = db
      .select({ id: table.id })
      .from(table)
      .where(isOfKey)
      .orderBy(desc(table.id))
      .limit(1)
      .offset(maxSessionsPerKey)
    return compile(
      db
        .delete(table)
        .where(and(isOfKey, or(lt(table.createdAt, param('startedAfter')), lte(table.id, sql`(${lastBeyond})`)))),
    )
  }),
  end: lazy(() =>
    typed(sessionFields, (select) =>
      db
        .delete(table)
        .where(and(isVisible, eq(table.id, param('id'))))
        .returning(select),
    ),
  ),
  list: createPageStatements(sessionFields, allOf(isVisible, isCurrent)),
}

const gone = { gone: sql<number>`1` }
const oldest = { oldest: sql<string | null>`min(${table.id})` }
export const sessionRetention = {
  /** Deletes at most `:most` sessions with ids before `:before`. Returns a row for each. */
  purge: lazy(() =>
    typed(gone, (select) =>
      db
        .delete(table)
        .where(
          inArray(
            table.id,
            db
              .select({ id: table.id })
              .from(table)
              .where(lt(table.id, param('before')))
              .limit(param('most')),
          ),
        )
        .returning(select),
    ),
  ),
  oldest: lazy(() => typed(oldest, (select) => db.select(select).from(table))),
}
