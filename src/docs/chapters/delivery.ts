import * as z from 'zod'
import { deliveriesQuery, deliveryView, sinceFields } from '../../delivery/deliveries.ts'
import { eventsQuery, publication } from '../../delivery/events.ts'
import { eventSchema } from '../catalogue.ts'
import { type Chapter, listAnswer } from '../operations.ts'
import { inputSchema, type JsonSchema, outputSchema, ref } from '../schemas.ts'

const object = (shape: z.core.$ZodLooseShape): JsonSchema => outputSchema(z.object(shape))
const text = z.string()

export const eventsChapter = (): Chapter => ({
  name: 'Events',
  description: 'What happened to whatever a merchant has.',
  schemas: {
    EventCreate: inputSchema(publication),
    Event: eventSchema(
      { type: 'string', description: 'One of `/event-types`, or `webhook.test`.' },
      { type: 'object', description: 'The object as it was shown then.' },
      true,
    ),
  },
  operations: [
    {
      id: 'listEvents',
      method: 'get',
      path: '/merchants/:merchantId/events',
      summary: 'List the events of 30 days, oldest first',
      access: 'key',
      scope: 'events:read',
      query: eventsQuery,
      answers: { 200: listAnswer(ref('Event')) },
    },
    {
      id: 'publishEvent',
      method: 'post',
      path: '/merchants/:merchantId/events',
      summary: 'Publish an event',
      access: 'key',
      scope: 'events:write',
      body: ref('EventCreate'),
      answers: { 202: { description: 'It is on its way.', schema: object({ id: text }) } },
    },
    {
      id: 'listEventTypes',
      method: 'get',
      path: '/event-types',
      summary: 'List every type of event, with its JSON Schema and a sample',
      access: 'anyone',
      answers: {
        200: {
          description: 'All of them.',
          schema: {
            type: 'array',
            items: object({ type: text, schema: z.looseObject({}), sample: z.looseObject({}) }),
          },
        },
      },
    },
  ],
})

export const deliveriesChapter = (): Chapter => {
  const webhook = '/merchants/:merchantId/webhooks/:webhookId'
  const writing = { method: 'post', access: 'key', scope: 'webhooks:write' } as const
  const again = { ...writing, problems: ['not_found', 'conflict'] } as const
  const secret = { 200: { description: 'The secret.', schema: object({ secret: text }) } }
  const accepted = (shape: z.core.$ZodLooseShape) => ({ 202: { description: 'Accepted.', schema: object(shape) } })
  return {
    name: 'Deliveries',
    description: 'What became of each event for one webhook, and what a receiver checks it by.',
    schemas: { Delivery: outputSchema(deliveryView), Recovery: inputSchema(sinceFields) },
    operations: [
      {
        id: 'listDeliveries',
        method: 'get',
        path: `${webhook}/deliveries`,
        summary: 'List the deliveries to a webhook',
        access: 'key',
        scope: 'webhooks:read',
        query: deliveriesQuery,
        answers: { 200: listAnswer(ref('Delivery')) },
        problems: ['not_found'],
      },
      {
        id: 'retryDelivery',
        path: `${webhook}/deliveries/:eventId/retry`,
        summary: 'Deliver an event once more',
        ...again,
        answers: accepted({ id: text }),
      },
      {
        id: 'recoverDeliveries',
        path: `${webhook}/recover`,
        summary: 'Deliver everything that failed or was cancelled since a time',
        ...again,
        body: ref('Recovery'),
        answers: accepted({ recovered: z.int() }),
      },
      {
        id: 'testWebhook',
        path: `${webhook}/test`,
        summary: 'Send a `webhook.test` event',
        description: 'One attempt, whatever `events` says.',
        ...again,
        answers: accepted({ id: text }),
      },
      {
        id: 'retrieveSecret',
        path: `${webhook}/secret`,
        summary: 'Retrieve the signing secret of a webhook',
        ...writing,
        method: 'get',
        answers: secret,
        problems: ['not_found'],
      },
      {
        id: 'rotateSecret',
        path: `${webhook}/secret/rotate`,
        summary: 'Replace the signing secret, which signs beside the new one for a day',
        ...again,
        answers: secret,
      },
      {
        id: 'rotateToken',
        path: `${webhook}/token/rotate`,
        summary: 'Replace the bearer token',
        ...writing,
        answers: { 200: { description: 'The token.', schema: object({ bearerToken: text }) } },
        problems: ['not_found'],
      },
    ],
  }
}
