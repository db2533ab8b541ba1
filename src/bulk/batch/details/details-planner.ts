import {
  type DetailFields,
  listPartIds,
  normalizeDetails,
  readAllDetails,
} from '../../../catalogue/resource/details/details-definition.ts'
import { planDetails } from '../../../catalogue/resource/details/plan-details.ts'
import {
  addRelated,
  type RelatedModifier,
  type RelatedProduct,
} from '../../../catalogue/resource/details/related-objects.ts'
import { DamagedError } from '../../../platform/db/damaged-rows.ts'
import { type Issue, invalid } from '../../../platform/errors.ts'
import { preconditionFailed } from '../../../platform/http/etag.ts'
import { bodyTooLarge } from '../../../platform/http/exact-json.ts'
import { damagedProblem } from '../../../platform/http/problem-details.ts'
import { parseFields } from '../../../platform/http/validation.ts'
import { getBatchResource } from '../batch-resource.ts'
import type { NameResolver } from '../plan/name-resolver.ts'
import { addSideIssues, type Step, type StepDetails } from '../plan/operation-step.ts'
import { isTooLarge } from '../plan/plan-bodies.ts'
import { type DetailedBatch, replaceNames } from './detailed-batch.ts'

/** Details as they are stored. */
interface StoredRow {
  text: string | null
  version: number
}

/** Existing objects that details name. */
interface Related {
  products: Map<string, RelatedProduct>
  modifiers: Map<string, RelatedModifier>
}

/** Rows and objects on which the details of a batch depend. */
interface FoundDetails {
  /** Rows of details by the id of their object. An object without details has none. */
  rows: ReadonlyMap<string, StoredRow>
  related: Related
  /** Hosts to which addresses may lead, if the details name some. */
  venue: { hosts?: readonly string[] }
}

/** A step with details, and those that it changes. */
interface State {
  step: Step
  detailed: DetailedBatch
  details: StepDetails
  stored: DetailFields
  version: number
  partIds: ReadonlySet<string>
}

const toDetailIssues = (issues: readonly Issue[]): readonly Issue[] =>
  issues.map((issue) => ('pointer' in issue ? { ...issue, pointer: `/details${issue.pointer}` } : issue))

/** Reads the details of an operation, with ids in place of names. */
function readBody({ operation, dependencies }: Step, detailed: DetailedBatch, names: NameResolver): StepDetails {
  const given = operation.details ?? {}
  if (isTooLarge(given)) {
    const { message } = bodyTooLarge()
    return { body: { patch: {}, issues: [] }, issues: [{ pointer: '/details', code: 'too_large', message }] }
  }
  const resolved = replaceNames(detailed, given, ({ target, name }) => {
    const { id, step } = names.resolve({ target: getBatchResource(target).resource.table }, name)
    if (step) dependencies.push({ pointer: name.pointer, step })
    return id
  })
  const body = parseFields(detailed.definition.body, { ...resolved })
  return { body, issues: toDetailIssues(body.issues) }
}

/** A field of the object after its operation. */
const getField = ({ result }: Step, field: string): unknown =>
  result && !result.damaged ? Reflect.get(result.item, field) : undefined

/** The objects that details can name after the batch, before any details of the batch. */
function listRelated(steps: readonly Step[], found: Related): Related {
  const products = new Map(found.products)
  const modifiers = new Map(found.modifiers)
  for (const step of steps) {
    const { id, kind, problem, operation } = step
    if (problem) continue
    if (operation.resource === 'modifiers' && kind !== 'delete') {
      const options = listPartIds(getField(step, 'options'))
      const nests = found.modifiers.get(id)?.nests ?? false
      modifiers.set(id, { id, type: String(getField(step, 'type')), options, nests })
    }
    if (operation.resource === 'products' && kind === 'create') {
      products.set(id, { id, sizes: new Set(), isBundle: false })
    }
    if (kind !== 'delete') continue
    if (operation.resource === 'modifiers') modifiers.delete(id)
    if (operation.resource === 'products') products.delete(id)
  }
  return { products, modifiers }
}

/** Plans the details of a batch after the bodies of all its operations. `all` are in the order in which details name each other. */
export function createDetailsPlanner(merchantId: string, all: readonly DetailedBatch[], found: FoundDetails) {
  let states: readonly State[] = []

  function readState(step: Step, detailed: DetailedBatch, details: StepDetails): readonly State[] {
    const { definition } = detailed
    const row = found.rows.get(step.id)
    const partIds = listPartIds(definition.parts && getField(step, definition.parts.field))
    const { detailsVersion } = step.operation
    if (detailsVersion !== undefined && detailsVersion !== (row?.version ?? 0)) {
      step.problem = preconditionFailed()
      return []
    }
    try {
      const { stored, related } = readAllDetails(definition, row?.text, partIds, { id: step.id, merchantId })
      for (const product of related.products.values()) found.related.products.set(product.id, product)
      for (const modifier of related.modifiers.values()) found.related.modifiers.set(modifier.id, modifier)
      return [{ step, detailed, details, stored, version: row?.version ?? 0, partIds }]
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      step.problem = damagedProblem()
      step.damage = error.damage
      return []
    }
  }

  const orderOf = ({ detailed, details }: State) =>
    2 * all.indexOf(detailed) + (detailed.definition.isLast?.(details.body.patch) ? 1 : 0)

  return {
    /** Reads the details of all operations. */
    read(steps: readonly Step[], names: NameResolver): void {
      const read = steps.flatMap((step) => {
        const detailed = all.find(({ batch }) => batch === step.batch)
        if (!detailed || !step.operation.details) return []
        step.details = readBody(step, detailed, names)
        addSideIssues(step, step.details.issues)
        return step.problem ? [] : readState(step, detailed, step.details)
      })
      states = read.toSorted((a, b) => orderOf(a) - orderOf(b))
    },

    /** Plans the details of all operations without a problem. Returns whether any of them fails. */
    plan(steps: readonly Step[]): boolean {
      const related = listRelated(steps, found.related)
      let hasFailed = false
      for (const { step, detailed, details, stored, version, partIds } of states) {
        if (step.problem) continue
        const { definition } = detailed
        const context = { id: step.id, partIds, ...related, hosts: found.venue.hosts }
        const kept = definition.keep ? normalizeDetails(definition.keep(stored, context)) : stored
        const plan = planDetails(definition, { stored, kept, context }, details.body, new Map())
        if (plan.issues.length > 0) {
          details.issues = toDetailIssues(plan.issues)
          step.problem = invalid(details.issues)
          hasFailed = true
          continue
        }
        details.shown = plan.show()
        details.change = plan.isSame
          ? undefined
          : { stored: plan.stored, before: stored, previous: plan.showPrevious(), version }
        addRelated(related, { path: step.operation.resource, id: step.id }, plan.keep())
      }
      return hasFailed
    },

    /** Steps with details to write, in the order in which they are written. */
    listChanged: (): readonly Step[] =>
      states.flatMap(({ step, details }) => (details.change && !step.problem ? [step] : [])),
  }
}
