import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { PlanContext } from './plan-context.ts'
import type { UpdatePlan } from './plan-update.ts'
import type { ReadObject, RowMapping } from './row-mapping.ts'

/** Plans a change of an object's external id. Null clears it. */
export function planExternalId<Item extends object>(
  { resource, toRow }: RowMapping<Item>,
  { nowSeconds }: Pick<PlanContext, 'nowSeconds'>,
  current: ReadObject<Item>,
  { patch, issues }: ParsedBody,
): UpdatePlan<Item> {
  if (issues.length > 0) return { kind: 'invalid', draft: {}, issues }
  if (current.damaged) return { kind: 'damaged', error: current.damaged }
  const externalId = typeof patch['externalId'] === 'string' ? patch['externalId'] : undefined
  if (externalId === current.externalId) return { kind: 'unchanged', draft: {}, current }
  const before = toRow(current.item)
  const row = { ...before, updatedAt: Math.max(nowSeconds, Number(before['updatedAt']) + 1) }
  return {
    kind: 'changed',
    draft: {},
    change: {
      updated: { id: current.id, item: resource.item.parse(row), version: current.version + 1, externalId },
      before,
      row,
      changed: ['updatedAt'],
      previous: { externalId: current.externalId ?? null },
      externalId: current.externalId,
      repairs: false,
    },
  }
}
