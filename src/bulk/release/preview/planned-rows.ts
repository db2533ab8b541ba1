import { getTableName } from 'drizzle-orm'
import { ApiError } from '../../../platform/errors.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import type { Step } from '../../batch/plan/operation-step.ts'
import type { ReleasePlan } from '../plan/plan-release.ts'

/** A row that a plan writes beside the catalogue, or one that it replaces, and its kind. */
export type PlannedRow = readonly [kind: string, value: unknown]

/** Maximum number of JSON lists of planned rows, each a parameter of every statement. */
export const maxLists = 4

/** Number of the row of an object: that of an existing one, and one below 0 for a new one. */
const getSeq = ({ object, index }: Step) => object?.seq ?? -1 - index

function* listObjects(step: Step): Iterable<PlannedRow> {
  const { batch, kind, object, created, change, id } = step
  const path = batch.resource.path
  if (kind === 'delete') yield [`${path}.deleted`, id]
  if (object && (kind === 'delete' || change)) yield [`${path}.replaced`, object.seq]
  const row = created?.row ?? change?.row
  if (!row || kind === 'delete') return
  const seq = getSeq(step)
  yield [path, { ...row, seq, version: (object?.version ?? 0) + 1 }]
  for (const reference of batch.resource.references) {
    const ids = new Set(reference.listIds(row).map(({ id }) => id))
    for (const target of ids) yield [getTableName(reference.links), [seq, target]]
  }
}

function* listDetails(step: Step): Iterable<PlannedRow> {
  const { details, batch, kind } = step
  // Hides the stored ones: their translations would add languages to the menu.
  if (kind === 'delete')
    yield ['details', { resource: batch.resource.path, object: getSeq(step), data: {}, version: 1 }]
  if (!details?.change || kind === 'delete') return
  const { translations, ...data } = details.change.stored
  const owner = { resource: batch.resource.path, object: getSeq(step) }
  yield ['details', { ...owner, data, version: details.change.version + 1 }]
  for (const [language, texts] of Object.entries({ ...Object(translations) })) {
    yield ['translations', { ...owner, language, texts }]
  }
}

/** The rows that a plan writes. Operations that cannot be published are left out. */
function* listRows({ pairs, side }: ReleasePlan): Iterable<PlannedRow> {
  const sound = pairs.filter(({ operation, step }) => !step.problem && !side.issues.has(operation))
  for (const { step } of sound) {
    yield* listObjects(step)
    yield* listDetails(step)
    const { change } = step.limits ?? {}
    if (change) yield ['limits', { ...change.limits, coupon: getSeq(step), version: change.version + 1 }]
  }
  const steps = new Map(sound.map(({ step }) => [step.id, step]))
  for (const mark of side.marks.products) if (steps.has(mark[0])) yield ['marks', mark]
  for (const mark of side.marks.options) if (steps.has(mark[0])) yield ['option_marks', mark]
}

/** The rows that a plan writes, as JSON lists of `[kind, value]`. Throws `batch_too_large`. */
export function toPlannedLists(plan: ReleasePlan): readonly string[] {
  const lists = toJsonLists([...listRows(plan)])
  if (lists.length > maxLists) throw new ApiError('batch_too_large', 'The release is too large for a preview.')
  return lists
}
