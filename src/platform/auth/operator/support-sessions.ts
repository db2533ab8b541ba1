import { and, eq, gt, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { type Database, databaseNow, lazy, param } from '../../db/database.ts'
import { db, type RowOf, typed } from '../../db/query.ts'
import { homeTable } from '../../db/schema/directory/homes.ts'
import { operatorTable } from '../../db/schema/directory/operators.ts'
import { sessionTable as table } from '../../db/schema/directory/sessions.ts'
import { merchantTable } from '../../db/schema/merchants.ts'
import type { Env } from '../../http/context.ts'
import { randomBase32 } from '../../lib/encoding/base32.ts'
import { type ConsoleSession, sessionFields, supportMark, tokenBits, toSession } from '../console-session.ts'
import { isCurrentOperator } from './active-operators.ts'
import { hideTokens, requireSupportRight, type SupportAccess, supportScopes } from './support-rights.ts'

/** Lifetime of a session of support in seconds, from its start. */
export const supportSeconds = 3_600

/** A token of support, which is as long as others. */
export const createSupportToken = () => supportMark + randomBase32(tokenBits).slice(supportMark.length)

/** Rights that the venue gives now. */
export const supportAccess = sql<SupportAccess>`coalesce(${merchantTable.supportAccess}, 'read')`
/** A session of a current operator, at a venue that allows support, within its hour. */
const fields = {
  ...sessionFields,
  operator: operatorTable.id,
  operatorName: operatorTable.name,
  reason: sql<string>`${table.reason}`,
  access: supportAccess,
}
const find = lazy(() =>
  typed(fields, (select) =>
    db
      .select(select)
      .from(table)
      .innerJoin(operatorTable, and(eq(operatorTable.id, table.operatorId), isCurrentOperator))
      .innerJoin(merchantTable, eq(merchantTable.id, table.merchantId))
      .leftJoin(homeTable, eq(homeTable.merchantId, table.merchantId))
      .where(
        and(
          eq(table.hash, param('hash')),
          gt(table.createdAt, sql`${databaseNow} - ${sql.raw(String(supportSeconds))}`),
          sql`${supportAccess} <> 'off'`,
        ),
      ),
  ),
)

const toSupportSession = (row: RowOf<typeof fields>): ConsoleSession => ({
  ...toSession(row, row.startedAt + supportSeconds, {
    id: row.operator,
    testMode: false,
    scopes: supportScopes[row.access === 'write' ? 'write' : 'read'],
    grantsLive: true,
    finish: hideTokens,
  }),
  support: { operator: row.operator, name: row.operatorName, reason: row.reason },
})

/**
 * Reads the session of support of a token's hash, at the primary: its end, the removal of the operator and a change of `supportAccess` take effect with
 * the next request. Throws for a request that support may not send.
 */
export async function readSupportSession(
  database: Database,
  hash: string,
  c: Context<Env>,
): Promise<ConsoleSession | undefined> {
  database.usePrimary()
  const [[row]] = await database.run([find(), { hash }])
  if (!row) return undefined
  requireSupportRight(c, row.access)
  return toSupportSession(row)
}
