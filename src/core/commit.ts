import type { Context } from 'hono'
import type { Env, Scope } from '../env.ts'
import { createId } from '../lib/ids.ts'
import { auditStatements } from './audit.ts'
import type { Database, Row, Statement, Values } from './database.ts'
import { isKeyInUse, keyInUse, type Once } from './idempotency.ts'

export type Change = readonly (readonly [Statement, Values])[]

/** Who changes something, and by which request. */
export interface Author {
  database: Database
  scope: Scope
  /** The id of an API key, `operator` or `system`. */
  actor: string
  requestId?: string | undefined
  once?: Once | undefined
}

/** What is done: as the audit log names it, and what the one who asked for it is answered. */
export interface Deed {
  /** Absent: it is no change that anybody would ask about. */
  operation?: string
  object?: string
  answer?: (() => Response | Promise<Response>) | undefined
}

/** Who makes a request. */
export const authorOf = ({
  var: { database, scope, actor = 'system', requestId, idempotency: once },
}: Context<Env>): Author => ({
  database,
  scope,
  actor,
  requestId,
  once,
})

/** An entry of the audit log, if the statement before it has written anything. */
export const entryOf = ({ scope, actor, requestId }: Author, operation: string, object: string) =>
  [
    auditStatements.record(),
    { ...scope, entry: createId('aud'), now: Math.floor(Date.now() / 1000), actor, requestId, operation, object },
  ] as const

/**
 * One transaction: a change, what is kept of it so that it is made once and it is known who made it, and `rest`. The last statement of
 * `change` tells by its rows whether anything was changed; if not, nothing is kept. Returns what each statement of both returned.
 */
export async function commit(
  author: Author,
  { operation, object = '', answer }: Deed,
  change: Change,
  rest: Change = [],
): Promise<Row[][]> {
  const { database, once } = author
  const entry = operation === undefined ? [] : [entryOf(author, operation, object)]
  if (!once || !answer) {
    const results = await database.run(...change, ...entry, ...rest)
    return results.toSpliced(change.length, entry.length)
  }
  try {
    const keeping = await once.keep(await answer())
    const [, ...results] = await database.run(once.forget, ...change, keeping, ...entry, ...rest)
    const [kept = []] = results.splice(change.length, 1 + entry.length)
    once.isKept = kept.length > 0
    return results
  } catch (error) {
    throw isKeyInUse(error) ? keyInUse() : error
  }
}
