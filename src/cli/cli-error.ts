/** Something the person at the keyboard has to put right; its message is all they need to see. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a command: its result is the exit code, and a fault that the user can put right is one sentence, without a stack. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}

/** What went wrong, down to the cause: `fetch failed` alone tells nobody anything. */
export function getReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? getReason(error.cause) : error.message
}
