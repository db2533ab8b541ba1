import { asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import { isInNamespace } from '../../../catalogue/resource/external-ids.ts'
import { allOf, compile, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import { importChunkTable as chunks } from '../../../platform/db/schema/imports/imports.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { getResource } from '../rows/imported-resource.ts'
import { selectTitle } from './target-statements.ts'

const isOfImport = allOf(
  eq(chunks.merchantId, param('merchantId')),
  eq(chunks.importId, param('import')),
  eq(chunks.resource, param('resource')),
)
const valuesOf = (list: SQL, value: 'key' | 'value') =>
  sql`(select entry.${sql.raw(value)} from ${chunks}, json_each(${list}) as entry where ${isOfImport})`

/** SQL for an id without its prefix. Sorts by the millisecond of its creation. */
const withoutPrefix = (id: SQL) => sql`substr(${id}, instr(${id}, '_') + 1)`

/**
 * Statements for objects with an external id that the file does not name, and that no row has selected. Objects that were created after the upload
 * are not missing. `:prefix` is that of the external ids: see `getMissingPrefix`.
 */
function createMissingStatements(path: ResourcePath) {
  const resource = getResource(path)
  const { table, spansModes } = resource
  const perReach = (build: (isReachable: SQL) => Statement) => {
    const ofMerchant = eq(table.merchantId, param('merchantId'))
    const own = lazy(() => build(allOf(ofMerchant, eq(table.testMode, param('testMode')))))
    const both = lazy(() => build(ofMerchant))
    return ({ testMode }: Pick<Scope, 'testMode'>) => (spansModes && !testMode ? both() : own())
  }
  const named = (isReachable: SQL) => sql`
    from ${externalIdTable} cross join ${table} on ${table.seq} = ${externalIdTable.object}
    where ${isInNamespace(resource)} and ${isReachable}`
  const isMissing = sql`
    (${table.createdAt}, ${withoutPrefix(sql`${table.id}`)}) < (${param('uploadedAt')}, ${withoutPrefix(sql`${param('import')}`)})
    and ${externalIdTable.externalId} glob ${param('prefix')} || '*'
    and ${externalIdTable.externalId} not in ${valuesOf(sql`${chunks.externalIds}`, 'key')}
    and ${table.id} not in ${valuesOf(sql`${chunks.fileIds}`, 'key')}
    and ${table.id} not in ${valuesOf(sql`${chunks.objectIds}`, 'value')}`
  return {
    find: perReach((isReachable) =>
      compile(sql`
        select ${table.id} as id, ${table.version} as version ${named(isReachable)} and ${isMissing}
        limit ${param('limit')}`),
    ),

    /** Number of missing objects, and of all objects with an external id. */
    count: perReach((isReachable) =>
      compile(sql`select count(*) filter (where ${isMissing}) as missing, count(*) as named ${named(isReachable)}`),
    ),

    /** Missing objects after the id `:after`, with their titles. */
    list: perReach((isReachable) =>
      compile(sql`
        select ${table.id} as id, ${externalIdTable.externalId} as external_id, ${selectTitle(resource)} as title
        ${named(isReachable)} and ${isMissing} and ${gt(table.id, param('after'))}
        order by ${asc(table.id)} limit ${param('limit')}`),
    ),
  }
}

const built = new Map<ResourcePath, ReturnType<typeof createMissingStatements>>()

/** The statements of a resource, each built once. */
export function getMissingStatements(path: ResourcePath) {
  const statements = built.get(path) ?? createMissingStatements(path)
  built.set(path, statements)
  return statements
}
