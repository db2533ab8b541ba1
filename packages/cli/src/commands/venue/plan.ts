import { ApiError, type BatchOperation, type Client, maxBatchOperations, toBatches } from 'merchant-ordering-client'
import { compare, comparePatch, type Difference } from './compare.ts'
import type { FileIssue } from './file-issues.ts'
import { type LiveVenue, nameOf } from './live-venue.ts'
import { listDeletions, listSteps, toFilePointer, type VenueStep, withoutUnknown } from './operations.ts'
import type { VenueFile } from './venue-file.ts'

/** One object that applying a file changes. */
export interface Change extends VenueStep {
  kind: 'create' | 'update' | 'delete'
  title: string
  /** Changed fields of an object that exists. */
  fields: readonly Difference[]
}

/** Changes that applying a file makes. */
export interface Plan {
  settings: readonly Difference[]
  changes: readonly Change[]
  /** Number of objects of the file that are as it says. */
  unchanged: number
}

const isOperation = (operation: object): operation is BatchOperation => 'op' in operation
/** The operations of a list that may have other entries. */
export const listOperations = (operations: readonly object[]) => operations.filter(isOperation)

/** The issues of a rejected batch, in the file. Undefined if the error is about something else. */
export function toIssues(error: unknown, steps: readonly VenueStep[]): FileIssue[] | undefined {
  if (!(error instanceof ApiError) || error.status !== 422) return undefined
  const issues = error.errors.flatMap((issue) => {
    const [, index, member = ''] = ('pointer' in issue && /^\/operations\/(\d+)(.*)$/.exec(issue.pointer)) || []
    const step = steps[Number(index)]
    return step ? [{ pointer: toFilePointer(step, member), message: issue.message, code: issue.code }] : []
  })
  return issues.length > 0 ? issues : undefined
}

/** A reference to an object that could not be created has an issue of its own, which explains nothing. */
function leaveConsequences(issues: readonly (FileIssue & { code?: string })[]): FileIssue[] {
  const causes = issues.filter(({ code }) => code !== 'unresolved_reference')
  return (causes.length > 0 ? causes : issues).map(({ code: _, ...issue }) => issue)
}

const titleOf = ({ operation: { body }, live }: VenueStep) => {
  const title = body?.['title'] ?? live?.object['title'] ?? ''
  return typeof title === 'string' ? title : ''
}

/** Runs the operations and rolls them back. Returns what they change; the issues of all go to `issues`. */
async function checkBatch(
  client: Client,
  steps: readonly VenueStep[],
  issues: (FileIssue & { code?: string })[],
  signal: AbortSignal,
): Promise<Change[]> {
  const known = new Set(steps.filter(({ live }) => !live).map(({ resource, key }) => nameOf(resource, key)))
  const checked = steps.map((step) => withoutUnknown(step, known))
  let results: Awaited<ReturnType<Client['batch']>>['results']
  try {
    const options = { mode: 'independent', dryRun: true, objects: true } as const
    ;({ results } = await client.batch(listOperations(checked), options, { signal }))
  } catch (error) {
    const found = toIssues(error, steps)
    if (!found) throw error
    issues.push(...found)
    return []
  }
  return results.flatMap(({ index, problem, object, details, limits }): Change[] => {
    const step = steps[index]
    if (!step) return []
    if (problem) {
      const found = (problem.errors ?? []).map((issue) => ({
        pointer: toFilePointer(step, 'pointer' in issue ? issue.pointer : ''),
        message: issue.message,
        code: issue.code,
      }))
      const whole = { pointer: toFilePointer(step, ''), message: problem.detail, code: problem.code }
      issues.push(...(found.length > 0 ? found : [whole]))
      return []
    }
    const { live, operation } = step
    const change = { ...step, title: titleOf(step), fields: [] }
    if (operation.op === 'delete') return [{ ...change, kind: 'delete' }]
    if (!live) return [{ ...change, kind: 'create' }]
    const missing = [...step.created].filter((name) => !known.has(name))
    const fields = [
      ...compare(live.object, object),
      ...(details ? compare(live.details ?? {}, details, ['details']) : []),
      ...(limits ? compare(live.limits ?? {}, limits, ['limits']) : []),
      ...(missing.length > 0 ? [{ pointer: '', before: undefined, after: missing }] : []),
    ]
    return fields.length > 0 ? [{ ...change, kind: 'update', fields }] : []
  })
}

/** Finds out what applying a file changes. Throws `FileError` if the service would reject something. */
export async function planVenue(
  client: Client,
  file: VenueFile,
  venue: LiveVenue,
  { prune, signal, onProgress }: { prune: boolean; signal: AbortSignal; onProgress(done: number, total: number): void },
): Promise<Plan> {
  const { merchant } = file
  const settings = merchant ? comparePatch(await client.merchant.retrieve({ signal }), merchant) : []
  const steps = listSteps(file, venue)
  const all = [...(prune ? listDeletions(file, venue) : []), ...steps]
  const changes: Change[] = []
  const issues: (FileIssue & { code?: string })[] = []
  let done = 0
  for (const part of toParts(all)) {
    changes.push(...(await checkBatch(client, part, issues, signal)))
    done += part.length
    onProgress(done, all.length)
  }
  if (issues.length > 0) throw file.toError(leaveConsequences(issues))
  return { settings, changes, unchanged: all.length - changes.length }
}

/** Splits steps into batches within the limits of the service. */
export function toParts<Each extends VenueStep>(steps: readonly Each[]): Each[][] {
  const parts: Each[][] = []
  let start = 0
  for (const { length } of toBatches(steps.map(({ operation }) => operation))) {
    parts.push(steps.slice(start, start + length))
    start += length
  }
  return parts
}

/** Whether all changes go into one batch, which is applied as a whole or not at all. */
export const isOneBatch = ({ changes }: Plan) => changes.length <= maxBatchOperations && toParts(changes).length <= 1
