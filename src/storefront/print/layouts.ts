import {
  createA5Posters,
  createA6Tents,
  createAvery5160,
  createAvery22806,
  createAveryL7160,
  createRound50,
  createStickers,
  createTents,
  type Layout,
  type Shown,
} from './look/geometry.ts'

/** Paper, in millimetres. */
const formats = {
  a4: { width: 210, height: 297, name: 'A4' },
  letter: { width: 215.9, height: 279.4, name: 'Letter' },
} as const
export type PaperFormat = keyof typeof formats

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
} as const satisfies Record<
  string,
  { formats: readonly [PaperFormat, ...PaperFormat[]]; create: (shown: Shown) => Layout }
>
export type LayoutName = keyof typeof definitions

const isLayoutName = (name: string): name is LayoutName => Object.hasOwn(definitions, name)
export const layoutNames = Object.keys(definitions).filter(isLayoutName)

/** The paper formats of a layout. The first is its default. */
export const getFormats = (name: LayoutName): readonly PaperFormat[] => definitions[name].formats
/** The paper format of a layout for which a request names none. */
export const getDefaultFormat = (name: LayoutName): PaperFormat => definitions[name].formats[0]

/** A layout on paper, and where its first card is. */
export interface Sheet {
  layout: Layout
  /** Size of the paper as it is printed. */
  paper: { width: number; height: number; name: string }
  /** Distance of the first card from the left and the upper edge, which is as wide as the opposite margin. */
  margin: { left: number; top: number }
}

/** Places the cards of a layout, with room for a logo and for parts of the venue or without, in the middle of the paper. */
export function placeLayout(
  name: LayoutName,
  format: PaperFormat,
  { hasLogo = false, hasArea = false }: Partial<Shown> = {},
): Sheet {
  const { width, height, name: size } = formats[format]
  const layout = definitions[name].create({ paper: formats[format], hasLogo, hasArea })
  const paper = layout.isLandscape ? { width: height, height: width, name: size } : { width, height, name: size }
  const { columns, rows, pitch } = layout
  const cardHeight = layout.isFolded ? 2 * layout.height : layout.height
  const margin = {
    left: (paper.width - (columns - 1) * pitch.x - layout.width) / 2,
    top: (paper.height - (rows - 1) * pitch.y - cardHeight) / 2,
  }
  return { layout, paper, margin }
}
