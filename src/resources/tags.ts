import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { randomBase32 } from '../core/base32.ts'
import * as field from '../core/fields.ts'
import { booleanFilter } from '../core/pagination.ts'
import {
  baseColumns,
  baseFields,
  constraints,
  defineResource,
  isBoolean,
  isList,
  type Presentation,
  showAs,
} from '../core/resource.ts'

const { limits } = field

const entry = z.strictObject({
  key: field.code,
  value: field.text,
  visible: field.boolean
    .nullish()
    .transform((visible) => visible ?? true)
    .pipe(z.boolean())
    .meta({ description: 'Whether customers see the entry; by default true.' }),
})

const item = z.object({
  ...baseFields,
  nfc: z.boolean(),
  metadata: z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() })),
  /** The printed code: 80 random bits in 16 Crockford digits. */
  code: z.string(),
})
const parts = item.partial()

const stored = defineResource({
  name: 'tag',
  idPrefix: 'tag',
  fields: z.strictObject({
    nfc: field.boolean.nullish().meta({ description: 'Whether the tag has been activated through NFC.' }),
    metadata: field.list(entry, limits.metadata).nullish().meta({ description: 'What identifies the location.' }),
    testMode: field.boolean
      .nullish()
      .meta({ description: "Whether the tag leads to the sandbox. By default that of the key's mode." }),
  }),
  createOnly: {},
  item,
  table: sqliteTable(
    'tags',
    {
      ...baseColumns,
      nfc: integer({ mode: 'boolean' }).notNull(),
      metadata: text({ mode: 'json' }).notNull(),
      code: text().notNull(),
    },
    (table) => [
      ...constraints('tags', table, {
        lookups: { nfc: table.nfc },
        checks: {
          flags: isBoolean(table.nfc, table.testMode),
          metadata: isList(table.metadata),
          code: sql`length(${table.code}) = 16`,
        },
      }),
      // A live key lists the tags of both modes as one.
      uniqueIndex('tags_both').on(table.merchantId, table.id),
      index('tags_both_updated').on(table.merchantId, table.updatedAt),
      index('tags_both_nfc').on(table.merchantId, table.nfc, table.id),
      uniqueIndex('tags_code').on(table.code),
    ],
  ),
  filters: { nfc: booleanFilter, testMode: booleanFilter },
  // Those behind the third belong to tags of the earlier system, which the document lists along with the others.
  shown: ['alias', 'url', 'qrUrl', 'message', 'documentCollection', 'documentId', 'edited', 'qr', 'timestamp'],
  spansModes: true,
  example: { metadata: [{ key: 'table', value: '4' }] },
  hooks: {
    defaults: () => ({ nfc: false, metadata: [] }),
    generate: () => ({ code: randomBase32(80) }),
    searched: (draft) => (parts.parse(draft).metadata ?? []).flatMap(({ key, value }) => [key, value]),
  },
})

const view = item
  .omit({ code: true })
  .extend({
    alias: z.array(z.string()).meta({ description: 'Codes the tag is reached by; the first is the one printed.' }),
    url: z.url().optional().meta({ description: 'Where a scan leads. Absent while no public address is configured.' }),
    qrUrl: z.url().optional().meta({ description: 'The QR symbol of `url`, as a picture.' }),
  })
  .meta({
    description: 'A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC.',
  })

function present({ code, ...tag }: z.output<typeof item>, { baseUrl }: Presentation): z.output<typeof view> {
  const shown = { ...tag, alias: [code] }
  return baseUrl === undefined ? shown : { ...shown, url: `${baseUrl}/t/${code}`, qrUrl: `${baseUrl}/t/${code}/qr.png` }
}

export const tags = showAs(stored, view, view, present, present)
