import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { randomBase32 } from '../core/base32.ts'
import { endpointFault } from '../core/endpoint.ts'
import { eventNames } from '../core/events.ts'
import * as field from '../core/fields.ts'
import { booleanFilter } from '../core/pagination.ts'
import {
  baseColumns,
  baseFields,
  constraints,
  defineResource,
  isBoolean,
  isList,
  isSized,
  showAs,
} from '../core/resource.ts'

const { limits } = field

const subscription = z.enum(['*', ...eventNames], { error: 'must be the name of an event, or *' })

const item = z.object({
  ...baseFields,
  title: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  bearerToken: z.string().meta({ description: 'Comes as `Authorization: Bearer` with everything sent to `url`.' }),
})
const parts = item.partial()

const stored = defineResource({
  name: 'webhook',
  idPrefix: 'wh',
  fields: z.strictObject({
    title: field.title,
    url: field
      .exactText({ min: 1, max: limits.url })
      .meta({ format: 'uri', description: 'An https address with a public name as its host.' }),
    events: field
      .set(subscription, limits.events)
      .nullish()
      .meta({ description: 'What it hears of; `*` is everything.' }),
    active: field.boolean.nullish().meta({ description: 'Whether it is notified at all.' }),
  }),
  createOnly: {},
  item,
  table: sqliteTable(
    'webhooks',
    {
      ...baseColumns,
      title: text().notNull(),
      url: text().notNull(),
      events: text({ mode: 'json' }).notNull(),
      active: integer({ mode: 'boolean' }).notNull(),
      bearerToken: text().notNull(),
    },
    (table) =>
      constraints('webhooks', table, {
        lookups: { active: table.active },
        checks: {
          title: isSized(table.title, 1, limits.title),
          url: isSized(table.url, 1, limits.url),
          events: isList(table.events),
          flags: isBoolean(table.active),
        },
      }),
  ),
  filters: { active: booleanFilter },
  hooks: {
    defaults: () => ({ active: true, events: [] }),
    check(draft, situation) {
      const { url } = parts.parse(draft)
      const fault = url === undefined ? undefined : endpointFault(url, situation)
      return fault === undefined ? [] : [{ pointer: '/url', code: 'invalid_value', message: fault }]
    },
    generate: () => ({ bearerToken: `whtok_${randomBase32(160)}` }),
    searched: (draft) => [parts.parse(draft).title],
  },
})

export const webhooks = showAs(
  stored,
  item.omit({ bearerToken: true }),
  item.meta({ description: 'A registration that notifies an external endpoint when certain events happen.' }),
  ({ bearerToken: _bearerToken, ...webhook }) => webhook,
  (webhook) => webhook,
)
