import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../platform/db/database.ts'
import { insertSelect } from '../../../platform/db/query.ts'
import { auditTable } from '../../../platform/db/schema/audit.ts'

/** The columns of an audit entry that is never stored: a statement that inserts it undoes the transaction. */
const violation = {
  merchantId: param('merchantId'),
  testMode: param('testMode'),
  id: sql`''`,
  at: sql`0`,
  key: sql`''`,
  operation: sql`''`,
  object: sql`''`,
}

/** The column whose NOT NULL `undoAlways` violates. */
export const undoColumn = auditTable.operation

/** SQL that undoes the transaction if the condition holds: it violates the NOT NULL of `object`. */
export const undoIf = (condition: SQL) =>
  insertSelect(auditTable, { ...violation, object: sql`null` }, sql`where ${condition}`)

/** SQL that undoes the transaction: it violates the NOT NULL of `undoColumn`. */
export const undoAlways = () => insertSelect(auditTable, { ...violation, operation: sql`null` }, sql``)
