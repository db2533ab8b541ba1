/** An error that the user can fix. Only its message is printed, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The message of the innermost cause, because `fetch failed` alone explains nothing. */
export function getReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? getReason(error.cause) : error.message
}

/** Mistakes in a file of the user, with their positions. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly issues: readonly object[]

  constructor(message: string, issues: readonly object[]) {
    super(message)
    this.issues = issues
  }
}
