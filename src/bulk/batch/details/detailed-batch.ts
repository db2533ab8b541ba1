import { changeReferences } from '../../../catalogue/resource/details/detail-references.ts'
import type { WritableDetails } from '../../../catalogue/resource/details/details-definition.ts'
import { selectEach } from '../../../catalogue/resource/details/related-objects.ts'
import { spansBothModes } from '../../../catalogue/resource/plan.ts'
import { lazy } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { type Issue, invalid } from '../../../platform/errors.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { type BatchResource, batchResources, getBatchResource } from '../batch-resource.ts'
import { type ObjectName, parseName } from '../body-names.ts'
import type { BatchOperation } from '../operation.ts'
import {
  type BatchDetailStatements,
  createBatchDetailStatements,
  createFindRelated,
} from '../statements/details-statements.ts'

/** A resource with details, and the statements that the operations of a batch share. */
export interface DetailedBatch {
  batch: BatchResource
  definition: WritableDetails<object, object>
  statements: BatchDetailStatements
}

const loaded = new Map<ResourcePath, ReturnType<typeof createBatchDetailStatements>>()

async function load(batch: BatchResource, scope: Scope): Promise<readonly DetailedBatch[]> {
  const { resource } = batch
  const definition = await resource.details?.load()
  if (!definition) return []
  const statementsFor = loaded.get(resource.path) ?? createBatchDetailStatements(resource, definition.more)
  loaded.set(resource.path, statementsFor)
  return [{ batch, definition, statements: statementsFor(spansBothModes(resource, scope)) }]
}

/** The resources of the operations with details. Each comes after those that its details name. */
export async function loadDetailed(
  operations: readonly BatchOperation[],
  scope: Scope,
): Promise<readonly DetailedBatch[]> {
  const paths = new Set(operations.flatMap(({ resource, details }) => (details ? [resource] : [])))
  const used = batchResources.filter(({ resource }) => paths.has(resource.path))
  return (await Promise.all(used.map((batch) => load(batch, scope)))).flat()
}

/** A resource whose objects details name. */
type RelatedPath = keyof typeof selectEach
export const relatedPaths = ['products', 'modifiers'] as const satisfies readonly RelatedPath[]

/** The statement that reads objects that details name. */
export const findRelated = lazy(() => ({
  products: createFindRelated(getBatchResource('products').resource, selectEach.products),
  modifiers: createFindRelated(getBatchResource('modifiers').resource, selectEach.modifiers),
}))

/** A name of an object in details, and the resource of the object. */
export interface DetailName {
  target: RelatedPath
  name: ObjectName
}

/** Details with an id in place of each name of an object. */
export const replaceNames = (
  { definition: { references = [] } }: DetailedBatch,
  details: Readonly<Record<string, unknown>>,
  toId: (named: DetailName) => string,
) =>
  changeReferences(details, references, (reference, pointer, target) => {
    const name = parseName(reference, `/details${pointer}`)
    return name ? toId({ target, name }) : reference
  })

/** The names of objects in details. */
export function listDetailNames(detailed: DetailedBatch, details: Readonly<Record<string, unknown>>): DetailName[] {
  const names: DetailName[] = []
  replaceNames(detailed, details, (named) => {
    names.push(named)
    return ''
  })
  return names
}

/** Throws the issues of refs that no operation defines. */
export function requireDefinedRefs(
  operations: readonly BatchOperation[],
  listNames: (operation: BatchOperation) => readonly DetailName[],
): void {
  const defined = new Set(operations.map(({ ref }) => ref))
  const issues = operations.flatMap((operation, index) =>
    listNames(operation).flatMap(({ name }): Issue[] => {
      if (!('ref' in name) || defined.has(name.ref)) return []
      const pointer = `/operations/${index}${name.pointer}`
      return [{ pointer, code: 'unresolved_reference', message: 'is not the ref of an operation of the batch' }]
    }),
  )
  if (issues.length > 0) throw invalid(issues)
}
