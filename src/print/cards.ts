import { groupCode } from '../lib/tag-code.ts'
import type { PageLanguage } from '../pages/messages.ts'
import type { StaffMessages } from '../pages/staff/shape.ts'
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

/** Longest text of a card, in characters: more than the largest card has room for. */
const maxTextLength = 80

/** Truncates a text between grapheme clusters. */
function truncate(text: string, maxCharacters = maxTextLength): string {
  if (text.length <= maxCharacters) return text
  const kept = [...new Intl.Segmenter().segment(text.slice(0, 20 * maxCharacters))].slice(0, maxCharacters)
  return `${kept.map(({ segment }) => segment).join('')}…`
}

/** Label of a card, as on the hosted menu: `Table 4`. */
export const toCardLabel = (entries: Card['entries']) => truncate(toTagTitle(entries))

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
    key: truncate(key),
    value: truncate(value.replace(/\s+/g, ' ').trim()),
  })),
  isTest: testMode,
  hasNfc: nfc,
})

/** Creates the cards of tags. Their addresses are equally long, so the level is chosen once: each drawing of a symbol takes a while. */
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
