import { eq, type SQL, sql } from 'drizzle-orm'
import { isInNamespace } from '../../../catalogue/resource/external-ids.ts'
import { allOf, compile, getColumn, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { listed } from '../../../platform/db/query.ts'
import { externalIdOf, externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { getResource, type ImportedResource } from '../rows/imported-resource.ts'
import { titleSeparators } from '../rows/row-keys.ts'

/** SQL for a JSON object with the active counters of an object. */
function selectCounters({ counters, table }: ImportedResource): SQL {
  const members = Object.entries(counters).map(([field, { flag }]) => {
    const value = sql`${getColumn(table, field)}`
    const counted = flag === undefined ? value : sql`iif(${getColumn(table, flag)}, ${value}, null)`
    return sql`${sql.raw(`'${field}'`)}, ${counted}`
  })
  return sql`json_object(${sql.join(members, sql`, `)})`
}

const toCharacter = (separator: string) => sql.raw(`char(${separator.charCodeAt(0)})`)

/** SQL for the title of an object, as `readTitle` makes it of a row. */
export function selectTitle({ titleFields, table }: ImportedResource): SQL {
  const { field: between, value } = titleSeparators
  const parts = titleFields.map((field) => {
    const column = getColumn(table, field)
    return field === 'metadata'
      ? sql`coalesce((select group_concat(entry.value ->> 'value', ${toCharacter(value)}) from json_each(${column}) as entry), '')`
      : sql`coalesce(${column}, '')`
  })
  return sql`(${sql.join(parts, sql` || ${toCharacter(between)} || `)})`
}

/** Statements that find the objects of one resource by the keys in `:keys`, a JSON list. `key` is the key that was found. */
function createTargetStatements(resource: ImportedResource) {
  const { table, spansModes, item } = resource
  const perReach = (build: (isReachable: SQL) => Statement) => {
    const ofMerchant = eq(table.merchantId, param('merchantId'))
    const own = lazy(() => build(allOf(ofMerchant, eq(table.testMode, param('testMode')))))
    const both = lazy(() => build(ofMerchant))
    return ({ testMode }: Scope) => (spansModes && !testMode ? both() : own())
  }
  const metadata = 'metadata' in item.shape ? sql`${getColumn(table, 'metadata')}` : sql`null`
  const counters = selectCounters(resource)
  const selectTarget = (key: SQL, externalId: SQL) =>
    sql`select ${key} as key, ${table.id} as id, ${table.version} as version, ${externalId} as external_id,
      ${metadata} as metadata, ${counters} as counters`
  const isKey = (column: SQL) => sql`${column} in ${listed('keys')}`
  const named = sql`${externalIdTable} cross join ${table} on ${table.seq} = ${externalIdTable.object}`
  const isNamed = (isReachable: SQL) =>
    sql`${isInNamespace(resource)} and ${isKey(sql`${externalIdTable.externalId}`)} and ${isReachable}`
  return {
    byId: perReach((isReachable) =>
      compile(sql`
        ${selectTarget(sql`${table.id}`, externalIdOf(table))}
        from ${table} where ${isReachable} and ${isKey(sql`${table.id}`)}`),
    ),
    byExternalId: perReach((isReachable) =>
      compile(sql`
        ${selectTarget(sql`${externalIdTable.externalId}`, sql`${externalIdTable.externalId}`)}
        from ${named} where ${isNamed(isReachable)}`),
    ),
    bySku: perReach((isReachable) =>
      compile(sql`
        ${selectTarget(sql`${getColumn(table, 'sku')}`, externalIdOf(table))}
        from ${table} where ${isReachable} and ${isKey(sql`${getColumn(table, 'sku')}`)} order by ${table.id}`),
    ),
    byUpc: perReach((isReachable) =>
      compile(sql`
        ${selectTarget(sql`${getColumn(table, 'upc')}`, externalIdOf(table))}
        from ${table} where ${isReachable} and ${isKey(sql`${getColumn(table, 'upc')}`)} order by ${table.id}`),
    ),
    /** Objects by their title, each with its number among those with the same, oldest first. Those from `:first` to `:last`. */
    byTitle: perReach((isReachable) => {
      const title = selectTitle(resource)
      const nth = sql`row_number() over (partition by ${title} order by ${table.seq})`
      return compile(sql`
        select * from (
          ${selectTarget(title, externalIdOf(table))}, ${nth} as nth from ${table} where ${isReachable} and ${isKey(title)}
        ) where nth between ${param('first')} and ${param('last')}`)
    }),

    /** Only ids, for references. */
    idsById: perReach((isReachable) =>
      compile(
        sql`select ${table.id} as key, ${table.id} as id from ${table} where ${isReachable} and ${isKey(sql`${table.id}`)}`,
      ),
    ),
    idsByExternalId: perReach((isReachable) =>
      compile(sql`
        select ${externalIdTable.externalId} as key, ${table.id} as id from ${named} where ${isNamed(isReachable)}`),
    ),
  }
}

const built = new Map<ResourcePath, ReturnType<typeof createTargetStatements>>()

/** The statements of a resource, each built once. */
export function getTargetStatements(path: ResourcePath) {
  const statements = built.get(path) ?? createTargetStatements(getResource(path))
  built.set(path, statements)
  return statements
}
