import type { Issue } from '../../platform/errors.ts'
import { getTopField, type ParsedBody } from '../../platform/http/validation.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import type { Draft, ResourceDefinition, ValidationContext } from './definition.ts'

/** Whether two JSON values are the same. The order of fields does not matter; an undefined field is an absent one. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((value, index) => isSameJson(value, b[index]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const isKept = ([key, value]: readonly [string, unknown]) =>
    isSameJson(value, Object.hasOwn(b, key) ? b[key] : undefined)
  const isAbsent = ([key, value]: readonly [string, unknown]) => value === undefined || Object.hasOwn(a, key)
  return Object.entries(a).every(isKept) && Object.entries(b).every(isAbsent)
}

/** A JSON value without its nulls, which mean absent fields. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  return isObject(value) ? merge({}, value) : value
}

/** JSON merge patch (RFC 7396), except that inside lists a null means an absent field: our objects contain no null. */
export function merge(target: Draft, patch: Draft): Draft {
  const merged: Record<string, unknown> = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    const kept = merged[key]
    if (value === null || value === undefined) delete merged[key]
    else merged[key] = isObject(value) ? merge(isObject(kept) ? kept : {}, value) : withoutNulls(value)
  }
  return merged
}

/** The object after a change: merged with the body, with the defaults of fields that are not set. */
export function applyPatch({ hooks }: Pick<ResourceDefinition, 'hooks'>, previous: Draft, body: Draft): Draft {
  const patch = hooks.translate(body)
  const kept = { ...previous }
  for (const field of hooks.resetFields(patch))
    if (patch[field] === null || patch[field] === undefined) delete kept[field]
  const merged = merge(kept, patch)
  return { ...hooks.defaults(merged), ...merged }
}

/** All issues of a body: those of its fields, and of the rules between valid fields. */
export function collectIssues(
  { hooks }: Pick<ResourceDefinition, 'hooks'>,
  { issues, patch }: ParsedBody,
  draft: Draft,
  validationContext: ValidationContext,
): readonly Issue[] {
  const invalidFields = new Set(issues.map((issue) => ('pointer' in issue ? getTopField(issue.pointer) : undefined)))
  const ruleIssues = hooks
    .check(draft, validationContext, patch)
    .filter((issue) => !('pointer' in issue) || !invalidFields.has(getTopField(issue.pointer)))
  return [...issues, ...ruleIssues]
}
