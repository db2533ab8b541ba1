import { eq, ne, type SQL, sql } from 'drizzle-orm'
import { allOf, param } from '../database.ts'
import { restoreTable as restores } from '../schema/directory/backups.ts'
import { moveTable as moves } from '../schema/directory/homes.ts'

/** States of a move that is under way, in the words of the index `moves_active`. */
export const isMoveActive: SQL = sql`${moves.state} in ('copying', 'fenced', 'verifying')`

const isOpen = (table: typeof moves | typeof restores, condition: SQL): SQL =>
  sql`exists (select 1 from ${table} where ${allOf(eq(table.merchantId, param('merchantId')), condition)})`

/** Whether the merchant in `:merchantId` is being moved. A restore would delete rows that are being copied, so none starts during a move. */
export const isMoving = isOpen(moves, isMoveActive)
/** Whether the merchant in `:merchantId` is being restored. A move would copy incomplete data, so none starts during a restore. */
export const isRestoring = isOpen(restores, ne(restores.state, 'done'))
