import { eq, type SQL, sql } from 'drizzle-orm'
import { isInNamespace } from '../../../catalogue/resource/external-ids.ts'
import { allOf, compile, lazy, param, type Statement } from '../../../platform/db/database.ts'
import { externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import { importChunkTable as chunks } from '../../../platform/db/schema/imports/import-chunks.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { getResource } from '../rows/imported-resource.ts'

const isOfImport = allOf(
  eq(chunks.merchantId, param('merchantId')),
  eq(chunks.importId, param('import')),
  eq(chunks.resource, param('resource')),
)
const keysOf = (keys: SQL) => sql`(select entry.key from ${chunks}, json_each(${keys}) as entry where ${isOfImport})`

/** SQL for an id without its prefix. Sorts by the millisecond of its creation. */
const withoutPrefix = (id: SQL) => sql`substr(${id}, instr(${id}, '_') + 1)`

/** Finds objects with an external id that the file does not name. Objects that were created after the upload are not missing. */
function createMissingStatement(path: ResourcePath): (scope: Scope) => Statement {
  const resource = getResource(path)
  const { table, spansModes } = resource
  const build = (isReachable: SQL) =>
    compile(sql`
      select ${table.id} as id, ${table.version} as version
      from ${externalIdTable} cross join ${table} on ${table.seq} = ${externalIdTable.object}
      where ${isInNamespace(resource)} and ${isReachable}
        and (${table.createdAt}, ${withoutPrefix(sql`${table.id}`)}) < (${param('uploadedAt')}, ${withoutPrefix(sql`${param('import')}`)})
        and ${externalIdTable.externalId} not in ${keysOf(sql`${chunks.externalIds}`)}
        and ${table.id} not in ${keysOf(sql`${chunks.fileIds}`)}
      limit ${param('limit')}`)
  const ofMerchant = eq(table.merchantId, param('merchantId'))
  const own = lazy(() => build(allOf(ofMerchant, eq(table.testMode, param('testMode')))))
  const both = lazy(() => build(ofMerchant))
  return ({ testMode }) => (spansModes && !testMode ? both() : own())
}

const built = new Map<ResourcePath, (scope: Scope) => Statement>()

export function findMissing(path: ResourcePath, scope: Scope): Statement {
  const statement = built.get(path) ?? createMissingStatement(path)
  built.set(path, statement)
  return statement(scope)
}
