import { findMissingScopes } from '../../../platform/auth/authenticate.ts'
import type { DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { ApiError, Issue } from '../../../platform/errors.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { Draft } from '../definition.ts'
import { applyPatch, collectIssues, isSameJson } from '../merge-patch.ts'
import { getMode, type PlanContext, requireAllowedMode } from './plan-context.ts'
import type { ReadObject, RowMapping, StoredObject } from './row-mapping.ts'

/** A change of an object, planned from the state that was read. */
export interface PlannedUpdate<Item> {
  updated: StoredObject<Item>
  /** The columns of the object before and after the change, by their keys. */
  before: Draft
  row: Draft
  /** Columns that change. */
  changed: readonly string[]
  /** Old values for the event: null for absent fields. */
  previous: Draft
  /** The external id before the change. */
  externalId?: string | undefined
  /** Some fields could not be read, so the references of the stored row are unknown. */
  repairs: boolean
}

/** An update that was checked as far as it can be without the database. Ids in the draft may not exist. */
export type UpdatePlan<Item> =
  | { kind: 'invalid'; draft: Draft; issues: readonly Issue[] }
  /** The object is damaged, and the body does not set every unreadable field. */
  | { kind: 'damaged'; error: DamagedError }
  /** The change needs scopes that the key or the role lacks. */
  | { kind: 'forbidden'; draft: Draft; error: ApiError }
  | { kind: 'unchanged'; draft: Draft; current: StoredObject<Item> }
  | { kind: 'changed'; draft: Draft; change: PlannedUpdate<Item> }

/** The old values of changed published fields, as events show them. */
function getPreviousValues({ resource, toRow }: RowMapping, before: object, changed: readonly string[]): Draft {
  const fields = toRow(before)
  const shown = resource.published.filter((key) => changed.includes(key))
  return Object.fromEntries(shown.map((key) => [key, fields[key] ?? null]))
}

/** Plans an update of an object as it was read. Throws only `forbidden`. */
export function planUpdate<Item extends object>(
  mapping: RowMapping<Item>,
  { scope, validationContext, nowSeconds, keepsPartIds }: PlanContext,
  current: ReadObject<Item>,
  given: ParsedBody,
): UpdatePlan<Item> {
  requireAllowedMode(scope, given)
  const { resource, columns, toRow } = mapping
  const { hooks, item: schema } = resource
  const { id, version, externalId, damaged } = current
  const readable = damaged ? damaged.readable : current.item
  const before = toRow(readable)
  const body = keepsPartIds ? { ...given, patch: hooks.keepPartIds(given.patch, before) } : given
  const draft = applyPatch(resource, before, body.patch)
  const unread = damaged?.damage.fields ?? []
  if (damaged && !unread.every((field) => field in hooks.translate(body.patch))) {
    return body.issues.length > 0
      ? { kind: 'invalid', draft, issues: body.issues }
      : { kind: 'damaged', error: damaged }
  }
  const issues = collectIssues(resource, body, draft, { ...validationContext, previous: before })
  if (issues.length > 0) return { kind: 'invalid', draft, issues }
  const error = findMissingScopes(validationContext.grantedScopes, hooks.requiredScopes(before, draft))
  if (error) return { kind: 'forbidden', draft, error }

  const item = schema.parse({ ...hooks.complete(draft), testMode: getMode(scope, draft) })
  const row = toRow(item)
  const changed = columns.filter((key) => unread.includes(key) || !isSameJson(before[key], row[key]))
  if (changed.length === 0) return { kind: 'unchanged', draft, current: { id, item, version, externalId } }

  const updatedAt = Math.max(nowSeconds, Number(before['updatedAt']) + 1)
  return {
    kind: 'changed',
    draft,
    change: {
      updated: { id, item: schema.parse({ ...row, updatedAt }), version: version + 1, externalId },
      before,
      row: { ...row, updatedAt },
      changed: [...changed, 'updatedAt'],
      previous: getPreviousValues(mapping, readable, changed),
      externalId,
      repairs: damaged !== undefined,
    },
  }
}
