import { eq, type SQL, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param, perFlag } from '../../../platform/db/database.ts'
import { insertSelect, listed, selectList, setColumns, typed } from '../../../platform/db/query.ts'
import { externalIdOf, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { detailsOf, detailTable, isSideOf, translationTable } from '../../../platform/db/schema/objects/details.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { raiseEvent } from '../../events/raise-event.ts'
import type { ResourceDefinition } from '../definition.ts'
import type { DetailsDefinition } from './details-definition.ts'
import { selectModifiers, selectProducts } from './related-objects.ts'
import { selectAddresses } from './venue-hosts.ts'

/** A resource whose objects have details. */
export type DetailedResource<Details extends DetailsDefinition = DetailsDefinition> = Pick<
  ResourceDefinition,
  'name' | 'path' | 'table' | 'isCopied' | 'spansModes' | 'titleFields' | 'item'
> & { details: Details }

/** The statements about details of the object `:id` in the scope, for keys that access one mode and for those that access both. */
export const createDetailStatements = (resource: DetailedResource) =>
  perFlag((bothModes) => createStatements(resource, bothModes))

function createStatements({ name, table, details }: DetailedResource, bothModes: boolean) {
  const isOwn = (own: typeof table | typeof translationTable) =>
    bothModes ? allOf(eq(own.merchantId, param('merchantId')), sql`${own.testMode} in (0, 1)`) : isInScope(own)
  const isObject = allOf(isOwn(table), eq(table.id, param('id')))
  const ofObject = {
    merchantId: table.merchantId,
    testMode: table.testMode,
    resource: resourceOf(table),
    object: table.seq,
  }
  const found = {
    details: sql<string | null>`${detailsOf(table, details.more)}`,
    version: sql<number>`coalesce((select ${detailTable.version} from ${detailTable} where ${isSideOf(detailTable, table)}), 0)`,
    parts: sql<string | null>`${details.parts?.column ?? sql`null`}`,
    /** Those of `:products` and `:modifiers`, JSON lists of ids, that exist. */
    products: sql<string>`${selectProducts(table, sql`select value from json_each(${param('products')})`)}`,
    modifiers: sql<string>`${selectModifiers(table, sql`select value from json_each(${param('modifiers')})`)}`,
    addresses: details.namesHosts ? selectAddresses : sql<string | null>`null`,
  }
  const from = (tables: SQL) => sql`from ${tables} where ${isObject}`
  return {
    find: lazy(() => typed(found, () => sql`select ${selectList(found)} ${from(sql`${table}`)}`)),

    /** Undoes the batch, by violating the NOT NULL of `version`, unless the details are at version `:expected`; 0 means no details. */
    write: lazy(() => {
      const version = sql`case when ${detailTable.version} = ${param('expected')} then ${detailTable.version} + 1 end`
      const insert = insertSelect(
        detailTable,
        { ...ofObject, data: param('data'), version: sql`${param('expected')} + 1` },
        from(sql`${table}`),
      )
      return compile(
        sql`${insert} on conflict do update set ${setColumns(detailTable, { data: sql`excluded.data`, version })}`,
      )
    }),

    /** Writes the texts of the languages in `:translations`, a JSON object. */
    translate: lazy(() => {
      const insert = insertSelect(
        translationTable,
        { ...ofObject, language: sql`entry.key`, texts: sql`entry.value` },
        from(sql`json_each(${param('translations')}) as entry cross join ${table}`),
      )
      return compile(
        sql`${insert} on conflict do update set ${setColumns(translationTable, { texts: sql`excluded.texts` })}`,
      )
    }),

    /** Deletes the languages of `:removed`, a JSON list. */
    removeLanguages: lazy(() =>
      compile(sql`delete from ${translationTable}
        where ${isOwn(translationTable)}
          and ${translationTable.resource} = ${resourceOf(table)}
          and ${translationTable.object} = (select ${table.seq} ${from(sql`${table}`)})
          and ${translationTable.language} in ${listed('removed')}`),
    ),

    /** Returns a row if the object exists. */
    insertEvent: lazy(() =>
      compile(
        sql`${raiseEvent({
          type: `${name}.details_updated`,
          scope: table,
          id: param('event'),
          version: sql`${param('expected')} + 1`,
          row: param('row'),
          previous: param('previous'),
          object: table.id,
          externalId: externalIdOf(table),
          from: from(sql`${table}`),
        })} returning 1`,
      ),
    ),
  }
}
