import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import { selectHasDetails } from '../../../catalogue/resource/details/details-columns.ts'
import { isInNamespace } from '../../../catalogue/resource/external-ids.ts'
import { countLinks } from '../../../catalogue/resource/statements/prune-statements.ts'
import { allOf, compile, getColumn, lazy, param } from '../../../platform/db/database.ts'
import { bytesOf } from '../../../platform/db/page-budget.ts'
import { listed, selectList, typed, withoutIndex } from '../../../platform/db/query.ts'
import { externalIdTable, resourceOf } from '../../../platform/db/schema/external-ids.ts'
import { isInScope } from '../../../platform/db/scope.ts'

/**
 * Statements that read the objects that the operations of a batch refer to. All are scoped to `:merchantId`, and to `:testMode` unless
 * `bothModes`.
 */
export function createReadStatements(
  definition: ResourceDefinition,
  all: readonly ResourceDefinition[],
  bothModes: boolean,
) {
  const { table, uniqueFields, otherHolders } = definition
  const scopeBy = (merchantId: SQL, testMode: SQL) =>
    allOf(sql`${merchantId} = ${param('merchantId')}`, bothModes ? undefined : sql`${testMode} = ${param('testMode')}`)
  const scoped = scopeBy(sql`${table.merchantId}`, sql`${table.testMode}`)
  const checked = scopeBy(withoutIndex(table.merchantId), withoutIndex(table.testMode))
  const resource = resourceOf(table)
  const isExternalId = isInNamespace(definition)
  const named = {
    id: sql<string | null>`${table.id}`,
    seq: sql<number | null>`${table.seq}`,
    version: sql<number | null>`${table.version}`,
    updatedAt: sql<number | null>`${table.updatedAt}`,
    externalId: sql<string | null>`${externalIdTable.externalId}`,
  }
  const holder = (column: SQLiteColumn) => ({ id: sql<string>`${table.id}`, value: sql<string>`${column}` })
  const counted = { count: sql<number>`count(*)` }
  const columns = Object.values(getTableColumns(table))
  const bytes = bytesOf(columns.filter((column) => column.getSQLType() === 'text').map((column) => sql`${column}`))

  return {
    /** The objects `:ids` and the owners of `:externalIds`. An external id of an inaccessible object has a row without `id`. */
    find: lazy(() =>
      typed(
        named,
        () => sql`
          select ${selectList(named)} from ${table}
            left join ${externalIdTable} on ${externalIdTable.resource} = ${resource} and ${externalIdTable.object} = ${table.seq}
            where ${scoped} and ${table.id} in ${listed('ids')}
          union all
          select ${selectList(named)} from ${externalIdTable}
            left join ${table} on ${table.seq} = ${externalIdTable.object} and ${checked}
            where ${isExternalId} and ${externalIdTable.externalId} in ${listed('externalIds')}`,
      ),
    ),

    /** The whole rows of `:ids` and `:externalIds`, with the bytes of all. If those exceed `:maxBytes`: one row with the bytes only. */
    // Without an index, because `union` would choose one by the order of `seq` and read the rows of all merchants.
    findWhole: lazy(() =>
      compile(sql`
        with named as materialized (
          select ${withoutIndex(table.seq)} as seq from ${table} where ${scoped} and ${table.id} in ${listed('ids')}
          union
          select ${withoutIndex(externalIdTable.object)} from ${externalIdTable}
            where ${isExternalId} and ${externalIdTable.externalId} in ${listed('externalIds')}
        ), total as materialized (
          select sum(${bytes}) as bytes from ${table} where ${table.seq} in (select seq from named) and ${checked}
        ), whole as materialized (
          select ${table}.*${selectHasDetails(definition)} from named cross join ${table} on ${table.seq} = named.seq
          where (select bytes from total) <= ${param('maxBytes')} and ${checked}
        )
        select whole.*, total.bytes as total_bytes from total left join whole`),
    ),

    /** How many references there are to each of `:ids` and `:externalIds`. Undefined if no resource refers to this one. */
    countReferences: lazy(() => {
      const links = all.flatMap(({ references }) => references.filter(({ target }) => target === table))
      if (links.length === 0) return undefined
      const fields = { id: sql<string>`${table.id}`, count: sql<number>`${countLinks(links, sql`= ${table.seq}`)}` }
      return typed(
        fields,
        () => sql`
          select ${selectList(fields)} from ${table} where ${checked} and ${table.seq} in (
            select ${table.seq} from ${table} where ${scoped} and ${table.id} in ${listed('ids')}
            union
            select ${externalIdTable.object} from ${externalIdTable}
              where ${isExternalId} and ${externalIdTable.externalId} in ${listed('externalIds')})`,
      )
    }),

    /** For each unique column: the objects that have one of the values of a list, whose parameter has the name of the column. */
    findHolders: lazy(() =>
      Object.keys(uniqueFields).map((key) => {
        const column = getColumn(table, key)
        const other = otherHolders[key]
        const others = other
          ? sql`union all select ${other.id}, ${other.value} from ${other.value.table}
              where ${isInScope(other)} and ${other.value} in ${listed(key)}
                and exists (select 1 from ${table} where ${scoped} and ${table.id} = ${other.owner})`
          : sql``
        return {
          key,
          statement: typed(
            holder(column),
            () =>
              sql`select ${selectList(holder(column))} from ${table} where ${scoped} and ${column} in ${listed(key)} ${others}`,
          ),
        }
      }),
    ),

    /** Number of objects, up to `:limit`. */
    count: lazy(() =>
      typed(
        counted,
        () => sql`select ${selectList(counted)} from (select 1 from ${table} where ${scoped} limit ${param('limit')})`,
      ),
    ),
  }
}

export type ReadStatements = ReturnType<typeof createReadStatements>
