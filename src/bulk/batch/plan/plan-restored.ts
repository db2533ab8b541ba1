import { readColumns } from '../../../catalogue/resource/deleted/restore.ts'
import type { PlanContext } from '../../../catalogue/resource/plan.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { withoutIds } from '../body-names.ts'
import type { RestoredObject } from '../operation.ts'
import type { NameResolver } from './name-resolver.ts'
import type { Step } from './operation-step.ts'

/** Plans the return of a deleted object, without references to objects that do not exist after the batch. */
export function planRestored(
  step: Step,
  { item: before, version, kept }: RestoredObject,
  { nowSeconds }: PlanContext,
  names: NameResolver,
): void {
  const { id, externalId, dependencies } = step
  const { resource, mapping } = step.batch
  let left: unknown = before
  for (const reference of resource.references) {
    const named = reference.listIds(before)
    const gone = named.filter((each) => !names.exists(reference, each.id))
    if (gone.length > 0) left = withoutIds(left, reference, new Set(gone.map((each) => each.id)))
    for (const each of named) {
      const { step: other } = names.resolve(reference, each)
      if (other) dependencies.push({ pointer: each.pointer, step: other })
    }
  }
  const updatedAt = Math.max(nowSeconds, Number(before['updatedAt']) + 1)
  const item = resource.item.parse({ ...(isObject(left) ? left : {}), updatedAt })
  step.result = { id, item, version, externalId }
  step.created = { stored: step.result, row: { ...mapping.toRow(item), ...readColumns(resource, kept) } }
}
