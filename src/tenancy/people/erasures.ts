import { eq, gt } from 'drizzle-orm'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, typed } from '../../platform/db/query.ts'
import { erasureTable as table } from '../../platform/db/schema/directory/erasures.ts'
import { moveTable as moves } from '../../platform/db/schema/directory/homes.ts'
import { hashKey } from '../../platform/lib/encoding/sha256.ts'

const statements = {
  insert: lazy(() =>
    compile(
      db
        .insert(table)
        .values({ merchantId: param('merchantId'), customerHash: param('customerHash'), erasedAt: param('now') })
        .onConflictDoNothing(),
    ),
  ),
  /** Moves leave rows at the previous home. The next run of the cron removes them. */
  cleanMoves: lazy(() =>
    compile(
      db
        .update(moves)
        .set({ cleansAt: columnParam(moves.cleansAt, 'now') })
        .where(allOf(eq(moves.merchantId, param('merchantId')), gt(moves.cleansAt, param('now')))),
    ),
  ),
  list: lazy(() =>
    typed({ customerHash: table.customerHash }, (select) =>
      db
        .select(select)
        .from(table)
        .where(eq(table.merchantId, param('merchantId'))),
    ),
  ),
  find: lazy(() =>
    typed({ erasedAt: table.erasedAt }, (select) =>
      db
        .select(select)
        .from(table)
        .where(allOf(eq(table.merchantId, param('merchantId')), eq(table.customerHash, param('customerHash')))),
    ),
  ),
}

/** The hash of a customer in the list of erasures, which names nobody. */
export const hashCustomer = (merchantId: string, customerId: string) =>
  hashKey(JSON.stringify([merchantId, customerId]))

/** Lists a customer in the directory as erased, and schedules the removal of rows that moves left. */
export async function listErasure(directory: Database, merchantId: string, customerId: string, now: number) {
  const values = { merchantId, customerHash: await hashCustomer(merchantId, customerId), now }
  await directory.run([statements.insert(), values], [statements.cleanMoves(), values])
}

/** The hashes of all customers of a merchant that were erased. */
export async function listErasures(directory: Database, merchantId: string): Promise<ReadonlySet<string>> {
  const [rows] = await directory.run([statements.list(), { merchantId }])
  return new Set(rows.map(({ customerHash }) => customerHash))
}

/** Whether a customer was erased. */
export async function isErased(directory: Database, merchantId: string, customerId: string): Promise<boolean> {
  const customerHash = await hashCustomer(merchantId, customerId)
  const [rows] = await directory.run([statements.find(), { merchantId, customerHash }])
  return rows.length > 0
}
