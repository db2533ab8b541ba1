import type * as z from 'zod'
import { failedRequestLimits } from '../../platform/auth/failures/failure-statements.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../platform/http/openapi/operation.ts'
import { failureQuery, failureView } from './failed-request-routes.ts'

const failure = {
  key: exampleId('key'),
  method: 'POST',
  path: '/merchants/:merchantId/products',
  status: 422,
  code: 'invalid_request',
  pointers: ['/price'],
  count: 12,
  lastAt: exampleSeconds,
} satisfies z.core.output<typeof failureView>

export default {
  name: 'Failed requests',
  description: 'Requests of an API key that the service rejected, grouped, without bodies and values.',
  schemas: { FailedRequest: outputSchema(failureView) },
  operations: [
    {
      id: 'listFailedRequests',
      method: 'get',
      path: '/merchants/:merchantId/failed-requests',
      summary: `List the failed requests of a key in the last ${failedRequestLimits.days} days, the latest first`,
      description: `Groups requests by method, route, status, code and pointers. Test keys show keys of test mode, live keys and sessions of live mode all. A day has at most ${failedRequestLimits.groups} groups of a key; others are not kept. A failure appears within ${failedRequestLimits.windowMs / 1000} seconds.`,
      access: 'key',
      scope: 'audit:read',
      query: failureQuery,
      responses: {
        200: {
          description: 'The groups.',
          schema: { type: 'array', items: ref('FailedRequest') },
          example: [failure],
        },
      },
      problems: ['invalid_request'],
    },
  ],
} satisfies OperationGroup
