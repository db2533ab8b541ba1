import type * as z from 'zod'
import { exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { serviceRequest, serviceView } from './service-fields.ts'

const paused = {
  paused: true,
  until: exampleSeconds + 1_800,
  message: 'The kitchen takes a break.',
  prepMinutes: 25,
} satisfies z.core.output<typeof serviceView>

const path = '/merchants/:merchantId/service'
const respond = (description: string) =>
  ({ 200: { description, schema: ref('ServiceState'), example: paused } }) as const

export default {
  name: 'Pauses',
  description: 'Whether a venue takes orders at present, and how long they take.',
  schemas: { ServiceState: outputSchema(serviceView), ServiceStateUpdate: inputSchema(serviceRequest) },
  operations: [
    {
      id: 'retrieveServiceState',
      method: 'get',
      path,
      summary: 'Retrieve whether the venue is paused',
      access: 'key',
      scope: 'stock:read',
      responses: respond('The state of the service.'),
    },
    {
      id: 'updateServiceState',
      method: 'post',
      path,
      summary: 'Pause the venue, end its pause, or state how long orders take',
      description:
        'A pause ends by itself at `until`. Quotes have the issue `paused` at once; the hosted menu shows it within 20 seconds. Live mode and test mode have a pause each. Raises `service.paused` if a pause begins or changes, and `service.resumed` when it ends.',
      access: 'key',
      scope: 'stock:write',
      body: ref('ServiceStateUpdate'),
      example: { paused: true, until: 'tomorrow', message: 'The kitchen takes a break.' },
      responses: respond('The state after the change.'),
    },
  ],
} satisfies OperationGroup
