import type { Context } from 'hono'
import { directoryDatabase } from '../../db/home/d1-connection.ts'
import type { Bindings } from '../../env.ts'
import { type ApiError, problems } from '../../errors.ts'
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

/** The name of a field. Indexes, ids and most names that a client chose become `*`. */
const toPattern = (name: string) => (/^[A-Za-z]{1,30}$/.test(name) ? name : '*')

/** The route pattern of a request. Unknown paths have that of the merchant. */
function findRoute(c: Context<Env>): string {
  const routes = c.req.matchedRoutes.filter(({ method }) => method !== 'ALL')
  return routes.at(-1)?.path ?? '/merchants/:merchantId/*'
}

/** The group of a failure as the table stores it. */
export function describeFailure(c: Context<Env>, { code, issues }: ApiError): string {
  const names = issues.map((issue) =>
    'pointer' in issue
      ? parseJsonPointer(issue.pointer)
          .map((name) => `/${toPattern(name)}`)
          .join('')
      : `?${toPattern(issue.parameter)}`,
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
