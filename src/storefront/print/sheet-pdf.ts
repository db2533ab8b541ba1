import { letOthersRun } from '../../platform/lib/step-budget.ts'
import { toTagLabel } from '../pages/tag-label.ts'
import { quietZone } from '../qr/quiet-zone.ts'
import { type Card, divideEntries, type SheetContent, setCase, toCardLabel, toPages, waves } from './cards.ts'
import {
  chooseLabel,
  createMeasure,
  fitTexts,
  isCovered,
  lineDistance,
  type Measure,
  millimetre,
  toLines,
} from './fit-text.ts'
import { placeLayout, type Sheet } from './layouts.ts'
import type { PdfLogo } from './logo/pdf-logo.ts'
import type { Box, Layout, TextBox } from './look/geometry.ts'
import { getPaperLook } from './look/paper-colors.ts'
import type { TypeRole } from './look/paper-font.ts'
import { drawModules, drawOutline, drawTablePlate, format, formatAll, inColor } from './look/pdf-shapes.ts'
import { hasRoomForNotes, listNotes, showsArea } from './notes.ts'
import { createPdf } from './pdf.ts'
import { createPdfFonts, showLine, type TextLine, toPrintable } from './pdf-fonts.ts'
import type { FontPacks } from './scripts/font-pack.ts'

/** Name of the logo among the resources of the pages. */
const logoName = 'Logo'
/** Height of a capital letter as a fraction of the font size. */
const capitalHeight = 0.72

/** All texts of a sheet, except its codes. */
const listTexts = ({ venue, messages, text, cards, language }: SheetContent) => [
  ...[venue, text ?? messages.scan, messages.missingText],
  ...cards.map(({ entries }) => toCardLabel(entries, language)),
]

/** Reads the font packs that texts need. */
type ReadPacks = (texts: readonly string[]) => Promise<FontPacks>

const drawLine = (line: TextLine, x: number, y: number, size: number) =>
  `BT 1 0 0 -1 ${formatAll(x, y)} Tm ${showLine(line, size)} ET\n`

/** Sets and draws texts in the fonts of a file. */
function createTextPainter(
  fonts: ReturnType<typeof createPdfFonts>,
  measure: Measure,
  language: SheetContent['language'],
) {
  let lacksText = false

  /** Sets a text; undefined if a character cannot be set. */
  function setLine(line: string, role?: TypeRole): TextLine | undefined {
    const set = fonts.set(line, role)
    if (!set) lacksText = true
    return set
  }

  /** The part of a label that can be printed. Values are more important than keys: "4" still identifies a table. */
  function toLabel(entries: Card['entries']): string {
    const kept = entries.flatMap((entry) => {
      const choices = [toTagLabel(entry, language), entry.value].map(toPrintable)
      return choices.find((choice) => choice !== '' && setLine(choice) !== undefined) ?? []
    })
    return kept.join(', ')
  }

  /** Draws a line in the middle of a box, smaller if it is wider than estimated. */
  function drawCentred(line: string, { left, width, points, role }: TextBox, baseline: number): string {
    const set = setLine(line, role)
    if (!set || set.runs.length === 0) return ''
    const size = Math.min(points / millimetre, (1000 * width) / set.width)
    return drawLine(set, left + (width - (set.width * size) / 1000) / 2, baseline, size)
  }

  /** Draws a text in the middle of a box, in one or two lines. */
  function drawText(value: string, box: TextBox): string {
    const lines = toLines(value, box, measure)
    const size = box.points / millimetre
    const first = box.top + box.height / 2 + (capitalHeight * size) / 2 - ((lines.length - 1) * lineDistance * size) / 2
    return lines.map((line, index) => drawCentred(line, box, first + index * lineDistance * size)).join('')
  }

  return {
    toLabel,
    drawCentred,
    drawText,
    /** Whether a text could not be printed so far. */
    lacksText: () => lacksText,
  }
}

/** Draws the cards of one file. Lengths are in millimetres; y grows downwards. */
function createPainter(content: SheetContent, { layout, paper }: Sheet, packs: FontPacks, logo: PdfLogo | undefined) {
  const { venue, address, messages, text } = content
  const scan = text ?? messages.scan
  const fonts = createPdfFonts(listTexts(content), packs, content.fonts)
  const measure = createMeasure(content)
  const boxes = fitTexts(layout, content, measure)
  const { toLabel, drawCentred, drawText, lacksText } = createTextPainter(fonts, measure, content.language)
  const look = getPaperLook(content)
  const { accent, ink, soft, onPlate } = look

  const drawNfcMark = ({ left, top, width }: Layout['mark']) => {
    const scale = width / 20
    const arcs = waves.map(({ from, by, to }) => `${formatAll(...from)} m ${formatAll(...by, ...to)} c S`)
    const word = fonts.set('NFC')
    const line = word ? drawLine(word, 10 - (word.width * 8) / 2000, 29, 8) : ''
    return `q ${formatAll(scale, 0, 0, scale, left, top)} cm 2 w 1 J ${arcs.join(' ')}\n${line}Q\n`
  }

  const drawTestMark = (box: TextBox) =>
    `${formatAll(box.left, box.top, box.width, box.height)} re f 1 g\n${drawText('TEST', box)}0 g\n`

  function drawLogo({ width, height }: PdfLogo): string {
    const { logo: box } = layout
    const scale = Math.min(box.width / width, box.height / height)
    const [left, top] = [box.left + (box.width - width * scale) / 2, box.top + (box.height - height * scale) / 2]
    return `q ${formatAll(width * scale, 0, 0, -height * scale, left, top + height * scale)} cm /${logoName} Do Q\n`
  }

  /** Draws what is equal on all cards. The mark of a test leaves out what it covers. */
  const drawEqualParts = (isTest: boolean) => {
    const isShown = (box: Box) => !isTest || !isCovered(layout, box)
    const isNamed = !(logo && layout.logoIsName) && isShown(layout.venue)
    return (
      inColor(accent, drawText(scan, boxes.scan)) +
      (isShown(layout.address) ? inColor(soft, drawText(address, boxes.address)) : '') +
      (isNamed ? inColor(ink, drawText(setCase(venue, content), boxes.venue)) : '') +
      (logo && isShown(layout.logo) ? drawLogo(logo) : '')
    )
  }

  /** Draws the name of the table and its part of the venue. */
  function drawTable(entries: Card['entries']): string {
    const { names, areas } = divideEntries(entries)
    const [label, area] = [setCase(toLabel(names), content), toLabel(areas)]
    if (label === '' && area === '') return ''
    return (
      drawTablePlate(layout.plate, look) +
      inColor(
        onPlate,
        drawText(label, boxes[chooseLabel(boxes, label, area, measure)]) +
          (area === '' ? '' : drawText(area, boxes.area)),
      )
    )
  }
  const equalParts = new Map<boolean, string>()

  function drawFace({ isTest, matrix, entries, code, hasNfc }: Card): string {
    const { symbol, mark } = layout
    const scale = symbol.size / (matrix.length + 2 * quietZone)
    const [x, y] = [symbol.left + quietZone * scale, symbol.top + quietZone * scale]
    const equal = equalParts.get(isTest) ?? drawEqualParts(isTest)
    equalParts.set(isTest, equal)
    return [
      drawTable(entries),
      `q ${scale.toFixed(5)} 0 0 ${scale.toFixed(5)} ${formatAll(x, y)} cm\n`,
      drawModules(matrix),
      'Q\n',
      isTest && isCovered(layout, layout.code) ? '' : inColor(soft, drawText(code, boxes.code)),
      equal,
      hasNfc ? drawNfcMark(mark) : '',
      isTest ? drawTestMark(boxes.test) : '',
    ].join('')
  }

  return {
    /** Draws a card with the lines for cutting and folding. */
    drawCard(card: Card, x: number, y: number): string {
      const { width, height, isFolded } = layout
      const front = drawFace(card)
      const placed = `q ${formatAll(1, 0, 0, 1, x, y)} cm\n${drawOutline(layout)}`
      if (!isFolded) return `${placed}${front}Q\n`
      const fold = `q 0.6 G 0.1 w [2 2] 0 d 0 ${format(height)} m ${formatAll(width, height)} l S Q\n`
      const turned = `q ${formatAll(-1, 0, 0, -1, width, height)} cm\n${front}Q\n`
      return `${placed}${fold}${turned}q ${formatAll(1, 0, 0, 1, 0, height)} cm\n${front}Q Q\n`
    },

    /** Draws the notes at the foot of the page or, on a separate page, at its head. Call it after all cards. */
    drawNotes(isAlone: boolean): string {
      const points = isAlone ? 11 : 7
      const height = (points * 1.3) / millimetre
      const notes = listNotes(content, lacksText())
      const top = isAlone ? 20 : paper.height - 4 - notes.length * height
      return notes
        .map((note, index) => {
          const role = 'text' as const
          const box = { left: 8, top: top + index * height, width: paper.width - 16, height, points, role }
          return drawCentred(note, box, box.top + height / 2 + (capitalHeight * points) / 2 / millimetre)
        })
        .join('')
    },

    addFonts: fonts.fonts,
  }
}

/** Renders a sheet as a PDF. Symbols are vector graphics. The only image is the logo. */
export async function renderSheetPdf(
  content: SheetContent,
  readPacks: ReadPacks,
  logo?: PdfLogo,
): Promise<Uint8Array<ArrayBuffer>> {
  const sheet = placeLayout(content.layout, content.format, {
    hasLogo: logo !== undefined,
    hasArea: showsArea(content),
  })
  const { layout, paper, margin } = sheet
  const { columns, pitch } = layout
  const painter = createPainter(content, sheet, await readPacks(listTexts(content)), logo)
  const drawPage = (cards: readonly (Card | undefined)[]) =>
    cards
      .map((card, index) =>
        card === undefined
          ? ''
          : painter.drawCard(
              card,
              margin.left + (index % columns) * pitch.x,
              margin.top + Math.floor(index / columns) * pitch.y,
            ),
      )
      .join('')
  const pages: string[] = []
  for (const cards of toPages(content.cards, layout, content.skip)) {
    // A page has up to 30 cards.
    if (pages.length > 0) await letOthersRun()
    pages.push(drawPage(cards))
  }
  const hasRoom = hasRoomForNotes(sheet, content.cards)
  const notes = painter.drawNotes(!hasRoom)
  const [first = '', ...rest] = pages
  const isSeparate = notes !== '' && !hasRoom && content.cards.length > 0
  const drawn = isSeparate ? [notes, ...pages] : [first + notes, ...rest]
  const toMillimetres = `${millimetre.toFixed(6)} 0 0 ${(-millimetre).toFixed(6)} 0 ${format(paper.height * millimetre)} cm\n`
  const pdf = createPdf()
  const fonts = Object.entries(await painter.addFonts(pdf.add)).map(([name, reference]) => `/${name} ${reference}`)
  const images = logo ? ` /XObject << /${logoName} ${logo.addTo(pdf.add)} >>` : ''
  const toPoints = (length: number) => Number((length * millimetre).toFixed(2))
  return pdf.finish(
    drawn.map((page) => toMillimetres + page),
    {
      width: toPoints(paper.width),
      height: toPoints(paper.height),
      resources: `<< /Font << ${fonts.join(' ')} >>${images} >>`,
      title: `${content.messages.sheet}: ${content.venue}`,
    },
  )
}
