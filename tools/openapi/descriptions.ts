import type * as z from 'zod'
import { menuDetails } from '../../src/catalogue/resources/details/menu-details.ts'
import { productDetails } from '../../src/catalogue/resources/details/product-details.ts'
import * as resources from '../../src/catalogue/resources/registry.ts'
import { maxDepth } from '../../src/platform/http/exact-json.ts'
import { circuitBreaker } from '../../src/platform/outbox/circuit-breaker.ts'
import { defaultDays, maxDays } from '../../src/storefront/tags/scans/scan-routes.ts'
import { retentionDays } from '../../src/webhooks/retention.ts'
import { maxStoredBytes } from '../../src/webhooks/send.ts'
import { inputSchema, isSchema, type JsonSchema, mapValues } from './json-schema.ts'
import { formatSize } from './limit-descriptions.ts'
import { type DescribedResource, responseSchema } from './resource-schemas.ts'

/** Descriptions of fields by their path in the object; `*` is an element of a list. */
export type Descriptions = Readonly<Record<string, string>>

const createdAt = 'Time of creation, in seconds since 1970-01-01 UTC.'
const updatedAt = 'Time of the last change, in seconds since 1970-01-01 UTC. Increases with every change.'
const id = 'Unique identifier. Ids sort by time of creation.'

export const eventDescriptions: Descriptions = {
  timestamp: 'Time of the event: ISO 8601, in UTC.',
  merchantId: 'Id of the merchant.',
  testMode: 'Whether the object belongs to test mode.',
  type: 'Type of the event. Clients can publish only this type.',
  data: `The order: an object with up to ${maxDepth} levels. It is stored and sent as the same JSON text, without white space between tokens. Duplicate names in an object are rejected.`,
}

export const deliveryDescriptions: Descriptions = {
  eventId: 'Id of the event.',
  type: 'Type of the event.',
  state: '`pending`: an attempt follows. `failed`: all attempts failed. `cancelled`: the webhook was deactivated.',
  createdAt,
  nextAttemptAt: `Earliest time of the next attempt, in seconds since 1970-01-01 UTC. Present only while \`pending\`. A failing endpoint receives one request every ${circuitBreaker.pause} seconds, so later deliveries wait.`,
  attempts: 'Attempts so far, oldest first.',
  'attempts/*/number': 'Number of the attempt, starting at 1.',
  'attempts/*/at': 'Time of the attempt, in seconds since 1970-01-01 UTC.',
  'attempts/*/status': 'HTTP status of the response. Absent if there was no response.',
  'attempts/*/durationMs': 'Duration of the attempt in milliseconds.',
  'attempts/*/error': 'Reason why there was no response.',
  'attempts/*/response': `First ${formatSize(maxStoredBytes)} of the response body.`,
  since: `Start of the period, in seconds since 1970-01-01 UTC. At most ${retentionDays} days ago.`,
}

export const scanCountDescriptions: Descriptions = {
  day: 'Day in the time zone of the venue: YYYY-MM-DD.',
  channel: '`qr`: scan of the QR code. `nfc`: tap of the chip. `link`: every other visit of the address.',
  count: 'Number of scans.',
}

export const maintenanceTexts: Descriptions = {
  name: 'Name of the table.',
  retentionSeconds: 'Retention time of a row in seconds.',
  oldestAt: 'Time of the oldest row, in seconds since 1970-01-01 UTC. Absent if the table is empty.',
  overdueSeconds: 'Time since the oldest row expired, in seconds. 0 if no row has expired. Purges run every minute.',
}

export const merchantDescriptions: Descriptions = { id, name: 'Name of the venue.', createdAt, updatedAt }

export const keyDescriptions: Descriptions = {
  id,
  mode: '`live`: the key accesses live objects. `test`: the key accesses test objects.',
  title: 'Purpose of the key.',
  scopes: 'Operations that the key allows.',
  prefix: 'First characters of the key.',
  last4: 'Last four characters of the key.',
  createdAt,
  expiresAt: 'Time when the key expires, in seconds since 1970-01-01 UTC. Absent: never.',
  lastUsedAt: 'Time of the last use, in seconds since 1970-01-01 UTC. Absent: not used yet.',
}

export const sessionDescriptions: Descriptions = { id, createdAt }

export const auditDescriptions: Descriptions = {
  id,
  testMode: 'Whether the object belongs to test mode.',
  requestId: 'Id of the request that made the change. Absent if no request made it.',
}

export const batchDescriptions: Descriptions = {
  mode: 'Mode of the batch.',
  dryRun: 'Present if nothing was changed.',
}

export const batchResultDescriptions: Descriptions = {
  index: 'Position of the operation in the batch, starting at 0.',
  status: 'Status that the single operation would have.',
  id: 'Id of the object. Absent for creates of a dry run and for creates that fail.',
  externalId: 'External id of the object, if it has one.',
  etag: 'Entity tag of the object after a create or an update, as in `ETag`.',
}

/** The descriptions of a schema's fields. */
function collectDescriptions(schema: JsonSchema, path = ''): Descriptions {
  const { properties = {}, items, anyOf = [] } = schema
  const fields = Object.entries(properties).flatMap(([key, field]) =>
    isSchema(field) ? [{ path: path + key, field }] : [],
  )
  return Object.assign(
    {},
    ...anyOf.map((form) => collectDescriptions(form, path)),
    ...(isSchema(items) ? [collectDescriptions(items, `${path}*/`)] : []),
    ...fields.map(({ path, field }) => ({
      ...(field.description !== undefined && { [path]: field.description }),
      ...collectDescriptions(field, `${path}/`),
    })),
  )
}

const { testMode: _, ...tagDescriptions } = collectDescriptions(responseSchema(resources.tags, resources.tags.view))

export const tagImportDescriptions: Descriptions = {
  ...tagDescriptions,
  id: 'Id of the tag in the earlier system. Default: an id that the service generates.',
  alias: 'Additional codes of the tag.',
}

const prefixed = (path: string, texts: Descriptions): Descriptions =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${path}/${key}`, text]))

/** The descriptions of details. */
const describeDetails = ({ body, view }: { body: DescribedResource['update']; view: z.core.$ZodType }) =>
  collectDescriptions(responseSchema({ update: body }, view))

const publicMenuEntryDescriptions: Descriptions = {
  ...describeDetails(menuDetails),
  ...collectDescriptions(responseSchema(resources.menus, resources.menus.view)),
  showSectionNavigation: 'Whether customers see a navigation between the sections.',
  allDayMenu: 'Whether the menu is available at all times.',
  begin: "Time when the menu begins, in the venue's time zone: `HHMM`.",
  end: 'Time when the menu ends: `HHMM`. A time before `begin` is on the next day.',
  sections: 'Sections in display order.',
  'sections/*/id': 'Id of the section.',
  'sections/*/products': 'Products of the section, in display order.',
  ...prefixed('sections/*/products/*', {
    ...describeDetails(productDetails),
    ...collectDescriptions(responseSchema(resources.products, resources.products.view)),
    price: "Price of one unit on this menu, in the merchant's currency.",
    soldOut: 'Whether the product is sold out.',
    modifiers: 'Ids of the modifiers of the product, found in `modifiers`.',
  }),
}

export const publicMenuDescriptions: Descriptions = {
  venue: 'The venue.',
  'venue/id': 'Id of the merchant.',
  'venue/name': 'Name of the venue.',
  'venue/timezone': 'IANA name of the time zone.',
  'venue/currency': 'Currency of the prices: an ISO 4217 code. Absent if not known.',
  'venue/language':
    'Language of the texts of the venue, as a BCP 47 tag: as stated, or detected from their script. Absent if unknown.',
  'venue/direction': 'Writing direction of the language.',
  'venue/locale': 'Format of prices and times: a BCP 47 tag.',
  testMode: 'Whether the menu belongs to test mode.',
  tag: 'The tag that was scanned.',
  'tag/id': 'Id of the tag.',
  'tag/label': 'Label of the tag that guests see.',
  'tag/metadata': 'Metadata of the tag that guests can see.',
  'tag/metadata/*/key': 'Name of the entry.',
  'tag/metadata/*/value': 'Value of the entry.',
  menus: 'Menus that are available at `availableAt`, sorted by position, then by title.',
  ...prefixed('menus/*', publicMenuEntryDescriptions),
  closedMenus: 'All other visible menus that open again, sorted by position, then by title.',
  ...prefixed('closedMenus/*', publicMenuEntryDescriptions),
  nextFrom: 'Value of `from` for the next part of the menu. Absent on the last part.',
  ...prefixed('modifiers/*', {
    ...collectDescriptions(responseSchema(resources.modifiers, resources.modifiers.view)),
    'options/*/id': 'Id of the option, unique in the modifier.',
  }),
}

export const problemFieldDescriptions: Descriptions = {
  title: 'Short summary, equal for every problem with this code.',
  status: 'HTTP status of the response.',
  code: 'Error code for programs, from a closed list.',
  'errors/*/code': 'Code of the issue for programs, from a closed list.',
  'errors/*/message': 'Explanation of the issue for people.',
}

/** Descriptions of query parameters. */
export const queryDescriptions: Descriptions = {
  from: `First day: YYYY-MM-DD. Default: ${defaultDays - 1} days before the last day. At most ${maxDays - 1} days before it.`,
  to: 'Last day in the time zone of the venue: YYYY-MM-DD. Default: today.',
}

/** The schema of a request, with descriptions added to fields without their own. */
export const describedInput = (schema: z.core.$ZodType, texts: Descriptions) =>
  inputSchema(schema, (undescribed) => withDescriptions(undescribed, texts))

/** The schema, with descriptions added to fields without their own. */
export function withDescriptions(schema: JsonSchema, texts: Descriptions, path = ''): JsonSchema {
  const { properties, items, anyOf } = schema
  const describe = (field: JsonSchema, at: string): JsonSchema => {
    const { description = texts[at] } = field
    return withDescriptions(description === undefined ? field : { ...field, description }, texts, `${at}/`)
  }
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (field, key) => (isSchema(field) ? describe(field, path + key) : field)),
    }),
    ...(isSchema(items) && { items: withDescriptions(items, texts, `${path}*/`) }),
    ...(anyOf && { anyOf: anyOf.map((form) => withDescriptions(form, texts, path)) }),
  }
}
