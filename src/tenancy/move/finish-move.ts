import { purgeTimes } from '../../platform/db/purge-times.ts'
import type { Row } from '../../platform/db/row.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { captureStatements } from './capture.ts'
import { applyChanges, type Copying } from './copy-rows.ts'
import { moveStatements as statements } from './move-statements.ts'
import { type MovedTable, movedTables } from './moved-tables.ts'
import type { Work } from './work.ts'

/** The directory has entries of operators that the home may not have yet. */
const isEqual = ({ table }: MovedTable, source: Row | undefined, target: Row | undefined) =>
  table === auditTable
    ? Number(target?.['rows']) >= Number(source?.['rows'])
    : source?.['rows'] === target?.['rows'] && source?.['digest'] === target?.['digest']

/** Compares the number and the digest of the rows of every table. Returns the names of the tables that differ. */
async function findDifferences({ merchantId, source, target, base }: Copying): Promise<string[]> {
  const tables = movedTables.filter(({ isVerified }) => isVerified)
  const read = ({ database }: Copying['source'], numberBase: number): Promise<Row[][]> =>
    database.run(...tables.map(({ statements }) => [statements.digest(), { merchantId, base: numberBase }] as const))
  const [before, after] = await Promise.all([read(source, base), read(target, 0)])
  return tables.flatMap((table, index) => (isEqual(table, before[index]?.[0], after[index]?.[0]) ? [] : [table.name]))
}

/** Maximum time that writes wait for one attempt to finish a move, in seconds. The fence expires by itself. */
export const fenceSeconds = 20
/** Days until the rows at the source are deleted after a move. */
export const keptDays = 7
/** Maximum number of comparisons before the move fails. Purges may have deleted expired rows at only one home. */
const maxComparisons = 2

/** Lets writes continue at the source, if the move has not switched. Throws if the move has ended or another invocation works on it. */
export async function lowerFence({ directory, source, values }: Work): Promise<void> {
  await directory.run(
    [statements.requireLease(), values],
    [statements.setState(), { ...values, state: 'copying' }],
    [statements.lowerFence(), values],
  )
  await source.setPart('open')
}

/** Ends a move without effect: the merchant stays at the source. */
export async function failMove({ env, directory, source, values }: Work, reason: string): Promise<void> {
  const now = nowInSeconds()
  await directory.run(
    [statements.requireLease(), values],
    [statements.end(), { ...values, state: 'failed', now, fencedMs: null, reason, cleansAt: now }],
    [statements.keepHome(), values],
  )
  log(env, 'move failed', { merchant: values.merchantId, reason })
  if (source.home === 'd1') return
  await source.setPart('open')
  await source.database.run([captureStatements.stop(), values])
}

/** Copies the last changes, compares all tables and switches the home, while writes wait. */
async function switchHome(work: Work, startMs: number): Promise<string | undefined> {
  const { directory, move, target, values } = work
  while ((await applyChanges(work)) > 0);
  await directory.run([statements.requireFenced(), values], [statements.setState(), { ...values, state: 'verifying' }])
  for (let comparison = 1; ; comparison++) {
    const differences = await findDifferences(work)
    if (differences.length === 0) break
    if (comparison === maxComparisons) return `The tables differ: ${differences.join(', ')}.`
    while ((await applyChanges(work)) > 0);
  }
  const { home } = target
  const object = home === 'd1' ? { object: null, location: null, jurisdiction: null } : home
  const nowMs = Date.now()
  const now = Math.floor(nowMs / 1000)
  const done = { state: 'done', now, fencedMs: nowMs - startMs, reason: null, cleansAt: now + keptDays * daySeconds }
  await directory.run(
    [statements.requireVerified(), values],
    [statements.end(), { ...values, ...done }],
    [
      statements.switchHome(),
      {
        ...values,
        kind: home === 'd1' ? 'd1' : 'object',
        location: undefined,
        jurisdiction: undefined,
        ...object,
      },
    ],
    ...(home === 'd1' ? [[statements.keepShared(), values] as const, [purgeTimes.reset(), values] as const] : []),
  )
  log(work.env, 'merchant moved', { merchant: move.merchantId, fencedMs: done.fencedMs })
  return undefined
}

/** Raises the fence and finishes the move. If that fails, writes continue at the source. */
export async function finishMove(work: Work): Promise<void> {
  const { env, directory, source, target, values } = work
  const startMs = Date.now()
  let reason: string | undefined
  try {
    await directory.run(
      [statements.requireLease(), values],
      [statements.setState(), { ...values, state: 'fenced' }],
      [statements.raiseFence(), { ...values, seconds: fenceSeconds }],
    )
    await source.setPart('fenced', startMs + fenceSeconds * 1000)
    reason = await switchHome(work, startMs)
  } catch (error) {
    // After a lost response, the move may have switched. In this case, this call fails, and the object asks the directory.
    await lowerFence(work).catch(() => undefined)
    throw error
  }
  if (reason !== undefined) return failMove(work, reason)
  try {
    // Both detect this later by themselves.
    await Promise.all([target.setPart('open'), source.setPart('left')])
  } catch (error) {
    log(env, 'object has no record of its move', { merchant: values.merchantId, error: String(error) })
  }
}
