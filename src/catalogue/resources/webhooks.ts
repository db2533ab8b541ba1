import { and, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, lazy } from '../../platform/db/database.ts'
import { db, listed } from '../../platform/db/query.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { booleanFilter } from '../../platform/http/fields/query-parameters.ts'
import * as field from '../../platform/http/fields.ts'
import { randomBase32 } from '../../platform/lib/encoding/base32.ts'
import { getEndpointIssue } from '../../platform/lib/endpoint-url.ts'
import { cancelDeliveries, cancelUnsubscribed } from '../../platform/outbox/cancel-deliveries.ts'
import { listScopesOfEvents } from '../events/event-scopes.ts'
import { eventNames } from '../events/event-types.ts'
import { baseFields, defineResource } from '../resource/define-resource.ts'
import { withCreatedOnly, withViews } from '../resource/resource-views.ts'

const { limits } = field

const subscription = z.enum(['*', ...eventNames], { error: 'must be an event type or *' })

const item = z.object({
  ...baseFields,
  title: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  active: z.boolean(),
  disabledReason: z.optional(z.string()).check(z.describe('Reason why the service deactivated the webhook.')),
  bearerToken: z
    .string()
    .check(
      z.describe(
        'Token that every request to `url` carries as `Authorization: Bearer`. Empty for operators who support the merchant.',
      ),
    ),
  /** Signing secrets. The first is current; replaced ones stay valid for a day. */
  secrets: z.array(z.object({ secret: z.string(), retiredAt: z.optional(z.int()), generation: z.optional(z.int()) })),
})
const parts = z.partial(item)

/** A token that receivers can check in addition to the signature. */
export const createBearerToken = () => `whtok_${randomBase32(160)}`

/** Random bytes of a signing secret. */
export const signingSecretBytes = 24
/** A signing secret in the Standard Webhooks format. */
export const createSigningSecret = () =>
  `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(signingSecretBytes))))}`

const table = webhookTable
const isChanged = and(isInScope(table), sql`${table.id} in ${listed('ids')}`)
/** Cancels pending deliveries. `recover` sends them again. */
const cancelStatement = lazy(() => cancelDeliveries(sql`${db.select({ seq: table.seq }).from(table).where(isChanged)}`))
/** Cancels pending deliveries of events that the webhook no longer subscribes to, so that a new address gets no unexpected events. */
const cancelUnsubscribedStatement = lazy(() => cancelUnsubscribed(isChanged))
const resetFailuresStatement = lazy(() =>
  compile(db.update(table).set({ failures: 0, failingSince: null, probeAt: null }).where(isChanged)),
)

const definition = defineResource({
  name: 'webhook',
  // Tokens and secrets do not outlive their webhook.
  isRestorable: false,
  fields: z.strictObject({
    title: field.title.check(z.describe('Name of the webhook.')),
    url: field
      .exactText({ min: 1, max: limits.url })
      .check(
        z.meta({ format: 'uri', description: 'HTTPS address that receives events. Its host must be a public name.' }),
      ),
    events: z
      .nullish(field.set(subscription, limits.events))
      .check(
        z.describe(
          'Types of the events to send; `*` means all types. A new type, another `url` and the activation require the scopes to read the objects in the events. With an empty list, only `POST …/test` sends an event.',
        ),
      ),
    active: z.nullish(field.boolean).check(z.describe('Whether the service sends events to the webhook.')),
  }),
  createOnly: {},
  item,
  table,
  titleFields: ['title', 'url'],
  filters: { active: booleanFilter },
  maxPerMode: limits.webhooks,
  hidden: ['bearerToken', 'secrets'],
  internal: ['secrets'],
  shown: ['secret'],
  examples: {
    create: { title: 'Point of sale', url: 'https://pos.example.com/webhooks', events: ['order.created'] },
    update: { events: ['*'] },
    generated: {
      bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
      secrets: [{ secret: `whsec_${btoa('ExampleExampleExampleExa')}` }],
    },
  },
  hooks: {
    defaults: () => ({ active: true, events: [] }),
    check(draft, validationContext) {
      const { url } = parts.parse(draft)
      const issue = url === undefined ? undefined : getEndpointIssue(url, validationContext)
      return issue === undefined ? [] : [{ pointer: '/url', code: 'invalid_value', message: issue }]
    },
    requiredScopes(before, after) {
      const [had, has] = [before ?? {}, after].map((draft) => parts.safeParse(draft).data?.events ?? [])
      const isStarted = before?.['active'] !== true && after['active'] === true
      if (!before || isStarted || before['url'] !== after['url']) return listScopesOfEvents(has ?? [])
      return listScopesOfEvents((has ?? []).filter((type) => !had?.includes(type) && !had?.includes('*')))
    },
    resetFields: ({ active }) => (active === true ? ['disabledReason'] : []),
    generate: () => ({ bearerToken: createBearerToken(), secrets: [{ secret: createSigningSecret() }] }),
    derive: () => ({ failures: 0 }),
    extraStatements(before, after) {
      if (!after) return [cancelStatement()]
      if (after['active'] !== true) return before?.['active'] === true ? [cancelStatement()] : []
      const isMoved = before && before['url'] !== after['url']
      return [
        ...(isMoved ? [cancelUnsubscribedStatement()] : []),
        ...(isMoved || (before && before['active'] !== true) ? [resetFailuresStatement()] : []),
      ]
    },
    searchTexts: (draft) => ({ names: [parts.parse(draft).title] }),
  },
})

const shown = withViews(
  definition,
  z.omit(item, { bearerToken: true, secrets: true }),
  z.omit(item, { secrets: true }).register(z.globalRegistry, {
    description: 'An external endpoint that receives events.',
  }),
  ({ bearerToken: _bearerToken, secrets: _secrets, ...webhook }) => webhook,
  ({ secrets: _secrets, ...webhook }) => webhook,
)

export const webhooks = withCreatedOnly(
  shown,
  z.object({
    secret: z
      .string()
      .check(z.describe('Signing secret in the Standard Webhooks format. Only this response shows it.')),
  }),
  ({ secrets: [current] }) => ({ secret: current?.secret ?? '' }),
)
