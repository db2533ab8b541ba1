import * as z from 'zod'
import { signingSecretBytes } from '../../catalogue/resources/webhooks.ts'
import { describedInput, objectDescriptions, withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { objectSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { formatSize } from '../../platform/http/openapi/limit-descriptions.ts'
import { createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { circuitBreaker } from '../../platform/outbox/circuit-breaker.ts'
import { retentionDays } from '../event-retention.ts'
import { maxStoredBytes } from '../send.ts'
import { deliveriesQuery, deliveryView } from './delivery-list.ts'
import { maxRecovered, recoverFields } from './resend-routes.ts'

export const deliveryDescriptions = {
  eventId: 'Id of the event.',
  type: 'Type of the event.',
  state: '`pending`: an attempt follows. `failed`: all attempts failed. `cancelled`: the webhook was deactivated.',
  createdAt: objectDescriptions.createdAt,
  waiting:
    'The delivery waits until an earlier one about the same object is delivered, failed or cancelled: see `order` of the filter. Absent for others.',
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

const accepted = {
  description: 'The event is queued for delivery.',
  schema: objectSchema({ id: z.string().meta({ description: 'Id of the event.' }) }),
  example: { id: exampleId('evt') },
}

const delivery = {
  eventId: exampleId('evt'),
  type: 'order.created',
  state: 'pending',
  createdAt: exampleSeconds,
  attempts: [{ number: 1, at: exampleSeconds, status: 503, durationMs: 84, response: 'Try again later.' }],
  nextAttemptAt: exampleSeconds + 5,
} satisfies z.core.output<typeof deliveryView>

const webhook = '/merchants/:merchantId/webhooks/:webhookId'
const writing = { method: 'post', access: 'key', scope: 'webhooks:write' } as const
const again = { ...writing, problems: ['not_found', 'conflict', 'damaged'] } as const
const secret = {
  200: {
    description: 'The signing secret.',
    schema: objectSchema({
      secret: z
        .string()
        .meta({ description: `Signing secret of ${signingSecretBytes} bytes in the Standard Webhooks format.` }),
    }),
    example: { secret: `whsec_${btoa('ExampleExampleExampleExa')}` },
  },
}
export default {
  name: 'Deliveries',
  description: 'Deliveries of events to a webhook, and the secrets that verify them.',
  schemas: {
    Delivery: withDescriptions(outputSchema(deliveryView), deliveryDescriptions),
    Recovery: describedInput(recoverFields, deliveryDescriptions),
  },
  operations: [
    {
      id: 'listDeliveries',
      method: 'get',
      path: `${webhook}/deliveries`,
      summary: 'List the deliveries to a webhook',
      access: 'key',
      scope: 'webhooks:read',
      query: deliveriesQuery,
      responses: { 200: createListResponse(ref('Delivery'), delivery) },
      problems: ['not_found'],
    },
    {
      id: 'retryDelivery',
      path: `${webhook}/deliveries/:eventId/retry`,
      summary: 'Retry the delivery of an event',
      ...again,
      responses: { 202: accepted },
    },
    {
      id: 'recoverDeliveries',
      path: `${webhook}/recover`,
      summary: 'Retry all failed and cancelled deliveries since a time',
      description: `Queues up to ${maxRecovered.toLocaleString('en')} events per request, oldest first. If \`recovered\` equals this limit, repeat the request. \`webhook.test\` events are not sent again.`,
      ...again,
      body: ref('Recovery'),
      example: { since: exampleSeconds - 3_600 },
      responses: {
        202: {
          description: 'The events are queued for delivery.',
          schema: objectSchema({ recovered: z.int().meta({ description: 'Number of queued events.' }) }),
          example: { recovered: 12 },
        },
      },
    },
    {
      id: 'testWebhook',
      path: `${webhook}/test`,
      summary: 'Send a test event',
      description: 'Sends a `webhook.test` event once, regardless of `events`.',
      ...again,
      responses: { 202: accepted },
    },
    {
      id: 'retrieveSecret',
      path: `${webhook}/secret`,
      summary: 'Retrieve the signing secret of a webhook',
      ...writing,
      method: 'get',
      responses: secret,
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'rotateSecret',
      path: `${webhook}/secret/rotate`,
      summary: 'Rotate the signing secret; the old secret also signs for one day',
      ...again,
      responses: secret,
    },
    {
      id: 'rotateToken',
      path: `${webhook}/token/rotate`,
      summary: 'Rotate the bearer token',
      ...writing,
      responses: {
        200: {
          description: 'The new bearer token.',
          schema: objectSchema({
            bearerToken: z.string().meta({ description: 'Token in all later deliveries.' }),
          }),
          example: { bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0' },
        },
      },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
