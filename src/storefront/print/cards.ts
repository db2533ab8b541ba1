import { groupCode } from '../../platform/lib/tag-code.ts'
import type { PageLanguage } from '../pages/messages.ts'
import type { StaffMessages } from '../pages/staff/staff-text-shape.ts'
import { toTagTitle } from '../pages/tag-label.ts'
import { chooseLevel, createSymbol, type Level, type Matrix, toSymbolText } from '../qr/symbol.ts'
import type { Layout, LayoutName, PaperFormat } from './layouts.ts'

/** Content of a card. */
export interface Card {
  matrix: Matrix
  /** The code in groups of four letters. */
  code: string
  /** Visible metadata of the tag, in its order. */
  entries: readonly Entry[]
  isTest: boolean
  hasNfc: boolean
}

interface Entry {
  key: string
  value: string
}

/** Contents and layout of a print. */
export interface SheetContent {
  venue: string
  /** Address of the logo. */
  logo?: string | undefined
  /** Language of the venue and its messages. */
  language: PageLanguage
  messages: StaffMessages
  /** Call to action instead of the one in `messages`. */
  text?: string | undefined
  /** Address without scheme at which guests type a code: `menu.example.com/t`. */
  address: string
  cards: readonly Card[]
  /** Number of selected tags that are not on the sheet. */
  omitted: number
  format: PaperFormat
  layout: LayoutName
  /** Positions on the first page that stay empty. Default: 0. */
  skip?: number | undefined
}

/** The number of clusters at the start of a list that fit together. */
function countFitting(clusters: readonly string[], room: number, measure: (cluster: string) => number): number {
  let used = 0
  const index = clusters.findIndex((cluster) => {
    used += measure(cluster)
    return used > room
  })
  return index < 0 ? clusters.length : index
}

/**
 * The start and the end of a text, each with as many grapheme clusters as fit. The end is as important as the start: it often has the number of a
 * table.
 */
export function toEnds(text: string, room: number, measure: (cluster: string) => number) {
  const clusters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  const start = clusters.slice(0, countFitting(clusters, room, measure))
  const rest = clusters.slice(start.length)
  const end = rest.slice(rest.length - countFitting(rest.toReversed(), room, measure))
  return { start: start.join(''), end: end.join(''), isWhole: rest.length === end.length }
}

/** Half of the maximum length of a card's text, in characters. The largest card has room for fewer. */
const maxEndLength = 40
/** Code units of each end of a text that are read. */
const maxEndUnits = 20 * maxEndLength

/** Shortens a text in its middle. */
function shorten(text: string): string {
  const known = text.length > 2 * maxEndUnits ? text.slice(0, maxEndUnits) + text.slice(-maxEndUnits) : text
  const { start, end, isWhole } = toEnds(known, maxEndLength, () => 1)
  return isWhole ? text : `${start}…${end}`
}

/** Label of a card, as on the hosted menu: `Table 4`. */
export const toCardLabel = (entries: Card['entries']) => shorten(toTagTitle(entries))

/** The tag of a card. */
export interface PrintedTag {
  code: string
  entries: readonly Entry[]
  testMode: boolean
  nfc: boolean
}

const createCard = ({ code, entries, testMode, nfc }: PrintedTag, baseUrl: string, level: Level): Card => ({
  matrix: createSymbol(toSymbolText(baseUrl, code), level),
  code: groupCode(code),
  entries: entries.map(({ key, value }) => ({
    key: shorten(key),
    value: shorten(value.replace(/\s+/g, ' ').trim()),
  })),
  isTest: testMode,
  hasNfc: nfc,
})

/** Creates the cards of tags. Their addresses have equal length, so the level is chosen once: drawing a symbol is slow. */
export function createCards(tags: readonly PrintedTag[], baseUrl: string): Card[] {
  const [first] = tags
  if (!first) return []
  const level = chooseLevel(toSymbolText(baseUrl, first.code))
  return tags.map((tag) => createCard(tag, baseUrl, level))
}

/** Divides cards into pages; at least one. The first `skip` positions are undefined. */
export function toPages(cards: readonly Card[], { columns, rows }: Layout, skip = 0): (Card | undefined)[][] {
  const perPage = columns * rows
  const slots = [...Array.from({ length: skip % perPage }, () => undefined), ...cards]
  return Array.from({ length: Math.max(1, Math.ceil(slots.length / perPage)) }, (_, page) =>
    slots.slice(page * perPage, (page + 1) * perPage),
  )
}

/** The address at which guests type a code, without scheme. */
export const toShortAddress = (baseUrl: string) => `${baseUrl.replace(/^https?:\/\//i, '')}/t`

/** The NFC mark: three arcs of 45° on both sides of the axis, in a square of 20 units. */
export const waves = [6, 11, 16].map((radius) => {
  const offset = Math.SQRT1_2 * radius
  // The control points of a quarter circle are at 0.5523 of its radius along the tangents.
  const along = 0.5523 * offset
  const round = (value: number) => Number(value.toFixed(2))
  return {
    from: [round(2 + offset), round(10 - offset)],
    by: [round(2 + offset + along), round(10 - offset + along), round(2 + offset + along), round(10 + offset - along)],
    to: [round(2 + offset), round(10 + offset)],
  } as const
})
