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
import { resourcePaths } from '../../../platform/names.ts'
import { reapplyErasures } from '../../people/reapply-erasures.ts'
import { toBackupKey } from '../backup-file.ts'
import { storeBackup } from '../store-backup.ts'
import { maxPageUnits } from './insert-rows.ts'
import { countPages, loadPage, type RestoreTarget } from './load-page.ts'
import type { Restore } from './open-restore.ts'
import {
  type BackupHeader,
  getTable,
  parseLine,
  readHeader,
  readLines,
  type StoredRow,
  unreadable,
} from './read-backup.ts'
import { restoreStatements as statements } from './restore-statements.ts'
import { ObjectIds } from './row-references.ts'

/**
 * Limits of one request: deleting statements, loaded pages, rows per page, and queries for customers that are erased again. It starts no page after
 * `ms` milliseconds. An invocation may make 1,000 calls and 1,000 queries. A page takes up to three.
 */
export const stepBounds = { deletions: 60, pages: 100, rows: 500, erasureQueries: 400, ms: 10_000 } as const

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
const resourceTables: ReadonlySet<string> = new Set(resourcePaths)
const omittedRows = z.record(z.string(), z.int())

/** Rows of a table that are loaded together, their length, and the number of omitted rows between them. */
interface Page {
  table: string
  rows: StoredRow[]
  units: number
  omitted: number
}

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
async function complete(
  target: RestoreTarget,
  header: BackupHeader,
  loaded: RestoreProgress,
  finish: Finish,
): Promise<Step> {
  const { directory, database, merchantId } = target
  // A rehearsal compares with the backup, which still contains the customers.
  if (!target.isRehearsal) {
    const { isComplete } = await reapplyErasures(directory, database, merchantId, stepBounds.erasureQueries)
    if (!isComplete) return { progress: loaded }
  }
  const progress: RestoreProgress = { ...loaded, state: 'done', finishedAt: nowInSeconds() }
  await database.run([purgeTimes.reset(), { merchantId }])
  await finish(header, progress)
  return { progress }
}

/** Loads the next pages of the backup. After the last page, compares the numbers of rows and completes the restore. */
async function load(target: RestoreTarget, restore: Restore, finish: Finish): Promise<Step> {
  const { env, merchantId, takenAt } = target
  const file = await env.BACKUPS.get(toBackupKey(merchantId, takenAt))
  if (!file) throw unreadable('it was deleted')
  const startMs = Date.now()
  const omitted = { ...omittedRows.parse(restore.omitted) }
  const ids = new ObjectIds()
  let [done, read, pages] = [restore.lines, 0, 0]
  const createPage = (table = ''): Page => ({ table, rows: [], units: 0, omitted: 0 })
  let page = createPage()
  const flush = async (nextTable?: string) => {
    const { table, rows } = page
    let left = page.omitted
    if (rows.length > 0) {
      left += await loadPage({ ...target, takenAt: header.backup.takenAt }, table, rows)
      pages += countPages(table, rows.length)
    }
    if (left > 0) omitted[table] = (omitted[table] ?? 0) + left
    page = createPage(nextTable)
    done = read
  }
  const lines = readLines(file.body)
  const header = await readHeader(lines, merchantId)
  if (restore.comparedAt !== null) {
    await lines.return()
    return complete(target, header, {}, finish)
  }
  for await (const line of lines) {
    const table = getTable(line)
    const isNew = read >= restore.lines
    // Ids of objects are needed for later rows, so the lines of objects that are already loaded are read again.
    if (!isNew && !resourceTables.has(table ?? '')) {
      read++
      continue
    }
    const parsed = parseLine(line)
    if ('end' in parsed) {
      await flush()
      const different = await compare(target, parsed.end.counts, omitted)
      if (different.length > 0)
        return { progress: {}, fault: `Rows of ${different.join(', ')} differ from the backup after it was loaded.` }
      return complete(target, header, { lines: read, omitted, comparedAt: nowInSeconds() }, finish)
    }
    if (resourceTables.has(parsed.table)) ids.add(parsed.table, parsed.row)
    if (isNew) {
      const isFull = page.rows.length >= stepBounds.rows || page.units + line.length > maxPageUnits
      if (page.table !== parsed.table || isFull) await flush(parsed.table)
      if (pages >= stepBounds.pages || Date.now() - startMs >= stepBounds.ms)
        return { progress: { lines: done, omitted } }
      const row = ids.resolve(parsed.table, parsed.row)
      if (row) page.rows.push(row)
      else page.omitted++
      page.units += line.length
    }
    read++
  }
  throw unreadable('its last line is missing')
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
    return { progress: {}, fault }
  }
}
