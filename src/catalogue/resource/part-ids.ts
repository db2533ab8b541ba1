import { isObject } from '../../platform/lib/schema-guard.ts'
import type { Draft } from './definition.ts'

const getName = (part: Draft, nameField: string) => String(part[nameField] ?? '')

const listParts = (parts: unknown): Draft[] => (Array.isArray(parts) ? parts.filter(isObject) : [])

/**
 * Gives each part of `field` without an id the id of the previous part with the same name. If several parts share a name, the first one keeps the
 * first id.
 */
export function keepPartIds(patch: Draft, previous: Draft, field: string, nameField: string): Draft {
  const parts = patch[field]
  if (!Array.isArray(parts)) return patch
  const given = new Set(listParts(parts).map(({ id }) => id))
  const free = Map.groupBy(
    listParts(previous[field]).filter(({ id }) => !given.has(id)),
    (part) => getName(part, nameField),
  )
  const withId = (part: unknown): unknown => {
    if (!isObject(part) || (part['id'] !== undefined && part['id'] !== null)) return part
    const same = free.get(getName(part, nameField))?.shift()
    return same ? { ...part, id: same['id'] } : part
  }
  return { ...patch, [field]: parts.map(withId) }
}

const listIds = (parts: unknown) =>
  (Array.isArray(parts) ? parts : []).map((part: unknown) =>
    isObject(part) && typeof part['id'] === 'string' ? part['id'] : undefined,
  )

/**
 * Ids of the stored parts by the ids of the parts that a file sent. `kept` are the sent parts with the ids that they keep. Any other part is matched
 * with the stored part at its position, unless another part keeps the id of that stored part.
 */
export function mapPartIds(sent: unknown, kept: unknown, stored: unknown): ReadonlyMap<string, string> {
  const [keptIds, storedIds] = [listIds(kept), listIds(stored)]
  const free = storedIds.map((id) => (keptIds.includes(id) ? undefined : id))
  return new Map(
    listIds(sent).flatMap((id, index) => {
      const own = keptIds[index] ?? free[index]
      return id === undefined || own === undefined ? [] : [[id, own] as const]
    }),
  )
}
