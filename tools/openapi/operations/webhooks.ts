import * as z from 'zod'
import { copyRules } from '../../../src/catalogue/events/event-types.ts'
import { signingSecretBytes } from '../../../src/catalogue/resources/webhooks.ts'
import { effectsResult } from '../../../src/checkout/effects/effects-request.ts'
import { deliveriesQuery, deliveryView } from '../../../src/webhooks/deliveries/delivery-list.ts'
import { maxRecovered, recoverFields } from '../../../src/webhooks/deliveries/resend-routes.ts'
import { publishedEvent } from '../../../src/webhooks/event-routes.ts'
import { eventsQuery } from '../../../src/webhooks/events/feed-query.ts'
import { retentionDays } from '../../../src/webhooks/retention.ts'
import { deliveryDescriptions, describedInput, eventDescriptions, withDescriptions } from '../descriptions.ts'
import { type EventType, eventSchema } from '../events/event-catalogue.ts'
import { exampleId, exampleOrder, exampleSeconds } from '../examples.ts'
import { type JsonSchema, outputSchema, ref } from '../json-schema.ts'
import { createListResponse, type OperationGroup } from '../operation.ts'

const object = (shape: z.core.$ZodLooseShape): JsonSchema => outputSchema(z.object(shape))
const eventId = z.string().meta({ description: 'Id of the event.' })
const accepted = {
  description: 'The event is queued for delivery.',
  schema: object({ id: eventId }),
  example: { id: exampleId('evt') },
}

const anyType = { type: 'string', description: 'Type of the event: one of `/event-types`, or `webhook.test`.' } as const
const anyData = { type: 'object', additionalProperties: true } as const

export const createEventGroup = ([first, ...others]: readonly EventType[]): OperationGroup => ({
  name: 'Events',
  description: 'Changes of the objects of a merchant, and published orders.',
  schemas: {
    EventCreate: describedInput(publishedEvent, eventDescriptions),
    EventPublished: object({
      id: eventId,
      effects: z
        .optional(effectsResult)
        .meta({ description: 'Changes that the effects made. Absent without effects.' }),
    }),
    Event: eventSchema(anyType, { ...anyData, description: 'The object at the time of the event.' }, true),
    ListedEvent: eventSchema(
      anyType,
      {
        ...anyData,
        description:
          'The object at the time of the event. `data` and `previous` are absent if the key cannot read the resource. `order.created` always has `data`.',
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
      summary: `List the events of the last ${retentionDays} days`,
      description:
        '`data` and `previous` require the scope `<resource>:read` of the object, which is `webhooks:read` for `webhook.test`. `order.created` requires only `events:read`. Members see only events that their role may read. Webhooks receive every event in full.',
      access: 'key',
      scope: 'events:read',
      query: eventsQuery,
      problems: ['events_expired'],
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
      description:
        'With `effects`, stock, redemptions and the event are written in one transaction, or not at all. JSON pointers in `errors` name products with too little stock and rejected redemptions. Repeating the same effects returns the id of the first event and changes nothing.',
      example: { type: 'order.created', data: exampleOrder },
      responses: {
        202: {
          ...accepted,
          schema: ref('EventPublished'),
        },
      },
      problems: ['insufficient_stock', 'coupon_not_redeemable', 'conflict'],
    },
    {
      id: 'listEventTypes',
      method: 'get',
      path: '/event-types',
      summary: 'List all event types with JSON Schema and a sample',
      description:
        'These are the types that a webhook can name in `events`. The list does not contain `webhook.test`, which only `POST …/test` sends.',
      access: 'anyone',
      condition: 'If-None-Match',
      problems: ['unavailable'],
      responses: {
        200: {
          description: `All ${others.length + 1} event types.`,
          schema: {
            type: 'array',
            items: object({
              type: z.string().meta({ description: 'Name of the event type.' }),
              copy: z.enum(copyRules).meta({
                description:
                  'Action for a copy of the objects. `create` and `replace`: store `data`, or `data.coupon`. `merge`: set the fields in `data` on the objects that it names. `delete`: remove the object. `none`: no action.',
              }),
              schema: z.looseObject({}).meta({ description: 'JSON Schema (2020-12) of the event.' }),
              sample: z.looseObject({}).meta({ description: 'Sample of the event.' }),
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
  attempts: [{ number: 1, at: exampleSeconds, status: 503, durationMs: 84, response: 'Try again later.' }],
  nextAttemptAt: exampleSeconds + 5,
} satisfies z.core.output<typeof deliveryView>

export const createDeliveryGroup = (): OperationGroup => {
  const webhook = '/merchants/:merchantId/webhooks/:webhookId'
  const writing = { method: 'post', access: 'key', scope: 'webhooks:write' } as const
  const again = { ...writing, problems: ['not_found', 'conflict', 'damaged'] } as const
  const secret = {
    200: {
      description: 'The signing secret.',
      schema: object({
        secret: z
          .string()
          .meta({ description: `Signing secret of ${signingSecretBytes} bytes in the Standard Webhooks format.` }),
      }),
      example: { secret: `whsec_${btoa('ExampleExampleExampleExa')}` },
    },
  }
  return {
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
            schema: object({ recovered: z.int().meta({ description: 'Number of queued events.' }) }),
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
            schema: object({
              bearerToken: z.string().meta({ description: 'Token in all later deliveries.' }),
            }),
            example: { bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0' },
          },
        },
        problems: ['not_found'],
      },
    ],
  }
}
