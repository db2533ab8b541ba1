import { createId } from '../lib/ids.ts'
import { auditStatements } from './audit-log.ts'
import type { Database, Statement, Values } from './database.ts'
import { type IdempotencyRecord, isKeyInUseError, keyInUseError } from './idempotency-keys.ts'
import type { Row } from './row.ts'
import type { Scope } from './scope.ts'

export type Write = readonly (readonly [Statement, Values])[]

/** Who changes something, and by which request. */
export interface Actor {
  database: Database
  scope: Scope
  /** The id of an API key, `operator` or `system`. */
  actor: string
  requestId?: string | undefined
  idempotency?: IdempotencyRecord | undefined
}

/** What is done: as the audit log names it, and what the one who asked for it is answered. */
export interface Operation {
  /** Absent: it is no change that anybody would ask about. */
  operation?: string
  object?: string
  answer?: (() => Response | Promise<Response>) | undefined
}

/** An entry of the audit log, if the statement before it has written anything. */
export const createAuditEntry = ({ scope, actor, requestId }: Actor, operation: string, object: string) =>
  [
    auditStatements.record(),
    { ...scope, entry: createId('aud'), now: Math.floor(Date.now() / 1000), actor, requestId, operation, object },
  ] as const

/**
 * One transaction: a change, what is kept of it so that it is made once and it is known who made it, and `rest`. The last statement of
 * `change` tells by its rows whether anything was changed; if not, nothing is kept. Returns what each statement of both returned.
 */
export async function commit(
  author: Actor,
  { operation, object = '', answer }: Operation,
  writes: Write,
  rest: Write = [],
): Promise<Row[][]> {
  const { database, idempotency: once } = author
  const entry = operation === undefined ? [] : [createAuditEntry(author, operation, object)]
  if (!once || !answer) {
    const results = await database.run(...writes, ...entry, ...rest)
    return results.toSpliced(writes.length, entry.length)
  }
  try {
    const storing = await once.store(await answer())
    const [, ...results] = await database.run(once.deleteExpired, ...writes, storing, ...entry, ...rest)
    const [stored = []] = results.splice(writes.length, 1 + entry.length)
    once.isStored = stored.length > 0
    return results
  } catch (error) {
    throw isKeyInUseError(error) ? keyInUseError() : error
  }
}
