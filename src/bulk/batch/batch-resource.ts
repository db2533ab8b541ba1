import type { RenderContext, ResourceDefinition } from '../../catalogue/resource/definition.ts'
import { spansBothModes } from '../../catalogue/resource/plan.ts'
import { createRowMapping, type RowMapping } from '../../catalogue/resource/row-mapping.ts'
import { createRowWrites, type RowWrites } from '../../catalogue/resource/statements/row-writes.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import { perFlag } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/db/scope.ts'
import type { BodyRules } from '../../platform/http/validation.ts'
import type { ResourcePath } from '../../platform/names.ts'
import { createReadStatements, type ReadStatements } from './statements/read-statements.ts'
import { listedObjects } from './statements/row-parameters.ts'
import { createWriteStatements, type WriteStatements } from './statements/write-statements.ts'

/** The part of a resource that a batch needs. */
interface Resource extends ResourceDefinition {
  create: BodyRules<unknown>
  toView(item: object, renderContext: RenderContext): object
  toFullView(item: object, renderContext: RenderContext): object | Promise<object>
  toCreatedOnly(item: object): object
}

/** A resource with the statements that its operations in a batch share. */
export interface BatchResource {
  resource: Resource
  mapping: RowMapping
  /** Rules for bodies of updates. They accept the fields of create, but require none of them. */
  updateRules: BodyRules<unknown>
  /** The statements for a key. */
  read(scope: Scope): ReadStatements
  write(scope: Scope): WriteStatements
  /** Statements of a store that a batch uses for all of its objects. */
  writes: RowWrites
}

/** Builds a value for keys that access one mode and one for keys that access both. */
function perReach<Value>(resource: ResourceDefinition, build: (bothModes: boolean) => Value) {
  const ofReach = perFlag(build)
  return (scope: Scope) => ofReach(spansBothModes(resource, scope))
}

const all: readonly Resource[] = resourceList

const createBatchResource = (resource: Resource): BatchResource => ({
  resource,
  mapping: createRowMapping(resource),
  updateRules: { ...resource.create, schema: resource.create.partial },
  read: perReach(resource, (bothModes) => createReadStatements(resource, all, bothModes)),
  write: perReach(resource, (bothModes) => createWriteStatements(resource, all, bothModes)),
  writes: createRowWrites(resource, listedObjects),
})

/** Sorts resources so that each comes after the resources that it refers to. */
function sortByReferences(unsorted: readonly Resource[]): Resource[] {
  const [ready, rest] = [new Set<Resource>(), new Set(unsorted)]
  const isReady = ({ references }: Resource) =>
    references.every(({ target }) => !Array.from(rest).some(({ table }) => table === target))
  for (let next = [...rest].filter(isReady); next.length > 0; next = [...rest].filter(isReady)) {
    for (const resource of next) {
      ready.add(resource)
      rest.delete(resource)
    }
  }
  return [...ready, ...rest]
}

/** All resources. Each comes after the resources that it refers to. */
export const batchResources: readonly BatchResource[] = sortByReferences(all).map(createBatchResource)

const byPath = new Map<ResourcePath, BatchResource>(batchResources.map((each) => [each.resource.path, each]))

/** A resource with the statements that a batch needs. */
export function getBatchResource(path: ResourcePath): BatchResource {
  const found = byPath.get(path)
  if (!found) throw new Error(`no resource ${path}`)
  return found
}
