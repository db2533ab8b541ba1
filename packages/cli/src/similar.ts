/** Maximum number of letters that may be added, left out or replaced. */
const maxDistance = 2

/** The number of letters to add, leave out or replace to turn one word into another (Levenshtein). */
function getDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [index, other] of [...to].entries()) {
      const replaced = (row[index] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The known word that a mistyped one resembles most. */
export function findSimilar(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((word) => ({ word, distance: word.startsWith(typed) ? 0 : getDistance(typed, word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
  return best?.word
}
