import type { PublicMenuEntry, PublicProduct, PublicSection } from './public-menu.ts'

/** Most bytes of a hosted menu's page and of its data; what does not fit follows behind a link. */
export const maxPageBytes = 1024 * 1024
export const maxDataBytes = 2 * 1024 * 1024
/** What of them is left to everything but menus: the frame of the page, its style sheet, the venue and the tag. */
export const reservedBytes = 128 * 1024

const utf8 = new TextEncoder()
export const bytesOf = (text: string) => utf8.encode(text).byteLength

/** What is made of a product, and what that weighs. `accept` is called when it is taken. */
export interface Made<Piece> {
  piece: Piece
  bytes: number
  accept?: () => void
}

/** How the parts of a menu are made. `isStart` is false where a part before this one has shown the beginning. */
export interface Form<Piece> {
  menuBytes: (menu: PublicMenuEntry, isStart: boolean) => number
  sectionBytes: (section: PublicSection, isStart: boolean) => number
  /** `isFirst`: it is taken in any case, so it has to be made to fit. */
  make: (product: PublicProduct, bytesLeft: number, isFirst: boolean) => Made<Piece>
}

export interface SectionPart<Piece> {
  section: PublicSection
  index: number
  isStart: boolean
  pieces: Piece[]
}
export interface MenuPart<Piece> {
  menu: PublicMenuEntry
  index: number
  isStart: boolean
  sections: SectionPart<Piece>[]
}
export interface Part<Piece> {
  menus: MenuPart<Piece>[]
  /** Where the next part begins; absent where this is the last. */
  nextFrom: number | undefined
}

const lengthOf = ({ sections }: PublicMenuEntry) => sections.reduce((sum, { products }) => sum + 1 + products.length, 1)

/** How many places there are. */
export const placesIn = (menus: readonly PublicMenuEntry[]) => menus.reduce((sum, menu) => sum + lengthOf(menu), 0)

/**
 * As much of some menus as fits into a budget, from a place on. Menus, sections and products are counted as they stand on the page:
 * each has one place.
 */
export function takePart<Piece>(
  menus: readonly PublicMenuEntry[],
  from: number,
  maxBytes: number,
  { menuBytes, sectionBytes, make }: Form<Piece>,
): Part<Piece> {
  const taken: MenuPart<Piece>[] = []
  let place = 0
  let bytesLeft = maxBytes
  /** Whether there is nothing yet but the headings of what an earlier part has begun. */
  let isEmpty = true
  const fits = (bytes: number) => isEmpty || bytes <= bytesLeft
  for (const [index, menu] of menus.entries()) {
    const end = place + lengthOf(menu)
    if (end <= from) {
      place = end
      continue
    }
    const isStart = place >= from
    const headBytes = menuBytes(menu, isStart)
    if (!fits(headBytes)) return { menus: taken, nextFrom: place }
    bytesLeft -= headBytes
    const sections: SectionPart<Piece>[] = []
    taken.push({ menu, index, isStart, sections })
    isEmpty &&= !isStart
    place++
    for (const [index, section] of menu.sections.entries()) {
      const end = place + 1 + section.products.length
      if (end <= from) {
        place = end
        continue
      }
      const isStart = place >= from
      const headBytes = sectionBytes(section, isStart)
      if (!fits(headBytes)) return { menus: taken, nextFrom: place }
      bytesLeft -= headBytes
      const pieces: Piece[] = []
      sections.push({ section, index, isStart, pieces })
      isEmpty &&= !isStart
      place++
      for (const product of section.products) {
        if (place >= from) {
          const { piece, bytes, accept } = make(product, bytesLeft, isEmpty)
          if (!fits(bytes)) return { menus: taken, nextFrom: place }
          bytesLeft -= bytes
          pieces.push(piece)
          accept?.()
          isEmpty = false
        }
        place++
      }
    }
  }
  return { menus: taken, nextFrom: undefined }
}
