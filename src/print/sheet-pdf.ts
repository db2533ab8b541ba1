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
import { createPdfFonts, isPrintable, type Line } from './pdf-fonts.ts'

const millimetre = 72 / 25.4
const round = (value: number) => String(Number(value.toFixed(2)))
const numbers = (...values: readonly number[]) => values.map(round).join(' ')

/** A symbol in modules: its rows as rectangles, all of one path, so that nothing shows between them. */
function modules(matrix: Matrix): string {
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

/** Draws the cards of one file. Lengths are millimetres, and y grows downwards. */
function createPainter(sheet: Sheet, layout: Layout) {
  const texts = [sheet.venue, ...sheet.cards.map(({ entries }) => toCardLabel(entries))]
  const lettering = createPdfFonts(texts)
  let omits = false

  /** A text, or nothing where it cannot be set. */
  function line(text: string): Line | undefined {
    const set = lettering.set(text)
    if (!set) omits = true
    return set
  }

  /** Sets a label from what can be set of it: keys are given up before values, since "4" still says where. */
  function label(entries: Card['entries']): string {
    const kept = entries.flatMap(({ key, value }) => {
      const whole = isPrintable(`${key} ${value}`)
      return [whole, isPrintable(value)].find((text) => text !== '' && line(text) !== undefined) ?? []
    })
    return kept.join(' · ')
  }

  function show({ runs }: Line, x: number, y: number, size: number): string {
    const shown = runs.map(({ font, hex }) => `/${font} ${round(size)} Tf <${hex}> Tj`)
    return `BT 1 0 0 -1 ${numbers(x, y)} Tm ${shown.join(' ')} ET\n`
  }

  /** A text in the middle of a band, made smaller down to half its size, and then shorter, until it fits. */
  function centred(
    text: string,
    { top, height, points }: Layout['label'],
    width = layout.width - 2 * safeMargin,
  ): string {
    const full = points / millimetre
    const getFontSize = (set: Line) => Math.min(full, (1000 * width) / Math.max(set.width, 1))
    const fitting = (set: Line | undefined): set is Line => set !== undefined && getFontSize(set) >= full / 2
    let set = line(text)
    const characters = [...isPrintable(text)]
    while (set && !fitting(set)) {
      characters.length -= 1
      set = lettering.set(characters.join('').trimEnd() + ellipsis)
    }
    if (!set || set.runs.length === 0) return ''
    const size = getFontSize(set)
    // Capitals are 0.72 of the size high.
    return show(set, (layout.width - (set.width * size) / 1000) / 2, top + height / 2 + 0.36 * size, size)
  }

  const nfcMark = (x: number, y: number) => {
    const scale = layout.mark / 20
    const arcs = waves.map(({ from, by, to }) => `${numbers(...from)} m ${numbers(...by, ...to)} c S`)
    const word = lettering.set('NFC')
    const text = word ? show(word, 10 - (word.width * 8) / 2000, 29, 8) : ''
    return `q ${numbers(scale, 0, 0, scale, x, y)} cm 2 w 1 J ${arcs.join(' ')}\n${text}Q\n`
  }

  function face(card: Card): string {
    const { width, symbol, mark } = layout
    const scale = symbol.size / (card.matrix.length + 2 * quietZone)
    const left = (width - symbol.size) / 2
    const test = `0 0 ${numbers(width, layout.test.height)} re f 1 g\n${centred('TEST', layout.test)}0 g\n`
    return [
      card.isTest ? test : '',
      `q ${scale.toFixed(4)} 0 0 ${scale.toFixed(4)} ${numbers(left + quietZone * scale, symbol.top + quietZone * scale)} cm\n`,
      modules(card.matrix),
      'Q\n',
      centred(label(card.entries), layout.label),
      centred(card.code, layout.code),
      centred(sheet.venue, layout.venue),
      card.hasNfc ? nfcMark(left + symbol.size + (left - mark) / 2, symbol.top + symbol.size / 2 - 0.7 * mark) : '',
    ].join('')
  }

  /** A card with its edges, where it is to be cut, and where it is to be folded. */
  function card(content: Card, x: number, y: number): string {
    const { width, height, isFolded } = layout
    const front = face(content)
    const edge = `q 0.6 G 0.1 w 0 0 ${numbers(width, isFolded ? 2 * height : height)} re S\n`
    if (!isFolded) return `q ${numbers(1, 0, 0, 1, x, y)} cm\n${edge}Q\n${front}Q\n`
    const fold = `[2 2] 0 d 0 ${round(height)} m ${numbers(width, height)} l S Q\n`
    const turned = `q ${numbers(-1, 0, 0, -1, width, height)} cm\n${front}Q\n`
    return `q ${numbers(1, 0, 0, 1, x, y)} cm\n${edge}${fold}${turned}q ${numbers(1, 0, 0, 1, 0, height)} cm\n${front}Q Q\n`
  }

  /** Tells whoever prints that something is missing, where no card is. */
  const note = (height: number) => {
    const set = lettering.set(
      'Some words need a font that a PDF without fonts cannot name. The HTML sheet prints them.',
    )
    return omits && set ? show(set, 12, height - 6, 2.4) : ''
  }

  return { card, note, fonts: lettering.fonts }
}

/** The cards as a PDF that holds no fonts and no pictures: symbols are drawn, and sharp at any size. */
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
      return painter.card(card, left + column * (layout.width + layout.gap), top + row * (layout.height + layout.gap))
    })
    const toMillimetres = `${millimetre.toFixed(6)} 0 0 ${(-millimetre).toFixed(6)} 0 ${round(paper.height * millimetre)} cm\n`
    return toMillimetres + drawn.join('') + painter.note(paper.height)
  })
  const pdf = createPdf()
  const fonts = Object.entries(painter.fonts(pdf.add)).map(([name, reference]) => `/${name} ${reference}`)
  return pdf.finish(pages, {
    width: Number(round(paper.width * millimetre)),
    height: Number(round(paper.height * millimetre)),
    resources: `<< /Font << ${fonts.join(' ')} >> >>`,
    title: `QR codes: ${sheet.venue}`,
  })
}
