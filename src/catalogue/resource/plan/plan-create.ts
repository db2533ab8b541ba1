import { requireScopes } from '../../../platform/auth/authenticate.ts'
import type { Issue } from '../../../platform/errors.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import { createId } from '../../../platform/lib/ids.ts'
import type { Draft } from '../definition.ts'
import { applyPatch, collectIssues } from '../merge-patch.ts'
import { getMode, type PlanContext, requireAllowedMode } from './plan-context.ts'
import type { RowMapping, StoredObject } from './row-mapping.ts'

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
  { resource, toRow }: RowMapping<Item>,
  { scope, validationContext, nowSeconds }: PlanContext,
  body: ParsedBody,
  generated: Draft = {},
): CreatePlan<Item> {
  requireAllowedMode(scope, body)
  const { hooks, idPrefix, item: schema } = resource
  const draft = applyPatch(resource, {}, body.patch)
  const issues = collectIssues(resource, body, draft, validationContext)
  if (issues.length > 0) return { draft, issues }
  requireScopes(validationContext.grantedScopes, hooks.requiredScopes(undefined, draft))

  const id = String(generated['id'] ?? createId(idPrefix))
  const item = schema.parse({
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
