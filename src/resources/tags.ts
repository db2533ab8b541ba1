import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, lazy, param } from '../db/database.ts'
import { tagNameTable } from '../db/schema/resources/tag-names.ts'
import { tagTable } from '../db/schema/resources/tags.ts'
import * as field from '../http/fields.ts'
import { booleanFilter } from '../http/pagination.ts'
import { randomBase32 } from '../lib/encoding/base32.ts'
import { baseFields, defineResource, type RenderContext, withViews } from '../resource/definition.ts'

const { limits } = field

const entry = z.strictObject({
  key: field.code,
  value: field.text,
  visible: z
    .pipe(
      z.pipe(
        z.nullish(field.boolean),
        z.transform((visible) => visible ?? true),
      ),
      z.boolean(),
    )
    .check(z.describe('Whether customers see the entry; by default true.')),
})

/** Fields of tags that were printed for an earlier system; they are kept as they came, and their names go on working. */
export const legacyFields = z.object({
  alias: z.array(z.string()),
  message: z.optional(z.string()),
  documentCollection: z.optional(z.string()),
  documentId: z.optional(z.string()),
  edited: z.optional(z.boolean()),
  qr: z.optional(z.boolean()),
  timestamp: z.optional(z.object({ _seconds: z.int(), _nanoseconds: z.int() })),
})

const item = z.object({
  ...baseFields,
  nfc: z.boolean(),
  metadata: z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() })),
  /** The printed code: 80 random bits in 16 Crockford digits. */
  code: z.string(),
  /** What a tag of an earlier system brought along. */
  legacy: z.optional(legacyFields),
})
export type TagItem = z.output<typeof item>
const parts = z.partial(item)

const insertNamesStatement = lazy(() =>
  compile(sql`
    insert into ${tagNameTable} (name, tag)
    select name.value, t.seq from ${tagTable} as t,
      json_each(json_array(t.id, t.code)) as name
    where t.merchant_id = ${param('merchantId')} and t.id = ${param('id')}
    union
    select name.value, t.seq from ${tagTable} as t, json_each(t.legacy, '$.alias') as name
    where t.merchant_id = ${param('merchantId')} and t.id = ${param('id')}`),
)

/** What clients may write. */
export const tagFields = z.strictObject({
  nfc: z.nullish(field.boolean).check(z.describe('Whether the tag has been activated through NFC.')),
  metadata: z.nullish(field.list(entry, limits.metadata)).check(z.describe('What identifies the location.')),
  testMode: z
    .nullish(field.boolean)
    .check(z.describe("Whether the tag leads to the sandbox. By default that of the key's mode.")),
})

const definition = defineResource({
  name: 'tag',
  fields: tagFields,
  createOnly: {},
  item,
  table: tagTable,
  filters: { nfc: booleanFilter, testMode: booleanFilter },
  internal: ['code', 'legacy'],
  // Those behind the fourth belong to tags of the earlier system, which the document lists along with the others.
  shown: [
    'alias',
    'url',
    'qrUrl',
    'nfcUrl',
    'message',
    'documentCollection',
    'documentId',
    'edited',
    'qr',
    'timestamp',
  ],
  spansModes: true,
  examples: {
    create: { metadata: [{ key: 'table', value: '4' }] },
    update: { metadata: [{ key: 'table', value: '5' }] },
    generated: { code: '7KQ2M5XZ8CE4FA9R' },
  },
  hooks: {
    defaults: () => ({ nfc: false, metadata: [] }),
    generate: () => ({ code: randomBase32(80) }),
    extraStatements: (before, after) => (after && !before ? [insertNamesStatement()] : []),
    searchTexts: (draft) => (parts.parse(draft).metadata ?? []).flatMap(({ key, value }) => [key, value]),
  },
})

const view = z
  .extend(z.extend(z.omit(item, { code: true, legacy: true }), z.omit(legacyFields, { alias: true }).shape), {
    createdAt: z.optional(baseFields.createdAt),
    alias: z.array(z.string()).check(z.describe('Codes the tag is reached by; the first is the one printed.')),
    url: z.optional(z.url()).check(z.describe('Where a scan leads. Absent while no public address is configured.')),
    qrUrl: z.optional(z.url()).check(z.describe('The QR symbol of `url`, as a picture.')),
  })
  .register(z.globalRegistry, {
    description: 'A location identifier for contactless ordering (a table, for example), reachable by QR code or NFC.',
  })
const full = z.extend(view, {
  nfcUrl: z.optional(z.url()).check(z.describe('What a chip is written with: an address that nobody can guess.')),
})
type View = z.output<typeof view>

function toView({ code, legacy, createdAt, ...tag }: TagItem, { baseUrl }: RenderContext): View {
  const { alias, ...kept } = legacy ?? { alias: [] }
  const made = legacy?.timestamp ? {} : { createdAt }
  const addresses = baseUrl === undefined ? {} : { url: `${baseUrl}/t/${code}`, qrUrl: `${baseUrl}/t/${code}/qr.png` }
  return { ...tag, ...made, ...kept, alias: [code, ...alias], ...addresses }
}

/** What a tag's NFC address is signed over; the QR symbol does not hold it, so only a chip can have been read. */
export const toNfcSignedText = (code: string) => `nfc:${code}`

async function toFullView(tag: TagItem, renderContext: RenderContext): Promise<z.output<typeof full>> {
  const { baseUrl, sign } = renderContext
  const shown = toView(tag, renderContext)
  // A tag that was made is not answered with an error because its address for chips cannot be signed just now.
  const signed = baseUrl && sign ? await sign(toNfcSignedText(tag.code)).catch(() => undefined) : undefined
  return signed === undefined ? shown : { ...shown, nfcUrl: `${baseUrl}/n/${tag.code}/${signed}` }
}

export const tags = withViews(definition, view, full, toView, toFullView)
