import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { merchantTables } from '../../../catalogue/resources/merchant-tables.ts'
import { ConstraintError, isOutage } from '../../../platform/db/database-errors.ts'
import { createDeletion } from '../../../platform/db/home/delete-rows.ts'
import { purgeTimes } from '../../../platform/db/purge-times.ts'
import { auditTable } from '../../../platform/db/schema/audit.ts'
import { pictureTable } from '../../../platform/db/schema/pictures.ts'
import { tagNameTable } from '../../../platform/db/schema/resources/tags.ts'
import { ApiError, UnavailableError } from '../../../platform/errors.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { reapplyErasures } from '../../people/reapply-erasures.ts'
import { openBackup } from '../check-backup.ts'
import { storeBackup } from '../store-backup.ts'
import { countPages, loadPage, type RestoreTarget } from './load-page.ts'
import type { Restore } from './open-restore.ts'
import { type BackupHeader, readHeader, readLines } from './read-backup.ts'
import { type BackupPart, deleteParts, readPart, writeParts } from './restore-parts.ts'
import { restoreStatements as statements } from './restore-statements.ts'

/**
 * Limits of one request: deleting statements, loaded pages, and queries for customers that are erased again. It starts no part after `ms`
 * milliseconds. An invocation may make 1,000 calls and 1,000 queries. A page takes up to three.
 */
export const stepBounds = { deletions: 60, pages: 100, erasureQueries: 400, ms: 10_000 } as const
/** Parts that a request loads, unless a part has a page that is larger. */
const partsPerStep = 5

/** Changes of a request to a restore. */
export type RestoreProgress = Partial<
  Pick<Restore, 'state' | 'savedAt' | 'lines' | 'omitted' | 'comparedAt' | 'finishedAt' | 'attempts' | 'reason'>
>
/** Changes of a request to a restore, and why loading the backup failed. */
interface Step {
  progress: RestoreProgress
  fault?: string
}

/** Completes a restore in the directory: settings, keys and state of the merchant, and the restore itself. */
export type Finish = (header: BackupHeader, progress: RestoreProgress) => Promise<void>

/** A restore keeps the audit log, and names of deleted tags. The sweep of pictures deletes rows of pictures with their files. */
const keptTables: readonly SQLiteTable[] = [auditTable, tagNameTable, pictureTable]
const deleteRows = createDeletion(merchantTables.filter(({ table }) => !keptTables.includes(table)))
/** Tables that can have more rows than the backup. */
const additional: ReadonlySet<string> = new Set(keptTables.map(getTableName))
const omittedRows = z.record(z.string(), z.int())

/** Backs up the previous state, as soon as no isolate accepts the merchant's keys. */
async function save({ env, database, merchantId }: RestoreTarget, { settledAt }: Restore): Promise<RestoreProgress> {
  if (nowInSeconds() < settledAt) return {}
  const saved = await storeBackup(env, merchantId, nowInSeconds(), database)
  // Another backup was taken in this second, so the next request takes one.
  return saved ? { state: 'deleting', savedAt: saved.takenAt } : {}
}

async function deleteAll({ database, merchantId }: RestoreTarget): Promise<RestoreProgress> {
  const left = await deleteRows(database, merchantId, stepBounds.deletions)
  return left > 0 ? { state: 'loading', lines: 0, omitted: {}, comparedAt: null } : {}
}

/** Returns the tables whose number of rows differs from the backup. */
async function compare(
  { database, merchantId }: RestoreTarget,
  counts: Record<string, number>,
  omitted: Record<string, number>,
) {
  const [[stored = {}] = []] = await database.run([statements.counts(), { merchantId }])
  const different = Object.entries(stored).filter(([table, count]) => {
    const expected = (counts[table] ?? 0) - (omitted[table] ?? 0)
    return additional.has(table) ? Number(count) < expected : count !== expected
  })
  return different.map(([table]) => table)
}

/** Erases customers again. When none is left, completes the restore. */
async function complete(target: RestoreTarget, loaded: RestoreProgress, finish: Finish): Promise<Step> {
  const { env, directory, database, merchantId, takenAt } = target
  const lines = readLines(await openBackup(env, merchantId, takenAt))
  const header = await readHeader(lines, merchantId)
  await lines.return()
  // A rehearsal compares with the backup, which still contains the customers.
  if (!target.isRehearsal) {
    const { isComplete } = await reapplyErasures(directory, database, merchantId, stepBounds.erasureQueries)
    if (!isComplete) return { progress: loaded }
  }
  const progress: RestoreProgress = { ...loaded, state: 'done', finishedAt: nowInSeconds() }
  await deleteParts(target)
  await database.run([purgeTimes.reset(), { merchantId }])
  await finish(header, progress)
  return { progress }
}

/** The next part of the backup. The first request writes all parts, and so does the next one if some were deleted. */
async function openPart(target: RestoreTarget, lines: number): Promise<BackupPart | undefined> {
  const written = await readPart(target, lines)
  if (written) return written
  await writeParts(target, countPages, Math.ceil(stepBounds.pages / partsPerStep))
  return readPart(target, lines)
}

/** Inserts the rows of a part. Returns the weight of its pages. */
async function insertPart(
  target: RestoreTarget,
  { pages }: BackupPart,
  omitted: Record<string, number>,
): Promise<number> {
  let weight = 0
  for (const page of pages) {
    let left = page.omitted
    if (page.rows.length > 0) {
      left += await loadPage(target, page.table, page.rows)
      weight += countPages(page.table, page.rows.length)
    }
    if (left > 0) omitted[page.table] = (omitted[page.table] ?? 0) + left
  }
  return weight
}

/** Loads the next parts of the backup. After the last one, compares the numbers of rows and completes the restore. */
async function load(target: RestoreTarget, restore: Restore, finish: Finish): Promise<Step> {
  const startMs = Date.now()
  if (restore.comparedAt !== null) return complete(target, {}, finish)
  const omitted = { ...omittedRows.parse(restore.omitted) }
  let [lines, weight] = [restore.lines, 0]
  do {
    const part = await openPart(target, lines)
    // An earlier release stopped between two parts. Rows can be inserted again.
    if (!part) return { progress: { lines: 0, omitted: {} } }
    weight += await insertPart({ ...target, takenAt: part.takenAt }, part, omitted)
    lines = part.lines
    if (!part.counts) continue
    const different = await compare(target, part.counts, omitted)
    if (different.length > 0)
      return { progress: {}, fault: `Rows of ${different.join(', ')} differ from the backup after it was loaded.` }
    return complete(target, { lines, omitted, comparedAt: nowInSeconds() }, finish)
  } while (weight < stepBounds.pages && Date.now() - startMs < stepBounds.ms)
  return { progress: { lines, omitted } }
}

/** Why a backup cannot be loaded. Undefined for temporary errors. */
function toFault(error: unknown): string | undefined {
  if (error instanceof ConstraintError) return `A row of the backup is invalid: ${error.message}.`
  if (error instanceof ApiError) return error.code === 'conflict' ? error.message : undefined
  return isOutage(error) || error instanceof UnavailableError ? undefined : `A row of the backup is invalid: ${error}.`
}

/** Does the next bounded part of a restore. */
export async function runStep(target: RestoreTarget, restore: Restore, finish: Finish): Promise<Step> {
  if (restore.state === 'saving') return { progress: await save(target, restore) }
  if (restore.state === 'deleting') return { progress: await deleteAll(target) }
  try {
    return await load(target, restore, finish)
  } catch (error) {
    const fault = toFault(error)
    // Rows that were compared are valid.
    if (fault === undefined || restore.comparedAt !== null) throw error
    await deleteParts(target)
    return { progress: {}, fault }
  }
}
