import { withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { pulseQuery, pulseView } from './pulse-routes.ts'

const pulseDescriptions = {
  cursor: 'Position of the newest change. Pass it as `after` to the next request.',
  resources:
    'Parts of the data that have changed since `after` and that the key or role may read. Empty without `after`. After more than three changes, it names all parts.',
  requests: 'Whether guests may have called, or calls may have been marked as done, since `after`.',
}

export default {
  name: 'Pulse',
  description: 'Tells clients that show data when to read it again.',
  schemas: { Pulse: withDescriptions(outputSchema(pulseView), pulseDescriptions) },
  operations: [
    {
      id: 'getPulse',
      method: 'get',
      path: '/merchants/:merchantId/pulse',
      summary: 'Ask whether something has changed',
      description:
        'Made for polling every few seconds. Returns `204` while nothing has changed. Reads three rows. Any key or role may call it. A request does not extend a session of the console.',
      access: 'key',
      query: pulseQuery,
      responses: {
        200: {
          description: 'The parts that have changed.',
          schema: ref('Pulse'),
          example: { cursor: '1042', resources: ['products', 'stock'], requests: false },
        },
        204: { description: 'Nothing has changed since `after`.' },
      },
    },
  ],
} satisfies OperationGroup
