import type { Caller } from '../../../catalogue/resource/caller.ts'
import { listPartIds, readAllDetails } from '../../../catalogue/resource/details/details-definition.ts'
import type { ReadObject } from '../../../catalogue/resource/row-mapping.ts'
import { createBatchDetails } from '../../batch/details/batch-details.ts'
import { loadDetailed } from '../../batch/details/detailed-batch.ts'
import { createBatchLimits } from '../../batch/limits/batch-limits.ts'
import type { BatchOperation } from '../../batch/operation.ts'
import { findObjects, type Read } from '../../batch/plan/find-objects.ts'
import type { ReleasedPath } from '../release-limits.ts'
import type { ReleaseParts } from '../release-view.ts'
import { createSideReads } from './side-reads.ts'

/** An operation of a batch with parts that are stored beside objects. */
export interface PlannedOperation extends BatchOperation, Pick<ReleaseParts, 'availability'> {
  resource: ReleasedPath
}

/** Known fields of an object, also of a damaged one. */
const getFields = ({ item, damaged }: ReadObject<object>): object => (damaged ? damaged.readable : (item ?? {}))

const texts = (fields: object, ...names: readonly string[]) =>
  names.flatMap((name) => {
    const text: unknown = Reflect.get(fields, name)
    return typeof text === 'string' && text !== '' ? [text] : []
  })
/** The title of an object, or the code of a coupon. */
export const getTitle = (fields: object): string => texts(fields, 'title', 'code')[0] ?? ''

/** Reads the objects of operations with all that their parts depend on, and `also`, in one round trip. */
export async function findCurrent(
  caller: Pick<Caller, 'database' | 'scope'>,
  operations: readonly PlannedOperation[],
  also: readonly Read[] = [],
) {
  const hasDetails = operations.some(({ details }) => details)
  const details = hasDetails ? await createBatchDetails(caller, operations) : undefined
  const detailed = hasDetails ? await loadDetailed(operations, caller.scope) : []
  const hasLimits = operations.some(({ limits }) => limits)
  const limits = hasLimits ? createBatchLimits(caller, operations) : undefined
  const side = createSideReads(caller.scope, operations)
  const found = await findObjects(caller, operations, false, [
    ...(details ? [details] : []),
    ...(limits ? [limits] : []),
    side,
    { listReads: () => also },
  ])
  const { merchantId } = caller.scope
  return {
    found,
    details,
    limits,
    detailed,
    side,
    /** The parts of a batch that plan and write details and limits. */
    planners: [...(details ? [details] : []), ...(limits ? [limits] : [])],
    /** The object as it is, in the parts of an operation on it. Undefined if it does not exist. */
    toParts(path: ReleasedPath, id: string, parts: ReleaseParts): { title: string; parts: ReleaseParts } | undefined {
      const object = found.get(path)?.whole.get(id)
      if (!object) return undefined
      const fields = getFields(object)
      const own = detailed.find(({ batch }) => batch.resource.path === path)
      const field = own?.definition.parts?.field
      const partIds = listPartIds(field === undefined ? undefined : Reflect.get(fields, field))
      const stored =
        parts.details && own && readAllDetails(own.definition, details?.getText(id), partIds, { id, merchantId }).kept
      return {
        title: getTitle(fields),
        parts: {
          body: { ...fields },
          ...(stored && { details: { ...stored } }),
          ...(parts.limits && limits && { limits: { ...limits.getLimits(id) } }),
          ...side.toParts(path, id, parts),
        },
      }
    },
    /** Id of the existing object with an external id. */
    findId: (path: ReleasedPath, externalId: string) => found.get(path)?.byExternalId.get(externalId)?.id,
  }
}
export type Current = Awaited<ReturnType<typeof findCurrent>>
