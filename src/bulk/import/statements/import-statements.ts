import { and, asc, eq, getTableColumns, inArray, lte, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, compile, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertRow, setColumns, typed } from '../../../platform/db/query.ts'
import { importTable as table } from '../../../platform/db/schema/imports/imports.ts'
import { daySeconds } from '../../../platform/lib/day.ts'
import { askingDays, chunksPerReading } from '../import-limits.ts'

export const importFields = getTableColumns(table)

/** Imports of the merchant and mode. */
export const isImportInScope = allOf(eq(table.merchantId, param('merchantId')), eq(table.testMode, param('testMode')))
export const isImport = allOf(isImportInScope, eq(table.id, param('import')))

const other = alias(table, 'other')
/** Imports of a merchant are applied in the order in which applying was requested. */
const isFirst = sql`not exists (
  select 1 from ${table} as ${sql.identifier('other')}
  where ${other.merchantId} = ${table.merchantId} and ${other.state} = 'applying'
    and (${other.queuedAt}, ${other.id}) < (${table.queuedAt}, ${table.id})
)`

/** SQL for the number of the next step. Undoes the transaction if another step was made or the state changed. */
const nextStep = (state: 'checking' | 'applying') => {
  const isCurrent = sql`${table.step} = ${param('step')} and ${table.state} = ${sql.raw(`'${state}'`)}`
  const mayRun = state === 'applying' ? sql`${isCurrent} and ${isFirst}` : isCurrent
  return sql`case when ${mayRun} then ${table.step} + 1 else -1 end`
}

/** SQL for the number of the step after the last one. Undoes the transaction if another message ended the import or made the step. */
const lastStep = sql`case when ${table.step} = ${param('step')} and ${table.state} in ('checking', 'applying') then ${table.step} + 1 else -1 end`

const plus = (column: SQLiteColumn, name: string) => sql`${column} + ${param(name)}`
const cursor = {
  nextChunk: columnParam(table.nextChunk, 'nextChunk'),
  nextRow: columnParam(table.nextRow, 'nextRow'),
  failures: columnParam(table.failures, 'failures'),
  updatedAt: columnParam(table.updatedAt, 'now'),
}
const updated = { id: table.id, state: table.state }

/** SQL for "waits for answers". After some days without one, an import counts as cancelled. */
const isAsking = sql`(${table.state} = 'asking' and ${table.updatedAt} > unixepoch() - ${sql.raw(String(askingDays * daySeconds))})`

/** Name of the constraint that an outdated step violates. */
export const stepConstraint = 'imports_step'

export const importStatements = {
  insert: lazy(() => compile(insertRow(table, Object.keys(importFields)))),

  /** Number of imports of the scope that are not finished. */
  countOpen: lazy(() =>
    typed({ count: sql<number>`count(*)` }, (select) =>
      db
        .select(select)
        .from(table)
        .where(
          and(
            isImportInScope,
            sql`(${inArray(table.state, ['uploading', 'checking', 'ready', 'applying'])} or ${isAsking})`,
          ),
        ),
    ),
  ),

  /** Deletes an import, unless its upload was completed. */
  removeUpload: lazy(() => compile(db.delete(table).where(and(isImport, eq(table.state, 'uploading'))))),

  finishUpload: lazy(() =>
    typed(updated, () =>
      db
        .update(table)
        .set({
          state: columnParam(table.state, 'state'),
          resources: columnParam(table.resources, 'resources'),
          reading: columnParam(table.reading, 'reading'),
          broken: columnParam(table.broken, 'broken'),
          hasUnreadableRow: columnParam(table.hasUnreadableRow, 'hasUnreadableRow'),
          header: columnParam(table.header, 'header'),
          delimiter: columnParam(table.delimiter, 'delimiter'),
          format: columnParam(table.format, 'format'),
          rows: columnParam(table.rows, 'rows'),
          updatedAt: columnParam(table.updatedAt, 'now'),
        })
        .where(isImport)
        .returning(updated),
    ),
  ),

  find: lazy(() => typed(importFields, (select) => db.select(select).from(table).where(isImport))),

  /** Records the check of some rows. */
  advanceCheck: lazy(() =>
    compile(
      db
        .update(table)
        .set({
          ...cursor,
          step: nextStep('checking'),
          checked: plus(table.checked, 'count'),
          differing: columnParam(table.differing, 'differing'),
          planned: columnParam(table.planned, 'planned'),
          failed: plus(table.failed, 'failed'),
        })
        .where(isImport),
    ),
  ),

  /** Ends the check. No row is usable if all rows have issues, or if the file as a whole has an issue. */
  finishCheck: lazy(() => {
    const isUnusable = sql`${table.broken} or ${table.failed} >= ${table.rows}`
    const isAutomatic = sql`${table.autoApply} and ${table.failed} = 0 and ${param('mayDelete')}`
    const values = {
      step: nextStep('checking'),
      state: sql`case when ${isUnusable} then 'failed' when ${isAutomatic} then 'applying' else 'ready' end`,
      checked: sql`${table.rows}`,
      failed: sql`case when ${table.broken} then ${table.rows} else ${table.failed} end`,
      nextChunk: sql`${table.revision} * ${sql.raw(String(chunksPerReading))}`,
      nextRow: sql`0`,
      failures: sql`0`,
      planned: columnParam(table.planned, 'planned'),
      queuedAt: columnParam(table.queuedAt, 'nowMs'),
      updatedAt: columnParam(table.updatedAt, 'now'),
    }
    return compile(sql`update ${table} set ${setColumns(table, values)} where ${isImport}`)
  }),

  /** Records rows that were applied, or objects that were deleted. */
  advanceApply: lazy(() =>
    compile(
      db
        .update(table)
        .set({
          ...cursor,
          step: nextStep('applying'),
          applied: plus(table.applied, 'applied'),
          created: plus(table.created, 'created'),
          updated: plus(table.updated, 'updated'),
          unchanged: plus(table.unchanged, 'unchanged'),
          deleted: plus(table.deleted, 'deleted'),
          failed: plus(table.failed, 'failed'),
          outcomes: columnParam(table.outcomes, 'outcomes'),
          deleting: columnParam(table.deleting, 'deleting'),
          detailsState: sql`case when ${param('hasDetails')} and ${table.detailsState} = 'none' then 'pending' else ${table.detailsState} end`,
        })
        .where(isImport),
    ),
  ),

  /** Undoes the transaction if the step is no longer the next one of the import. */
  requireStep: lazy(() =>
    compile(
      db
        .update(table)
        .set({ step: sql`${nextStep('applying')} - 1` })
        .where(isImport),
    ),
  ),

  /** Records rows whose details were written. */
  advanceDetails: lazy(() =>
    compile(
      db
        .update(table)
        .set({
          ...cursor,
          step: nextStep('applying'),
          detailsState: 'writing',
          detailsPass: columnParam(table.detailsPass, 'detailsPass'),
        })
        .where(isImport),
    ),
  ),

  finishApply: lazy(() =>
    compile(
      db
        .update(table)
        .set({ state: 'done', step: nextStep('applying'), updatedAt: columnParam(table.updatedAt, 'now') })
        .where(isImport),
    ),
  ),

  /** Counts a failure of the next step, unless the last one was counted after `:before`. */
  countFailure: lazy(() =>
    compile(
      db
        .update(table)
        .set({ failures: sql`${table.failures} + 1`, failedAt: columnParam(table.failedAt, 'now') })
        .where(and(isImport, eq(table.step, param('step')), lte(table.failedAt, param('before')))),
    ),
  ),

  /** Ends an import that cannot continue. */
  fail: lazy(() =>
    compile(
      db
        .update(table)
        .set({ state: 'failed', step: lastStep, updatedAt: columnParam(table.updatedAt, 'now') })
        .where(isImport),
    ),
  ),

  /** Requests applying, on behalf of the key that asks. */
  apply: lazy(() =>
    typed(updated, () =>
      db
        .update(table)
        .set({
          state: 'applying',
          actor: columnParam(table.actor, 'actor'),
          requestId: columnParam(table.requestId, 'requestId'),
          confirmDeletes: columnParam(table.confirmDeletes, 'confirmDeletes'),
          queuedAt: columnParam(table.queuedAt, 'nowMs'),
          updatedAt: columnParam(table.updatedAt, 'now'),
        })
        .where(and(isImport, eq(table.state, 'ready'), eq(table.revision, param('revision'))))
        .returning(updated),
    ),
  ),

  cancel: lazy(() =>
    typed(updated, () =>
      db
        .update(table)
        .set({ state: 'cancelled', updatedAt: columnParam(table.updatedAt, 'now') })
        .where(and(isImport, inArray(table.state, ['asking', 'checking', 'ready', 'applying'])))
        .returning(updated),
    ),
  ),

  /** The next import of the merchant to apply, in either mode. */
  findFirst: lazy(() =>
    typed({ id: table.id, testMode: table.testMode }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(eq(table.merchantId, param('merchantId')), eq(table.state, 'applying')))
        .orderBy(asc(table.queuedAt), asc(table.id))
        .limit(1),
    ),
  ),
}
