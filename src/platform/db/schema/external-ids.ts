import { getTableName, sql } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ResourceTable } from './resource-columns.ts'

/** Integrators' own ids of objects. A trigger on each resource's table deletes the row with its object. */
export const externalIdTable = sqliteTable(
  'external_ids',
  {
    merchantId: text().notNull(),
    /** Mode of the object; live for resources that span both modes, whose external ids share one namespace. */
    testMode: integer({ mode: 'boolean' }).notNull(),
    /** Path of the resource, which is the name of its table. */
    resource: text().notNull(),
    externalId: text().notNull(),
    /** `seq` of the object. */
    object: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.merchantId, table.testMode, table.resource, table.externalId] }),
    uniqueIndex('external_ids_object').on(table.resource, table.object),
  ],
)

/** SQL for the resource of a table. */
export const resourceOf = (table: ResourceTable) => sql.raw(`'${getTableName(table)}'`)

/** SQL for the external id of a row of a resource's table, or null. */
export const externalIdOf = (table: ResourceTable) =>
  sql`(select ${externalIdTable.externalId} from ${externalIdTable} where ${externalIdTable.resource} = ${resourceOf(table)} and ${externalIdTable.object} = ${table.seq})`
