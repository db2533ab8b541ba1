import * as z from 'zod'
import type { ProblemCode } from '../../../platform/errors.ts'
import type { ApiResponse } from '../../../platform/http/openapi/operation.ts'

/** Query parameter with the time of a menu. */
export const atField = z.string().optional().meta({
  description:
    'Time of the menu: seconds since 1970-01-01 UTC, or ISO 8601 with an offset. Default: now. With an API key (`Authorization: Bearer …`, scopes `menus:read`, `products:read` and `modifiers:read`), menus, products and modifiers are those of that time, in the last 30 days.',
})

/** Problems of the holder of a key who asks for the catalogue as it was, with statuses of their own. */
export const ofKey = ['unauthenticated', 'events_expired'] as const
/** Problems of the data of a menu. */
export const ofData = [
  ...ofKey,
  ...(['forbidden', 'address_not_allowed', 'merchant_suspended', 'not_found'] as const),
  ...(['damaged', 'rate_limited', 'unavailable'] as const),
]

const byStatus: Readonly<Record<string, readonly ProblemCode[]>> = {
  403: ['forbidden', 'merchant_suspended', 'address_not_allowed'],
  404: ['not_found'],
  422: ['invalid_request'],
  429: ['rate_limited'],
  503: ['unavailable'],
}

/** Responses with pages, in whose place the holder of a key gets problems. */
export const withProblems = (responses: Readonly<Record<string, ApiResponse>>) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const problems = byStatus[status]
      return [status, problems ? { ...response, problems } : response]
    }),
  )
