import { toVisibleLines } from './local/visible-text.ts'

/** An error that the user can fix. Only its message is printed, without a stack. */
export class CliError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Messages of the system and of SQLite. */
const diskFull = /\b(?:ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded|\bdisk is full\b/i

/** Whether an error, or the output of a program, says that the disk is full. */
export const isDiskFull = (error: unknown) => diskFull.test(getReason(error))

export const diskFullMessage = 'The disk is full. Make room, then run the command again.'

/** Codes of system errors that say that a file cannot be written. */
const unwritableCodes: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

/** The message of an error that the user can fix; undefined for others. */
function toMessage(error: unknown): string | undefined {
  if (isDiskFull(error)) return diskFullMessage
  if (error instanceof CliError) return error.message
  return error instanceof Error && 'code' in error && unwritableCodes.includes(error.code) ? error.message : undefined
}

/** Runs a command, which returns its exit code. Prints an error that the user can fix as its message; throws every other one. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    const message = toMessage(error)
    if (message === undefined) throw error
    console.error(toVisibleLines(message))
    process.exitCode = error instanceof CliError ? error.exitCode : 1
  }
}

/** The message of the innermost cause, because `fetch failed` alone explains nothing. */
export function getReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return getReason(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? getReason(error.cause) : error.message
}
