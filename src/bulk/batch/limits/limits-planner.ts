import { isSameJson, merge } from '../../../catalogue/resource/merge-patch.ts'
import { getLimitIssues, limitView, maxAutomatic } from '../../../checkout/coupon-limit-fields.ts'
import { type storedLimits, toLimits } from '../../../checkout/coupon-limit-rows.ts'
import { limitRules, tooManyAutomatic } from '../../../checkout/coupon-limits.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import type { RowOf } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { Issue } from '../../../platform/errors.ts'
import { preconditionFailed } from '../../../platform/http/etag.ts'
import { bodyTooLarge } from '../../../platform/http/exact-json.ts'
import { damagedProblem } from '../../../platform/http/problem-details.ts'
import { parseFields } from '../../../platform/http/validation.ts'
import { addSideIssues, type Step, type StepLimits } from '../plan/operation-step.ts'
import { isTooLarge } from '../plan/plan-bodies.ts'
import { limitStatements } from './limit-statements.ts'

/** Rows on which the limits of a batch depend. */
interface FoundLimits {
  /** Rows as they are stored, by the id of their coupon. */
  rows: ReadonlyMap<string, Row>
  /** Number of automatic coupons, if an operation makes one automatic. */
  automatic: number
}

/** A step that changes whether its coupon is automatic, or deletes a coupon that is. */
interface Turn {
  step: Step
  from: boolean
  to: boolean
}

const toLimitIssues = (issues: readonly Issue[]): readonly Issue[] =>
  issues.map((issue) => ('pointer' in issue ? { ...issue, pointer: `/limits${issue.pointer}` } : issue))

const none = { limits: limitView.parse({}), version: 0 }

/** The stored limits of a coupon. Throws `DamagedError`. */
export function readStoredLimits(row: Row | undefined) {
  if (!row) return none
  const stored: RowOf<typeof storedLimits> = limitStatements.find().read(row)
  return { limits: toLimits(stored), version: stored.version }
}

/** The limits of a step after its operation, with their issues. */
function planLimits(given: Readonly<Record<string, unknown>>, { limits: before, version }: typeof none): StepLimits {
  if (isTooLarge(given)) {
    return { issues: [{ pointer: '/limits', code: 'too_large', message: bodyTooLarge().message }] }
  }
  const { patch, issues } = parseFields(limitRules, { ...given })
  const shown = limitView.parse(merge(before, patch))
  const found = toLimitIssues([...issues, ...getLimitIssues(shown, issues)])
  return { issues: found, shown, change: isSameJson(shown, before) ? undefined : { limits: shown, before, version } }
}

/** Plans the limits of a batch after the bodies of all its operations. */
export function createLimitsPlanner(found: FoundLimits) {
  let turns: readonly Turn[] = []
  let changes: readonly Step[] = []

  function readStep(step: Step): readonly Turn[] {
    const { operation, kind } = step
    try {
      const stored = readStoredLimits(found.rows.get(step.id))
      const from = stored.limits.automatic === true
      if (kind === 'delete') return [{ step, from, to: false }]
      const { limitsVersion = stored.version } = operation
      if (limitsVersion !== stored.version) step.problem = preconditionFailed()
      step.limits = planLimits(operation.limits ?? {}, stored)
      addSideIssues(step, step.limits.issues)
      return [{ step, from, to: step.limits.shown?.automatic === true }]
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      if (kind === 'delete') return []
      step.problem = damagedProblem()
      step.damage = error.damage
      return []
    }
  }

  return {
    /** Reads the limits of all operations. */
    read(steps: readonly Step[]): void {
      const own = steps.filter(({ operation }) => operation.resource === 'coupons')
      turns = own
        .filter(({ kind, operation }) => operation.limits || kind === 'delete')
        .flatMap(readStep)
        .filter(({ from, to }) => from !== to)
      changes = own.filter(({ limits }) => limits?.change)
    },

    /** Fails operations beyond the limit of automatic coupons. Returns whether any of them fails. */
    plan(): boolean {
      const sound = turns.filter(({ step }) => !step.problem)
      const left = maxAutomatic - found.automatic + sound.filter(({ from }) => from).length
      const excess = sound.filter(({ to }) => to).slice(Math.max(left, 0))
      for (const { step } of excess) {
        const problem = tooManyAutomatic()
        const issues: Issue[] = [{ pointer: '/limits/automatic', code: 'too_many', message: problem.message }]
        if (step.limits) step.limits.issues = issues
        step.problem = tooManyAutomatic(issues)
      }
      return excess.length > 0
    },

    /** Steps with limits to write. */
    listChanged: (): readonly Step[] => changes.filter(({ problem }) => !problem),
  }
}
