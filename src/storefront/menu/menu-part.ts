import type { PublicProduct, PublicSection, ShownMenu } from './public-menu.ts'

/** Maximum size of a hosted menu's page in bytes. The page links to the rest of the menu. */
export const maxPageBytes = 1024 * 1024
/** Maximum size of the data of a hosted menu in bytes. */
export const maxDataBytes = 2 * 1024 * 1024
/** Bytes reserved for everything but menus: the frame of the page, its style sheet, the venue and the tag. */
export const reservedBytes = 128 * 1024

const utf8 = new TextEncoder()
/** Length of a text in bytes of UTF-8. */
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
  /** `isFirst`: the product is always included, so the renderer must make it fit. */
  render: (product: PublicProduct, bytesLeft: number, isFirst: boolean) => RenderedPiece<Piece>
}

/** The products of a section in a part. */
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
  /** Position of the next part; undefined after the last part. */
  nextFrom: number | undefined
}

const countPositions = ({ sections }: ShownMenu) => sections.reduce((sum, { products }) => sum + 1 + products.length, 1)

/** Start positions of menus, followed by the total number of positions. */
export function listMenuPositions(menus: readonly ShownMenu[]): number[] {
  const positions = [0]
  for (const menu of menus) positions.push((positions.at(-1) ?? 0) + countPositions(menu))
  return positions
}

/** A heading or a product, and the number of positions that it and its contents have. */
type Entry =
  | { kind: 'menu'; menu: ShownMenu; index: number; size: number }
  | { kind: 'section'; section: PublicSection; index: number; size: number }
  | { kind: 'product'; product: PublicProduct; size: 1 }

/** All headings and products in the order of the page. */
function* listEntries(menus: readonly ShownMenu[]): Iterable<Entry> {
  for (const [index, menu] of menus.entries()) {
    yield { kind: 'menu', menu, index, size: countPositions(menu) }
    for (const [index, section] of menu.sections.entries()) {
      yield { kind: 'section', section, index, size: 1 + section.products.length }
      for (const product of section.products) yield { kind: 'product', product, size: 1 }
    }
  }
}

/**
 * Takes the part of menus that fits into a budget, starting at a position. Each menu, section and product has one position, in the order of the page.
 */
export function takePart<Piece>(
  menus: readonly ShownMenu[],
  from: number,
  maxBytes: number,
  { getMenuBytes, getSectionBytes, render }: PartRenderer<Piece>,
): PagePart<Piece> {
  const taken: MenuPart<Piece>[] = []
  let bytesLeft = maxBytes
  /** Whether the part contains only headings that an earlier part has shown. */
  let isEmpty = true
  /** Subtracts bytes from the budget. Returns false if they do not fit. */
  function spend(bytes: number, isStart: boolean): boolean {
    if (!isEmpty && bytes > bytesLeft) return false
    bytesLeft -= bytes
    isEmpty &&= !isStart
    return true
  }
  let next = 0
  for (const entry of listEntries(menus)) {
    const position = next++
    if (position + entry.size <= from) continue
    const isStart = position >= from
    if (entry.kind === 'menu') {
      const { menu, index } = entry
      if (!spend(getMenuBytes(menu, isStart), isStart)) return { menus: taken, nextFrom: position }
      taken.push({ menu, index, isStart, sections: [] })
    } else if (entry.kind === 'section') {
      const { section, index } = entry
      if (!spend(getSectionBytes(section, isStart), isStart)) return { menus: taken, nextFrom: position }
      taken.at(-1)?.sections.push({ section, index, isStart, pieces: [] })
    } else {
      const { piece, bytes, accept } = render(entry.product, bytesLeft, isEmpty)
      if (!spend(bytes, isStart)) return { menus: taken, nextFrom: position }
      taken.at(-1)?.sections.at(-1)?.pieces.push(piece)
      accept?.()
    }
  }
  return { menus: taken, nextFrom: undefined }
}
