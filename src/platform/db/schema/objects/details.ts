import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { resourceOf } from '../external-ids.ts'
import { isJsonObject, type ResourceTable } from '../resource-columns.ts'

/** Columns that name an object. A trigger on each resource's table deletes the rows with their object. */
const ofObject = {
  merchantId: text().notNull(),
  testMode: integer({ mode: 'boolean' }).notNull(),
  /** Path of the resource, which is the name of its table. */
  resource: text().notNull(),
  /** `seq` of the object. */
  object: integer().notNull(),
}

/** Details of objects, without their translations. An object without details has no row. */
export const detailTable = sqliteTable(
  'details',
  {
    ...ofObject,
    data: text({ mode: 'json' }).notNull(),
    /** Increases by one with every change of the details. */
    version: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.resource, table.object] }),
    check('details_data', isJsonObject(table.data)),
    check('details_version', sql`${table.version} >= 1`),
  ],
)

/** Translated texts of objects: one row for each language. */
export const translationTable = sqliteTable(
  'translations',
  {
    ...ofObject,
    /** BCP 47 tag in canonical form. */
    language: text().notNull(),
    texts: text({ mode: 'json' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.resource, table.object, table.language] }),
    index('translations_language').on(table.merchantId, table.testMode, table.language),
    check('translations_texts', isJsonObject(table.texts)),
  ],
)

/** SQL for "belongs to the row of a resource's table". */
export const isSideOf = (side: typeof detailTable | typeof translationTable, table: ResourceTable) =>
  sql`${side.merchantId} = ${table.merchantId} and ${side.testMode} = ${table.testMode} and ${side.resource} = ${resourceOf(table)} and ${side.object} = ${table.seq}`

/** Name of the column with the details of an object. */
export const detailsColumn = 'stored_details'

/** SQL for stored JSON; null if it is damaged. */
const readable = (column: SQLiteColumn) => sql`json(case when json_valid(${column}) then ${column} end)`

/**
 * SQL for the details of a row of a resource's table, or null: a JSON object with `data`, `translations` by language and what `more`
 * adds, pairs of a name and a value.
 */
export const detailsOf = (table: ResourceTable, more: SQL = sql``) => sql`(
  select json_object('data', ${readable(detailTable.data)}, 'translations', json((
    select json_group_object(${translationTable.language}, ${readable(translationTable.texts)})
    from ${translationTable} where ${isSideOf(translationTable, table)}
  )) ${more}) from ${detailTable} where ${isSideOf(detailTable, table)})`
