import { type createPdfFonts, type TextLine, toPrintable } from '../pdf-fonts.ts'

/** Also finds words in scripts without spaces. */
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

type PdfFonts = ReturnType<typeof createPdfFonts>

/** Sets texts in the fonts of a file. */
export function createTypesetter(fonts: PdfFonts) {
  let lacksText = false
  /** Sets a text. Leaves out characters that no font has. */
  function setAnew(text: string): TextLine {
    const line = fonts.set(text)
    if (line) return line
    lacksText = true
    const known = [...toPrintable(text)].filter((character) => fonts.set(character))
    return fonts.set(known.join('').trim()) ?? { width: 0, runs: [] }
  }
  /** Caches results, because headings and words are repeated on many pages and in many names. */
  const lines = new Map<string, TextLine>()
  function setLine(text: string): TextLine {
    const line = lines.get(text) ?? setAnew(text)
    lines.set(text, line)
    return line
  }
  const getWidth = (text: string, points: number) => widthOf(setLine(text), points)
  return {
    setLine,
    getWidth,
    /** A text that is only a space is set as empty. */
    spaceWidth: getWidth('n n', 1) - 2 * getWidth('n', 1),
    /** Whether a character has been left out so far. */
    lacksText: () => lacksText,
  }
}
export type Typesetter = ReturnType<typeof createTypesetter>

/** Width of a line at a size of the font, in points. */
export const widthOf = (line: TextLine, points: number) => (line.width * points) / 1000

/** Lines of a text: their width, the font size, and the maximum number of lines. All lengths have the same unit. */
interface Column {
  width: number
  points: number
  lines: number
}

/** Divides a text into lines that fit a column. The last one is cut off with an ellipsis. */
export function wrapText(
  text: string,
  { width: maxWidth, points, lines: maxLines }: Column,
  typesetter: Typesetter,
): string[] {
  const { getWidth, spaceWidth } = typesetter
  const lines: string[] = []
  let current = ''
  let width = 0
  const fits = (line: string) => getWidth(line, points) <= maxWidth
  for (const { segment } of words.segment(toPrintable(text))) {
    const ownWidth = segment === ' ' ? spaceWidth * points : getWidth(segment, points)
    if (segment !== ' ' && current.trim() !== '' && width + ownWidth > maxWidth) {
      lines.push(current.trim())
      current = ''
      width = 0
      // The remaining lines are not shown.
      if (lines.length > maxLines) break
    }
    if (current === '' && segment === ' ') continue
    current += segment
    width += ownWidth
  }
  lines.push(current.trim())
  const kept = lines.slice(0, maxLines)
  const shorten = (line: string, isLast: boolean): string => {
    if (fits(line) && !isLast) return line
    const characters = [...line]
    const cutOff = (count: number) => `${characters.slice(0, count).join('').trimEnd()}…`
    // Joined letters may be narrower or wider than separate ones.
    let sum = getWidth('…', points)
    const guess = characters.findIndex((each) => {
      sum += getWidth(each, points)
      return sum > maxWidth
    })
    let [count, tooMany] = [0, (guess < 0 ? characters.length : guess) + 1]
    if (fits(cutOff(tooMany - 1))) count = tooMany - 1
    while (tooMany - count > 1) {
      const middle = (count + tooMany) >> 1
      if (fits(cutOff(middle))) count = middle
      else tooMany = middle
    }
    return cutOff(count)
  }
  return kept.map((line, index) => shorten(line, index === maxLines - 1 && lines.length > maxLines))
}
