import type { Caller } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { getPointed, isSameValue, listSetValues } from '../draft/pointers.ts'
import { readWhole } from '../publish/publish-release.ts'
import { checkView } from '../release-fields.ts'
import { listScopes, partNames, type ReleaseParts } from '../release-view.ts'
import { getTitle } from './find-current.ts'
import { planRelease, type ReleasePlan } from './plan-release.ts'

type Fields = Readonly<Record<string, unknown>>

/** Fields that change with every write. */
const isMoving = (field: string) =>
  field === 'updatedAt' || field === 'createdAt' || field === 'id' || field === 'testMode'

/** The fields of a part that differ, by JSON pointers. */
function* listDifferences(name: string, before: Fields, after: Fields): Iterable<[string, unknown, unknown]> {
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[field] ?? null, after[field] ?? null]
    if (!isMoving(field) && !isSameValue(was, is)) yield [toJsonPointer([name, field]), was, is]
  }
}

/** The object before and after an operation, in its parts. */
function toStates({ operation, step }: ReleasePlan['pairs'][number], { current }: ReleasePlan) {
  const { path, target, parts, verb } = operation
  const before: ReleaseParts = current.toParts(path, target, parts)?.parts ?? {}
  const item = step.result && !step.result.damaged ? step.result.item : {}
  if (verb === 'delete') return { before, after: {} }
  const shown = step.details?.shown
  const after: ReleaseParts = {
    body: { ...item },
    ...(shown && { details: { ...shown } }),
    ...(parts.availability && { availability: parts.availability }),
    ...(step.limits?.shown && { limits: { ...step.limits.shown } }),
  }
  return { before, after }
}

/** Values before and after an operation, by JSON pointers. Those of an operation that cannot be published are the values that it sets. */
function listChanges(pair: ReleasePlan['pairs'][number], plan: ReleasePlan): [string, unknown, unknown][] {
  const { before, after } = toStates(pair, plan)
  const { verb, parts } = pair.operation
  if (pair.step.problem && verb !== 'delete')
    return Array.from(listSetValues(parts), ([pointer, is]) => [pointer, getPointed(before, pointer), is])
  return partNames.flatMap((name) =>
    before[name] || after[name] ? [...listDifferences(name, before[name] ?? {}, after[name] ?? {})] : [],
  )
}

/** Changes of a release, and the reasons why it cannot be published. */
export async function checkRelease(caller: Caller, id: string, grantedScopes: readonly string[] | undefined) {
  const { operations } = await readWhole(caller, id)
  requireScopes(
    grantedScopes,
    listScopes(
      operations.map(({ path }) => path),
      'read',
    ),
  )
  const plan = await planRelease(caller, operations)
  const { errors, conflicts } = plan
  const changes = plan.pairs.flatMap((pair) => {
    const { operation, step } = pair
    const differing = listChanges(pair, plan)
    if (differing.length === 0 && operation.verb !== 'delete') return []
    const item = step.result && !step.result.damaged ? getTitle(step.result.item) : ''
    return [
      {
        ...{ resource: operation.path, id: operation.target, op: operation.verb },
        title: item || (operation.title ?? ''),
        before: Object.fromEntries(differing.map(([pointer, was]) => [pointer, was])),
        after: Object.fromEntries(differing.map(([pointer, , is]) => [pointer, is])),
      },
    ]
  })
  return checkView.parse({ ok: errors.length === 0 && conflicts.length === 0, errors, conflicts, changes })
}
