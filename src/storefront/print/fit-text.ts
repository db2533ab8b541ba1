import { type SheetContent, setCase, toCardTexts, toEnds } from './cards.ts'
import { getGlyph } from './glyphs.ts'
import type { Box, Layout, TextBox } from './look/geometry.ts'
import { findPaperGlyph, type TypeRole } from './look/paper-font.ts'

/** Points in a millimetre. */
export const millimetre = 72 / 25.4

/** Characters that are at most as wide as they are high: Chinese, Japanese, Korean, Devanagari and pictograms. */
const square =
  /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff01-\uff60\u{20000}-\u{4ffff}\p{Script=Devanagari}\p{Extended_Pictographic}]/u
/** Average width of other letters that Helvetica lacks, in ems. */
const otherWidth = 0.6

/** Width of a text in ems. */
export type Measure = (text: string, role: TypeRole) => number

/** Measures texts: exactly in the fonts of a design and in Helvetica Bold, otherwise by an estimate. */
export const createMeasure =
  ({ fonts }: Pick<SheetContent, 'fonts'>): Measure =>
  (text, role) => {
    let width = 0
    let last = ''
    for (const char of text) {
      const own = fonts && findPaperGlyph(fonts[role], char)
      const glyph = own ?? getGlyph(char)
      if (glyph) width += (glyph.width + (own?.font.kerning[last + char] ?? 0)) / 1000
      else if (!/[\p{M}\p{Cf}]/u.test(char)) width += square.test(char) ? 1 : otherWidth
      last = char
    }
    return width
  }

/** Minimum font size, as a fraction of the largest. A text that still does not fit is shortened in the middle. */
const minShare = 0.5
/** Distance of two lines as a fraction of the font size. */
export const lineDistance = 1.2
/** Height of a line, from its highest to its lowest letters, as a fraction of the font size. */
const lineHeight = 0.95

/** Divides a text in two at the space nearest to its middle; the second part is empty without a space. */
function halve(text: string): readonly [string, string] {
  const middle = text.length / 2
  const spaces = Array.from(text.matchAll(/ /g), ({ index }) => index)
  const [nearest] = spaces.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return nearest === undefined ? [text, ''] : [text.slice(0, nearest), text.slice(nearest + 1)]
}

/** Width of a line of a box in ems. Browsers and readers round the widths of letters. */
const getLineWidth = ({ width, points }: TextBox) => (0.98 * width * millimetre) / points

const hasTwoLines = ({ height, points }: TextBox) => (lineDistance + lineHeight) * points <= height * millimetre

/** The lines of a text that fits its box: one, or two if necessary. */
function findLines(text: string, box: TextBox, measure: Measure): readonly string[] | undefined {
  const divisions = hasTwoLines(box) ? [[text], halve(text)] : [[text]]
  return divisions.find((lines) => lines.every((line) => measure(line, box.role) <= getLineWidth(box)))
}

/** The end of a shortened text, without the rest of a word if this is the smaller part. */
function leaveOutFragment(end: string): string {
  const space = end.indexOf(' ')
  return space < end.length / 2 ? end.slice(space + 1) : end
}

/** The lines of a text in its box. Shortens a text that does not fit in its middle. */
export function toLines(text: string, box: TextBox, measure: Measure): readonly string[] {
  const whole = findLines(text, box, measure)
  if (whole) return whole
  const [lines, mark] = [hasTwoLines(box) ? 2 : 1, '…']
  const room = (lines * getLineWidth(box)) / 2 - measure(mark, box.role)
  const { start, end, isWhole } = toEnds(text, room, (cluster) => measure(cluster, box.role))
  const first = isWhole ? start : `${start.trimEnd()}${mark}`
  const last = isWhole ? end.trimStart() : leaveOutFragment(end).trimStart()
  return lines === 2 ? [first, last] : [first + last]
}

/** The largest font size at which a text fits a box, in points. */
function fitPoints(text: string, box: TextBox, measure: Measure): number {
  const line = 0.98 * box.width * millimetre
  const halves = halve(text).map((half) => measure(half, box.role))
  const onOneLine = line / measure(text, box.role)
  const onTwoLines = Math.min(line / Math.max(...halves), (box.height * millimetre) / (lineDistance + lineHeight))
  const points = Math.floor(10 * Math.max(onOneLine, onTwoLines) - 0.001) / 10
  return Math.min(box.points, Math.max(points, minShare * box.points))
}

/** Share of the names of a sheet that have the same size. A longer name is smaller, instead of all names. */
const commonShare = 0.75
/** Size of the part of a venue, as a fraction of the size of the table's name. */
const areaShare = 0.6

/** The boxes of the texts of all cards, with their font sizes. */
export function fitTexts(layout: Layout, content: SheetContent, measure: Measure) {
  const { venue, address, messages, text, cards } = content
  const fitBox = (box: TextBox, texts: readonly string[]) => ({
    ...box,
    points: Math.min(box.points, ...texts.map((each) => fitPoints(each, box, measure))),
  })
  const shown = cards.map((card) => toCardTexts(card, content))
  const sizes = shown.map(({ label }) => fitPoints(label, layout.label, measure)).sort((one, other) => other - one)
  const [smallest = layout.label.points] = sizes.slice(-1)
  const label = { ...layout.label, points: sizes[Math.ceil(commonShare * sizes.length) - 1] ?? smallest }
  const longLabel = { ...layout.label, points: smallest }
  const { top, height } = layout.plate
  const hasAreas = shown.some(({ area }) => area !== '')
  const areaBox = { ...layout.area, points: Math.min(layout.area.points, areaShare * label.points) }
  return {
    test: layout.test,
    label,
    longLabel,
    // The name of a table that is in no part of the venue has the whole plate.
    soleLabel: hasAreas ? { ...label, top, height } : label,
    soleLongLabel: hasAreas ? { ...longLabel, top, height } : longLabel,
    area: fitBox(
      areaBox,
      shown.map(({ area }) => area),
    ),
    scan: fitBox(layout.scan, [text ?? messages.scan]),
    address: fitBox(layout.address, [address]),
    code: fitBox(
      layout.code,
      cards.map(({ code }) => code),
    ),
    venue: fitBox(layout.venue, [setCase(venue, content)]),
  }
}

/** The box of the name of a table. */
export function chooseLabel(boxes: ReturnType<typeof fitTexts>, label: string, area: string, measure: Measure) {
  const isLong = boxes.longLabel.points < boxes.label.points && !findLines(label, boxes.label, measure)
  if (area !== '' || boxes.soleLabel === boxes.label) return isLong ? 'longLabel' : 'label'
  return isLong ? 'soleLongLabel' : 'soleLabel'
}

/** Whether the mark of a test covers a part of a box. */
export const isCovered = ({ test }: Pick<Layout, 'test'>, box: Box) =>
  box.left < test.left + test.width &&
  test.left < box.left + box.width &&
  box.top < test.top + test.height &&
  test.top < box.top + box.height
