import { letOthersRun } from '../../../platform/lib/step-budget.ts'
import { millimetre } from '../fit-text.ts'
import { formatAll } from '../look/pdf-shapes.ts'
import { createPdf, type PdfFrame } from '../pdf.ts'
import { createPdfFonts, showLine } from '../pdf-fonts.ts'
import type { FontPacks } from '../scripts/font-pack.ts'
import { createTypesetter, type Typesetter, widthOf, wrapText } from './typesetter.ts'

/** Allergens of products as a table. Its texts are in one language. */
interface AllergenTable {
  venue: string
  title: string
  /** The day of which the table is, in words. */
  day: string
  isRightToLeft: boolean
  /** Texts for both marks. */
  contains: string
  mayContain: string
  notStated: string
  /** Says that the options of marked products may add allergens; undefined if none is marked. */
  choices: string | undefined
  /** Says that the products are in test mode; undefined if they are live. */
  band: string | undefined
  /** Says that the table lacks products; undefined if it has all. */
  truncated: string | undefined
  /** Says that the PDF lacks letters that the page shows. */
  missingText: string
  allergens: readonly string[]
  /** Texts of footnotes, which stand behind the table. */
  footnotes: readonly string[]
  /** Notes of the venue, which stand at the end. */
  venueNotes: readonly string[]
  /** Products and options, and the mark of each allergen. Without marks, nothing is stated. A note stands below the title. */
  rows: readonly {
    title: string
    note: string
    isMarked: boolean
    marks: readonly ('contains' | 'may_contain' | undefined)[] | undefined
  }[]
}

/** Marks a product whose options may add allergens. */
const choicesMark = '*'

/** A4, and the areas of the table, in millimetres. */
const paper = { width: 210, height: 297 }
const margin = 12
const nameWidth = 74
const cellWidth = 8
const headTop = 34
const headHeight = 28
const firstRowTop = headTop + headHeight + 2
const lastRowBottom = 283
/** Font sizes and distances of lines, in millimetres. */
const size = { venue: 6, text: 3.4, name: 3.2 } as const
const lineHeight = 4.2
const maxNameLines = 3
const maxNoteLines = 4
/** Lines of a note of the venue across the page. */
const maxVenueNoteLines = 30
const notePoints = 2.5
/** Number of rows that are drawn before other requests run. */
const rowsAtOnce = 50

/** A circle as four Bézier curves, which `operator` fills or strokes. */
function drawCircle(x: number, y: number, operator: 'f' | 'S'): string {
  const [radius, control] = [1.3, 1.3 * 0.5523]
  const curve = (...points: readonly number[]) => `${formatAll(...points)} c`
  return `0.35 w ${formatAll(x + radius, y)} m ${curve(x + radius, y + control, x + control, y + radius, x, y + radius)} ${curve(x - control, y + radius, x - radius, y + control, x - radius, y)} ${curve(x - radius, y - control, x - control, y - radius, x, y - radius)} ${curve(x + control, y - radius, x + radius, y - control, x + radius, y)} ${operator}\n`
}
const drawMark = (mark: 'contains' | 'may_contain', x: number, y: number) =>
  drawCircle(x, y, mark === 'contains' ? 'f' : 'S')

const getRowHeight = (lines: number) => lines * lineHeight + 2

/** The lines of a row: of its title, and of its note. */
interface RowLines {
  lines: readonly string[]
  notes: readonly string[]
}

/** Draws the parts of a page. Lengths are in millimetres; y grows downwards. */
function createPainter(table: AllergenTable, { setLine, getWidth }: Typesetter) {
  const { venue, title, day, isRightToLeft, contains, mayContain, notStated, choices, band, allergens } = table
  /** Left edge of an element in the direction of the text. */
  const place = (start: number, width: number) => (isRightToLeft ? paper.width - start - width : start)
  const getCentre = (column: number) => place(margin + nameWidth + column * cellWidth, cellWidth) + cellWidth / 2

  function drawText(text: string, start: number, baseline: number, points: number, isCentred = false): string {
    const line = setLine(text)
    const width = widthOf(line, points)
    const left = isCentred ? start - width / 2 : place(start, width)
    return `BT 1 0 0 -1 ${formatAll(left, baseline)} Tm ${showLine(line, points)} ET\n`
  }
  /** Draws a text across the page, smaller if it is too long. */
  function drawNote(text: string, baseline: number): string {
    const points = Math.min(size.name, (paper.width - 2 * margin) / Math.max(getWidth(text, 1), 0.01))
    return drawText(text, margin, baseline, points)
  }
  /** Draws the name of a column upwards, smaller if it is too long. */
  function drawHead(text: string, x: number): string {
    const line = setLine(text)
    const points = Math.min(size.text, (size.text * (headHeight - 2)) / Math.max(widthOf(line, size.text), 0.01))
    return `BT 0 -1 -1 0 ${formatAll(x + points * 0.36, headTop + headHeight)} Tm ${showLine(line, points)} ET\n`
  }
  return {
    drawText,
    drawNote,

    drawPageHead(): string {
      const legendTop = 27
      const second = margin + 8 + getWidth(contains, size.text) + 8
      return [
        band === undefined ? '' : drawNote(band, 9),
        drawText(venue, margin, 16, size.venue),
        drawText(title, margin, 22, size.text),
        drawText(day, margin + getWidth(title, size.text) + 6, 22, size.text),
        drawMark('contains', place(margin, 3) + 1.5, legendTop),
        drawText(contains, margin + 5, legendTop + 1.2, size.text),
        drawMark('may_contain', place(second, 3) + 1.5, legendTop),
        drawText(mayContain, second + 5, legendTop + 1.2, size.text),
        choices === undefined ? '' : drawNote(`${choicesMark} ${choices}`, 32.5),
        ...allergens.map((name, column) => drawHead(name, getCentre(column))),
      ].join('')
    },

    drawRow(row: AllergenTable['rows'][number], { lines, notes }: RowLines, top: number): string {
      const { title: name, isMarked, marks } = row
      const height = getRowHeight(lines.length + notes.length)
      const middle = top + height / 2
      const bottom = `q 0.75 G 0.15 w ${formatAll(margin, top + height)} m ${formatAll(paper.width - margin, top + height)} l S Q\n`
      const toBaseline = (index: number) => top + 4 + index * lineHeight
      const shown = [
        ...lines.map((line, index) => drawText(line, margin, toBaseline(index), size.name)),
        ...notes.map((line, index) => drawText(line, margin, toBaseline(lines.length + index), notePoints)),
      ].join('')
      const cells = marks
        ? marks.map((mark, column) => (mark ? drawMark(mark, getCentre(column), middle) : '')).join('')
        : drawText(notStated, margin + nameWidth + 2, middle + 1.1, size.name)
      // Before the name, which may be cut off.
      const mark = isMarked ? drawText(choicesMark, margin - 3, top + 4, size.name) : ''
      return name === '' ? '' : bottom + mark + shown + cells
    },
  }
}

/** Draws the rows on as many pages as they need. Each page has a head, its number and, if letters are missing, a note. */
async function drawPages(table: AllergenTable, typesetter: Typesetter): Promise<string[]> {
  const { drawText, drawNote, drawPageHead, drawRow } = createPainter(table, typesetter)
  const { rows, footnotes, venueNotes, truncated, missingText } = table
  const pages: string[] = []
  let [content, top] = [drawPageHead(), firstRowTop]
  function add(height: number, draw: (top: number) => string) {
    if (top + height > lastRowBottom) {
      pages.push(content)
      content = drawPageHead()
      top = firstRowTop
    }
    content += draw(top)
    top += height
  }
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await letOthersRun()
    const lines = wrapText(row.title, { width: nameWidth - 2, points: size.name, lines: maxNameLines }, typesetter)
    const notes =
      row.note === ''
        ? []
        : wrapText(row.note, { width: nameWidth - 2, points: notePoints, lines: maxNoteLines }, typesetter)
    add(getRowHeight(lines.length + notes.length), (top) => drawRow(row, { lines, notes }, top))
  }
  for (const text of [...footnotes, ...(truncated === undefined ? [] : [truncated])]) {
    add(getRowHeight(1), (top) => drawNote(text, top + 4))
  }
  const noteColumn = { width: paper.width - 2 * margin, points: size.name, lines: maxVenueNoteLines }
  for (const text of venueNotes) {
    const lines = text.split(/[\r\n]+/).flatMap((each) => wrapText(each, noteColumn, typesetter))
    for (const [index, line] of lines.entries()) {
      add(index === lines.length - 1 ? getRowHeight(1) : lineHeight, (top) =>
        drawText(line, margin, top + 4, size.name),
      )
    }
  }
  pages.push(content)
  const note = typesetter.lacksText() ? drawNote(missingText, 286.5) : ''
  return pages.map(
    (page, index) => page + note + drawText(`${index + 1} / ${pages.length}`, paper.width / 2, 290, size.name, true),
  )
}

/** All texts of a table. */
const listTexts = ({ allergens, rows, band = '', truncated = '', choices = '', ...texts }: AllergenTable) => [
  ...[texts.venue, texts.title, texts.day, texts.contains, texts.mayContain, texts.notStated, texts.missingText],
  ...[band, truncated, choices],
  ...allergens,
  ...texts.footnotes,
  ...texts.venueNotes,
  ...rows.flatMap(({ title, note }) => [title, note]),
]

/** Renders a table of allergens as a PDF. Leaves out characters that cannot be printed, and says so on each page. */
export async function renderAllergenPdf(
  table: AllergenTable,
  readPacks: (texts: readonly string[]) => Promise<FontPacks>,
): Promise<Uint8Array<ArrayBuffer>> {
  const texts = listTexts(table)
  const fonts = createPdfFonts(texts, await readPacks(texts))
  const pages = await drawPages(table, createTypesetter(fonts))
  const pdf = createPdf()
  const resources = Object.entries(await fonts.fonts(pdf.add)).map(([name, reference]) => `/${name} ${reference}`)
  const frame: PdfFrame = {
    width: Number((paper.width * millimetre).toFixed(2)),
    height: Number((paper.height * millimetre).toFixed(2)),
    resources: `<< /Font << ${resources.join(' ')} >> >>`,
    title: `${table.title}: ${table.venue}`,
  }
  const toMillimetres = `${formatAll(millimetre, 0, 0, -millimetre, 0, paper.height * millimetre)} cm\n`
  return pdf.finish(
    pages.map((page) => toMillimetres + page),
    frame,
  )
}
