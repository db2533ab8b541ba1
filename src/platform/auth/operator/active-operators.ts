import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { db } from '../../db/query.ts'
import { operatorTable as table } from '../../db/schema/directory/operators.ts'

export const isCurrentOperator = isNull(table.removedAt)
/** Operators who can sign in: an open invitation alone does not count. */
const isActive = and(isCurrentOperator, or(isNotNull(table.email), isNotNull(table.person)))
/** Number of people who are `admin` and can sign in. */
export const activeAdmins = sql<number>`(${db
  .select({ total: sql`count(*)` })
  .from(table)
  .where(and(isActive, eq(table.role, 'admin')))})`
