import * as z from 'zod'
import { objectDescriptions, withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { describedLike, inputSchema, objectSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import {
  createDeletionResponse,
  createDeletionSchema,
  createListResponse,
  type OperationGroup,
} from '../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import deliveries, { deliveryDescriptions } from '../deliveries/deliveries.operations.ts'
import { maxBodyShapes } from '../filters/shapes.ts'
import {
  platformDeliveriesQuery,
  platformDeliveryView,
  platformRecoverBounds,
  platformRecoverFields,
} from './platform-delivery-routes.ts'
import { platformFilterFields, platformFilterView } from './platform-filter-routes.ts'
import {
  platformWebhookBodies,
  platformWebhookFullView,
  platformWebhookLimits,
  platformWebhookView,
} from './platform-webhook-fields.ts'

const created = {
  title: 'Data warehouse',
  url: 'https://warehouse.example.com/webhooks',
  events: ['*'],
  merchants: 'all',
} satisfies z.core.input<typeof platformWebhookBodies.create>
const webhook = {
  ...created,
  id: exampleId('pwh'),
  active: true,
  failures: 0,
  createdBy: exampleId('opr'),
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
} satisfies z.core.output<typeof platformWebhookView>
const delivery = {
  eventId: exampleId('evt'),
  merchantId: exampleId('mer'),
  type: 'order.created',
  testMode: false,
  state: 'pending',
  createdAt: exampleSeconds,
  attempts: [{ number: 1, at: exampleSeconds, status: 503, durationMs: 84, response: 'Try again later.' }],
  nextAttemptAt: exampleSeconds + 5,
} satisfies z.core.output<typeof platformDeliveryView>
const filter = { changed: { 'product.updated': ['price'] } } satisfies z.core.output<typeof platformFilterView>

const one = '/admin/webhooks/:webhookId'
const reading = { method: 'get', access: 'operator' } as const
const writing = { method: 'post', access: 'operator' } as const
const filterUpdate = inputSchema(platformFilterFields)
const filterResponse = (description: string) =>
  ({ 200: { description, schema: ref('PlatformWebhookFilter'), headers: ['ETag'], example: filter } }) as const
/** Responses of the operations on the credentials of a merchant's webhook. */
const responsesOf = (id: 'retrieveSecret' | 'rotateToken') =>
  deliveries.operations.find((operation) => operation.id === id)?.responses ?? {}

export default {
  name: 'Platform webhooks',
  description:
    'Webhooks of the operator: events of many merchants, of live mode unless `mode` of the filter says otherwise. Requires the role `admin`, or a platform key with the scope `platform:webhooks:read` or `platform:webhooks:write`.',
  schemas: {
    PlatformWebhook: withDescriptions(outputSchema(platformWebhookView), objectDescriptions),
    PlatformWebhookFull: withDescriptions(outputSchema(platformWebhookFullView), objectDescriptions),
    PlatformWebhookCreate: inputSchema(platformWebhookBodies.create),
    PlatformWebhookUpdate: inputSchema(platformWebhookBodies.update),
    PlatformWebhookDeleted: createDeletionSchema('Webhook deleted', ref('PlatformWebhook')),
    PlatformWebhookFilter: describedLike(outputSchema(platformFilterView), filterUpdate),
    PlatformWebhookFilterUpdate: filterUpdate,
    PlatformDelivery: withDescriptions(outputSchema(platformDeliveryView), deliveryDescriptions),
    PlatformRecovery: withDescriptions(inputSchema(platformRecoverFields), deliveryDescriptions),
  },
  operations: [
    {
      id: 'listPlatformWebhooks',
      path: '/admin/webhooks',
      summary: 'List the platform webhooks',
      ...reading,
      query: pageQuery,
      responses: { 200: createListResponse(ref('PlatformWebhook'), webhook) },
    },
    {
      id: 'createPlatformWebhook',
      path: '/admin/webhooks',
      summary: 'Create a platform webhook',
      description: `Sends the events of live mode of all merchants, or of those that it names, as webhooks of merchants get them. \`mode\` of the filter adds those of test mode. Returns the token once. A change takes effect everywhere within 60 seconds. There are at most ${platformWebhookLimits.webhooks} platform webhooks.`,
      ...writing,
      body: ref('PlatformWebhookCreate'),
      example: created,
      responses: {
        201: {
          description: 'The webhook.',
          schema: ref('PlatformWebhookFull'),
          example: {
            ...webhook,
            bearerToken: 'whtok_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0',
            secret: `whsec_${btoa('ExampleExampleExampleExa')}`,
          },
        },
      },
      problems: ['too_many'],
    },
    {
      id: 'retrievePlatformWebhook',
      path: one,
      summary: 'Retrieve a platform webhook',
      ...reading,
      responses: { 200: { description: 'The webhook.', schema: ref('PlatformWebhook'), example: webhook } },
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'updatePlatformWebhook',
      path: one,
      summary: 'Update a platform webhook',
      description:
        'Changes the given fields. Another `url`, or `active: true`, lets the service call the endpoint again at once. Deliveries that are pending when the webhook is deactivated are cancelled with their next message; `recover` sends them again.',
      ...writing,
      body: ref('PlatformWebhookUpdate'),
      example: { events: ['order.created'] },
      responses: {
        200: {
          description: 'The webhook.',
          schema: ref('PlatformWebhook'),
          example: { ...webhook, events: ['order.created'] },
        },
      },
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'deletePlatformWebhook',
      method: 'delete',
      path: one,
      summary: 'Delete a platform webhook',
      description: 'Its pending deliveries are not sent.',
      access: 'operator',
      responses: { 200: createDeletionResponse('webhook', ref('PlatformWebhookDeleted'), webhook) },
      problems: ['not_found'],
    },
    {
      id: 'retrievePlatformWebhookFilter',
      path: `${one}/filter`,
      summary: 'Retrieve the filter of a platform webhook',
      ...reading,
      condition: 'If-None-Match',
      responses: filterResponse('The filter.'),
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'updatePlatformWebhookFilter',
      path: `${one}/filter`,
      summary: 'Set or clear the filter of a platform webhook',
      description: `Merges the body into the filter; \`null\` clears a member. An event that does not pass makes no delivery. Concerns later events only. \`fields\` and \`thin\` can change ${maxBodyShapes} times in 30 days.`,
      ...writing,
      body: ref('PlatformWebhookFilterUpdate'),
      example: filter,
      condition: 'If-Match',
      responses: filterResponse('The updated filter.'),
      problems: ['not_found', 'damaged', 'too_many'],
    },
    {
      id: 'listPlatformDeliveries',
      path: `${one}/deliveries`,
      summary: 'List the deliveries to a platform webhook',
      description:
        'With their attempts. `merchant` selects a merchant, and is required for one whose data is in an object.',
      ...reading,
      query: platformDeliveriesQuery,
      responses: { 200: createListResponse(ref('PlatformDelivery'), delivery) },
      problems: ['not_found'],
    },
    {
      id: 'recoverPlatformDeliveries',
      path: `${one}/recover`,
      summary: 'Retry all failed and cancelled deliveries to a platform webhook since a time',
      description: `Queues up to ${platformRecoverBounds.deliveries.toLocaleString('en')} events per request, of merchants in the shared database first, then of up to ${platformRecoverBounds.merchants} merchants in objects. Repeat the request until \`recovered\` is 0.`,
      ...writing,
      ignoresIdempotencyKey: true,
      body: ref('PlatformRecovery'),
      example: { since: exampleSeconds - 3_600 },
      responses: {
        202: {
          description: 'The events are queued for delivery.',
          schema: objectSchema({ recovered: z.int().meta({ description: 'Number of queued events.' }) }),
          example: { recovered: 12 },
        },
      },
      problems: ['not_found', 'conflict'],
    },
    {
      id: 'retrievePlatformSecret',
      path: `${one}/secret`,
      summary: 'Retrieve the signing secret of a platform webhook',
      ...reading,
      responses: responsesOf('retrieveSecret'),
      problems: ['not_found', 'damaged'],
    },
    {
      id: 'rotatePlatformSecret',
      path: `${one}/secret/rotate`,
      summary: 'Rotate the signing secret of a platform webhook; the old secret also signs for one day',
      ...writing,
      responses: responsesOf('retrieveSecret'),
      problems: ['not_found', 'conflict', 'damaged'],
    },
    {
      id: 'rotatePlatformToken',
      path: `${one}/token/rotate`,
      summary: 'Rotate the bearer token of a platform webhook',
      ...writing,
      responses: responsesOf('rotateToken'),
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
