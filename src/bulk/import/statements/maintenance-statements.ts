import { and, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { byIndex, byKey } from '../../../platform/by-index.ts'
import { allOf, compile, lazy, param } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/home/home.ts'
import { db, selectList, typed } from '../../../platform/db/query.ts'
import {
  importChunkTable as chunks,
  importTable as imports,
  importIssueTable as issues,
} from '../../../platform/db/schema/imports/imports.ts'
import { daySeconds } from '../../../platform/lib/day.ts'
import { importRetentionDays, importRowRetentionDays } from '../import-limits.ts'

const importsById = byIndex(imports, 'imports_id')
const importKey = sql`${imports.merchantId}, ${imports.testMode}, ${imports.id}`
const isOfMerchantHere = isHere(imports.merchantId)
const expiredImports = sql`select ${importKey} from ${importsById}
  where ${imports.id} < ${param('before')} and ${isOfMerchantHere} limit ${param('limit')}`

/**
 * Deletes at most `:limit` imports before `:before`, except those of merchants whose data is elsewhere or is being restored. `oldest` returns the
 * lowest id.
 */
export const importRetention = {
  purge: lazy(() =>
    compile(sql`delete from ${byKey(imports)} where (${importKey}) in (${expiredImports}) returning 1 as gone`),
  ),
  oldest: lazy(() =>
    compile(
      sql`select ${imports.id} as oldest from ${imports} where ${isOfMerchantHere} order by ${imports.id} limit 1`,
    ),
  ),
}

/** The merchant of an import; null if it was deleted. */
const findMerchant = (importId: SQLiteColumn) =>
  sql`(select ${imports.merchantId} from ${importsById} where ${imports.id} = ${importId})`

/** Maximum number of imports that one statement examines, from the oldest on. */
const maxImportsRead = 10_000
const isEnded = inArray(imports.state, ['done', 'failed', 'cancelled'])
/** Additional retention of imports that have not ended, in seconds. */
const openSeconds = sql.raw(String((importRetentionDays - importRowRetentionDays) * daySeconds))

/**
 * Deletes rows of files: those of imports before `:before` that ended at `:beforeSeconds` or earlier, or that were deleted. `oldest` returns the time
 * since which the oldest expiring rows have been kept. Reads imports and not their rows, because each import can have thousands.
 */
const createRowRetention = (importId: SQLiteColumn, number: SQLiteColumn) => {
  const { table } = importId
  const key = sql`${importId}, ${number}`
  const idsWith = (condition: SQL) => sql`with recursive ids(id) as (
    select min(${importId}) from ${table}
    union all select (select min(${importId}) from ${table} where ${importId} > ids.id) from ids where ids.id is not null ${condition}
    limit ${sql.raw(String(maxImportsRead))}
  )`
  const ids = idsWith(sql``)
  const isKept = sql`exists (select 1 from ${importsById} where ${imports.id} = ids.id
    and not (${isEnded} and ${imports.updatedAt} <= ${param('beforeSeconds')}))`
  const expired = sql`select ${key} from ${byKey(table)} where ${importId} in (
    ${idsWith(sql`and ids.id < ${param('before')}`)} select id from ids where id < ${param('before')} and not ${isKept}
  ) and ${isHere(findMerchant(importId))} limit ${param('limit')}`
  return {
    purge: lazy(() => compile(sql`delete from ${byKey(table)} where (${key}) in (${expired}) returning 1 as gone`)),
    oldest: lazy(() =>
      compile(sql`${ids}
        select min(case when ${isEnded} then ${imports.updatedAt} else ${imports.createdAt} + ${openSeconds} end) as oldest
        from ids join ${imports} on ${imports.id} = ids.id where ${isHere(imports.merchantId)}`),
    ),
    any: lazy(() => compile(sql`select 1 as found from ${table} limit 1`)),
  }
}
export const chunkRetention = createRowRetention(chunks.importId, chunks.position)
export const importIssueRetention = createRowRetention(issues.importId, issues.id)

/** Maximum number of overdue imports that one run reads. */
const maxOverdueRead = 5_000

/** Imports without a change since `:before`, except those of merchants whose data is elsewhere. */
const isIdle = allOf(lte(imports.updatedAt, param('before')), isHere(imports.merchantId))
/** Imports under way. The index `imports_waiting` serves a condition on states only if its text says that they are among these. */
const isOpen = sql`${imports.state} in ('uploading', 'checking', 'applying')`
const isOpenWith = (states: SQL) => sql`${isOpen} and ${imports.state} ${states}`
const isAbandoned = and(isOpenWith(sql`= 'uploading'`), isIdle)
const abandoned = (column: SQLiteColumn): SQL =>
  sql`${column} in (select ${imports.id} from ${imports} where ${isAbandoned})`

export const overdueStatements = {
  /** Returns a row if an import may be overdue. */
  findIdle: lazy(() =>
    typed({ id: imports.id }, (select) =>
      db
        .select(select)
        .from(byIndex(imports, 'imports_waiting'))
        .where(and(isOpen, lte(imports.updatedAt, param('before'))))
        .limit(1),
    ),
  ),
  /**
   * At most `:limit` imports that have made no progress since `:before`. Returns the first import of every merchant before any second one, so that
   * stuck imports do not delay those of other merchants.
   */
  findOverdue: lazy(() => {
    const fields = { merchantId: imports.merchantId, testMode: imports.testMode, id: imports.id }
    const isOverdue = and(isOpenWith(sql`in ('checking', 'applying')`), isIdle)
    const columns = sql`${imports.merchantId}, ${imports.testMode}, ${imports.id}, ${imports.updatedAt}`
    const place = sql`row_number() over (partition by ${imports.merchantId} order by ${imports.updatedAt}, ${imports.id})`
    return typed(
      fields,
      () => sql`
        select ${selectList(fields)} from (
          select *, ${place} as place
          from (select ${columns} from ${imports} where ${isOverdue} limit ${sql.raw(String(maxOverdueRead))}) as ${imports}
        ) as ${imports} order by place, ${imports.updatedAt} limit ${param('limit')}`,
    )
  }),
  /** Uploads that were cut off before the time `:before`. */
  removeAbandonedChunks: lazy(() => compile(db.delete(chunks).where(abandoned(chunks.importId)))),
  removeAbandoned: lazy(() => compile(db.delete(imports).where(isAbandoned))),
}
