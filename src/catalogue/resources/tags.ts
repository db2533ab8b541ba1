import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { insertSelect, listed } from '../../platform/db/query.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import { booleanFilter } from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { randomBase32 } from '../../platform/lib/encoding/base32.ts'
import { baseFields, defineResource } from '../resource/define-resource.ts'
import type { RenderContext } from '../resource/definition.ts'
import { loadLater } from '../resource/details/load-details.ts'
import { withViews } from '../resource/resource-views.ts'

const { limits } = field

const entry = z.strictObject({
  key: field.code.check(z.describe('Name of the entry.')),
  value: field.text.check(z.describe('Value of the entry. Stored exactly as sent.')),
  visible: z
    .pipe(
      z.pipe(
        z.nullish(field.boolean),
        z.transform((visible) => visible ?? true),
      ),
      z.boolean(),
    )
    .check(z.describe('Whether customers can see the entry. Default: `true`.')),
})

const fromEarlierSystem = 'Value from an earlier system, unchanged.'

/** Fields of tags that were printed for an earlier system, stored unchanged. */
export const legacyFields = z.object({
  alias: z.array(z.string()),
  message: z.optional(z.string()).check(z.describe(fromEarlierSystem)),
  documentCollection: z.optional(z.string()).check(z.describe(fromEarlierSystem)),
  documentId: z.optional(z.string()).check(z.describe(fromEarlierSystem)),
  edited: z.optional(z.boolean()).check(z.describe(fromEarlierSystem)),
  qr: z.optional(z.boolean()).check(z.describe(fromEarlierSystem)),
  timestamp: z
    .optional(
      z.object({
        _seconds: z.int().check(z.describe('Seconds since 1970-01-01 UTC.')),
        _nanoseconds: z.int().check(z.describe('Nanoseconds within the second.')),
      }),
    )
    .check(z.describe('Time of creation in an earlier system. Replaces `createdAt`.')),
})

const item = z.object({
  ...baseFields,
  nfc: z.boolean(),
  metadata: z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() })),
  /** The printed code: 80 random bits as 16 Crockford base 32 digits. */
  code: z.string(),
  legacy: z.optional(legacyFields),
})
export type TagItem = z.output<typeof item>
const parts = z.partial(item)

/** The fields with the names of a tag. A damaged tag may lack its code or its aliases. */
const nameFields = z.object({ id: z.string(), code: z.optional(z.string()), legacy: z.optional(legacyFields) })

/** All names of a tag: its code, its id and the aliases of an earlier system. */
export function listTagNames(tag: unknown): string[] {
  const { id, code, legacy } = nameFields.parse(tag)
  return [...(code === undefined ? [] : [code]), id, ...(legacy?.alias ?? [])]
}

const isCreated = and(eq(tagTable.merchantId, param('merchantId')), sql`${tagTable.id} in ${listed('ids')}`)
/** Inserts the names under which a new tag is found: its id, its code and its earlier aliases. */
const insertNamesStatement = lazy(() =>
  compile(
    insertSelect(
      tagNameTable,
      { name: sql`name.value`, tag: tagTable.seq, merchantId: tagTable.merchantId },
      sql`from ${tagTable}, json_each(json_array(${tagTable.id}, ${tagTable.code})) as name where ${isCreated}
        union
        select name.value, ${tagTable.seq}, ${tagTable.merchantId} from ${tagTable}, json_each(${tagTable.legacy}, '$.alias') as name where ${isCreated}`,
    ),
  ),
)

/** Gives the names of a deleted tag, which nobody else can have, back to the restored one. */
const returnNamesStatement = lazy(() =>
  compile(
    sql`${insertSelect(
      tagNameTable,
      { name: sql`name.value`, tag: tagTable.seq, merchantId: tagTable.merchantId },
      sql`from ${tagTable}, json_each(json_array(${tagTable.id}, ${tagTable.code})) as name where ${isCreated}
      union
      select name.value, ${tagTable.seq}, ${tagTable.merchantId} from ${tagTable}, json_each(${tagTable.legacy}, '$.alias') as name where ${isCreated}`,
    )} on conflict (name) do update set tag = excluded.tag where tag is null`,
  ),
)

/** Fields that clients write. */
export const tagFields = z.strictObject({
  nfc: z
    .nullish(field.boolean)
    .check(z.describe('Whether the tag has been activated through NFC. The first tap by a guest sets it.')),
  metadata: z
    .nullish(field.list(entry, limits.metadata))
    .check(z.describe('Key-value pairs that identify the location, such as a table number.')),
  testMode: z
    .nullish(field.boolean)
    .check(
      z.describe('Whether the tag belongs to test mode and leads to the sandbox. Default: the mode of the API key.'),
    ),
})

const definition = defineResource({
  name: 'tag',
  fields: tagFields,
  createOnly: {},
  item,
  table: tagTable,
  titleFields: ['metadata', 'testMode'],
  filters: { nfc: booleanFilter, testMode: booleanFilter },
  internal: ['code', 'legacy'],
  // The fields after `nfcUrl` belong to tags of an earlier system.
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
  details: loadLater(async () => (await import('./details/tag-details.ts')).tagDetails),
  spansModes: true,
  isCopied: true,
  examples: {
    create: { metadata: [{ key: 'table', value: '4' }] },
    update: { metadata: [{ key: 'table', value: '5' }] },
    generated: { code: '7KQ2M5XZ8CE4FA9R' },
  },
  hooks: {
    defaults: () => ({ nfc: false, metadata: [] }),
    generate: () => ({ code: randomBase32(80) }),
    extraStatements: (before, after) => (after && !before ? [insertNamesStatement()] : []),
    restoreStatements: () => [returnNamesStatement()],
    uniqueNames: (row) => listTagNames(row),
    searchTexts(draft) {
      const { metadata = [] } = parts.parse(draft)
      return { names: metadata.map(({ value }) => value), others: metadata.map(({ key }) => key) }
    },
  },
})

const view = z
  .extend(z.extend(z.omit(item, { code: true, legacy: true }), z.omit(legacyFields, { alias: true }).shape), {
    createdAt: z.optional(baseFields.createdAt),
    alias: z.array(z.string()).check(z.describe('Codes of the tag. The first code is the printed one.')),
    url: z
      .optional(z.url())
      .check(z.describe('Address that a scan opens. Absent if the service has no public address.')),
    qrUrl: z.optional(z.url()).check(z.describe('Address of a PNG picture of the QR code for `url`.')),
  })
  .register(z.globalRegistry, {
    description: 'A place, such as a table, with a QR code and an NFC address.',
  })
const full = z.extend(view, {
  nfcUrl: z
    .optional(z.url())
    .check(z.describe('Address to write to the NFC chip. It is signed and cannot be guessed.')),
})
type View = z.output<typeof view>

function toView({ code, legacy, createdAt, ...tag }: TagItem, { baseUrl }: RenderContext): View {
  const { alias, ...kept } = legacy ?? { alias: [] }
  const made = legacy?.timestamp ? {} : { createdAt }
  const addresses = baseUrl === undefined ? {} : { url: `${baseUrl}/t/${code}`, qrUrl: `${baseUrl}/t/${code}/qr.png` }
  return { ...tag, ...made, ...kept, alias: [code, ...alias], ...addresses }
}

/** The text that the NFC address signs. The QR code does not contain the signature, so a valid signature proves a tap of the chip. */
export const toNfcSignedText = (code: string) => `nfc:${code}`

async function toFullView(tag: TagItem, renderContext: RenderContext): Promise<z.output<typeof full>> {
  const { baseUrl, sign } = renderContext
  const shown = toView(tag, renderContext)
  // A failure to sign must not fail the response to a successful create.
  const signed = baseUrl && sign ? await sign(toNfcSignedText(tag.code)).catch(() => undefined) : undefined
  return signed === undefined ? shown : { ...shown, nfcUrl: `${baseUrl}/n/${tag.code}/${signed}` }
}

export const tags = withViews(definition, view, full, toView, toFullView)
