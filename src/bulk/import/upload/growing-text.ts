/** Minimum number of UTF-16 units that are read at once, except at the end of a file. */
const minUnits = 65_536

/**
 * The text of a file that is not read yet. It is read when at least as much has been added as was left from the time before, so that what is
 * left is not read again for each small piece that arrives: all readings together cost twice the file at most.
 */
export function createGrowingText() {
  let text = ''
  let pieces: string[] = []
  let added = 0
  return {
    /** Adds a piece. Returns whether there is enough text to read. */
    add(piece: string): boolean {
      pieces.push(piece)
      added += piece.length
      return added >= Math.max(minUnits, text.length)
    },
    /** The whole text. */
    take(): string {
      text += pieces.join('')
      pieces = []
      added = 0
      return text
    },
    /** Keeps only the end of the text, which could not be read yet. */
    keep(rest: string): void {
      text = rest
    },
  }
}
