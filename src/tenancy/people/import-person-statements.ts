import { and, asc, eq, inArray, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isInNamespace } from '../../catalogue/resource/external-ids.ts'
import { customers } from '../../catalogue/resources/customers.ts'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, listed, type RowOf, typed } from '../../platform/db/query.ts'
import { externalIdTable } from '../../platform/db/schema/external-ids.ts'
import {
  importChunkTable as chunks,
  importTable as imports,
  importIssueTable as issues,
} from '../../platform/db/schema/imports/imports.ts'
import { customerTable } from '../../platform/db/schema/resources/customers.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { mayContain } from './person-search.ts'

/** Maximum number of chunks that one statement searches, usually of up to 400 KB each, and of issues that one statement reads. */
export const maxChunksRead = 25
export const maxIssuesRead = 100
/** Maximum number of headers that one erasure reads. */
const maxHeaders = 500

const ofScope = (importId: SQLWrapper) =>
  sql`${importId} in (select ${imports.id} from ${imports} where ${isInScope(imports)})`
const isChunk = allOf(
  ofScope(chunks.importId),
  eq(chunks.importId, param('importId')),
  eq(chunks.position, param('position')),
)
const isOfNextImports = sql`${chunks.importId} >= ${param('importId')} and (${chunks.importId}, ${chunks.position}) > (${param('importId')}, ${param('position')})`
const isChunkCandidate = mayContain(sql`${chunks.rows}`)
const bytes = sql<number>`octet_length(${chunks.rows})`

/** SQL for "the key `item` is the external id of the customer". */
const isNamedByItem = sql`${customerTable.seq} = (select ${externalIdTable.object} from ${externalIdTable}
  where ${isInNamespace(customers)} and ${externalIdTable.externalId} = item.key)`
/** SQL for keys of a file without those that `isRemoved`. */
const filter = (keys: SQLWrapper, isRemoved: SQL) =>
  sql`(select json_group_object(item.key, item.value) from json_each(${keys}) as item where not (${isRemoved}))`
/**
 * SQL for "the key of an emptied row, unless another customer has it or the row names another resource". An import with `delete=missing` deletes
 * objects whose keys are not in the file.
 */
const isOfEmptied = (isOther: SQL) => sql`item.value in ${listed('emptied')}
  and ${chunks.resource} in ('', 'customers') and not exists (select 1 from ${customerTable}
    where ${isInScope(customerTable)} and ${customerTable.id} <> ${param('id')} and ${isOther})`

const issueTexts = sql`concat_ws(' ', ${issues.column}, ${issues.pointer}, ${issues.value}, ${issues.message})`

const issueFields = {
  importId: issues.importId,
  issue: issues.id,
  row: issues.row,
  column: issues.column,
  pointer: issues.pointer,
  value: issues.value,
  message: issues.message,
}
/** The texts of an issue, by its import and its id, `issue`. */
export type IssueTexts = RowOf<typeof issueFields>

export const importPersonStatements = {
  /** The next chunks after a position, and whether each may contain the person. */
  chunks: lazy(() => {
    const fields = {
      importId: chunks.importId,
      position: chunks.position,
      isCandidate: sql<number>`${isChunkCandidate}`,
    }
    return typed(fields, (select) =>
      db
        .select(select)
        .from(chunks)
        .where(and(ofScope(chunks.importId), isOfNextImports))
        .orderBy(asc(chunks.importId), asc(chunks.position))
        .limit(maxChunksRead),
    )
  }),
  chunk: lazy(() =>
    typed({ rows: chunks.rows, resource: chunks.resource, header: imports.header, bytes }, (select) =>
      db
        .select(select)
        .from(chunks)
        .innerJoin(imports, and(isInScope(imports), eq(imports.id, chunks.importId)))
        .where(and(eq(chunks.importId, param('importId')), eq(chunks.position, param('position')))),
    ),
  ),
  /** Replaces the rows of a chunk, unless another erasure has changed them: each erasure makes them shorter. Removes the keys of emptied rows. */
  replaceRows: lazy(() =>
    typed({ position: chunks.position }, (select) =>
      db
        .update(chunks)
        .set({
          rows: sql`${param('rows')}`,
          fileIds: filter(chunks.fileIds, isOfEmptied(sql`${customerTable.id} = item.key`)),
          externalIds: filter(chunks.externalIds, isOfEmptied(isNamedByItem)),
        })
        .where(and(isChunk, sql`${bytes} = ${param('bytes')}`))
        .returning(select),
    ),
  ),
  /** Removes the values in the issues of emptied rows. */
  emptyIssues: lazy(() =>
    compile(
      db
        .update(issues)
        .set({ value: null })
        .where(
          allOf(
            ofScope(issues.importId),
            eq(issues.importId, param('importId')),
            sql`${issues.row} in ${listed('emptied')}`,
          ),
        ),
    ),
  ),
  headers: lazy(() =>
    typed({ id: imports.id, header: imports.header }, (select) =>
      db
        .select(select)
        .from(imports)
        .where(and(isInScope(imports), mayContain(sql`coalesce(${imports.header}, '')`)))
        .limit(maxHeaders),
    ),
  ),
  replaceHeader: lazy(() =>
    compile(
      db
        .update(imports)
        .set({ header: columnParam(imports.header, 'header') })
        .where(allOf(isInScope(imports), eq(imports.id, param('importId')))),
    ),
  ),
  /** The next issues that may contain the person, or that are those of `:headers`. */
  issues: lazy(() => {
    const { importId, row } = issues
    const isOfHeader = and(inArray(importId, listed('headers')), lte(row, sql`2`))
    return typed(issueFields, (select) =>
      db
        .select(select)
        .from(issues)
        .where(
          and(
            ofScope(importId),
            sql`${importId} >= ${param('importId')} and (${importId}, ${issues.id}) > (${param('importId')}, ${param('issue')})`,
            or(isOfHeader, mayContain(issueTexts)),
          ),
        )
        .orderBy(asc(importId), asc(issues.id))
        .limit(maxIssuesRead),
    )
  }),
  replaceIssue: lazy(() =>
    compile(
      db
        .update(issues)
        .set({
          column: columnParam(issues.column, 'column'),
          pointer: columnParam(issues.pointer, 'pointer'),
          value: columnParam(issues.value, 'value'),
          message: columnParam(issues.message, 'message'),
        })
        .where(allOf(ofScope(issues.importId), eq(issues.importId, param('importId')), eq(issues.id, param('issue')))),
    ),
  ),
  /** Removes the id of the customer from the objects of files. */
  removeObjectIds: lazy(() =>
    compile(
      db
        .update(chunks)
        .set({ objectIds: filter(chunks.objectIds, sql`item.value = ${param('id')}`) })
        .where(and(ofScope(chunks.importId), sql`instr(${chunks.objectIds}, ${param('id')}) > 0`)),
    ),
  ),
  /** Undoes the transaction if chunks that may contain the person were inserted since `:since`, other than those of `:chunks`. */
  guardChunks: lazy(() =>
    compile(
      db
        .update(chunks)
        .set({ rows: sql`null` })
        .where(
          and(
            sql`${chunks.importId} in (select ${imports.id} from ${imports} where ${isInScope(imports)} and ${imports.updatedAt} >= ${param('since')})`,
            sql`not exists (select 1 from json_each(${param('chunks')}) as seen where seen.value ->> 'importId' = ${chunks.importId} and seen.value ->> 'position' = ${chunks.position})`,
            isChunkCandidate,
          ),
        ),
    ),
  ),
}
