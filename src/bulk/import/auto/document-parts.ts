import * as z from 'zod/mini'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { resourcePaths } from '../../../platform/names.ts'
import type { FileContent } from '../../files/items/file-item.ts'
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
