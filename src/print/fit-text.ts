import type { SheetContent } from './cards.ts'
import { toCardLabel } from './cards.ts'
import { getGlyph } from './glyphs.ts'
import type { Layout, TextBox } from './layouts.ts'

/** Points in a millimetre. */
export const millimetre = 72 / 25.4

/** Characters as wide as high: Chinese, Japanese and Korean. */
const square = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60]|[\ud840-\ud8ff][\udc00-\udfff]/
/** Average width of letters that Helvetica lacks, in ems. */
const otherWidth = 0.58

/** Width of a text in ems: exact for Helvetica Bold, an estimate for other fonts. */
function estimateWidth(text: string): number {
  let width = 0
  for (const char of text) {
    const glyph = getGlyph(char)
    if (glyph) width += glyph.width / 1000
    else if (square.test(char)) width += 1
    else if (!/[\p{M}\p{Cf}]/u.test(char)) width += otherWidth
  }
  return width
}

/** Smallest font size, as part of the largest. What does not fit then is cut off with an ellipsis. */
const minShare = 0.5

/** Divides a text in two at the space nearest to its middle; the second part is empty without a space. */
function halve(text: string): readonly [string, string] {
  const middle = text.length / 2
  const spaces = Array.from(text.matchAll(/ /g), ({ index }) => index)
  const [nearest] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return nearest === undefined ? [text, ''] : [text.slice(0, nearest), text.slice(nearest + 1)]
}

/** Whether a text takes two lines of its box: in one, it would have to be much smaller. */
const takesTwoLines = (text: string, box: TextBox) =>
  box.lines === 2 && estimateWidth(text) * box.points > 0.8 * box.width * millimetre && halve(text)[1] !== ''

/** The lines of a text in its box. */
export const toLines = (text: string, box: TextBox): readonly string[] =>
  takesTwoLines(text, box) ? halve(text) : [text]

/** The largest font size at which all texts fit a box, in points. It is the same for all of them, so that cards look alike. */
function fitPoints(texts: readonly string[], box: TextBox): number {
  const widest = Math.max(0, ...texts.flatMap((text) => toLines(text, box)).map(estimateWidth))
  const fitting = (box.width * millimetre) / Math.max(widest, 0.01)
  return Math.floor(10 * Math.max(minShare * box.points, Math.min(box.points, 0.98 * fitting))) / 10
}

/** The boxes of the texts of all cards, with their font sizes. */
export function fitTexts(layout: Layout, { venue, address, messages, text, cards }: SheetContent) {
  const fitBox = (box: TextBox, texts: readonly string[]) => ({ ...box, points: fitPoints(texts, box) })
  return {
    test: layout.test,
    label: fitBox(
      layout.label,
      cards.map(({ entries }) => toCardLabel(entries)),
    ),
    scan: fitBox(layout.scan, [text ?? messages.scan]),
    address: fitBox(layout.address, [address]),
    code: fitBox(
      layout.code,
      cards.map(({ code }) => code),
    ),
    venue: fitBox(layout.venue, [venue]),
  }
}
