import { sql } from 'drizzle-orm'
import { merchantTables, platformDeliveries } from '../../catalogue/resources/merchant-tables.ts'
import { bindStatement, compile, Database, lazy } from '../../platform/db/database.ts'
import { GuardedConnection } from '../../platform/db/home/guarded-connection.ts'
import { discardObject } from '../../platform/db/home/object-connection.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { tagNameTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { captureStatements } from './capture.ts'
import { openSide } from './move-side.ts'
import { type Move, moveStatements as statements } from './move-statements.ts'
import { pace } from './pace.ts'

/** Limits of one run: rows per statement, statements, and moves. */
export const cleaningBounds = { rows: 500, statements: 60, moves: 5 } as const

/**
 * Tables whose rows a move leaves in the shared database, in the order of deletion. The directory keeps the names of tags, and the entries of
 * operators. Files of pictures stay, because the current home uses them.
 */
const leftTables = [
  platformDeliveries,
  ...merchantTables.toReversed().filter(({ table }) => table !== tagNameTable && table !== auditTable),
]
const removals = leftTables.map(({ table, rows, identity }) =>
  lazy(() => {
    const row = sql.join([...identity], sql`, `)
    const limit = sql.raw(String(cleaningBounds.rows))
    return compile(sql`
      delete from ${table} where (${row}) in (select ${row} from ${rows} limit ${limit}) returning 1 as gone`)
  }),
)

/**
 * Removes rows of a merchant from the shared database, as many as the budget of statements allows. Fails if the merchant's data is there. `shared` is
 * the shared database, with a guard against other moves. Returns the remaining number of statements: 0 if rows may remain.
 */
export async function removeRows(shared: Database, merchantId: string, budget: number): Promise<number> {
  let left = budget
  for (const removal of removals) {
    for (let isMore = true; isMore; left--) {
      if (left <= 0) return 0
      const [, rows] = await pace(() =>
        shared.run([statements.requireElsewhere(), { merchantId }], [removal(), { merchantId }]),
      )
      isMore = rows.length === cleaningBounds.rows
    }
  }
  return left
}

const getUnused = ({ state, source, target }: Move) => (state === 'done' ? source : target)

/** Whether the merchant is now at the home that a move did not use, because a later move brought it back. */
async function isHomeAgain(directory: Database, move: Move): Promise<boolean> {
  const [[home = 'd1']] = await directory.run([statements.findHome(), { merchantId: move.merchantId }])
  const unused = getUnused(move)
  return home === 'd1' || unused === 'd1' ? home === unused : home.object === unused.object
}

/** Removes the data that a move left at the unused home. Returns the remaining number of statements: 0 if data may remain. */
async function cleanUp(env: Bindings, move: Move, budget: number): Promise<number> {
  const { merchantId } = move
  const unused = getUnused(move)
  if (unused === 'd1') {
    const guard = bindStatement(statements.requireNoMove(), { merchantId })
    return removeRows(new Database(env, new GuardedConnection(env, guard)), merchantId, budget)
  }
  await discardObject(env, merchantId, { ...unused, settingsVersion: 0 })
  return budget - 1
}

/**
 * Ends the capture of changes at the source of a failed move, because the move may have been interrupted before. A later move starts its own capture.
 */
async function stopCapturing(env: Bindings, directory: Database, move: Move): Promise<void> {
  const { merchantId, number, state, source } = move
  if (state !== 'failed' || source === 'd1') return
  const [[last]] = await directory.run([statements.findLast(), { merchantId }])
  if (last?.number !== number) return
  await openSide(env, move, source).database.run(
    [captureStatements.stop(), { merchantId }],
    [captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }],
  )
}

/** Discards the objects that moves left behind. */
export async function discardLeft(env: Bindings, moves: readonly Move[]): Promise<void> {
  for (const move of moves) if (getUnused(move) !== 'd1') await cleanUp(env, move, 1)
}

/** Cleans up after ended moves, a bounded part in each run. Waits while the merchant is being moved again. */
export async function cleanUpMoves(env: Bindings, directory: Database, now: number): Promise<void> {
  const [due] = await directory.run([statements.findCleaning(), { now, limit: cleaningBounds.moves }])
  let left: number = cleaningBounds.statements
  for (const move of due) {
    const { merchantId, number } = move
    try {
      if (await isHomeAgain(directory, move)) {
        await directory.run([statements.finishCleaning(), { move: number }])
        continue
      }
      await stopCapturing(env, directory, move)
      left = await cleanUp(env, move, left)
      if (left <= 0) return
      await directory.run(
        [statements.requireNoMove(), { merchantId }],
        [captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }],
        [statements.finishCleaning(), { move: number }],
      )
    } catch (error) {
      log(env, 'move not cleaned up', { merchant: merchantId, error: String(error) })
    }
  }
}
