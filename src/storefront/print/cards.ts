import { groupCode } from '../../platform/lib/tag-code.ts'
import type { Theme } from '../../platform/themes.ts'
import type { PageLanguage } from '../pages/messages.ts'
import type { StaffMessages } from '../pages/staff/staff-text-shape.ts'
import { isArea, toTagTitle } from '../pages/tag-label.ts'
import { chooseLevel, createSymbol, type Level, type Matrix, toSymbolText } from '../qr/symbol.ts'
import type { LayoutName, PaperFormat } from './layouts.ts'
import type { Layout } from './look/geometry.ts'
import type { PaperFonts } from './look/paper-font.ts'

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
  /** Design and color of the venue. Default: those of the usual design. */
  theme?: Theme | undefined
  color?: string | undefined
  /** Fonts of the design. Default: Helvetica. */
  fonts?: PaperFonts | undefined
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

/** Label of a card, as on the hosted menu: `Table 4, Terrace`. */
export const toCardLabel = (entries: Card['entries'], language?: PageLanguage) => shorten(toTagTitle(entries, language))

/** Names are in capitals in some designs. */
export const setCase = (text: string, { theme, language }: Pick<SheetContent, 'theme' | 'language'>) =>
  theme === 'bar' ? text.toLocaleUpperCase(language) : text

/** The entries of a card that name it and those that name its part of the venue, which come second. A part alone is the name. */
export function divideEntries(entries: Card['entries']) {
  const names = entries.filter((entry) => !isArea(entry))
  return names.length > 0 ? { names, areas: entries.filter(isArea) } : { names: entries, areas: [] }
}

/** The name of a card, and that of its part of the venue: `Table 4` and `Terrace`. */
export function toCardTexts({ entries }: Pick<Card, 'entries'>, content: Pick<SheetContent, 'theme' | 'language'>) {
  const { names, areas } = divideEntries(entries)
  return { label: setCase(toCardLabel(names, content.language), content), area: toCardLabel(areas, content.language) }
}

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
