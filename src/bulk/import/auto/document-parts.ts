import * as z from 'zod/mini'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { resourcePaths } from '../../../platform/names.ts'
import { amountReadings, type FileContent } from '../../files/items/file-item.ts'
import type { Choices, Question } from '../../files/table/plan.ts'
import { fromMinorUnits, mayBeCents } from '../../files/values/amounts.ts'
import type { FileRow } from '../rows/file-row.ts'

const text = z.optional(z.string())
const severity = z.optional(z.literal('notice'))
const issue = z.object({ pointer: text, code: z.string(), message: z.string(), value: text, severity })
const size = z.pipe(
  z.object({ label: z.string(), price: z.optional(z.unknown()), sku: text, upc: text }),
  z.transform(({ price, ...rest }) => ({ ...rest, price })),
)
const item = z.object({
  resource: z.enum(resourcePaths),
  row: z.int(),
  externalId: text,
  body: z.record(z.string(), z.unknown()),
  sections: z.array(z.string()),
  sizes: z.optional(z.object({ title: z.string(), options: z.array(size) })),
  modifierTitles: z.array(z.string()),
  modifierKeys: z.array(z.string()),
  issues: z.array(issue),
})
const modifier = z.object({
  key: z.string(),
  externalId: text,
  title: z.string(),
  min: z.number(),
  max: z.optional(z.number()),
  options: z.array(z.object({ label: z.string(), cost: z.number() })),
})
const notice = z.object({ code: z.enum(['part_left_out']), column: text, count: z.int(), message: z.string() })
const content = z.object({ items: z.array(item), modifiers: z.array(modifier), notices: z.array(notice) })

/** The parts of a document as lines of JSON, each of which is stored as a row. */
export const toPartRows = ({ items, modifiers, notices }: FileContent): FileRow[] =>
  [...modifiers.map((modifier) => ({ modifier })), ...items.map((item) => ({ item })), { notices }].map(
    (part, index) => ({
      row: index + 1,
      raw: JSON.stringify(part),
    }),
  )

/** The parts of a document, from their lines. An erased line has none. */
export function readParts(rows: readonly FileRow[]): FileContent {
  const parts = rows.flatMap(({ raw }): unknown[] => (String(raw) === '' ? [] : [JSON.parse(String(raw))]))
  const pick = (name: 'item' | 'modifier' | 'notices') =>
    parts.flatMap((part) => (isObject(part) && part[name] !== undefined ? [part[name]] : []))
  return content.parse({ items: pick('item'), modifiers: pick('modifier'), notices: pick('notices').flat() })
}

/** Asks whether the prices of a document are cents if all are whole, and none is as low as that of some dish, unless it is chosen. */
export function settleAmounts(
  content: FileContent,
  isOpen: boolean,
  chosen: Choices['amounts'],
  currency: string | undefined,
): FileContent & { questions: readonly Question[] } {
  if (!isOpen) return { ...content, questions: [] }
  const prices = content.items.flatMap(({ body: { price } }) => (typeof price === 'number' ? [price] : []))
  if (chosen === undefined) {
    if (!mayBeCents(prices, currency)) return { ...content, questions: [] }
    const samples = [...new Set(prices)].slice(0, 3).map(String)
    return { ...content, questions: [{ code: 'amounts', column: 'price', samples, choices: amountReadings }] }
  }
  if (chosen === 'units' || !prices.every(Number.isInteger)) return { ...content, questions: [] }
  const items = content.items.map(({ body, ...item }) => ({
    ...item,
    body: { ...body, price: fromMinorUnits(body['price'], currency) },
  }))
  return { ...content, items, questions: [] }
}
