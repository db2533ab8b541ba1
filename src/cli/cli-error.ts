/** An error that the user can fix; printed as its message alone, without a stack. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a command, which returns its exit code. Prints a `CliError` as its message; throws every other error. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}

/** The message of the innermost cause: `fetch failed` alone explains nothing. */
export function getReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? getReason(error.cause) : error.message
}
