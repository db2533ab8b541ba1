import { sql } from 'drizzle-orm'
import { compile, type Database, lazy } from '../database.ts'
import type { MerchantTable } from './merchant-table.ts'

/** Maximum number of rows that one statement deletes. Triggers delete the links, search terms and external id of a row. */
export const rowsPerDeletion = 500

/**
 * Returns a function that deletes all rows of a merchant in the tables, from the last table to the first, with at most `budget` statements. It
 * returns the remaining budget: 0 means that rows may remain.
 */
export function createDeletion(tables: readonly MerchantTable[]) {
  const limit = sql.raw(String(rowsPerDeletion))
  const statements = tables.toReversed().map(({ table, rows, identity }) =>
    lazy(() => {
      const row = sql.join([...identity], sql`, `)
      return compile(sql`
        delete from ${table} where (${row}) in (select ${row} from ${rows} limit ${limit}) returning 1 as gone`)
    }),
  )
  return async (database: Database, merchantId: string, budget: number): Promise<number> => {
    let left = budget
    for (const statement of statements) {
      for (let isMore = true; isMore; left--) {
        if (left <= 0) return 0
        const [rows] = await database.run([statement(), { merchantId }])
        isMore = rows.length === rowsPerDeletion
      }
    }
    return left
  }
}
