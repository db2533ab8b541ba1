import type { Reference } from '../../../catalogue/resource/definition.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { batchResources } from '../batch-resource.ts'
import type { ObjectName } from '../body-names.ts'
import type { Found, FoundObjects } from './find-objects.ts'
import type { Step } from './operation-step.ts'

type Target = Pick<Reference, 'target'>

/** Resolves the names of objects in the bodies of a batch, based on the state after its deletions and creates. */
export interface NameResolver {
  /** The id of a name, and the operation that defines it. For an unknown name, the id does not exist. */
  resolve(reference: Target, name: ObjectName): { id: string; step?: Step | undefined }
  /** Whether the object exists after the batch: the batch creates it, or it exists and is not deleted. */
  exists(reference: Target, id: string): boolean
  /** Ids of the objects that the batch deletes. */
  deletedIds(reference: Target): ReadonlySet<string>
}

/** Changes of a batch to the objects of one resource. */
interface TargetObjects {
  found: FoundObjects | undefined
  created: Map<string, Step>
  deletedIds: Set<string>
  /** Creates with an external id. */
  byExternalId: Map<string, Step>
}

/** Resolves the names that the operations of a batch use for objects, which `found` or earlier operations have. */
export function createNameResolver(steps: readonly Step[], found: Found): NameResolver {
  const byRef = new Map<string, Step>()
  const byTable = new Map<ResourceTable, TargetObjects>(
    batchResources.map(({ resource: { table, path } }) => [
      table,
      { found: found.get(path), created: new Map(), deletedIds: new Set(), byExternalId: new Map() },
    ]),
  )
  const get = ({ target }: Target): TargetObjects => {
    const objects = byTable.get(target)
    if (!objects) throw new Error('a reference to an unknown resource')
    return objects
  }
  for (const step of steps) {
    const { operation, kind, id, batch, externalId, problem } = step
    if (operation.ref !== undefined) byRef.set(operation.ref, step)
    const objects = get({ target: batch.resource.table })
    if (kind === 'delete' && !problem) objects.deletedIds.add(id)
    if (kind !== 'create') continue
    objects.created.set(id, step)
    if (externalId !== undefined) objects.byExternalId.set(externalId, step)
  }

  const resolver: NameResolver = {
    resolve(reference, name) {
      if ('id' in name) return { id: name.id, step: get(reference).created.get(name.id) }
      const unknown = createId('none')
      if ('ref' in name) {
        const step = byRef.get(name.ref)
        return { id: step?.id ?? unknown, step }
      }
      const { found: known, byExternalId } = get(reference)
      const object = known?.byExternalId.get(name.externalId)
      if (object && resolver.exists(reference, object.id)) return { id: object.id }
      const step = byExternalId.get(name.externalId)
      return { id: step?.id ?? object?.id ?? unknown, step }
    },
    exists(reference, id) {
      const { found: known, created, deletedIds } = get(reference)
      return created.has(id) || (known?.byId.has(id) === true && !deletedIds.has(id))
    },
    deletedIds: (reference) => get(reference).deletedIds,
  }
  return resolver
}
