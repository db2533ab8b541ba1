import type { EventType } from './event-catalogue.ts'
import { exampleId } from './examples.ts'
import { type JsonSchema, ref } from './json-schema.ts'
import { capitalize } from './operation.ts'

const text: JsonSchema = { type: 'string' }

/** What comes with every delivery, as Standard Webhooks says; the document's parameters. */
export const deliveryHeaders = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: "The event's id: the same on every attempt.",
    example: exampleId('evt'),
    schema: text,
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When the attempt was signed, in seconds since 1970-01-01 UTC.',
    example: '1795251600',
    schema: text,
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64; several, with blanks between, while secrets are being rotated.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    schema: text,
  },
} as const

/** How whoever is notified knows who calls. */
export const deliveryScheme = {
  type: 'http',
  scheme: 'bearer',
  description: "The webhook's `getBearerToken`.",
} as const

const parameters = Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const responses = {
  '2XX': { description: 'It was taken, whatever the body says.' },
  410: { description: 'It is not wanted any more: the webhook is switched off.' },
  default: { description: 'It was not taken: it comes again, ten times over three days.' },
}

/** The tag of everything that is sent to webhooks. */
export const notifications = { name: 'Notifications', description: 'What the service sends to webhooks.' } as const

/** What is sent to webhooks: an operation for each type of event, of which an endpoint has to answer those it asked for. */
export const webhookDescriptions = (entries: readonly EventType[], isSchemaName: (name: string) => boolean) =>
  Object.fromEntries(
    [...entries, testNotification].map(({ type, sample }) => {
      const [noun = '', verb = ''] = type.split('.')
      const data =
        isSchemaName(capitalize(noun)) && type !== testNotification.type ? ref(capitalize(noun)) : { type: 'object' }
      const schema = { allOf: [ref('Event'), { type: 'object', properties: { type: { const: type }, data } }] }
      const operation = {
        operationId: `on${capitalize(noun)}${capitalize(verb)}`,
        tags: [notifications.name],
        summary: type,
        description: 'Sent until it is taken, and signed anew on every attempt.',
        security: [{ delivery: [] }],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema, example: sample } } },
        responses,
      }
      return [type, { post: operation }]
    }),
  )

/** What `POST …/test` sends; it cannot be subscribed to. */
const testNotification = {
  type: 'webhook.test',
  sample: {
    id: exampleId('evt'),
    type: 'webhook.test',
    timestamp: '2026-11-21T09:00:00.000Z',
    merchantId: exampleId('mer'),
    testMode: false,
    version: 1,
    data: { webhookId: exampleId('wh'), title: 'Point of sale' },
  },
} as const
