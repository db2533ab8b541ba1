import type { TypeRole } from './paper-font.ts'

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
  role: TypeRole
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
  /** Whether the logo takes the place of the venue's name. */
  logoIsName: boolean
  /** The NFC mark. It is 1.5 times as high as wide. */
  mark: { left: number; top: number; width: number }
  /** The area in the venue's color. It has the name of the table (`label`) and its part of the venue (`area`). */
  plate: Box
  /** The black band of a test tag. */
  test: TextBox
  label: TextBox
  area: TextBox
  /** Call to action. */
  scan: TextBox
  address: TextBox
  code: TextBox
  venue: TextBox
}

/** The paper of a layout, and the parts of its cards. */
export interface Shown {
  paper: { width: number; height: number }
  hasLogo: boolean
  hasArea: boolean
}
type Create = (shown: Shown) => Layout

const column =
  (left: number, width: number) =>
  (top: number, height: number, points: number, role: TypeRole = 'text'): TextBox => ({
    ...{ left, top, width, height, points, role },
  })

/** The plate and the texts on it: the name of the table, and below it the part of the venue if the cards have one. */
function createPlate(plate: Box, points: number, hasArea: boolean) {
  const inset = Math.min(plate.width * 0.04, 5)
  const on = column(plate.left + inset, plate.width - 2 * inset)
  const { top, height } = plate
  return {
    plate,
    label: hasArea
      ? on(top + height * 0.09, height * 0.54, points * 0.74, 'display')
      : on(top + height * 0.08, height * 0.84, points, 'display'),
    area: on(top + height * 0.63, height * 0.28, points * 0.38),
  }
}

const inch = 25.4

export const createStickers: Create = ({ hasArea }) => {
  const text = column(4, 52)
  return {
    ...{ isLandscape: false, columns: 3, rows: 4, width: 60, height: 61, pitch: { x: 63, y: 64 } },
    ...{ cut: 'line', isFolded: false },
    symbol: { left: 13, top: 13.8, size: 34 },
    ...{
      logo: { left: 15, top: 55.7, width: 30, height: 4.2 },
      logoIsName: true,
      mark: { left: 50.5, top: 27.5, width: 5.4 },
    },
    ...createPlate({ left: 3.6, top: 3.6, width: 52.8, height: 12 }, 22, hasArea),
    test: column(0, 60)(57, 4, 8),
    scan: text(47.3, 3.6, 9),
    address: text(51.2, 2.1, 5.6),
    code: text(53.2, 2.3, 6),
    venue: text(56, 3, 7, 'display'),
  }
}

/** Half as wide as the paper, folded across its middle: a sheet makes two tents. */
export const createTents: Create = ({ paper, hasArea }) => {
  const [width, height] = [paper.width / 2, paper.height / 2]
  const text = column(8, width - 16)
  const size = height - 82
  return {
    ...{ isLandscape: false, columns: 2, rows: 1, width, height, pitch: { x: width, y: 2 * height } },
    ...{ cut: 'line', isFolded: true },
    symbol: { left: (width - size) / 2, top: 29, size },
    logo: { left: (width - 56) / 2, top: 8, width: 56, height: 13.5 },
    logoIsName: true,
    mark: { left: width - 17, top: 23 + size / 2, width: 8 },
    ...createPlate({ left: 8, top: height - 38, width: width - 16, height: 30 }, 54, hasArea),
    test: column(0, width)(height - 7.5, 7.5, 13),
    venue: text(8.5, 13, 25, 'display'),
    scan: text(23, 7, 14),
    address: text(height - 51.4, 4, 8),
    code: text(height - 47.2, 4.6, 9),
  }
}

/** A tent whose faces are A6 in landscape, folded across its middle: an A4 sheet in landscape makes two. */
export const createA6Tents: Create = ({ hasArea }) => {
  const text = column(86, 54)
  const below = column(8, 74)
  return {
    ...{ isLandscape: true, columns: 2, rows: 1, width: 148, height: 105, pitch: { x: 148, y: 210 } },
    ...{ cut: 'line', isFolded: true },
    symbol: { left: 5, top: 7.5, size: 80 },
    ...{
      logo: { left: 88, top: 13, width: 50, height: 16 },
      logoIsName: true,
      mark: { left: 109, top: 89, width: 6.6 },
    },
    ...createPlate({ left: 87, top: 60, width: 52, height: 26 }, 34, hasArea),
    test: column(0, 148)(97, 8, 14),
    venue: text(13, 16, 19, 'display'),
    scan: text(33, 22, 19),
    address: below(86.3, 4.2, 8.5),
    code: below(90.6, 4.6, 9.5),
  }
}

/** Posters of A5 in portrait: an A4 sheet in landscape makes two. */
export const createA5Posters: Create = ({ hasArea }) => {
  const text = column(12, 124)
  return {
    ...{ isLandscape: true, columns: 2, rows: 1, width: 148, height: 210, pitch: { x: 148, y: 210 } },
    ...{ cut: 'line', isFolded: false },
    symbol: { left: 25, top: 54, size: 98 },
    ...{
      logo: { left: 34, top: 13, width: 80, height: 18 },
      logoIsName: true,
      mark: { left: 127, top: 95, width: 10 },
    },
    ...createPlate({ left: 14, top: 167, width: 120, height: 30 }, 52, hasArea),
    test: column(0, 148)(200, 10, 18),
    venue: text(13, 17, 28, 'display'),
    scan: text(34, 20, 24),
    address: text(150.6, 5.4, 11),
    code: text(156.2, 6, 12),
  }
}

/** Avery 5160 and its family: 2 5/8 × 1 in, 30 on a Letter sheet. Margins 3/16 and 1/2 in, pitch 2 3/4 × 1 in. */
export const createAvery5160: Create = ({ hasLogo, hasArea }) => {
  const text = column(25.4, 38.6)
  const beside = column(25.4, hasLogo ? 29.5 : 33)
  return {
    ...{ isLandscape: false, columns: 3, rows: 10, width: 2.625 * inch, height: inch },
    ...{ pitch: { x: 2.75 * inch, y: inch }, cut: 'none', isFolded: false },
    symbol: { left: 1.2, top: 1.2, size: 23 },
    ...{ logo: { left: 55, top: 14.8, width: 9.4, height: 3.6 }, logoIsName: false },
    mark: { left: 58, top: 18.6, width: 3.8 },
    ...createPlate({ left: 25.4, top: 2.4, width: 38.6, height: 8.6 }, 15, hasArea),
    test: text(21.4, 3, 7),
    scan: text(11.2, 3.4, 8),
    address: beside(14.8, 2.4, 5.8),
    code: beside(17.2, 2.8, 6.4),
    venue: beside(20.6, 2.8, 6.4, 'display'),
  }
}

/** Avery L7160 and its family: 63.5 × 38.1 mm, 21 on an A4 sheet. Margins 7.21 and 15.15 mm, pitch 66.04 × 38.1 mm. */
export const createAveryL7160: Create = ({ hasArea }) => {
  const text = column(32.8, 28.2)
  return {
    ...{ isLandscape: false, columns: 3, rows: 7, width: 63.5, height: 38.1 },
    ...{ pitch: { x: 66.04, y: 38.1 }, cut: 'none', isFolded: false },
    symbol: { left: 1.6, top: 3.6, size: 31 },
    ...{
      logo: { left: 33.5, top: 28.4, width: 15, height: 6.4 },
      logoIsName: true,
      mark: { left: 55.4, top: 28, width: 4.6 },
    },
    ...createPlate({ left: 32.8, top: 4, width: 28.2, height: 10.6 }, 17, hasArea),
    test: text(33, 3.2, 7),
    scan: text(15.4, 6, 8),
    address: text(21.8, 2.4, 5.8),
    code: text(24.2, 2.6, 6),
    venue: column(32.8, 20.5)(28.4, 6.2, 7, 'display'),
  }
}

/** Avery 22806 and its family: 2 × 2 in, 12 on a Letter sheet. Margins 5/8 in, pitch 2 5/8 × 2 7/12 in. */
export const createAvery22806: Create = ({ hasArea }) => {
  const text = column(3, 44.8)
  return {
    ...{ isLandscape: false, columns: 3, rows: 4, width: 2 * inch, height: 2 * inch },
    ...{ pitch: { x: 2.625 * inch, y: (31 / 12) * inch }, cut: 'none', isFolded: false },
    symbol: { left: 11.4, top: 11.4, size: 28 },
    ...{
      logo: { left: 13.4, top: 46.5, width: 24, height: 2.9 },
      logoIsName: true,
      mark: { left: 42.4, top: 21.5, width: 4.6 },
    },
    ...createPlate({ left: 3.4, top: 2.8, width: 44, height: 9 }, 16, hasArea),
    test: text(45.8, 3, 7),
    scan: text(39, 3.2, 8),
    address: text(42.2, 2.1, 5.4),
    code: text(44.2, 2.2, 5.6),
    venue: text(46.6, 2.6, 6.2, 'display'),
  }
}

/** Round cards of 50 mm to cut or punch out: 15 on A4, 12 on Letter. The lines of text are within the circle. */
export const createRound50: Create = ({ paper, hasArea }) => {
  const text = (top: number, height: number, points: number, width: number, role: TypeRole = 'text') =>
    column(25 - width / 2, width)(top, height, points, role)
  return {
    ...{ isLandscape: false, columns: 3, rows: paper.height > 290 ? 5 : 4, width: 50, height: 50 },
    ...{ pitch: { x: 58, y: 55 }, cut: 'circle', isFolded: false },
    symbol: { left: 12, top: 10.4, size: 26 },
    ...{
      logo: { left: 4, top: 19, width: 8, height: 9 },
      logoIsName: false,
      mark: { left: 39.6, top: 19.4, width: 4.8 },
    },
    ...createPlate({ left: 12, top: 4.2, width: 26, height: 7.6 }, 13, hasArea),
    test: text(46.2, 2.2, 5.5, 12),
    scan: text(36, 3, 7.4, 36),
    address: text(39.1, 2.1, 5.2, 30),
    code: text(41.1, 2.2, 5.6, 28),
    venue: text(43.5, 2.4, 6, 20, 'display'),
  }
}
