import type { ResourceName } from '../names.ts'
import { isSchema, type JsonSchema, mapValues } from './json-schema.ts'

/** What is said of fields, by where they are in the object: an asterisk stands for each element of a list. */
export type Descriptions = Readonly<Record<string, string>>

const testModeText = 'Whether it belongs to test mode; follows the key that made it.'
const base: Descriptions = { id: 'Sorts by creation.', testMode: testModeText }

const images: Descriptions = {
  images: 'Pictures, in the order they are shown.',
  'images/*/url': 'Where the picture is: an http or https address.',
}
const entries: Descriptions = { 'metadata/*/key': 'What the entry is called.', 'metadata/*/value': 'Kept exactly.' }

/** What resources say of their fields besides what follows from the type of a field: its unit, and how it is stored. */
export const resourceDescriptions: Readonly<Record<ResourceName, Descriptions>> = {
  product: {
    ...base,
    ...images,
    ...entries,
    title: 'What the product is called.',
    price: 'What one costs.',
    description: 'Shown below the title; kept exactly.',
    taxable: 'Whether tax is due on it.',
    useCustomTaxRate: "Whether `taxRate` holds instead of the venue's.",
    taxRate: 'The tax on this product.',
    calories: 'Energy in kilocalories.',
    manageStock: 'Whether `stockQuantity` counts; a product without stock is then sold out.',
    stockQuantity: 'How many are left.',
    type: 'The kind of product; there is one.',
    upc: 'The bar code: UPC, EAN or GTIN.',
    sku: 'The number of the product in the stock of the venue.',
    metadata: 'Whatever an integration wants to remember.',
    'modifiers/*/id': 'The id of a modifier.',
  },
  modifier: {
    ...base,
    title: 'What the choice is called.',
    instructions: 'What a guest is told to do; may be empty.',
    description: 'Shown below the title; kept exactly.',
    type: '`CHECKBOX`: several options may be chosen. `RADIO`: one.',
    rules: 'How options may be chosen.',
    options: 'What can be chosen, in the order it is shown.',
    'options/*/label': 'What the option is called.',
    'options/*/additionalCost': 'What the option adds to the price.',
    'options/*/additionalCalories': 'What the option adds to the energy, in kilocalories.',
    'options/*/preSelected': 'Whether it is chosen until a guest chooses otherwise.',
  },
  menu: {
    ...base,
    title: 'What the menu is called.',
    description: 'Shown below the title; kept exactly.',
    branding: 'Pictures of the menu.',
    'branding/banner': 'The wide picture at the top: an http or https address, or `false` for none.',
    'branding/icon': 'The small picture: an http or https address, or `false` for none.',
    sections: 'The parts of the menu, in the order they are shown.',
    'sections/*/title': 'What the section is called.',
    'sections/*/description': 'Shown below the title; kept exactly.',
    'sections/*/type': 'How it is laid out; there is one way.',
  },
  coupon: {
    ...base,
    title: 'What the discount is called.',
    type: '`PERCENTAGE`: `value` is in percent. `FIXED`: in units of the currency.',
    description: 'What it is about; kept exactly.',
    active: 'Whether it can be redeemed.',
    minimumOrderAmount: 'What an order must come to.',
    timesRedeemed: 'How often it was redeemed.',
  },
  customer: {
    ...base,
    firstName: 'The given name.',
    lastName: 'The family name.',
    email: 'An email address; other scripts than Latin are welcome.',
    phone: 'Digits, spaces, `+ - ( ) .` and an extension behind `x`.',
  },
  tag: {
    ...base,
    ...entries,
    message: 'As an earlier system had it.',
    documentCollection: 'As an earlier system had it.',
    documentId: 'As an earlier system had it.',
    edited: 'As an earlier system had it.',
    qr: 'As an earlier system had it.',
    timestamp: 'When an earlier system made it; stands instead of `createdAt`.',
    'timestamp/_seconds': 'Seconds since 1970-01-01 UTC.',
    'timestamp/_nanoseconds': 'Nanoseconds into the second.',
  },
  webhook: { ...base, title: 'What the webhook is called.' },
}

export const eventDescriptions: Descriptions = {
  timestamp: 'When it happened: ISO 8601, in UTC.',
  merchantId: 'Whose event it is.',
  testMode: 'Whether the object belongs to test mode.',
  type: 'What happened; the others are raised by the service.',
  data: 'The order: an object with at most 100 levels. Stored and sent as the same JSON text, without white space between its parts. A name that occurs twice in one object is rejected.',
}

export const deliveryDescriptions: Descriptions = {
  eventId: 'The event that is delivered.',
  type: 'Its type.',
  state: '`pending`: an attempt will follow. `failed`: none will. `cancelled`: the webhook was switched off.',
  createdAt: 'Seconds since 1970-01-01 UTC.',
  nextAttemptAt:
    'Earliest time of the next attempt, in seconds since 1970-01-01 UTC; only while `pending`. A broken endpoint gets one call every 30 seconds, so that deliveries behind others are attempted later.',
  attempts: 'What was tried, oldest first.',
  'attempts/*/number': 'Counts from 1.',
  'attempts/*/at': 'When it was tried, in seconds since 1970-01-01 UTC.',
  'attempts/*/status': 'What the endpoint answered; absent where it did not.',
  'attempts/*/durationMs': 'How long it took, in milliseconds.',
  'attempts/*/error': 'What went wrong where no answer came.',
  'attempts/*/response': 'The first 16 KiB of the answer.',
  since: 'From when on, in seconds since 1970-01-01 UTC; at most 30 days ago.',
}

export const scanCountDescriptions: Descriptions = {
  day: "A day by the venue's clock: YYYY-MM-DD.",
  channel: '`qr`: its symbol was scanned. `nfc`: its chip was tapped. `link`: its address was opened otherwise.',
  count: 'How often.',
}

export const maintenanceTexts: Descriptions = {
  name: 'Name of the table.',
  retentionSeconds: 'Time that its rows are kept, in seconds.',
  oldestAt: 'Time of its oldest row, in seconds since 1970-01-01 UTC; absent while it is empty.',
  overdueSeconds:
    'Time since the oldest row expired, in seconds; 0 while there is no expired row. Purges run every minute.',
}

export const merchantDescriptions: Descriptions = {
  id: base['id'] ?? '',
  name: 'What the venue is called.',
  createdAt: 'Seconds since 1970-01-01 UTC.',
  updatedAt: 'Seconds since 1970-01-01 UTC; grows with every change.',
}

export const keyDescriptions: Descriptions = {
  id: base['id'] ?? '',
  mode: 'Whether it sees live objects, or those of test mode.',
  title: 'What the key is for.',
  scopes: 'What it may do.',
  prefix: 'How the key begins.',
  last4: 'How the key ends.',
  createdAt: 'Seconds since 1970-01-01 UTC.',
  expiresAt: 'Seconds since 1970-01-01 UTC; absent: never.',
  lastUsedAt: 'Seconds since 1970-01-01 UTC; absent: not yet.',
}

export const tagImportDescriptions: Descriptions = {
  ...resourceDescriptions.tag,
  id: 'The id it had; made by the service where none is given.',
  alias: 'What it was reached by besides.',
}

export const auditDescriptions: Descriptions = {
  ...base,
  at: 'When.',
  key: 'Whose change it was.',
  requestId: 'The request that made it, as its answer named it; absent where none did.',
  operation: 'What was done.',
}

const prefixed = (path: string, texts: Descriptions): Descriptions =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`${path}/${key}`, text]))

export const publicMenuDescriptions: Descriptions = {
  venue: 'Who offers it.',
  'venue/id': "The merchant's id.",
  'venue/name': 'What the venue is called.',
  'venue/timezone': 'The IANA name of its time zone.',
  'venue/currency': 'What prices are in: an ISO 4217 code. Absent: not known.',
  'venue/language': 'The language the menu is written in, as far as it can be told: BCP 47.',
  'venue/direction': 'Which way that language is written.',
  'venue/locale': 'How prices and times are written: BCP 47.',
  testMode: 'Whether it is the offer of test mode.',
  tag: 'The tag that was scanned.',
  'tag/id': 'Its id.',
  'tag/label': 'What guests are told of it.',
  'tag/metadata': 'What guests may see of its metadata.',
  ...prefixed('tag', entries),
  menus: 'What can be ordered at the moment.',
  ...prefixed('menus/*', {
    ...resourceDescriptions.menu,
    showSectionNavigation: 'Whether a navigation between the sections is shown.',
    allDayMenu: 'Available at any time.',
    begin: "When the menu begins, by the venue's clock: hours and minutes.",
    end: 'When the menu ends; before `begin` it is on the next day.',
    'sections/*/id': 'Made by the service.',
    'sections/*/products': 'What the section offers, in the order it is shown.',
  }),
  ...prefixed('menus/*/sections/*/products/*', {
    ...resourceDescriptions.product,
    price: "What one costs, in units of the merchant's currency.",
    soldOut: 'Whether none is left.',
    modifiers: 'What can be chosen along with it: ids of `modifiers`.',
  }),
  modifiers: 'What can be chosen along with the products.',
  truncated: 'Whether something is left out because it exceeds the limits of the hosted menu.',
  nextFrom: 'The value of `from` for the rest of the menu. Absent: this is the last part.',
  ...prefixed('modifiers/*', {
    ...resourceDescriptions.modifier,
    'options/*/id': 'Unique in the modifier.',
    'options/*/additionalCost': "What the option adds to the price, in units of the merchant's currency.",
    'rules/required': 'Whether something must be chosen.',
    'rules/allowedMultiple': 'Whether several options may be chosen.',
    'rules/selectRestriction': 'How many options may be chosen; 0 or absent is any number.',
    'rules/requireSelectRestriction': 'Whether exactly so many must be chosen.',
    'rules/enableOptionQuantity': 'Whether an option may be chosen more than once.',
  }),
}

export const problemFieldDescriptions: Descriptions = {
  title: 'The same for every problem with this code.',
  status: 'The status of the answer.',
  code: 'What it is, for programs: one of a closed list.',
  'errors/*/code': 'What is wrong there, for programs: one of a closed list.',
  'errors/*/message': 'The same, for people.',
}

/** What is said of parameters of queries. */
export const queryDescriptions: Descriptions = {
  state: 'Only deliveries in this state.',
  from: 'The first day: YYYY-MM-DD; by default 29 days before the last, and at most 365.',
  to: "The last day: YYYY-MM-DD, by the venue's clock; by default today.",
}

/** The schema with what is said of each of its fields in front of what was said already. */
export function withDescriptions(schema: JsonSchema, texts: Descriptions, path = ''): JsonSchema {
  const { properties, items, anyOf } = schema
  const say = (field: JsonSchema, at: string): JsonSchema => {
    const text = texts[at]
    const { description: said = '' } = field
    const description = text === undefined || said.startsWith(text) ? said : `${text} ${said}`.trim()
    return withDescriptions(description === '' ? field : { ...field, description }, texts, `${at}/`)
  }
  return {
    ...schema,
    ...(properties && {
      properties: mapValues(properties, (field, key) => (isSchema(field) ? say(field, path + key) : field)),
    }),
    ...(isSchema(items) && { items: withDescriptions(items, texts, `${path}*/`) }),
    ...(anyOf && { anyOf: anyOf.map((form) => withDescriptions(form, texts, path)) }),
  }
}
