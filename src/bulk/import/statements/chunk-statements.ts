import { and, asc, eq, getTableColumns, gt, gte, lt, lte, ne, not, or, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { allOf, compile, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertRow, insertSelect, listed, typed } from '../../../platform/db/query.ts'
import {
  importChunkTable as chunks,
  importTable as imports,
  importIssueTable as issues,
} from '../../../platform/db/schema/imports/imports.ts'
import { importIssueId, issuePrefixes } from '../rows/issue-rows.ts'
import { isImport } from './import-statements.ts'

const isOfImport = allOf(eq(chunks.merchantId, param('merchantId')), eq(chunks.importId, param('import')))
/** Issues of the import without its notices, which leave no row out. */
const isIssueOfImport = allOf(
  eq(issues.merchantId, param('merchantId')),
  eq(issues.importId, param('import')),
  lt(issues.id, sql.raw(`'${issuePrefixes.notice}'`)),
)
export const chunkFields = {
  position: chunks.position,
  resource: chunks.resource,
  rows: chunks.rows,
  objectIds: chunks.objectIds,
}

/** A member of an element of the list `:issues`. */
const member = (name: string) => sql`issue.value ->> ${sql.raw(`'${name}'`)}`

const ofResource = and(isOfImport, eq(chunks.resource, param('resource')))
const isWanted = sql`entry.key in ${listed('keys')}`

/** Those of the keys `:keys` that occur in a row without issues, in one of the JSON objects of a chunk. */
const rowKeys = (keys: SQLiteColumn) => sql`
  select entry.key as key from ${chunks}, json_each(${keys}) as entry
  where ${ofResource} and ${isWanted} and not exists (
    select 1 from ${issues} where ${isIssueOfImport} and ${issues.row} = entry.value
  )`

/** Begins the key of a row in `objectIds` whose value is the object that the row selects. No own id of a file has a control character. */
export const selectedKey = '\u001d'

export const chunkStatements = {
  insert: lazy(() => compile(insertRow(chunks, Object.keys(getTableColumns(chunks))))),

  /** The chunk at which the next step of the import begins. */
  findNext: lazy(() => {
    const next = sql`(select ${imports.nextChunk} from ${imports} where ${isImport})`
    return typed(chunkFields, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(isOfImport, gte(chunks.position, next)))
        .orderBy(asc(chunks.position))
        .limit(1),
    )
  }),

  /** Chunks with rows with issues, after `:after`. */
  findFaulty: lazy(() =>
    typed(chunkFields, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(isOfImport, eq(chunks.faulty, true), gt(chunks.position, param('after'))))
        .orderBy(asc(chunks.position))
        .limit(1),
    ),
  ),

  /** Deletes the stored parts of a file, unless its upload was completed. */
  removeUpload: lazy(() => {
    const isUploading = sql`exists (select 1 from ${imports} where ${isImport} and ${imports.state} = 'uploading')`
    return compile(db.delete(chunks).where(and(isOfImport, isUploading)))
  }),

  /**
   * Deletes the rows of a finished import, except the chunks that have rows with issues. If there are some, the rows of a mapped file as they came stay
   * too: they are given out with what is wrong.
   */
  removeSound: lazy(() => {
    const isAnyFaulty = sql`exists (select 1 from ${chunks} as faulty
      where faulty.import_id = ${param('import')} and faulty.merchant_id = ${param('merchantId')} and faulty.faulty)`
    return compile(
      db.delete(chunks).where(and(isOfImport, eq(chunks.faulty, false), or(gte(chunks.position, 0), not(isAnyFaulty)))),
    )
  }),

  markFaulty: lazy(() =>
    compile(
      db
        .update(chunks)
        .set({ faulty: true })
        .where(and(isOfImport, eq(chunks.position, param('position')))),
    ),
  ),

  /** Stores the ids of the objects by the file's own ids. */
  mapObjectIds: lazy(() =>
    compile(
      db
        .update(chunks)
        .set({ objectIds: columnParam(chunks.objectIds, 'objectIds') })
        .where(and(isOfImport, eq(chunks.position, param('position')))),
    ),
  ),

  /** Adds what the check found out about rows of a chunk. */
  addMatches: lazy(() =>
    compile(
      db
        .update(chunks)
        .set({ matches: sql`json_patch(${chunks.matches}, ${param('matches')})` })
        .where(and(isOfImport, eq(chunks.position, param('position')))),
    ),
  ),

  /** Objects of the file's own ids in `:keys`. */
  findObjectIds: lazy(() =>
    compile(sql`
      select entry.key as key, entry.value as id from ${chunks}, json_each(${chunks.objectIds}) as entry
      where ${ofResource} and ${isWanted}`),
  ),

  /** The rows without issues that select an object: one of `:externalIds` by this id, or one of `:ids` by another key. */
  findSelected: lazy(() => {
    const hasIssue = sql`exists (select 1 from ${issues} where ${isIssueOfImport} and ${issues.row} = found.row)`
    return compile(sql`
      select found.key as key, found.row as row from (
        select 'external ' || entry.key as key, entry.value as row from ${chunks}, json_each(${chunks.externalIds}) as entry
          where ${ofResource} and entry.key in ${listed('externalIds')}
        union all
        select 'id ' || entry.value, cast(substr(entry.key, 2) as integer) from ${chunks}, json_each(${chunks.objectIds}) as entry
          where ${ofResource} and substr(entry.key, 1, 1) = ${sql.raw(`char(${selectedKey.charCodeAt(0)})`)} and entry.value in ${listed('ids')}
      ) as found where not ${hasIssue}`)
  }),

  findFileIds: lazy(() => compile(rowKeys(chunks.fileIds))),
  findExternalIds: lazy(() => compile(rowKeys(chunks.externalIds))),

  /** Inserts nothing for an import that was deleted with its merchant. */
  insertIssues: lazy(() =>
    compile(
      insertSelect(
        issues,
        {
          importId: param('import'),
          id: member('id'),
          merchantId: param('merchantId'),
          row: member('row'),
          column: member('column'),
          pointer: member('pointer'),
          code: member('code'),
          message: member('message'),
          value: member('value'),
        },
        sql`from json_each(${param('issues')}) as issue where exists (
          select 1 from ${imports} where ${imports.id} = ${param('import')} and ${imports.merchantId} = ${param('merchantId')})
          on conflict do nothing`,
      ),
    ),
  ),

  /** Those of the rows `:rows` that have issues of their own, with their messages. */
  findFaultyOf: lazy(() =>
    typed({ row: issues.row, message: sql<string>`group_concat(${issues.message}, '; ')` }, (select) =>
      db
        .select(select)
        .from(issues)
        .where(and(isIssueOfImport, sql`${issues.row} in ${listed('rows')}`, ne(issues.id, importIssueId)))
        .groupBy(issues.row),
    ),
  ),

  /** Rows of a chunk with issues of their own. */
  findFaultyRows: lazy(() =>
    typed({ row: issues.row, message: sql<string>`group_concat(${issues.message}, '; ')` }, (select) =>
      db
        .select(select)
        .from(issues)
        .where(
          and(
            isIssueOfImport,
            gte(issues.row, param('firstRow')),
            lte(issues.row, param('lastRow')),
            ne(issues.id, importIssueId),
          ),
        )
        .groupBy(issues.row),
    ),
  ),
}
