import { eq, type SQL, sql } from 'drizzle-orm'
import { isInNamespace } from '../../../catalogue/resource/external-ids.ts'
import { allOf, compile, lazy, param, type Statement } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import { externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import { importChunkTable as chunks } from '../../../platform/db/schema/imports/imports.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { toIfMatch } from '../../../platform/http/etag.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { chunkLimits } from '../import-limits.ts'
import { getResources } from '../import-view.ts'
import { getResource } from '../rows/imported-resource.ts'
import { importStatements } from '../statements/import-statements.ts'
import { createStepValues, runHalving, type StepContext } from './import-step.ts'

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

function findMissing(path: ResourcePath, scope: Scope): Statement {
  const statement = built.get(path) ?? createMissingStatement(path)
  built.set(path, statement)
  return statement(scope)
}

/**
 * Deletes the next objects that the file does not name. While objects are deleted, `nextChunk` is the index of their resource. Returns false if none
 * are left. Does not count objects that another request deletes at the same time.
 */
export async function deleteMissing(context: StepContext): Promise<boolean> {
  const { caller, stored, runBatch } = context
  const { database, scope } = caller
  const values = createStepValues(context)
  for (const [index, resource] of getResources(stored).entries()) {
    if (stored.deleting && index < stored.nextChunk) continue
    const wanted = { ...values, resource, uploadedAt: stored.createdAt, limit: chunkLimits.rows }
    const [missing] = await database.run([findMissing(resource, scope), wanted])
    if (missing.length === 0) continue
    const next = { nextChunk: index, nextRow: 0, deleting: true, hasDetails: false, outcomes: stored.outcomes }
    const counts = { applied: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
    const remove = async (objects: readonly Row[], failures: number) => {
      const operations = objects.map(({ id, version }) => ({
        op: 'delete' as const,
        resource,
        id: String(id),
        ifMatch: toIfMatch(Number(version)),
      }))
      await runBatch(caller, operations, {
        finish: (results) => {
          const deleted = results.filter(({ outcome }) => outcome === 'deleted').length
          return [[importStatements.advanceApply(), { ...values, ...counts, ...next, failures, deleted }]]
        },
      })
    }
    await runHalving(stored, missing, remove, (_, error) => Promise.reject(error))
    return true
  }
  return false
}
