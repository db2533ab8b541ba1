import type { Context } from 'hono'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import type { Bindings } from '../../env.ts'
import { type ApiError, type IssueCode, problems } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import { parseJsonPointer } from '../../lib/encoding/json-pointer.ts'
import type { Credential } from '../api-keys.ts'
import { failedRequestLimits, failureStatements } from './failure-statements.ts'

const { groups: maxGroups, pointers: maxPointers, windowMs } = failedRequestLimits
/** Maximum number of keys whose failures an isolate keeps at a time. */
const maxKeys = 1_000
/** Time after which an isolate no longer waits for a planned write: the platform can end it with its request. */
const lostMs = 30_000

/** Time between two writes of a key, in milliseconds. Tests make it shorter, or count nothing. */
export const failureWindow: { ms: number; isCounting: boolean } = { ms: windowMs, isCounting: true }

/** Failures of a key that are not written yet, and the times of its writes. */
interface Waiting {
  counts: Map<string, number>
  writtenMs: number
  /** Time of the planned write. */
  plannedMs: number | undefined
}
const waiting = new Map<string, Waiting>()

/** Issues whose last name the service does not know: a client may have put a secret or a person's name in its place. */
const unknownNames: ReadonlySet<IssueCode> = new Set(['unknown_field', 'unknown_parameter'])
/** Fields whose members have names that clients choose: ids, languages, headings of files, types of events. */
export const openFields: ReadonlySet<string> = new Set([
  ...['changed', 'columns', 'fields', 'options', 'prices', 'sections', 'sizes', 'translations', 'where'],
])
/** Fields whose members, and all parts of them, have such names. */
export const openWholly: ReadonlySet<string> = new Set(['data', 'sizedCosts'])

/** Names of a pointer that the service declares. Indexes, ids and names that a client chose become `*`. */
function toPatterns(names: readonly string[], code: IssueCode): string[] {
  const isUnknown = (index: number) => index === names.length - 1 && unknownNames.has(code)
  return names.map((name, index) =>
    isUnknown(index) ||
    !/^[A-Za-z]{1,30}$/.test(name) ||
    openFields.has(names[index - 1] ?? '') ||
    names.slice(0, index).some((above) => openWholly.has(above))
      ? '*'
      : name,
  )
}

/** The route pattern of a request. Unknown paths have that of the merchant. */
function findRoute(c: Context<Env>): string {
  const routes = c.req.matchedRoutes.filter(({ method }) => method !== 'ALL')
  return routes.at(-1)?.path ?? '/merchants/:merchantId/*'
}

/** The group of a failure as the table stores it. */
export function describeFailure(c: Context<Env>, { code, issues }: ApiError): string {
  const names = issues.map((issue) =>
    'pointer' in issue
      ? toPatterns(parseJsonPointer(issue.pointer), issue.code)
          .map((name) => `/${name}`)
          .join('')
      : `?${toPatterns([issue.parameter], issue.code)}`,
  )
  const pointers = [...new Set(names.map((name) => name.slice(0, failedRequestLimits.pointerLength)))].sort()
  return JSON.stringify([c.req.method, findRoute(c), problems[code][0], code, pointers.slice(0, maxPointers)])
}

async function write(env: Bindings, { id, merchantId, testMode }: Credential, entry: Waiting): Promise<void> {
  const counts = JSON.stringify([...entry.counts])
  entry.counts = new Map()
  entry.writtenMs = Date.now()
  entry.plannedMs = undefined
  await directoryDatabase(env).run([failureStatements.add(), { merchantId, testMode, keyId: id, counts }])
}

/** Counts a failed request of a key: the first one at once, others in one write after `failureWindow`. */
export async function countFailure(env: Bindings, key: Credential, failure: string): Promise<void> {
  if (!failureWindow.isCounting) return
  const nowMs = Date.now()
  const entry = waiting.get(key.id) ?? { counts: new Map(), writtenMs: 0, plannedMs: undefined }
  if (!waiting.has(key.id)) {
    if (waiting.size >= maxKeys) for (const [id, { counts }] of waiting) if (counts.size === 0) waiting.delete(id)
    if (waiting.size >= maxKeys) return
    waiting.set(key.id, entry)
  }
  if (entry.counts.has(failure) || entry.counts.size < maxGroups)
    entry.counts.set(failure, (entry.counts.get(failure) ?? 0) + 1)
  if (entry.plannedMs !== undefined && nowMs < entry.plannedMs + lostMs) return
  const pauseMs = Math.max(0, entry.writtenMs + failureWindow.ms - nowMs)
  entry.plannedMs = nowMs + pauseMs
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  await write(env, key, entry)
}
