import { type Matrix, quietZone } from '../qr/symbol.ts'
import {
  type Card,
  formats,
  type Layout,
  layouts,
  type Sheet,
  safeMargin,
  toCardLabel,
  toPages,
  waves,
} from './layout.ts'
import { createPdf } from './pdf.ts'
import { createPdfFonts, type Line, toPrintable } from './pdf-fonts.ts'

/** Points in a millimetre. */
const millimetre = 72 / 25.4
const format = (value: number) => String(Number(value.toFixed(2)))
const formatAll = (...values: readonly number[]) => values.map(format).join(' ')

/** Draws a symbol in modules: its rows as rectangles of one path, so that there are no seams. */
function drawModules(matrix: Matrix): string {
  let path = ''
  for (const [y, row] of matrix.entries()) {
    for (let x = 0; x < row.length; x++) {
      const from = x
      while (row[x]) x++
      if (x > from) path += `${from} ${y} ${x - from} 1 re\n`
    }
  }
  return `${path}f\n`
}

const ellipsis = '…'

/** Draws the cards of one file. Lengths are in millimetres; y grows downwards. */
function createPainter(sheet: Sheet, layout: Layout) {
  const texts = [sheet.venue, ...sheet.cards.map(({ entries }) => toCardLabel(entries))]
  const fonts = createPdfFonts(texts)
  let isIncomplete = false

  /** Sets a text; undefined if a character cannot be set. */
  function setLine(text: string): Line | undefined {
    const set = fonts.set(text)
    if (!set) isIncomplete = true
    return set
  }

  /** The part of a label that can be set. Values are more important than keys: "4" still identifies a table. */
  function toLabel(entries: Card['entries']): string {
    const kept = entries.flatMap(({ key, value }) => {
      const whole = toPrintable(`${key} ${value}`)
      return [whole, toPrintable(value)].find((text) => text !== '' && setLine(text) !== undefined) ?? []
    })
    return kept.join(' · ')
  }

  function drawLine({ runs }: Line, x: number, y: number, size: number): string {
    const operators = runs.map(({ font, hex }) => `/${font} ${format(size)} Tf <${hex}> Tj`)
    return `BT 1 0 0 -1 ${formatAll(x, y)} Tm ${operators.join(' ')} ET\n`
  }

  /** Draws a text in the middle of a band. It is reduced to half its size at most, then shortened, until it fits. */
  function drawCentred(
    text: string,
    { top, height, points }: Layout['label'],
    width = layout.width - 2 * safeMargin,
  ): string {
    const full = points / millimetre
    const getFontSize = (set: Line) => Math.min(full, (1000 * width) / Math.max(set.width, 1))
    const fitting = (set: Line | undefined): set is Line => set !== undefined && getFontSize(set) >= full / 2
    let set = setLine(text)
    const characters = [...toPrintable(text)]
    while (set && !fitting(set)) {
      characters.length -= 1
      set = fonts.set(characters.join('').trimEnd() + ellipsis)
    }
    if (!set || set.runs.length === 0) return ''
    const size = getFontSize(set)
    // Capitals are 0.72 of the font size high.
    return drawLine(set, (layout.width - (set.width * size) / 1000) / 2, top + height / 2 + 0.36 * size, size)
  }

  const drawNfcMark = (x: number, y: number) => {
    const scale = layout.mark / 20
    const arcs = waves.map(({ from, by, to }) => `${formatAll(...from)} m ${formatAll(...by, ...to)} c S`)
    const word = fonts.set('NFC')
    const text = word ? drawLine(word, 10 - (word.width * 8) / 2000, 29, 8) : ''
    return `q ${formatAll(scale, 0, 0, scale, x, y)} cm 2 w 1 J ${arcs.join(' ')}\n${text}Q\n`
  }

  function drawFace(card: Card): string {
    const { width, symbol, mark } = layout
    const scale = symbol.size / (card.matrix.length + 2 * quietZone)
    const left = (width - symbol.size) / 2
    const test = `0 0 ${formatAll(width, layout.test.height)} re f 1 g\n${drawCentred('TEST', layout.test)}0 g\n`
    return [
      card.isTest ? test : '',
      `q ${scale.toFixed(4)} 0 0 ${scale.toFixed(4)} ${formatAll(left + quietZone * scale, symbol.top + quietZone * scale)} cm\n`,
      drawModules(card.matrix),
      'Q\n',
      drawCentred(toLabel(card.entries), layout.label),
      drawCentred(card.code, layout.code),
      drawCentred(sheet.venue, layout.venue),
      card.hasNfc ? drawNfcMark(left + symbol.size + (left - mark) / 2, symbol.top + symbol.size / 2 - 0.7 * mark) : '',
    ].join('')
  }

  /** Draws a card with the lines for cutting and folding. */
  function drawCard(content: Card, x: number, y: number): string {
    const { width, height, isFolded } = layout
    const front = drawFace(content)
    const edge = `q 0.6 G 0.1 w 0 0 ${formatAll(width, isFolded ? 2 * height : height)} re S\n`
    if (!isFolded) return `q ${formatAll(1, 0, 0, 1, x, y)} cm\n${edge}Q\n${front}Q\n`
    const fold = `[2 2] 0 d 0 ${format(height)} m ${formatAll(width, height)} l S Q\n`
    const turned = `q ${formatAll(-1, 0, 0, -1, width, height)} cm\n${front}Q\n`
    return `q ${formatAll(1, 0, 0, 1, x, y)} cm\n${edge}${fold}${turned}q ${formatAll(1, 0, 0, 1, 0, height)} cm\n${front}Q Q\n`
  }

  /** Notice outside the cards that text is missing. */
  const drawNote = (height: number) => {
    const set = fonts.set('Some text needs a font that this PDF cannot name. The HTML sheet prints it.')
    return isIncomplete && set ? drawLine(set, 12, height - 6, 2.4) : ''
  }

  return { drawCard, drawNote, addFonts: fonts.fonts }
}

/** Renders a sheet as a PDF without fonts and images: symbols are vector graphics. */
export async function renderSheetPdf(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const paper = formats[sheet.format]
  const layout = layouts[sheet.layout](sheet.format)
  const painter = createPainter(sheet, layout)
  const across = layout.columns * (layout.width + layout.gap) - layout.gap
  const down = layout.isFolded ? 2 * layout.height : layout.rows * (layout.height + layout.gap) - layout.gap
  const [left, top] = [(paper.width - across) / 2, (paper.height - down) / 2]

  const pages = toPages(sheet.cards, layout).map((cards) => {
    const drawn = cards.map((card, index) => {
      const [column, row] = [index % layout.columns, Math.floor(index / layout.columns)]
      return painter.drawCard(
        card,
        left + column * (layout.width + layout.gap),
        top + row * (layout.height + layout.gap),
      )
    })
    const toMillimetres = `${millimetre.toFixed(6)} 0 0 ${(-millimetre).toFixed(6)} 0 ${format(paper.height * millimetre)} cm\n`
    return toMillimetres + drawn.join('') + painter.drawNote(paper.height)
  })
  const pdf = createPdf()
  const fonts = Object.entries(painter.addFonts(pdf.add)).map(([name, reference]) => `/${name} ${reference}`)
  return pdf.finish(pages, {
    width: Number(format(paper.width * millimetre)),
    height: Number(format(paper.height * millimetre)),
    resources: `<< /Font << ${fonts.join(' ')} >> >>`,
    title: `QR codes: ${sheet.venue}`,
  })
}
