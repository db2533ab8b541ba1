import { findMissingScopes, requireScopes } from '../../platform/auth/authenticate.ts'
import type { DamagedError } from '../../platform/db/damaged-rows.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { ApiError, type Issue } from '../../platform/errors.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { createId } from '../../platform/lib/ids.ts'
import { indexTerms } from '../../platform/lib/search-terms.ts'
import type { Draft, ResourceDefinition, ValidationContext } from './definition.ts'
import { applyPatch, collectIssues, isSameJson } from './merge-patch.ts'
import type { ReadObject, RowMapping, StoredObject } from './row-mapping.ts'

/** Data that planning requires besides the object and the body. */
export interface PlanContext {
  scope: Scope
  validationContext: ValidationContext
  /** Time of the change. */
  nowSeconds: number
  /** Options and sections without an id keep the id of the part with the same label or title. */
  keepsPartIds?: boolean | undefined
}

/** Whether a key can access objects of both modes. */
export const spansBothModes = ({ spansModes }: Pick<ResourceDefinition, 'spansModes'>, { testMode }: Scope) =>
  spansModes && !testMode

/** Throws `forbidden` if a test key would make an object live. This problem precedes all issues of the body. */
export function requireAllowedMode(scope: Scope, { patch }: ParsedBody): void {
  if (scope.testMode && patch['testMode'] === false) {
    throw new ApiError('forbidden', 'A test key cannot make live objects.')
  }
}

/** The mode of an object. Default: the mode of the key. */
const getMode = (scope: Scope, draft: Draft): boolean =>
  draft['testMode'] === undefined ? scope.testMode : draft['testMode'] === true

/** A create that was checked as far as it can be without the database. Ids in the draft may not exist. */
type CreatePlan<Item> =
  | { draft: Draft; issues: readonly Issue[]; created?: undefined }
  | {
      draft: Draft
      issues: readonly []
      created: StoredObject<Item>
      /** The columns of the object, by their keys. */
      row: Draft
    }

/** Plans a create. `generated` replaces values that the service would generate. Throws only `forbidden`. */
export function planCreate<Item extends object>(
  { resource, parse, toRow }: RowMapping<Item>,
  { scope, validationContext, nowSeconds }: PlanContext,
  body: ParsedBody,
  generated: Draft = {},
): CreatePlan<Item> {
  requireAllowedMode(scope, body)
  const { hooks, idPrefix } = resource
  const draft = applyPatch(resource, {}, body.patch)
  const issues = collectIssues(resource, body, draft, validationContext)
  if (issues.length > 0) return { draft, issues }
  requireScopes(validationContext.grantedScopes, hooks.requiredScopes(undefined, draft))

  const id = String(generated['id'] ?? createId(idPrefix))
  const item = parse({
    ...hooks.complete(draft),
    ...hooks.generate(),
    testMode: getMode(scope, draft),
    createdAt: nowSeconds,
    updatedAt: nowSeconds,
    ...generated,
    id,
  })
  return { draft, issues: [], created: { id, item, version: 1 }, row: toRow(item) }
}

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
  const { resource, columns, parse, toRow } = mapping
  const { hooks } = resource
  const { id, version, externalId, hasDetails, damaged } = current
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

  const item = parse({ ...hooks.complete(draft), testMode: getMode(scope, draft) })
  const row = toRow(item)
  const changed = columns.filter((key) => unread.includes(key) || !isSameJson(before[key], row[key]))
  if (changed.length === 0) return { kind: 'unchanged', draft, current: { id, item, version, externalId, hasDetails } }

  const updatedAt = Math.max(nowSeconds, Number(before['updatedAt']) + 1)
  return {
    kind: 'changed',
    draft,
    change: {
      updated: { id, item: parse({ ...row, updatedAt }), version: version + 1, externalId, hasDetails },
      before,
      row: { ...row, updatedAt },
      changed: [...changed, 'updatedAt'],
      previous: getPreviousValues(mapping, readable, changed),
      externalId,
      repairs: damaged !== undefined,
    },
  }
}

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

/** Part of the search index that a query reads: objects of one mode, or both modes for resources that span them. */
export const getSearchPartition = ({ spansModes }: Pick<ResourceDefinition, 'spansModes'>, testMode: boolean) =>
  spansModes ? '' : testMode ? 't' : 'l'

/** The terms to index for an object, or undefined if the change leaves its texts as they are. `before` is undefined on create. */
export function planSearchTerms(
  resource: ResourceDefinition,
  { merchantId }: Scope,
  before: Draft | undefined,
  after: Draft,
): string | undefined {
  const texts = resource.hooks.searchTexts(after)
  if (before && isSameJson(resource.hooks.searchTexts(before), texts)) return undefined
  return indexTerms(merchantId, getSearchPartition(resource, after['testMode'] === true), texts)
}
