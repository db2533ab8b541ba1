import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { compile, lazy, param } from '../../db/database.ts'
import { db, typed } from '../../db/query.ts'
import { importChunkTable as chunks } from '../../db/schema/imports/import-chunks.ts'
import { importIssueTable as issues } from '../../db/schema/imports/import-issues.ts'
import { importTable as imports } from '../../db/schema/imports/imports.ts'

/** Deletes at most `:most` rows of imports before `:before`. `oldest` returns the lowest id. */
const createRetention = (importId: SQLiteColumn) => {
  const { table } = importId
  const expired = sql`select rowid from ${table} where ${importId} < ${param('before')} limit ${param('most')}`
  return {
    purge: lazy(() => compile(sql`delete from ${table} where rowid in (${expired}) returning 1 as gone`)),
    oldest: lazy(() => compile(sql`select min(${importId}) as oldest from ${table}`)),
  }
}

export const importRetention = createRetention(imports.id)
export const chunkRetention = createRetention(chunks.importId)
export const importIssueRetention = createRetention(issues.importId)

const isAbandoned = and(eq(imports.state, 'uploading'), lte(imports.updatedAt, param('before')))
const abandoned = (column: SQLiteColumn): SQL =>
  sql`${column} in (select ${imports.id} from ${imports} where ${isAbandoned})`

export const overdueStatements = {
  /** At most `:most` imports that have made no progress since `:before`. */
  findOverdue: lazy(() =>
    typed({ merchantId: imports.merchantId, testMode: imports.testMode, id: imports.id }, (select) =>
      db
        .select(select)
        .from(imports)
        .where(and(inArray(imports.state, ['checking', 'applying']), lte(imports.updatedAt, param('before'))))
        .orderBy(imports.updatedAt)
        .limit(param('most')),
    ),
  ),
  /** Uploads that were cut off before `:before`. */
  removeAbandonedChunks: lazy(() => compile(db.delete(chunks).where(abandoned(chunks.importId)))),
  removeAbandoned: lazy(() => compile(db.delete(imports).where(isAbandoned))),
}
