/** Direction of a character: left, right, digit, or neutral. */
type Direction = 'L' | 'R' | 'D' | 'N'

const getDirection = (char: string): Direction => {
  if (/[0-9\u0660-\u0669\u06f0-\u06f9]/.test(char)) return 'D'
  if (/[\u0590-\u06ff]/.test(char)) return /\p{L}|[\u05be\u0640]/u.test(char) ? 'R' : 'N'
  return /\p{L}|\p{M}/u.test(char) ? 'L' : 'N'
}

/** Neutral characters between two digits belong to the number: `12:30`, `1,5`. */
const isPartOfNumber = (chars: readonly string[], directions: readonly Direction[], index: number) =>
  /^[.,:/-]$/.test(chars[index] ?? '') && directions[index - 1] === 'D' && directions[index + 1] === 'D'

/** The last direction of a strong character or digit at each position; undefined before the first. */
function spread(directions: readonly Direction[]): (Direction | undefined)[] {
  let last: Direction | undefined
  return directions.map((direction) => {
    if (direction !== 'N') last = direction
    return last
  })
}

/**
 * The embedding level of each part of a line by its first character, as the Unicode bidirectional algorithm (UAX 9) resolves it for text
 * without explicit formatting. Odd levels run from right to left.
 */
export function getLevels(parts: readonly string[]): number[] {
  const chars = parts.map((part) => String.fromCodePoint(part.codePointAt(0) ?? 0x20))
  const found = chars.map(getDirection)
  const directions = found.map((direction, index) => (isPartOfNumber(chars, found, index) ? 'D' : direction))
  const base: Direction = directions.find((direction) => direction === 'L' || direction === 'R') ?? 'L'
  // Digits after a left-to-right letter belong to its run.
  let strong: Direction = base
  const resolved = directions.map((direction): Direction => {
    if (direction === 'L' || direction === 'R') strong = direction
    return direction === 'D' && strong === 'L' ? 'L' : direction
  })
  const side = (direction: Direction | undefined) =>
    direction === undefined ? base : direction === 'D' ? 'R' : direction
  const before = spread(resolved)
  const after = spread(resolved.toReversed()).reverse()
  const withNeutrals = resolved.map((direction, index) => {
    if (direction !== 'N') return direction
    return side(before[index]) === side(after[index]) ? side(before[index]) : base
  })
  return withNeutrals.map((direction) => {
    if (direction === 'R') return 1
    return direction === 'D' || base === 'R' ? 2 : 0
  })
}

/** Reorders parts from logical (reading) order to visual order, from left to right. */
export function toVisualOrder<Part>(parts: readonly Part[], levels: readonly number[]): Part[] {
  const ordered = parts.map((part, index) => ({ part, level: levels[index] ?? 0 }))
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from
      while ((ordered[to]?.level ?? 0) >= level) to++
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to
    }
  }
  return ordered.map(({ part }) => part)
}

const mirrored: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' },
}

/** The character that is shown at a level: brackets are mirrored from right to left. */
export const mirror = (char: string, level: number) => (level % 2 === 1 ? (mirrored[char] ?? char) : char)
