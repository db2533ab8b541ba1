import { env } from 'cloudflare:workers'
import { clearCredentialCaches } from '../../src/platform/auth/sessions.ts'
import type { Bindings } from '../../src/platform/env.ts'
import { announceSeconds } from '../../src/tenancy/move/announce.ts'
import { runMove } from '../../src/tenancy/move/run-move.ts'
import { adminToken, call } from './api.ts'

const path = (id: string) => `/admin/merchants/${id}/move`
export const startMove = (id: string, body: object) => call('POST', path(id), adminToken, body)
export const getMove = async (id: string) => (await call('GET', path(id), adminToken)).body

/** Lets the isolates that cached the home forget it, as time would. */
export async function announce(id: string) {
  await env.DB.prepare(`update moves set started_at = started_at - ? where merchant_id = ? and state = 'copying'`)
    .bind(announceSeconds, id)
    .run()
  clearCredentialCaches()
}

/** Makes all steps of a move that was started. Returns the move. */
export async function finishMoveOf(id: string, bindings: Bindings = env) {
  await announce(id)
  for (let step = 0; step < 50; step++) if ((await runMove(bindings, id)) === undefined) break
  return getMove(id)
}

/** Moves a merchant. Returns the move. */
export async function moveTo(id: string, home: 'd1' | 'object') {
  const { status, body } = await startMove(id, { home })
  if (status !== 202) throw new Error(JSON.stringify(body))
  return finishMoveOf(id)
}

/** D1 that awaits something before or after each transaction with a statement that matches. It fails if that does. */
export function interceptD1(
  pattern: RegExp,
  before: () => Promise<void>,
  after: () => Promise<void> = () => Promise.resolve(),
): D1Database {
  const texts = new WeakMap<object, string>()
  async function run<Result>(statements: readonly D1PreparedStatement[], go: () => Promise<Result>): Promise<Result> {
    const isMatch = statements.some((statement) => pattern.test(texts.get(statement) ?? ''))
    if (isMatch) await before()
    const result = await go()
    if (isMatch) await after()
    return result
  }
  const withSession = (constraint: string) => {
    const session = env.DB.withSession(constraint)
    return {
      prepare: (sql: string) => ({
        /** The statement itself, because `batch` accepts no wrapper. */
        bind(...values: unknown[]) {
          const bound = session.prepare(sql).bind(...values)
          texts.set(bound, sql)
          const all = bound.all.bind(bound)
          return Object.assign(bound, { all: () => run([bound], all) })
        },
      }),
      batch: (statements: D1PreparedStatement[]) => run(statements, () => session.batch(statements)),
      getBookmark: () => session.getBookmark(),
    }
  }
  return Object.assign(Object.create(null), { withSession })
}

/** D1 that makes the transactions with a statement that matches, and whose answers to them are lost. */
export const loseAnswers = (pattern: RegExp): D1Database =>
  interceptD1(
    pattern,
    () => Promise.resolve(),
    () => Promise.reject(new Error('D1_ERROR: Network connection lost.')),
  )

/** Makes the last steps of a move, with requests that are sent behind the fence. Returns their results. */
export async function runMoveWith(id: string, act: () => Promise<Promise<unknown>[]>): Promise<unknown[]> {
  let results: Promise<unknown[]> | undefined
  const DB = interceptD1(/^update "moves" set "state" = \?\s+where/, async () => {
    if (results || (await getMove(id)).state !== 'fenced') return
    const started = act()
    results = started.then((requests) => Promise.all(requests))
    await started
  })
  await runMove({ ...env, DB }, id)
  return results ?? []
}
