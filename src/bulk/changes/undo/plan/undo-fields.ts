import type { Draft } from '../../../../catalogue/resource/definition.ts'
import { isSameJson } from '../../../../catalogue/resource/merge-patch.ts'
import { isObject } from '../../../../platform/lib/schema-guard.ts'
import type { FieldChange, FieldChanges } from './net-changes.ts'
import { noPlaces, type Places, placeReturned, withoutGone } from './undo-places.ts'

/** Fields whose members are judged one by one: entries of a list by their `key`, or members of an object by their names. */
const fieldsWithMembers: ReadonlySet<string> = new Set(['metadata', 'translations'])

/** A field that an undo sets back, or leaves because somebody else has changed it since. */
interface FieldPlan {
  /** The value to set. Undefined: the field stays. */
  value?: { after: unknown }
  /** Names of the field, or of its members, that stay. */
  conflicts: readonly string[]
}

const isSame = (a: unknown, b: unknown) => isSameJson(a ?? undefined, b ?? undefined)

/** The members of a value by their names. Undefined if they have no unique names. */
function listMembers(value: unknown): Map<string, unknown> | undefined {
  if (value === null || value === undefined) return new Map()
  if (isObject(value)) return new Map(Object.entries(value))
  if (!Array.isArray(value)) return undefined
  const members = new Map<string, unknown>()
  for (const entry of value) {
    const key: unknown = isObject(entry) ? entry['key'] : undefined
    if (typeof key !== 'string' || members.has(key)) return undefined
    members.set(key, entry)
  }
  return members
}

/** Members with those of `wanted` set; null removes one. Others stay in their order. */
function setMembers(current: ReadonlyMap<string, unknown>, wanted: ReadonlyMap<string, unknown>, isList: boolean) {
  const merged = new Map(current)
  for (const [name, value] of wanted) {
    if (value === null) merged.delete(name)
    else merged.set(name, value)
  }
  return isList ? [...merged.values()] : Object.fromEntries(merged)
}

function planMembers(field: string, { before, after }: FieldChange, current: unknown): FieldPlan | undefined {
  const [was, set, is] = [before, after, current].map(listMembers)
  if (!was || !set || !is) return undefined
  const wanted = new Map<string, unknown>()
  const conflicts: string[] = []
  for (const name of new Set([...was.keys(), ...set.keys()])) {
    const [old, own, now] = [was.get(name), set.get(name), is.get(name)]
    if (isSame(old, own) || isSame(now, old)) continue
    if (isSame(now, own)) wanted.set(name, old ?? null)
    else conflicts.push(`${field}.${name}`)
  }
  const isList = [before, after, current].some(Array.isArray)
  return wanted.size === 0 ? { conflicts } : { value: { after: setMembers(is, wanted, isList) }, conflicts }
}

function planField(field: string, change: FieldChange, current: unknown, places: Places): FieldPlan {
  if (isSame(current, change.after)) {
    const after = withoutGone(field, change.before, places)
    return { value: { after }, conflicts: isSame(after, change.before) ? [] : [field] }
  }
  if (isSame(current, change.before)) return { conflicts: [] }
  const placed = placeReturned(field, change, current, places)
  if (placed) return { value: { after: placed.value }, conflicts: placed.isWhole ? [] : [field] }
  const ofMembers = fieldsWithMembers.has(field) ? planMembers(field, change, current) : undefined
  return ofMembers ?? { conflicts: [field] }
}

/** The merge patch (RFC 7396) that replaces `current` with `wanted`. */
export function toPatch(current: unknown, wanted: unknown): unknown {
  if (!isObject(wanted)) return wanted ?? null
  const was = isObject(current) ? current : {}
  const removed = Object.keys(was).filter((key) => !Object.hasOwn(wanted, key))
  return {
    ...Object.fromEntries(removed.map((key) => [key, null])),
    ...Object.fromEntries(
      Object.entries(wanted).map(([key, value]) => [
        key,
        toPatch(Object.hasOwn(was, key) ? was[key] : undefined, value),
      ]),
    ),
  }
}

/** The merge patch that sets fields back, and the names of those that somebody else has changed since. */
export function planFields(changes: FieldChanges, current: Draft, places = noPlaces) {
  const patch: Record<string, unknown> = {}
  const conflicts: string[] = []
  for (const [field, change] of changes) {
    if (isSame(change.before, change.after)) continue
    const plan = planField(field, change, current[field], places)
    conflicts.push(...plan.conflicts)
    if (plan.value && !isSame(plan.value.after, current[field]))
      patch[field] = toPatch(current[field], plan.value.after)
  }
  return { patch, conflicts }
}

/** The names of fields that differ. */
export const listDiffering = (a: Draft, b: Draft): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => !isSame(a[field], b[field]))
