import { FileError } from '../../errors/usage-error.ts'

/** A place in a file, counted from 1. */
export interface Position {
  line: number
  column: number
}

/** A mistake in a file. */
export interface FileIssue {
  /** JSON pointer of the part. */
  pointer: string
  /** Expected value or form. */
  message: string
  position?: Position
}

/** Maximum number of issues that are printed. */
const maxIssues = 20

/** The position of a part, or of the nearest part around it that the file has. */
export function locate(positions: ReadonlyMap<string, Position>, pointer: string): Position {
  let at = pointer
  while (at !== '' && !positions.has(at)) at = at.slice(0, at.lastIndexOf('/'))
  return positions.get(at) ?? { line: 1, column: 1 }
}

/** The error of a file with issues, in the order of the file. */
export function toFileError(name: string, positions: ReadonlyMap<string, Position>, issues: readonly FileIssue[]) {
  const located = issues
    .map(({ pointer, message, position }) => ({ ...(position ?? locate(positions, pointer)), pointer, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = located
    .slice(0, maxIssues)
    .map(
      ({ line, column, pointer, message }) =>
        `${name}:${line}:${column}: ${pointer}${pointer === '' ? '' : ' '}${message}`,
    )
  const rest = located.length - lines.length
  return new FileError([...lines, ...(rest > 0 ? [`${rest} more`] : [])].join('\n'), located)
}
