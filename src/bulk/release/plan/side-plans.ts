import { listPartIds } from '../../../catalogue/resource/details/details-definition.ts'
import type { Marks } from '../../../checkout/many/mark-many.ts'
import { availabilityRequest, listUntilIssues } from '../../../checkout/stock/availability.ts'
import { optionAvailabilityRequest } from '../../../checkout/stock/option-availability.ts'
import { furtherNotice } from '../../../platform/db/schema/availability.ts'
import type { Issue } from '../../../platform/errors.ts'
import { toJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import type { Step } from '../../batch/plan/operation-step.ts'
import type { ReleaseOperation } from '../release-view.ts'

/** Changes of what is stored beside the objects of a release. */
interface SidePlan {
  marks: Marks
  /** Issues of each operation, with pointers into its parts. */
  issues: ReadonlyMap<ReleaseOperation, readonly Issue[]>
}

/** A step of the batch, and the operation of the release that it belongs to. */
export interface ReleaseStep {
  operation: ReleaseOperation
  step: Step
}

/** Times that marks need: now, and the end of marks until tomorrow. */
interface MarkTimes {
  now: number
  tomorrow: number | undefined
}

/** Whether a mark of a release ends tomorrow. */
export const hasTomorrow = ({ parts: { availability } }: ReleaseOperation) =>
  availability !== undefined && JSON.stringify(availability).includes('"tomorrow"')

const toEnd = ({ soldOut, until }: { soldOut: boolean; until?: unknown }, { tomorrow }: MarkTimes) => {
  if (!soldOut) return null
  if (typeof until === 'number') return until
  return until === 'tomorrow' ? (tomorrow ?? furtherNotice) : furtherNotice
}

/** The ids of the options of a modifier after the release. */
const listOptionIds = ({ result }: Step) =>
  listPartIds(result && !result.damaged ? Reflect.get(result.item, 'options') : undefined)

/** Plans availability of the operations whose objects the batch changes. */
export function planSides(steps: readonly ReleaseStep[], times: MarkTimes): SidePlan {
  const products: [string, number | null][] = []
  const options: [string, string, number | null][] = []
  const issues = new Map<ReleaseOperation, readonly Issue[]>()
  for (const { operation, step } of steps) {
    const { path, target, parts } = operation
    const found: Issue[] = []
    if (path === 'products' && parts.availability) {
      found.push(...listUntilIssues(parts.availability, times.now, '/availability'))
      products.push([target, toEnd(availabilityRequest.parse(parts.availability), times)])
    }
    if (path === 'modifiers' && parts.availability) {
      const known = listOptionIds(step)
      for (const [option, mark] of Object.entries(optionAvailabilityRequest.parse(parts.availability).options)) {
        const pointer = toJsonPointer(['availability', 'options', option])
        if (!known.has(option)) {
          found.push({ pointer, code: 'not_found', message: 'is not the id of an option of this modifier' })
        }
        found.push(...listUntilIssues(mark, times.now, pointer))
        options.push([target, option, toEnd(mark, times)])
      }
    }
    if (found.length > 0) issues.set(operation, found)
  }
  return { marks: { products, options }, issues }
}
