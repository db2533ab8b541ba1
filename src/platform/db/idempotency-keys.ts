import { and, gt, gte, lte, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../errors.ts'
import { daySeconds } from '../lib/day.ts'
import { compile, lazy, param, type Statement, type Values } from './database.ts'
import { ConstraintError, getConstraintSubject } from './database-errors.ts'
import { db, insertSelect, selectList, typed } from './query.ts'
import { idempotencyKeyTable as table } from './schema/idempotency-keys.ts'

/** How long the service returns the stored response to a repeated request, in seconds. */
export const replaySeconds = daySeconds

const stored = { kept: sql<number>`1` }

/** Stores a response. `computed` is SQL for the JSON of the response, if only the transaction can compute it. */
export const createStoreStatement = (computed: SQL = sql`null`) =>
  lazy(() => {
    const insert = insertSelect(
      table,
      {
        id: param('id'),
        at: param('now'),
        answer: param('answer'),
        count: sql`changes()`,
        computed,
        merchantId: param('merchantId'),
        subjects: param('subjects'),
      },
      sql`where ${param('always')} or changes() > 0`,
    )
    return typed(stored, () => sql`${insert} returning ${selectList(stored)}`)
  })

/** The id of the row with a further part of a response. */
export const toPartId = (id: string, part: number) => `${id}#${part}`

/** The rows with the parts of `:id`. The first one has this id. */
const isPart = and(gte(table.id, param('id')), sql`${table.id} < ${param('id')} || '$'`)

export const idempotencyStatements = {
  deleteExpired: lazy(() => compile(db.delete(table).where(and(isPart, lte(table.at, param('before')))))),
  store: createStoreStatement(),
  /** Stores a further part of a response if the part before it was stored. */
  storePart: lazy(() =>
    compile(
      insertSelect(
        table,
        {
          id: param('part'),
          at: param('now'),
          answer: param('answer'),
          count: sql`0`,
          merchantId: param('merchantId'),
          subjects: param('subjects'),
        },
        sql`where changes() > 0`,
      ),
    ),
  ),
  find: lazy(() =>
    typed({ answer: table.answer, count: table.count, computed: table.computed }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(isPart, gt(table.at, param('before'))))
        .orderBy(table.id),
    ),
  ),
}

/** Placeholder in a stored response for the number of rows that the change wrote. It never occurs in JSON. */
export const rowCountMark = '\0'

/** A response that is rendered from results of the transaction. */
export interface ComputedResponse {
  /** A statement of `createStoreStatement`, and the parameters of its SQL. */
  store: readonly [Statement, Values]
  /** Renders the response from the stored JSON. */
  render(computed: unknown): Response
}

/** Statements that a request with an `Idempotency-Key` adds to the transaction of its change. */
export interface IdempotencyRecord {
  /** Id of the stored response. */
  id: string
  /** First statement of the transaction: an expired key counts as a new one. */
  deleteExpired: readonly [Statement, Values]
  /** Statement after the change. Stores the response if the change wrote a row, or if `always` is set. Returns a row if it stored the response. */
  store(response: Response, always?: boolean): Promise<readonly [Statement, Values]>
  /** Like `store`, for a response that the transaction computes. Sets `renderComputed`. */
  storeComputed(response: ComputedResponse): Promise<readonly [Statement, Values]>
  /** Statements directly after that of `store`, which store the rest of a large response. */
  rest: readonly (readonly [Statement, Values])[]
  /** Renders the response that the transaction of an earlier request computed. Set it before any check that may reject the repeated request. */
  renderComputed?: ComputedResponse['render']
  isStored: boolean
  /** The work of the stored response was undone since: a repeated request gets its own response. Earlier homes keep stored responses too. */
  isOutdated?: boolean
}

/** Since this request began, another request stored a response under the same key. */
export const isKeyInUseError = (error: unknown) =>
  error instanceof ConstraintError && error.subject === getConstraintSubject(table.id)
/** The error of a request whose key another request has used. */
export const keyInUseError = () =>
  new ApiError('idempotency_key_in_use', 'Another request with this Idempotency-Key was made at the same time. Retry.')
