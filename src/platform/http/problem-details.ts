import type { Context, ErrorHandler } from 'hono'
import { DamagedError, reportDamage } from '../db/damaged-rows.ts'
import { ConstraintError } from '../db/database-errors.ts'
import {
  ApiError,
  type Issue,
  MissingMigrationError,
  notFound,
  type ProblemCode,
  type ProblemReason,
  problems,
  UnavailableError,
} from '../errors.ts'
import { log } from '../lib/log.ts'
import type { Env } from './context.ts'

/** The body of an error response (RFC 9457, `application/problem+json`). */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: ProblemCode
  requestId: string
  errors?: readonly Issue[]
  /** Why a coupon cannot be redeemed. */
  reasons?: readonly ProblemReason[]
}

/** The error of an object that cannot be read. */
export const damagedProblem = () =>
  new ApiError(
    'damaged',
    'The stored object cannot be read. Repair it with an update that sets each unreadable field, or delete it.',
  )

function toApiError(error: Error, c: Context<Env>): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DamagedError) {
    reportDamage(c.env, [error.damage])
    return damagedProblem()
  }
  log(c.env, 'request failed', { error: error.message, stack: error.stack })
  // A row that the change refers to was deleted since it was read.
  if (error instanceof ConstraintError && error.kind === 'foreign_key') return notFound()
  if (!(error instanceof UnavailableError))
    return new ApiError('internal', 'The service failed to process the request.')
  const detail =
    error instanceof MissingMigrationError
      ? 'The database lacks migrations of this release. GET /health lists them.'
      : 'The database is temporarily unavailable. Repeat the request.'
  return new ApiError('unavailable', detail, [], { 'retry-after': '1' })
}

/** Counts the failed request of a key, after the response. */
function count(c: Context<Env>, problem: ApiError): void {
  const key = c.get('key')
  if (!key) return
  const counted = import('../auth/failures/count-failure.ts').then(({ countFailure, describeFailure }) =>
    countFailure(c.env, key, describeFailure(c, problem)),
  )
  c.executionCtx.waitUntil(counted.catch(() => undefined))
}

/** Converts an error that a handler throws to a problem document. */
export const onError: ErrorHandler<Env> = (error, c) => {
  const problem = toApiError(error, c)
  count(c, problem)
  return problemResponse(problem, c.var.requestId)
}

/** The problem document of an error, without the id of the request. */
export function toProblem({ code, message, issues, reasons }: ApiError): Omit<Problem, 'requestId'> {
  const [status, title] = problems[code]
  const problem = { type: `/docs/errors#${code}`, title, status, detail: message, code }
  return { ...problem, ...(issues.length > 0 && { errors: issues }), ...(reasons.length > 0 && { reasons }) }
}

function problemResponse(error: ApiError, requestId: string): Response {
  const { errors, reasons, ...problem } = toProblem(error)
  const body: Problem = { ...problem, requestId, ...(errors && { errors }), ...(reasons && { reasons }) }
  return Response.json(body, {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...error.headers },
  })
}
