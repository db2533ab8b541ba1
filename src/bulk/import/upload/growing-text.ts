/** Minimum number of UTF-16 units that are read at once, except at the end of a file. */
const minUnits = 65_536

/**
 * The unread text of a file. It is parsed when at least as much text has been added as was left unparsed. The rest is therefore not parsed again for
 * each small piece: in total, at most twice the file is parsed.
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
    /** Keeps only the end of the text that could not be parsed yet. */
    keep(rest: string): void {
      text = rest
    },
  }
}
