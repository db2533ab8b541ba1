import * as z from 'zod'
import { deliveriesQuery, deliveryView } from '../../webhooks/deliveries/delivery-list.ts'
import { maxRecovered, recoverFields } from '../../webhooks/deliveries/resend-routes.ts'
import { eventsQuery, publishedEvent } from '../../webhooks/event-routes.ts'
import { deliveryDescriptions, eventDescriptions, withDescriptions } from '../descriptions.ts'
import { type EventType, eventSchema } from '../event-catalogue.ts'
import { exampleId, exampleOrder, exampleSeconds } from '../examples.ts'
import { inputSchema, type JsonSchema, outputSchema, ref } from '../json-schema.ts'
import { createListResponse, type OperationGroup } from '../operation.ts'

const object = (shape: z.core.$ZodLooseShape): JsonSchema => outputSchema(z.object(shape))
const eventId = z.string().meta({ description: 'The id of the event.' })
const accepted = {
  description: 'It is on its way.',
  schema: object({ id: eventId }),
  example: { id: exampleId('evt') },
}

const anyType = { type: 'string', description: 'One of `/event-types`, or `webhook.test`.' } as const
const anyData = { type: 'object', additionalProperties: true } as const

export const createEventGroup = ([first, ...others]: readonly EventType[]): OperationGroup => ({
  name: 'Events',
  description: 'What happened to whatever a merchant has.',
  schemas: {
    EventCreate: withDescriptions(inputSchema(publishedEvent), eventDescriptions),
    Event: eventSchema(anyType, { ...anyData, description: 'The object as it was shown then.' }, true),
    ListedEvent: eventSchema(
      anyType,
      {
        ...anyData,
        description:
          'The object as it was shown then. Absent, like `previous`, if the key may not read the resource; `order.created` always has it.',
      },
      true,
      false,
    ),
  },
  operations: [
    {
      id: 'listEvents',
      method: 'get',
      path: '/merchants/:merchantId/events',
      summary: 'List the events of 30 days, oldest first',
      description:
        'An event shows `data` and `previous` only to a key with the scope `<resource>:read` of its object; `webhook.test` belongs to `webhooks`. `order.created` needs `events:read` alone. Webhooks receive every event in full.',
      access: 'key',
      scope: 'events:read',
      query: eventsQuery,
      responses: { 200: createListResponse(ref('ListedEvent'), first?.sample) },
    },
    {
      id: 'publishEvent',
      method: 'post',
      path: '/merchants/:merchantId/events',
      summary: 'Publish an event',
      access: 'key',
      scope: 'events:write',
      body: ref('EventCreate'),
      example: { type: 'order.created', data: exampleOrder },
      responses: { 202: accepted },
    },
    {
      id: 'listEventTypes',
      method: 'get',
      path: '/event-types',
      summary: 'List every type of event, with its JSON Schema and a sample',
      access: 'anyone',
      condition: 'If-None-Match',
      problems: ['unavailable'],
      responses: {
        200: {
          description: `All ${others.length + 1} of them.`,
          schema: {
            type: 'array',
            items: object({
              type: z.string().meta({ description: 'Its name.' }),
              schema: z.looseObject({}).meta({ description: 'What such an event looks like: JSON Schema, 2020-12.' }),
              sample: z.looseObject({}).meta({ description: 'Such an event.' }),
            }),
          },
          example: [first],
          headers: ['ETag'],
        },
      },
    },
  ],
})

const delivery = {
  eventId: exampleId('evt'),
  type: 'order.created',
  state: 'pending',
  createdAt: exampleSeconds,
  attempts: [{ number: 1, at: exampleSeconds, status: 503, durationMs: 84, response: 'Come back later.' }],
  nextAttemptAt: exampleSeconds + 5,
} satisfies z.core.output<typeof deliveryView>

export const createDeliveryGroup = (): OperationGroup => {
  const webhook = '/merchants/:merchantId/webhooks/:webhookId'
  const locale = { method: 'post', access: 'key', scope: 'webhooks:write' } as const
  const again = { ...locale, problems: ['not_found', 'conflict', 'damaged'] } as const
  const secret = {
    200: {
      description: 'The secret.',
      schema: object({ secret: z.string().meta({ description: 'As Standard Webhooks writes it: 24 bytes.' }) }),
      example: { secret: `whsec_${btoa('ExampleExampleExampleExa')}` },
    },
  }
  return {
    name: 'Deliveries',
    description: 'What became of each event for one webhook, and what a receiver checks it by.',
    schemas: {
      Delivery: withDescriptions(outputSchema(deliveryView), deliveryDescriptions),
      Recovery: withDescriptions(inputSchema(recoverFields), deliveryDescriptions),
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
        summary: 'Deliver an event once more',
        ...again,
        responses: { 202: accepted },
      },
      {
        id: 'recoverDeliveries',
        path: `${webhook}/recover`,
        summary: 'Deliver everything that failed or was cancelled since a time',
        description: `At most ${maxRecovered.toLocaleString('en')} events per request, oldest first: while \`recovered\` is as many, repeat the request to go on. \`webhook.test\` events are not sent again.`,
        ...again,
        body: ref('Recovery'),
        example: { since: exampleSeconds - 3_600 },
        responses: {
          202: {
            description: 'They are on their way.',
            schema: object({ recovered: z.int().meta({ description: 'How many.' }) }),
            example: { recovered: 12 },
          },
        },
      },
      {
        id: 'testWebhook',
        path: `${webhook}/test`,
        summary: 'Send a webhook.test event',
        description: 'One attempt, whatever `events` says.',
        ...again,
        responses: { 202: accepted },
      },
      {
        id: 'retrieveSecret',
        path: `${webhook}/secret`,
        summary: 'Retrieve the signing secret of a webhook',
        ...locale,
        method: 'get',
        responses: secret,
        problems: ['not_found', 'damaged'],
      },
      {
        id: 'rotateSecret',
        path: `${webhook}/secret/rotate`,
        summary: 'Replace the signing secret, which signs beside the new one for a day',
        ...again,
        responses: secret,
      },
      {
        id: 'rotateToken',
        path: `${webhook}/token/rotate`,
        summary: 'Replace the bearer token',
        ...locale,
        responses: {
          200: {
            description: 'The token.',
            schema: object({
              bearerToken: z.string().meta({ description: 'Comes with everything that is sent from now on.' }),
            }),
            example: { bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0' },
          },
        },
        problems: ['not_found'],
      },
    ],
  }
}
