import { groupCode } from '../lib/tag-code.ts'
import { createSymbol, type Matrix, toSymbolText } from '../qr/symbol.ts'

/** Paper, in millimetres. */
export const formats = {
  a4: { width: 210, height: 297, name: 'A4' },
  letter: { width: 215.9, height: 279.4, name: 'Letter' },
} as const
export type Format = keyof typeof formats

/** A band across a card, in millimetres from its upper edge, and for text its size in points. */
interface Band {
  top: number
  height: number
  points: number
}

/** How cards of one kind are laid out. */
export interface Layout {
  columns: number
  rows: number
  /** Of one card, and between two. */
  width: number
  height: number
  gap: number
  /** A tent has the same face twice, the upper one standing on its head, and is folded between them. */
  isFolded: boolean
  test: Band
  label: Band
  code: Band
  venue: Band
  /** Width and height of the symbol with its quiet zone, and its distance from the upper edge. */
  symbol: { top: number; size: number }
  /** Width of the NFC mark, beside the symbol. */
  mark: number
}

/** Millimetres that text keeps away from the edge of a card, where a cut may be off. */
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

/** As wide as half the paper and folded across its middle, so that two cuts and a fold make two tents. */
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

/** What one card says. */
export interface Card {
  matrix: Matrix
  /** The code in groups of four letters. */
  code: string
  /** What is told about the place, in the order it was given. */
  entries: readonly { key: string; value: string }[]
  isTest: boolean
  hasNfc: boolean
}

/** All cards of a sheet, and on what they are printed. */
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

/** More of a text than any card has room for, without dividing what is read as one character. */
function truncate(text: string, maxCharacters = 80): string {
  if (text.length <= maxCharacters) return text
  const kept = [...new Intl.Segmenter().segment(text.slice(0, 20 * maxCharacters))].slice(0, maxCharacters)
  return `${kept.map(({ segment }) => segment).join('')}…`
}

const capitalise = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** The words of a label, `Table 4`; several are joined by a dot. */
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

/** The cards by pages. */
export function toPages(cards: readonly Card[], { columns, rows }: Layout): Card[][] {
  const perPage = columns * rows
  return Array.from({ length: Math.max(1, Math.ceil(cards.length / perPage)) }, (_, page) =>
    cards.slice(page * perPage, (page + 1) * perPage),
  )
}

/** Three waves, 45° to both sides of the axis, in a square of 20: what a card shows where a chip is read. */
export const waves = [6, 11, 16].map((radius) => {
  const near = Math.SQRT1_2 * radius
  // The control points of a quarter circle lie 0.5523 of its radius along its tangents.
  const along = 0.5523 * near
  const round = (value: number) => Number(value.toFixed(2))
  return {
    from: [round(2 + near), round(10 - near)],
    by: [round(2 + near + along), round(10 - near + along), round(2 + near + along), round(10 + near - along)],
    to: [round(2 + near), round(10 + near)],
  } as const
})
