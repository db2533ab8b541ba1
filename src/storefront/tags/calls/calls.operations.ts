import * as z from 'zod'
import { callKinds } from '../../../platform/db/schema/resources/tag-requests.ts'
import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { callLimits } from './call-limits.ts'
import { callsView, type callView, finishedView } from './call-routes.ts'

const call = {
  tag: exampleId('tag'),
  kind: 'bill',
  requestedAt: exampleSeconds,
  metadata: [{ key: 'Table', value: '4' }],
} satisfies z.output<typeof callView>

const minutes = (seconds: number) => seconds / 60

export default {
  name: 'Calls',
  description: 'Guests at tables who call the staff or ask for the bill.',
  schemas: { TagRequests: outputSchema(callsView), FinishedTagRequest: outputSchema(finishedView) },
  operations: [
    {
      id: 'listTagRequests',
      method: 'get',
      path: '/merchants/:merchantId/requests',
      summary: 'List the open calls of guests',
      description: `The oldest first. A call is gone after ${minutes(callLimits.seconds)} minutes, done or not. \`pulse\` tells when the list has changed; \`tag.requested\` and \`tag.request_done\` are raised.`,
      access: 'key',
      scope: 'stock:read',
      responses: {
        200: {
          description: 'The open calls.',
          schema: ref('TagRequests'),
          example: { kinds: ['call', 'bill'], requests: [call] },
        },
      },
    },
    {
      id: 'finishTagRequest',
      method: 'post',
      path: '/merchants/:merchantId/tags/:tagId/requests/:kind/done',
      summary: 'Mark a call of a guest as done',
      description:
        'Raises `tag.request_done`. The guest can call again at once. Repeating the request changes nothing.',
      access: 'key',
      scope: 'stock:write',
      responses: {
        200: {
          description: 'The call is done.',
          schema: ref('FinishedTagRequest'),
          example: { tag: call.tag, kind: 'bill', done: true },
        },
      },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup

/** Body of the form on the hosted menu. */
export const callForm = z.object({
  tag: z.string().meta({ description: 'Id of the scanned tag.' }),
  kind: z.enum(callKinds).meta({ description: '`call`: somebody is to come. `bill`: the guest wants to pay.' }),
  seat: z.string().meta({ description: 'Proof of the scan, from the address to which the tag has redirected.' }),
})
