import type { PublicProduct, PublicSection, ShownMenu } from './public-menu.ts'

/** Most bytes of a hosted menu's page and of its data. The rest of the menu follows behind a link. */
export const maxPageBytes = 1024 * 1024
export const maxDataBytes = 2 * 1024 * 1024
/** Bytes reserved for everything but menus: the frame of the page, its style sheet, the venue and the tag. */
export const reservedBytes = 128 * 1024

const utf8 = new TextEncoder()
export const getByteLength = (text: string) => utf8.encode(text).byteLength

/** A rendered product and its size. `accept` is called if the product fits. */
export interface RenderedPiece<Piece> {
  piece: Piece
  bytes: number
  accept?: () => void
}

/** Renders a part of a menu. `isStart` is false if an earlier part has shown the heading of the menu or section. */
interface PartRenderer<Piece> {
  getMenuBytes: (menu: ShownMenu, isStart: boolean) => number
  getSectionBytes: (section: PublicSection, isStart: boolean) => number
  /** `isFirst`: the product is always taken, so the renderer makes it fit. */
  render: (product: PublicProduct, bytesLeft: number, isFirst: boolean) => RenderedPiece<Piece>
}

/** The products of a section that are in a part. */
export interface SectionPart<Piece> {
  section: PublicSection
  index: number
  isStart: boolean
  pieces: Piece[]
}
/** The sections of a menu that are in a part. */
export interface MenuPart<Piece> {
  menu: ShownMenu
  index: number
  isStart: boolean
  sections: SectionPart<Piece>[]
}
/** A part of a page of menus. */
export interface PagePart<Piece> {
  menus: MenuPart<Piece>[]
  /** Position of the next part; undefined after the last. */
  nextFrom: number | undefined
}

const countPositions = ({ sections }: ShownMenu) => sections.reduce((sum, { products }) => sum + 1 + products.length, 1)

/** Positions at which some menus begin, and after them the number of all positions. */
export function listMenuPositions(menus: readonly ShownMenu[]): number[] {
  const positions = [0]
  for (const menu of menus) positions.push((positions.at(-1) ?? 0) + countPositions(menu))
  return positions
}

/**
 * Takes as much of some menus as fits into a budget, from a position on. Each menu, section and product has one position, in the order
 * of the page.
 */
export function takePart<Piece>(
  menus: readonly ShownMenu[],
  from: number,
  maxBytes: number,
  { getMenuBytes, getSectionBytes, render }: PartRenderer<Piece>,
): PagePart<Piece> {
  const taken: MenuPart<Piece>[] = []
  let position = 0
  let bytesLeft = maxBytes
  /** Whether the part holds nothing but headings that an earlier part has shown. */
  let isEmpty = true
  const fits = (bytes: number) => isEmpty || bytes <= bytesLeft
  for (const [index, menu] of menus.entries()) {
    const end = position + countPositions(menu)
    if (end <= from) {
      position = end
      continue
    }
    const isStart = position >= from
    const headBytes = getMenuBytes(menu, isStart)
    if (!fits(headBytes)) return { menus: taken, nextFrom: position }
    bytesLeft -= headBytes
    const sections: SectionPart<Piece>[] = []
    taken.push({ menu, index, isStart, sections })
    isEmpty &&= !isStart
    position++
    for (const [index, section] of menu.sections.entries()) {
      const end = position + 1 + section.products.length
      if (end <= from) {
        position = end
        continue
      }
      const isStart = position >= from
      const headBytes = getSectionBytes(section, isStart)
      if (!fits(headBytes)) return { menus: taken, nextFrom: position }
      bytesLeft -= headBytes
      const pieces: Piece[] = []
      sections.push({ section, index, isStart, pieces })
      isEmpty &&= !isStart
      position++
      for (const product of section.products) {
        if (position >= from) {
          const { piece, bytes, accept } = render(product, bytesLeft, isEmpty)
          if (!fits(bytes)) return { menus: taken, nextFrom: position }
          bytesLeft -= bytes
          pieces.push(piece)
          accept?.()
          isEmpty = false
        }
        position++
      }
    }
  }
  return { menus: taken, nextFrom: undefined }
}
