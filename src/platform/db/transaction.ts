import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { createId } from '../lib/ids.ts'
import { nowInSeconds } from '../lib/time.ts'
import { auditStatements } from './audit-log.ts'
import { type Database, param, type Statement, type Values } from './database.ts'
import { ConstraintError, getConstraintSubject } from './database-errors.ts'
import { type ComputedResponse, type IdempotencyRecord, isKeyInUseError, keyInUseError } from './idempotency-keys.ts'
import { insertSelect } from './query.ts'
import type { Row } from './row.ts'
import { auditTable } from './schema/audit.ts'
import type { Scope } from './scope.ts'

/** Statements with the values of their parameters. */
export type Write = readonly (readonly [Statement, Values])[]
/** Statements with their parameters; `Results` has the type of each statement's rows. */
type Writes<Results extends readonly unknown[]> = {
  readonly [Index in keyof Results]: readonly [Statement<Results[Index]>, Values]
}
type Rows<Results extends readonly unknown[]> = { [Index in keyof Results]: Results[Index][] }
/** Statements by the names of their results, in the order in which they run. */
type NamedStatements = Readonly<Record<string, Statement<unknown>>>
type NamedRows<Statements extends NamedStatements> = {
  [Name in keyof Statements]: ReturnType<Statements[Name]['read']>[]
}

/** Cause of an event. Only events of changes by the service itself have none. */
interface EventContext {
  /** The id of an API key or a member, or `operator`. */
  actor?: string
  request?: string
  /** The release that was published. */
  release?: string
  /** The object was deleted before. */
  restored?: boolean
}

/** The actor of a change, and its request. */
export interface Actor {
  database: Database
  scope: Scope
  /** The id of an API key or a member, `operator` or `system`. */
  actor: string
  requestId?: string | undefined
  idempotency?: IdempotencyRecord | undefined
  /** The change set of the changes. Absent: they belong to none. */
  changeSet?: string | undefined
  /** Causes of the changes that events name, besides the actor and the request. */
  cause?: Pick<EventContext, 'release' | 'restored'> | undefined
}

/** A change as the audit log names it, and the response to it. */
export interface Operation {
  /** Name in the audit log, for example `products.update`. Absent: the change gets no entry. */
  operation?: string
  /** The id of the object. */
  object?: string
  /** Title of the object. */
  title?: string | undefined
  /** Writes the entry, with a title that it reads in the transaction. */
  record?: Statement
  /** The response, which is stored if the request has an `Idempotency-Key`. The transaction does not read its body. */
  response?: Response | undefined
  /** Stores the response even if the change writes no row. */
  alwaysStored?: boolean
  /** Replaces `response` if the transaction computes the response. */
  computed?: ComputedResponse
}

/** Parameters of events that nobody requested. */
export const withoutCause = { changeSet: null, context: null }

/** Parameters of events: what caused them. */
export function createCauseValues({ actor, requestId, changeSet, cause }: Omit<Actor, 'database' | 'scope'>) {
  const context: EventContext = {
    ...(actor !== 'system' && { actor }),
    ...(requestId !== undefined && { request: requestId }),
    ...cause,
  }
  const isKnown = Object.keys(context).length > 0
  return { changeSet: changeSet ?? null, context: isKnown ? JSON.stringify(context) : null }
}

/** Writes an entry to the audit log if the previous statement of the transaction wrote a row. */
export const createAuditEntry = (
  { scope, actor, requestId }: Actor,
  operation: string,
  object: string,
  { title, record = auditStatements.record() }: Pick<Operation, 'title' | 'record'> = {},
) =>
  [
    record,
    { ...scope, entry: createId('aud'), now: nowInSeconds(), actor, requestId, operation, object, title },
  ] as const

/**
 * Runs one transaction: the change, the stored response, the entry in the audit log, and `rest`. The last statement of the change must
 * write a row if it changed anything; otherwise neither response nor entry is stored. Returns the rows of each statement of
 * the change and of `rest`.
 */
export async function commit<Changed extends readonly unknown[] | [], Rest extends readonly unknown[] | [] = []>(
  actor: Actor,
  operation: Operation,
  writes: Writes<Changed>,
  rest?: Writes<Rest>,
): Promise<[...Rows<Changed>, ...Rows<Rest>]>
export async function commit(
  actor: Actor,
  { operation, object = '', response, alwaysStored = false, computed, ...named }: Operation,
  writes: Write,
  rest: Write = [],
): Promise<Row[][]> {
  const { database, idempotency } = actor
  const entry = operation === undefined ? [] : [createAuditEntry(actor, operation, object, named)]
  const storing = computed
    ? await idempotency?.storeComputed(computed)
    : response && (await idempotency?.store(response, alwaysStored))
  if (!idempotency || !storing) {
    const results = await database.run(...writes, ...entry, ...rest)
    return results.toSpliced(writes.length, entry.length)
  }
  try {
    const { deleteExpired, rest: parts } = idempotency
    const [, ...results] = await database.run(deleteExpired, ...writes, storing, ...parts, ...entry, ...rest)
    const [stored = []] = results.splice(writes.length, 1 + parts.length + entry.length)
    idempotency.isStored = stored.length > 0
    return results
  } catch (error) {
    throw isKeyInUseError(error) ? keyInUseError() : error
  }
}

/** Runs one transaction like `transact`, with the same values for all statements. Returns the rows of each under its name. */
export async function commitNamed<Changed extends NamedStatements, Rest extends NamedStatements>(
  actor: Actor,
  operation: Operation,
  values: Values,
  writes: Changed,
  rest: Rest,
): Promise<NamedRows<Changed & Rest>>
export async function commitNamed(
  actor: Actor,
  operation: Operation,
  values: Values,
  writes: NamedStatements,
  rest: NamedStatements,
): Promise<Record<string, unknown[]>> {
  const bind = (statements: NamedStatements) =>
    Object.values(statements).map((statement) => [statement, values] as const)
  const results: unknown[][] = await commit(actor, operation, bind(writes), bind(rest))
  const names = [...Object.keys(writes), ...Object.keys(rest)]
  return Object.fromEntries(names.map((name, index) => [name, results[index] ?? []]))
}

/** The columns of an audit entry that is never stored: a statement that inserts it undoes the transaction. */
const violation = {
  merchantId: param('merchantId'),
  testMode: param('testMode'),
  id: sql`''`,
  at: sql`0`,
  key: sql`''`,
  operation: sql`''`,
  object: sql`''`,
}

/** SQL that undoes the transaction if the condition holds: it violates the NOT NULL of `object`. */
export const undoIf = (condition: SQL) =>
  insertSelect(auditTable, { ...violation, object: sql`null` }, sql`where ${condition}`)

/** SQL that undoes the transaction: it violates the NOT NULL of `operation`. */
export const undoAlways = () => insertSelect(auditTable, { ...violation, operation: sql`null` }, sql``)

const violates = (error: unknown, column: SQLiteColumn) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(column)

/** Whether a statement of `undoIf` undid the transaction. */
export const isUndoneIf = (error: unknown) => violates(error, auditTable.object)

/** Whether the statement of `undoAlways` undid the transaction. */
export const isUndoneAlways = (error: unknown) => violates(error, auditTable.operation)
