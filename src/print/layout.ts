import { groupCode } from '../lib/tag-code.ts'
import { createSymbol, type Matrix, toSymbolText } from '../qr/symbol.ts'

/** Paper, in millimetres. */
export const formats = {
  a4: { width: 210, height: 297, name: 'A4' },
  letter: { width: 215.9, height: 279.4, name: 'Letter' },
} as const
export type Format = keyof typeof formats

/** A band across a card: position and height in millimetres, font size in points. */
interface Band {
  top: number
  height: number
  points: number
}

/** Layout of one kind of card, in millimetres. */
export interface Layout {
  columns: number
  rows: number
  /** Size of a card, and the gap between two. */
  width: number
  height: number
  gap: number
  /** A tent has its face twice, the upper one upside down, and is folded between them. */
  isFolded: boolean
  test: Band
  label: Band
  code: Band
  venue: Band
  /** Size of the symbol with its quiet zone, and its distance from the upper edge. */
  symbol: { top: number; size: number }
  /** Width of the NFC mark, beside the symbol. */
  mark: number
}

/** Distance of text from the edge of a card, in millimetres: cuts are not exact. */
export const safeMargin = 4

const sticker: Layout = {
  columns: 3,
  rows: 4,
  width: 60,
  height: 61,
  gap: 3,
  isFolded: false,
  test: { top: 0, height: 5, points: 10 },
  label: { top: 5.5, height: 6, points: 12 },
  symbol: { top: 11.5, size: 38 },
  code: { top: 49.5, height: 3.5, points: 8 },
  venue: { top: 53, height: 4, points: 8 },
  mark: 6,
}

/** Half as wide as the paper, folded across its middle: a sheet makes two tents. */
const tent = (format: Format): Layout => ({
  columns: 2,
  rows: 1,
  width: formats[format].width / 2,
  height: formats[format].height / 2,
  gap: 0,
  isFolded: true,
  test: { top: 0, height: 9, points: 18 },
  venue: { top: 14, height: 9, points: 16 },
  symbol: { top: 25, size: 74 },
  label: { top: 101, height: 14, points: 26 },
  code: { top: 117, height: 6, points: 11 },
  mark: 10,
})

export const layouts = { stickers: () => sticker, tents: tent } as const
export type LayoutName = keyof typeof layouts

/** Content of a card. */
export interface Card {
  matrix: Matrix
  /** The code in groups of four letters. */
  code: string
  /** Visible metadata of the tag, in its order. */
  entries: readonly { key: string; value: string }[]
  isTest: boolean
  hasNfc: boolean
}

/** The cards of a sheet, its paper and its layout. */
export interface Sheet {
  venue: string
  cards: readonly Card[]
  format: Format
  layout: LayoutName
}

interface Tag {
  code: string
  metadata: readonly { key: string; value: string; visible: boolean }[]
  testMode: boolean
  nfc: boolean
}

/** Longest text of a card, in characters: more than any card has room for. */
const maxTextLength = 80

/** Truncates a text between grapheme clusters. */
function truncate(text: string, maxCharacters = maxTextLength): string {
  if (text.length <= maxCharacters) return text
  const kept = [...new Intl.Segmenter().segment(text.slice(0, 20 * maxCharacters))].slice(0, maxCharacters)
  return `${kept.map(({ segment }) => segment).join('')}…`
}

const capitalise = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** Label of a card, `Table 4`. Several entries are joined by a dot. */
export const toCardLabel = (entries: Card['entries']) =>
  truncate(entries.map(({ key, value }) => `${key} ${value}`.trim()).join(' · '))

export const createCard = (tag: Tag, baseUrl: string): Card => ({
  matrix: createSymbol(toSymbolText(baseUrl, tag.code)),
  code: groupCode(tag.code),
  entries: tag.metadata
    .filter(({ visible }) => visible)
    .map(({ key, value }) => ({ key: truncate(capitalise(key)), value: truncate(value.replace(/\s+/g, ' ').trim()) })),
  isTest: tag.testMode,
  hasNfc: tag.nfc,
})

/** Divides cards into pages; at least one. */
export function toPages(cards: readonly Card[], { columns, rows }: Layout): Card[][] {
  const perPage = columns * rows
  return Array.from({ length: Math.max(1, Math.ceil(cards.length / perPage)) }, (_, page) =>
    cards.slice(page * perPage, (page + 1) * perPage),
  )
}

/** The NFC mark: three arcs of 45° to both sides of the axis, in a square of 20 units. */
export const waves = [6, 11, 16].map((radius) => {
  const offset = Math.SQRT1_2 * radius
  // Control points of a quarter circle lie at 0.5523 of its radius along the tangents.
  const along = 0.5523 * offset
  const round = (value: number) => Number(value.toFixed(2))
  return {
    from: [round(2 + offset), round(10 - offset)],
    by: [round(2 + offset + along), round(10 - offset + along), round(2 + offset + along), round(10 + offset - along)],
    to: [round(2 + offset), round(10 + offset)],
  } as const
})
