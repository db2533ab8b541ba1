import type { Scope } from '../../../platform/db/scope.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { ParsedBody } from '../../../platform/http/validation.ts'
import type { Draft, ValidationContext } from '../definition.ts'

/** Data that planning requires besides the object and the body. */
export interface PlanContext {
  scope: Scope
  validationContext: ValidationContext
  /** Time of the change. */
  nowSeconds: number
  /** Options and sections without an id keep the id of the part with the same label or title. */
  keepsPartIds?: boolean | undefined
}

/** Throws `forbidden` if a test key would make an object live. This problem precedes all issues of the body. */
export function requireAllowedMode(scope: Scope, { patch }: ParsedBody): void {
  if (scope.testMode && patch['testMode'] === false) {
    throw new ApiError('forbidden', 'A test key cannot make live objects.')
  }
}

/** The mode of an object. Default: the mode of the key. */
export const getMode = (scope: Scope, draft: Draft): boolean =>
  draft['testMode'] === undefined ? scope.testMode : draft['testMode'] === true
