import { inArray, isNull, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { columnParam, db } from '../../platform/db/query.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../../platform/env.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { announceSeconds } from './announce.ts'
import { captureStatements, maxChanges } from './capture.ts'
import { removeRows } from './clean-up.ts'
import { applyChanges, copyPage, listFilledTables } from './copy-rows.ts'
import { failMove, finishMove, lowerFence } from './finish-move.ts'
import { type MovePosition, moveStatements as statements } from './move-statements.ts'
import { getTablesVersion, movedTables } from './moved-tables.ts'
import { pace } from './pace.ts'
import { startWork, type Work } from './work.ts'

/** Maximum number of statements in one invocation that remove rows of an earlier move from the shared database. */
const removalsAtOnce = 200

/** Sets the merchant of names that earlier releases stored without one. Capturing changes and the directory require it. */
const nameMerchant = lazy(() =>
  compile(
    db
      .update(tagNameTable)
      .set({ merchantId: columnParam(tagNameTable.merchantId, 'merchantId') })
      .where(
        allOf(
          isNull(tagNameTable.merchantId),
          inArray(
            tagNameTable.tag,
            sql`(select ${tagTable.seq} from ${tagTable} where ${tagTable.merchantId} = ${param('merchantId')})`,
          ),
        ),
      ),
  ),
)

/** Starts capturing the changes of all tables of this release at the source. Repeatable: captured changes stay. */
async function captureChanges({ merchantId, source }: Work): Promise<void> {
  const values = { merchantId }
  await source.database.run(...captureStatements.install().map((statement) => [statement, {}] as const), [
    nameMerchant(),
    values,
  ])
  if (source.home !== 'd1') await source.database.run([captureStatements.begin(), values])
}

/**
 * Starts capturing changes at the source, and empties the target. Repeatable, because nothing has been copied before. Returns false if the target is
 * not empty yet.
 */
async function prepare(work: Work): Promise<boolean> {
  const { merchantId, source, target } = work
  await source.database.run([captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }])
  await captureChanges(work)
  await target.setPart('target')
  return target.home !== 'd1' || (await removeRows(target.database, merchantId, removalsAtOnce)) > 0
}

/** Limits of one invocation: steps of a page or a list of changes, and milliseconds. */
const moveBounds = { steps: 60, ms: 15_000 } as const
/** How long a move belongs to the invocation that works on it, after its last step, in seconds. */
const moveLeaseSeconds = 60
/** Time after which a move that is not done has failed, in seconds. */
export const maxMoveSeconds = 3_600

/** Copies pages and changes. Returns the seconds until the next message, or undefined if the move has ended. */
async function makeSteps(work: Work): Promise<number | undefined> {
  const { env, directory, move, values } = work
  const endMs = Date.now() + moveBounds.ms
  if (move.state !== 'copying') await lowerFence(work)
  const advance = (position: MovePosition, rows: number) => {
    const leasedUntil = nowInSeconds() + moveLeaseSeconds
    return directory.run(
      [statements.requireLease(), values],
      [statements.advance(), { ...values, position, rows, leasedUntil }],
    )
  }
  const tables = getTablesVersion()
  let position: MovePosition = move.position ?? { tables, table: 0 }
  if (!move.position) {
    if (!(await pace(() => prepare(work)))) return 0
    await advance(position, 0)
  } else if (position.tables !== tables) {
    // Another release started the copy, so rows that the target has are written again.
    position = { tables, table: 0 }
    await pace(() => captureChanges(work))
    await advance(position, 0)
  }
  let steps = 0
  const isOver = () => ++steps > moveBounds.steps || Date.now() >= endMs
  const copyNext = async (from: MovePosition, filled: readonly number[]) => {
    const copied = await copyPage(work, from, filled)
    await advance(copied.position, copied.rows)
    return copied.position
  }
  if (position.table < movedTables.length) {
    // Rows that are inserted into the other tables later are captured as changes.
    const filled = await listFilledTables(work)
    while (position.table < movedTables.length) {
      if (isOver()) return 0
      const from = position
      position = await pace(() => copyNext(from, filled))
    }
  }
  while ((await pace(() => applyChanges(work))) === maxChanges) if (isOver()) return 0
  const waitSeconds = move.startedAt + announceSeconds - nowInSeconds()
  if (waitSeconds > 0) return waitSeconds
  await finishMove(work)
  log(env, 'move ended', { merchant: move.merchantId })
  return undefined
}

/**
 * Makes the next steps of the move of a merchant, up to the limit of one message. Returns the seconds until the next message, or undefined if none is
 * needed: the move has ended, or another invocation works on it.
 */
export async function runMove(env: Bindings, merchantId: string): Promise<number | undefined> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const now = nowInSeconds()
  const [[move]] = await directory.run([statements.claim(), { merchantId, now, leasedUntil: now + moveLeaseSeconds }])
  if (!move) return undefined
  const work = startWork(env, directory, move)
  try {
    if (now - move.startedAt <= maxMoveSeconds) return await makeSteps(work)
    await lowerFence(work)
    await failMove(work, `The move was not done within ${maxMoveSeconds} seconds.`)
    return undefined
  } finally {
    await directory.run([statements.release(), work.values]).catch(() => undefined)
  }
}
