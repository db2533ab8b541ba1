import * as z from 'zod/mini'
import { eventNames } from '../../catalogue/events/event-types.ts'
import * as field from '../../platform/http/fields.ts'

const { limits } = field

/** Maximum number of platform webhooks, and of merchants that one names. Every write takes the list of all of them. */
export const platformWebhookLimits = { webhooks: 10, merchants: 100 } as const
export const platformWebhookPrefix = 'pwh'

const events = field.set(z.enum(['*', ...eventNames], { error: 'must be an event type or *' }), limits.events).check(
  field.rules((list) => (list.length > 0 ? undefined : { code: 'too_short', message: 'must name a type of event' })),
  z.meta({ minItems: 1 }),
  z.describe(
    'Types of the events to send. `*` means all types except those of `customer`, which must be named: `customer.created`.',
  ),
)
const merchants = z
  .union([
    z.literal('all'),
    field.set(field.exactText({ min: 1, max: limits.id }), platformWebhookLimits.merchants).check(
      field.rules((list) => (list.length > 0 ? undefined : { code: 'too_short', message: 'must name a merchant' })),
      z.meta({ minItems: 1 }),
    ),
  ])
  .check(
    z.describe(
      `Merchants whose events are sent: \`all\`, or at most ${platformWebhookLimits.merchants} ids of merchants.`,
    ),
  )

const fields = {
  title: field.title.check(z.describe('Name of the webhook.')),
  url: field
    .exactText({ min: 1, max: limits.url })
    .check(
      z.meta({ format: 'uri', description: 'HTTPS address that receives events. Its host must be a public name.' }),
    ),
  events,
  merchants,
}
const create = z.strictObject(fields)
const update = z.partial(
  z.strictObject({
    ...fields,
    active: field.boolean.check(z.describe('Whether the service sends events to the webhook.')),
  }),
)
const readOnly = new Set([
  'id',
  'disabledReason',
  'bearerToken',
  'secret',
  'failures',
  'failingSince',
  'createdBy',
  'createdAt',
  'updatedAt',
])

export const platformWebhookBodies = { create, update }
export const platformWebhookRules = {
  create: { schema: create, partial: z.partial(create), readOnly: new Set([...readOnly, 'active']) },
  update: { schema: update, partial: update, readOnly },
}

/** A platform webhook in responses. */
export const platformWebhookView = z.object({
  id: z.string(),
  title: z.string().check(z.describe('Name of the webhook.')),
  url: z.string().check(z.describe('HTTPS address that receives events.')),
  events: z.array(z.string()).check(z.describe('Types of the events to send.')),
  merchants: z
    .union([z.literal('all'), z.array(z.string())])
    .check(z.describe('Merchants whose events are sent: `all`, or ids of merchants.')),
  active: z.boolean().check(z.describe('Whether the service sends events to the webhook.')),
  disabledReason: z.optional(z.string()).check(z.describe('Reason why the service deactivated the webhook.')),
  failures: z.int().check(z.describe('Failed attempts since the last success.')),
  failingSince: z
    .optional(z.int())
    .check(z.describe('Time of the first of these failures, in seconds since 1970-01-01 UTC. Absent: no failures.')),
  createdBy: z.string().check(z.describe('Id of the operator or the platform key, or `operator` for the token.')),
  createdAt: z.int(),
  updatedAt: z.int(),
})
/** The response to a create. */
export const platformWebhookFullView = z.extend(platformWebhookView, {
  bearerToken: z
    .string()
    .check(
      z.describe('Token that every request to `url` carries as `Authorization: Bearer`. Only this response shows it.'),
    ),
  secret: z.string().check(z.describe('Signing secret in the Standard Webhooks format.')),
})
