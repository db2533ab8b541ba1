import { sampleValues } from '../../catalogue/events/event-catalogue.operations.ts'
import { sampleRedemption } from '../../catalogue/events/event-data.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { retentionDays } from '../../webhooks/event-retention.ts'
import { personView } from './export-customer.ts'
import { erasureView } from './person-routes.ts'

const id = exampleId('cus')
const customer = {
  id,
  testMode: false,
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
  firstName: 'Zoë',
  lastName: 'Núñez',
}

/** Operations on all stored data about a person. */
const { properties, required = [], ...schema } = outputSchema(personView)
const object = '/merchants/:merchantId/customers/:customerId'
export default {
  name: 'Privacy',
  description: 'Requests of customers for their data.',
  schemas: {
    CustomerExport: {
      ...schema,
      properties: {
        ...properties,
        customer: {
          description:
            'The customer, with its external id. Absent if it is deleted. For a damaged customer, only the readable fields.',
          type: 'object',
          additionalProperties: true,
          properties: { id: { type: 'string', description: 'Id of the customer.' } },
        },
        events: {
          description:
            'Events about the customer and its redemptions, and orders that belong to it, in the form in which they are sent.',
          type: 'array',
          items: ref('Event'),
        },
        redemptions: { type: 'array', items: ref('Redemption'), description: 'Redemptions of coupons.' },
      },
      required: [...required, 'events'],
    },
    CustomerErasure: outputSchema(erasureView),
  },
  operations: [
    {
      id: 'exportCustomer',
      method: 'get',
      path: `${object}/export`,
      summary: 'Export all stored data about a customer',
      description: `Returns one JSON document: the customer, its redemptions, and the events of the last ${retentionDays} days with the states of their deliveries. Works for deleted customers as long as their events are stored.`,
      access: 'key',
      scope: 'customers:read',
      responses: {
        200: {
          description: 'The document.',
          schema: ref('CustomerExport'),
          headers: ['Content-Disposition'],
          example: {
            id,
            exportedAt: exampleSeconds,
            customer,
            redemptions: [{ ...sampleRedemption(sampleValues), customer: id }],
            events: [],
            deliveries: [
              {
                webhookId: exampleId('wh'),
                eventId: exampleId('evt'),
                state: 'delivered',
                createdAt: exampleSeconds,
                attempts: 1,
              },
            ],
          },
        },
      },
      problems: ['not_found', 'busy'],
    },
    {
      id: 'eraseCustomer',
      method: 'post',
      path: `${object}/erase`,
      summary: 'Erase a customer',
      description:
        'Deletes the customer and removes the person from events, orders, stored payloads, responses of endpoints, redemptions, imported files and stored responses. Id, external id, email, phone and names are removed from orders that belong to the customer, even within longer texts. Orders and rows of others do not change. Raises `customer.erased`, so that receivers follow. A restore of a backup erases the customer again. A failed request can be repeated. Repeating a successful request has no effect.',
      access: 'key',
      scope: 'customers:write',
      responses: {
        200: {
          description: 'The customer is erased.',
          schema: ref('CustomerErasure'),
          example: { id, erased: true },
        },
      },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
