import * as z from 'zod/mini'
import type { StockCount } from '../../../checkout/stock/set-stock.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { OperationResult } from '../../batch/operation.ts'
import { readDiffering, type StoredImport } from '../import-view.ts'
import { getResource, type ImportedResource } from '../rows/imported-resource.ts'
import type { RowObject } from '../rows/row-object.ts'
import type { Target } from './find-targets.ts'

/** A value in a row that differs from the counter of the service. */
export interface Difference {
  /** `<resource>.<field>`. */
  name: string
  /** Stock that an adjustment sets. Undefined: the stock stays unchanged, or the update sets it. */
  stock?: number | undefined
}

/** Whether the service counts the stock of the resource's objects. */
export const setsStock = (path: ResourcePath): boolean =>
  Object.values(getResource(path).counters).some(({ isStock }) => isStock === true)

/** The active counters of an object. */
function readCounted({ counters }: Target): ReadonlyMap<string, unknown> {
  const parsed: unknown = JSON.parse(String(counters))
  return new Map(Object.entries(isObject(parsed) ? parsed : {}).filter(([, value]) => value !== null))
}

/** The number that a field would be set to, null if it would be cleared. Undefined if the value is not valid. */
function readNumber(
  { create: { schema } }: ImportedResource,
  field: string,
  value: unknown,
): number | null | undefined {
  if (value === null) return null
  const type: unknown = schema instanceof z.ZodMiniObject ? schema.shape[field] : undefined
  const read: unknown = type instanceof z.ZodMiniType ? type.safeParse(value).data : undefined
  return typeof read === 'number' ? read : undefined
}

/**
 * Removes counters from the body of an update, so that they stay unchanged. If the import sets counters, an adjustment sets the stock, and the update
 * sets all others.
 */
export function takeCounters(
  { setCounters }: Pick<StoredImport, 'setCounters'>,
  path: ResourcePath,
  target: Target | undefined,
  body: RowObject['body'],
): { body: RowObject['body']; differences: readonly Difference[] } {
  const resource = getResource(path)
  const differences: Difference[] = []
  const taken = new Set<string>()
  const counted = target ? readCounted(target) : new Map<string, unknown>()
  for (const [field, current] of counted) {
    if (body[field] === undefined) continue
    const value = readNumber(resource, field, body[field])
    if (value === undefined) continue
    const stock = resource.counters[field]?.isStock && setCounters && value !== null ? value : undefined
    if (!setCounters || stock !== undefined) taken.add(field)
    if (value !== current) differences.push({ name: `${path}.${field}`, stock })
  }
  if (taken.size === 0) return { body, differences }
  return { body: Object.fromEntries(Object.entries(body).filter(([field]) => !taken.has(field))), differences }
}

/** The number of rows by the counter that differs, with further differences. */
export function addDifferences(stored: StoredImport, differences: readonly Pick<Difference, 'name'>[]) {
  const sum: Record<string, number> = { ...readDiffering(stored) }
  for (const { name } of differences) sum[name] = (sum[name] ?? 0) + 1
  return sum
}

/** Whether applying a row sets the stock of its object. */
export const changesStock = ({ differences }: { differences: readonly Difference[] }): boolean =>
  differences.some(({ stock }) => stock !== undefined)

/** The stock values that applied rows set, each with the index of its operation. */
export function listCounts(
  { id }: StoredImport,
  operations: readonly { row: number; differences: readonly Difference[] }[],
  results: readonly OperationResult[],
): (StockCount & { index: number })[] {
  return results.flatMap(({ index, id: product, problem }) => {
    const operation = operations[index]
    if (!operation || problem || product === undefined) return []
    return operation.differences.flatMap(({ stock }) =>
      stock === undefined ? [] : [{ index, reference: `${id}:${operation.row}`, product, set: stock }],
    )
  })
}
