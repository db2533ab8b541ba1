/** Paper, in millimetres. */
const formats = {
  a4: { width: 210, height: 297, name: 'A4' },
  letter: { width: 215.9, height: 279.4, name: 'Letter' },
} as const
export type PaperFormat = keyof typeof formats

/** An area of a card, in millimetres from its upper left corner. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** An area for centred text, with its largest font size in points. */
export interface TextBox extends Box {
  points: number
}

/** Layout of one kind of card, in millimetres. */
export interface Layout {
  isLandscape: boolean
  columns: number
  rows: number
  /** Size of a card, or of each face of a tent. */
  width: number
  height: number
  /** Distance between the left edges of two cards in a row, and between the upper edges of two in a column. */
  pitch: { x: number; y: number }
  /** How cards are separated: by a line to cut along, by a circle, or not at all if the stock is already cut. */
  cut: 'line' | 'circle' | 'none'
  /** A tent has its face twice, the upper one upside down, and is folded between them. */
  isFolded: boolean
  /** The symbol with its quiet zone. It is a square. */
  symbol: { left: number; top: number; size: number }
  /** Area of the logo. The logo keeps its aspect ratio and is centred. */
  logo: Box
  /** The NFC mark. It is 1.5 times as high as wide. */
  mark: { left: number; top: number; width: number }
  /** The black band of a test tag. */
  test: TextBox
  label: TextBox
  /** Call to action. */
  scan: TextBox
  address: TextBox
  code: TextBox
  venue: TextBox
}

/** Creates text boxes of one column. */
const column =
  (left: number, width: number) =>
  (top: number, height: number, points: number): TextBox => ({ left, top, width, height, points })

const inch = 25.4

function createStickers(): Layout {
  const text = column(4, 52)
  return {
    ...{ isLandscape: false, columns: 3, rows: 4, width: 60, height: 61, pitch: { x: 63, y: 64 } },
    ...{ cut: 'line', isFolded: false },
    symbol: { left: 12.5, top: 9.8, size: 35 },
    ...{ logo: { left: 2.5, top: 21.5, width: 9, height: 11 }, mark: { left: 50, top: 22.5, width: 6 } },
    test: column(0, 60)(0, 4.5, 9),
    label: text(4.6, 5.4, 13),
    scan: text(44.8, 4, 9),
    address: text(48.8, 2.6, 6.5),
    code: text(51.4, 3, 7.5),
    venue: text(54.4, 3, 7.5),
  }
}

/** Half as wide as the paper, folded across its middle: a sheet makes two tents. */
function createTents(paper: { width: number; height: number }): Layout {
  const [width, height] = [paper.width / 2, paper.height / 2]
  const text = column(4, width - 8)
  return {
    ...{ isLandscape: false, columns: 2, rows: 1, width, height, pitch: { x: width, y: 2 * height } },
    ...{ cut: 'line', isFolded: true },
    symbol: { left: (width - 74) / 2, top: 24, size: 74 },
    logo: { left: (width - 40) / 2, top: 133, width: 40, height: Math.min(10, height - 135) },
    mark: { left: width - 14, top: 54, width: 10 },
    test: column(0, width)(0, 9, 18),
    venue: text(12, 9, 16),
    label: text(98, 13, 28),
    scan: text(111, 8, 15),
    address: text(121, 5, 9),
    code: text(126, 6, 11),
  }
}

/** A tent whose faces are A6 in landscape, folded across its middle: an A4 sheet in landscape makes two. */
function createA6Tents(): Layout {
  const text = column(92, 50)
  return {
    ...{ isLandscape: true, columns: 2, rows: 1, width: 148, height: 105, pitch: { x: 148, y: 210 } },
    ...{ cut: 'line', isFolded: true },
    symbol: { left: 6, top: 11, size: 86 },
    ...{ logo: { left: 97, top: 62.5, width: 40, height: 10 }, mark: { left: 113.5, top: 90, width: 7 } },
    test: column(0, 148)(0, 8, 16),
    venue: text(13, 7, 13),
    label: text(22, 18, 34),
    scan: text(42, 20, 18),
    address: text(73, 4.5, 9),
    code: text(78, 5, 10),
  }
}

/** Posters of A5 in portrait: an A4 sheet in landscape makes two. */
function createA5Posters(): Layout {
  const text = column(10, 128)
  return {
    ...{ isLandscape: true, columns: 2, rows: 1, width: 148, height: 210, pitch: { x: 148, y: 210 } },
    ...{ cut: 'line', isFolded: false },
    symbol: { left: 22, top: 57, size: 104 },
    ...{ logo: { left: 44, top: 198.5, width: 60, height: 9 }, mark: { left: 129, top: 100, width: 12 } },
    test: column(0, 148)(0, 10, 20),
    venue: text(13, 11, 20),
    scan: text(26, 28, 32),
    label: text(162, 18, 36),
    address: text(185, 6, 12),
    code: text(191, 7, 14),
  }
}

/** Avery 5160 and its family: 2 5/8 × 1 in, 30 on a Letter sheet. Margins 3/16 and 1/2 in, pitch 2 3/4 × 1 in. */
function createAvery5160(_paper: object, hasLogo: boolean): Layout {
  const text = column(25.4, hasLogo ? 30 : 39)
  const beside = column(25.4, 34)
  return {
    ...{ isLandscape: false, columns: 3, rows: 10, width: 2.625 * inch, height: inch },
    ...{ pitch: { x: 2.75 * inch, y: inch }, cut: 'none', isFolded: false },
    symbol: { left: 1.2, top: 1.2, size: 23 },
    ...{ logo: { left: 56.4, top: 4.4, width: 8.6, height: 9 }, mark: { left: 60.2, top: 15, width: 4.4 } },
    test: column(25.4, 39)(1.2, 3, 7),
    label: text(4.4, 5.4, 14),
    scan: text(9.8, 3.8, 8.5),
    address: beside(14.2, 2.6, 6.5),
    code: beside(16.8, 3, 7.5),
    venue: beside(20.4, 3.2, 7),
  }
}

/** Avery L7160 and its family: 63.5 × 38.1 mm, 21 on an A4 sheet. Margins 7.21 and 15.15 mm, pitch 66.04 × 38.1 mm. */
function createAveryL7160(): Layout {
  const text = column(32.8, 28.7)
  return {
    ...{ isLandscape: false, columns: 3, rows: 7, width: 63.5, height: 38.1 },
    ...{ pitch: { x: 66.04, y: 38.1 }, cut: 'none', isFolded: false },
    symbol: { left: 2, top: 3.8, size: 30.5 },
    ...{ logo: { left: 33.5, top: 28.8, width: 10.5, height: 7 }, mark: { left: 45, top: 28.6, width: 4.6 } },
    test: text(2, 3.6, 8),
    label: text(6, 6.4, 16),
    scan: text(12.4, 6.4, 8),
    address: text(19.2, 2.8, 6.5),
    code: text(22, 3, 6.5),
    venue: text(25.2, 3.2, 7),
  }
}

/** Avery 22806 and its family: 2 × 2 in, 12 on a Letter sheet. Margins 5/8 in, pitch 2 5/8 × 2 7/12 in. */
function createAvery22806(): Layout {
  const text = column(2.5, 45.8)
  return {
    ...{ isLandscape: false, columns: 3, rows: 4, width: 2 * inch, height: 2 * inch },
    ...{ pitch: { x: 2.625 * inch, y: (31 / 12) * inch }, cut: 'none', isFolded: false },
    symbol: { left: 10.65, top: 8.4, size: 29.5 },
    ...{ logo: { left: 2.2, top: 17, width: 7.8, height: 11 }, mark: { left: 42.4, top: 19, width: 5 } },
    test: text(1.4, 3, 7),
    label: text(4, 5, 12),
    scan: text(37.7, 3.4, 7.5),
    address: text(41.1, 2.3, 6),
    code: text(43.4, 2.6, 6.5),
    venue: text(46, 2.8, 6.5),
  }
}

/** Round cards of 50 mm to cut or punch out: 15 on A4, 12 on Letter. The lines of text are within the circle. */
function createRound50(paper: { width: number; height: number }): Layout {
  const text = (top: number, height: number, points: number, width: number) =>
    column(25 - width / 2, width)(top, height, points)
  return {
    ...{ isLandscape: false, columns: 3, rows: paper.height > 290 ? 5 : 4, width: 50, height: 50 },
    ...{ pitch: { x: 58, y: 55 }, cut: 'circle', isFolded: false },
    symbol: { left: 12, top: 10.6, size: 26 },
    ...{ logo: { left: 3.4, top: 18.5, width: 8, height: 9 }, mark: { left: 40.4, top: 19, width: 5 } },
    test: text(1.4, 3, 6, 17),
    label: text(5.2, 5.4, 13, 27),
    scan: text(36.5, 3.2, 7, 36),
    code: text(39.7, 2.6, 6, 30),
    address: text(42.3, 2.3, 5.5, 24),
    venue: text(44.6, 2.3, 5.5, 18),
  }
}

type Create = (paper: { width: number; height: number }, hasLogo: boolean) => Layout

/** The layouts, and the paper formats of each: the first is its default. */
const definitions = {
  stickers: { formats: ['a4', 'letter'], create: createStickers },
  tents: { formats: ['a4', 'letter'], create: createTents },
  'avery-5160': { formats: ['letter'], create: createAvery5160 },
  'avery-l7160': { formats: ['a4'], create: createAveryL7160 },
  'avery-22806': { formats: ['letter'], create: createAvery22806 },
  'a6-tents': { formats: ['a4'], create: createA6Tents },
  'a5-posters': { formats: ['a4'], create: createA5Posters },
  'round-50': { formats: ['a4', 'letter'], create: createRound50 },
} as const satisfies Record<string, { formats: readonly [PaperFormat, ...PaperFormat[]]; create: Create }>
export type LayoutName = keyof typeof definitions

const isLayoutName = (name: string): name is LayoutName => Object.hasOwn(definitions, name)
export const layoutNames = Object.keys(definitions).filter(isLayoutName)

/** The paper formats of a layout. The first is its default. */
export const getFormats = (name: LayoutName): readonly PaperFormat[] => definitions[name].formats
export const getDefaultFormat = (name: LayoutName): PaperFormat => definitions[name].formats[0]

/** A layout on paper, and where its first card is. */
export interface Sheet {
  layout: Layout
  /** Size of the paper as it is printed. */
  paper: { width: number; height: number; name: string }
  /** Distance of the first card from the left and the upper edge, which is as wide as the opposite margin. */
  margin: { left: number; top: number }
}

/** Places the cards of a layout, with room for a logo or without, in the middle of the paper. */
export function placeLayout(name: LayoutName, format: PaperFormat, hasLogo = false): Sheet {
  const { width, height, name: size } = formats[format]
  const layout = definitions[name].create(formats[format], hasLogo)
  const paper = layout.isLandscape ? { width: height, height: width, name: size } : { width, height, name: size }
  const { columns, rows, pitch } = layout
  const cardHeight = layout.isFolded ? 2 * layout.height : layout.height
  const margin = {
    left: (paper.width - (columns - 1) * pitch.x - layout.width) / 2,
    top: (paper.height - (rows - 1) * pitch.y - cardHeight) / 2,
  }
  return { layout, paper, margin }
}
