import { type EventType, refToData, testNotification } from '../../src/catalogue/events/event-catalogue.operations.ts'
import { exampleId } from '../../src/platform/http/openapi/examples.ts'
import { type JsonSchema, ref } from '../../src/platform/http/openapi/json-schema.ts'
import { capitalize } from '../../src/platform/http/openapi/operation.ts'
import { daySeconds } from '../../src/platform/lib/day.ts'
import { delays } from '../../src/platform/outbox/retry-delays.ts'

const text: JsonSchema = { type: 'string' }

/** Headers of every delivery, as Standard Webhooks defines them. */
export const deliveryHeaders = {
  'webhook-id': {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the event, equal on every attempt.',
    example: exampleId('evt'),
    schema: text,
  },
  'webhook-timestamp': {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of the signature, in seconds since 1970-01-01 UTC.',
    example: '1795251600',
    schema: text,
  },
  'webhook-signature': {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` in base64. During a rotation of secrets, several signatures with spaces between them.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    schema: text,
  },
} as const

/** Authentication of deliveries. */
export const deliveryScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'The `bearerToken` of the webhook.',
} as const

const parameters = Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }))

const retryDays = Math.round(delays.reduce<number>((sum, delay) => sum + delay, 0) / daySeconds)

const responses = {
  '2XX': { description: 'The delivery succeeded. The body is ignored.' },
  410: { description: 'The endpoint is gone. The service deactivates the webhook.' },
  default: {
    description: `The attempt failed. The service retries it, with up to ${delays.length} attempts over ${retryDays} days.`,
  },
}

/** The tag of all requests to webhooks. */
export const notifications = {
  name: 'Notifications',
  description: 'Requests that the service sends to webhooks.',
} as const

/** The requests to webhooks: one operation for each type of event. */
export const webhookDescriptions = (entries: readonly EventType[]) =>
  Object.fromEntries(
    [...entries, testNotification].map(({ type, sample }) => {
      const [noun = '', verb = ''] = type.split('.')
      const data = refToData(type)
      const schema = { allOf: [ref('Event'), { type: 'object', properties: { type: { const: type }, data } }] }
      const operation = {
        operationId: `on${[noun, ...verb.split('_')].map(capitalize).join('')}`,
        tags: [notifications.name],
        summary: type,
        description: 'The service retries the request until it succeeds. Each attempt has a new signature.',
        security: [{ delivery: [] }],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema, example: sample } } },
        responses,
      }
      return [type, { post: operation }]
    }),
  )
