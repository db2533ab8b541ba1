import type { Context, ErrorHandler } from 'hono'
import { DamagedError, reportDamage } from '../db/damaged-rows.ts'
import { ApiError, type Issue, MissingMigrationError, type ProblemCode, problems, UnavailableError } from '../errors.ts'
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
}

function toApiError(error: Error, c: Context<Env>): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DamagedError) {
    reportDamage(c.env, [error.damage])
    return new ApiError(
      'damaged',
      'The stored object cannot be read. Repair it with an update that sets each unreadable field, or delete it.',
    )
  }
  log(c.env, 'request failed', { error: error.message, stack: error.stack })
  if (!(error instanceof UnavailableError))
    return new ApiError('internal', 'The service failed to process the request.')
  const detail =
    error instanceof MissingMigrationError
      ? 'The database lacks migrations of this release. GET /health lists them.'
      : 'The database is temporarily unavailable. Repeat the request.'
  return new ApiError('unavailable', detail, [], { 'retry-after': '1' })
}

export const onError: ErrorHandler<Env> = (error, c) => problemResponse(toApiError(error, c), c.var.requestId)

function problemResponse({ code, message, issues, headers }: ApiError, requestId: string): Response {
  const [status, title] = problems[code]
  const problem: Problem = { type: `/docs/errors#${code}`, title, status, detail: message, code, requestId }
  const body: Problem = issues.length > 0 ? { ...problem, errors: issues } : problem
  return Response.json(body, {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}
