import { ApiError, ConnectionError } from 'merchant-ordering-client'
import { toVisible } from '../visible-text.ts'
import { FileError, getReason, UsageError } from './usage-error.ts'

/** Exit codes. `docs/command-line.md` lists them. */
export const exitCodes = {
  success: 0,
  /** Rows or operations failed, or an internal error of the program. */
  failed: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  rejected: 5,
  unavailable: 6,
  /** `apply --check`: the venue differs from the file. */
  differs: 7,
  interrupted: 130,
} as const

/** The exit code of a command that failed. */
export function toExitCode(error: unknown): number {
  if (error instanceof UsageError || error instanceof FileError) return exitCodes.usage
  if (error instanceof ConnectionError) return exitCodes.unavailable
  if (!(error instanceof ApiError)) return exitCodes.failed
  const { status } = error
  if (status === 401 || status === 403) return exitCodes.denied
  if (status === 404 || status === 410) return exitCodes.notFound
  return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.rejected
}

/** Describes an error for people. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    const request = error.requestId === undefined ? '' : `\nRequest ${error.requestId}`
    return `${error.status} ${error.code}: ${toVisible(error.message)}${request}`
  }
  if (error instanceof ConnectionError) return `${error.message} ${getReason(error)}`
  return error instanceof Error ? error.message : String(error)
}

/** Describes an error for programs. */
export const toErrorObject = (error: unknown) =>
  error instanceof ApiError
    ? { error: error.message, status: error.status, code: error.code, requestId: error.requestId, errors: error.errors }
    : { error: describeError(error), ...(error instanceof FileError && { errors: error.issues }) }
