import * as z from 'zod'
import { eventSchema, eventTypes } from '../../catalogue/events/event-catalogue.operations.ts'
import { copyRules } from '../../catalogue/events/event-types.ts'
import { effectsResult } from '../../checkout/effects/effects-request.ts'
import { maxDepth } from '../../platform/http/exact-json.ts'
import { describedInput } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleOrder } from '../../platform/http/openapi/examples.ts'
import { objectSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { retentionDays } from '../event-retention.ts'
import { publishedEvent } from '../event-routes.ts'
import { eventsQuery } from './feed-query.ts'

export const eventDescriptions = {
  timestamp: 'Time of the event: ISO 8601, in UTC.',
  merchantId: 'Id of the merchant.',
  testMode: 'Whether the object belongs to test mode.',
  type: 'Type of the event. Clients can publish only the events of orders.',
  data: `The order: an object with up to ${maxDepth} levels. It is stored and sent as the same JSON text, without white space between tokens. Duplicate names in an object are rejected.`,
}

const anyType = { type: 'string', description: 'Type of the event: one of `/event-types`, or `webhook.test`.' } as const
const anyData = { type: 'object', additionalProperties: true } as const

const [first] = eventTypes

export default {
  name: 'Events',
  description: 'Changes of the objects of a merchant, and published orders.',
  schemas: {
    EventCreate: describedInput(publishedEvent, eventDescriptions),
    EventPublished: objectSchema({
      id: z.string().meta({ description: 'Id of the event.' }),
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
          'The object at the time of the event. `data` and `previous` are absent if the key cannot read the resource. Events of orders always have `data`.',
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
        '`data` and `previous` require the scope `<resource>:read` of the object, which is `webhooks:read` for `webhook.test`. Events of orders require only `events:read`. Members see only events that their role may read. Webhooks receive every event in full.',
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
        'With `effects`, stock, redemptions and the event are written in one transaction, or not at all. JSON pointers in `errors` name products with too little stock and rejected redemptions. Repeating the same effects returns the id of the first event and changes nothing. `order.cancelled` with `undo` gives back the stock of an order and releases its redemptions, once. Publishing a cancelled order again returns `order_cancelled`. `order.updated` with `replace` makes the difference between the effects of an order and the given ones, or none; a `revision` that is not higher than the last one returns `order_changed`.',
      example: { type: 'order.created', data: exampleOrder },
      responses: {
        202: {
          description: 'The event is queued for delivery.',
          schema: ref('EventPublished'),
          example: { id: exampleId('evt') },
        },
      },
      problems: [
        'insufficient_stock',
        'coupon_not_redeemable',
        'unknown_order',
        'order_cancelled',
        'order_changed',
        'not_supported',
        'conflict',
      ],
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
          description: `All ${eventTypes.length} event types.`,
          schema: {
            type: 'array',
            items: objectSchema({
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
} satisfies OperationGroup
