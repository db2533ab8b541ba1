import { and, eq, inArray, sql } from 'drizzle-orm'
import { lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, typed } from '../../../platform/db/query.ts'
import { importTable as table } from '../../../platform/db/schema/imports/imports.ts'
import { isImport } from './import-statements.ts'

const updated = { id: table.id, state: table.state }

/** Statements that replace the mapping of an import. */
export const mappingStatements = {
  /** Begins another mapping, unless the import is being applied or somebody else has mapped it. A step under way is outdated. */
  startMapping: lazy(() =>
    typed(updated, () =>
      db
        .update(table)
        .set({
          state: 'asking',
          revision: sql`${table.revision} + 1`,
          step: sql`${table.step} + 1`,
          updatedAt: columnParam(table.updatedAt, 'now'),
        })
        .where(
          and(
            isImport,
            inArray(table.state, ['asking', 'checking', 'ready', 'failed']),
            eq(table.mapping, 'auto'),
            eq(table.applied, 0),
            eq(table.revision, param('revision')),
          ),
        )
        .returning(updated),
    ),
  ),

  /** Ends a mapping: the check begins again, with the rows of this mapping. */
  finishMapping: lazy(() =>
    typed(updated, () =>
      db
        .update(table)
        .set({
          state: columnParam(table.state, 'state'),
          reading: columnParam(table.reading, 'reading'),
          resources: columnParam(table.resources, 'resources'),
          match: columnParam(table.match, 'match'),
          setCounters: columnParam(table.setCounters, 'setCounters'),
          hasUnreadableRow: columnParam(table.hasUnreadableRow, 'hasUnreadableRow'),
          rows: columnParam(table.rows, 'rows'),
          nextChunk: columnParam(table.nextChunk, 'nextChunk'),
          ...{ nextRow: 0, checked: 0, failed: 0, failures: 0, differing: {}, planned: {} },
          updatedAt: columnParam(table.updatedAt, 'now'),
        })
        .where(and(isImport, eq(table.revision, param('revision')), eq(table.state, 'asking')))
        .returning(updated),
    ),
  ),
}
