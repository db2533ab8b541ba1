import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { byIndex } from '../../../platform/by-index.ts'
import { allOf, compile, lazy, param } from '../../../platform/db/database.ts'
import { columnParam, db, insertRow, typed } from '../../../platform/db/query.ts'
import { importMappingTable as table } from '../../../platform/db/schema/imports/mappings.ts'

const isInScope = allOf(eq(table.merchantId, param('merchantId')), eq(table.testMode, param('testMode')))

const byUse = byIndex(table, 'import_mappings_used')

/** Statements for choices that are kept for the next file with the same headings. */
export const rememberedStatements = {
  /** Returns the choices about a shape, and marks them as used. */
  recall: lazy(() =>
    typed({ choices: table.choices }, (select) =>
      db
        .update(table)
        .set({ usedAt: columnParam(table.usedAt, 'now') })
        .where(and(isInScope, eq(table.resource, param('resource')), eq(table.headings, param('headings'))))
        .returning(select),
    ),
  ),

  remember: lazy(() =>
    compile(sql`${insertRow(table, Object.keys(getTableColumns(table)))}
      on conflict do update set choices = excluded.choices, used_at = excluded.used_at`),
  ),

  /** Keeps the `:keep` choices that were used last. */
  forget: lazy(() =>
    compile(sql`delete from ${byUse} where ${isInScope} and rowid in (
      select rowid from ${byUse} where ${isInScope} order by ${table.usedAt} desc, rowid desc
      limit -1 offset ${param('keep')})`),
  ),
}
