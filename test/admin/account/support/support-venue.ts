import { expect } from 'vitest'
import { adminToken, call, createVenue } from '../../../support/api.ts'
import { createMember, sameOrigin } from '../../../support/authenticator.ts'
import { createOperator } from '../../../support/operators.ts'

export const homes = ['d1', 'object'] as const
export type Operator = Awaited<ReturnType<typeof createOperator>>

/** A request that opens a venue. */
export const askToOpen = (operator: Pick<Operator, 'send'>, merchantId: string, reason: unknown = 'Ticket 4711') =>
  operator.send('POST', `/admin/merchants/${merchantId}/support`, { reason })

/** Opens a venue. Returns calls with the cookie of support. */
export async function openVenue(operator: Operator, merchantId: string, reason = 'Ticket 4711') {
  const { status, headers, body } = await askToOpen(operator, merchantId, reason)
  expect([status, body.support]).toEqual([201, { operator: operator.id, name: 'Ana', reason }])
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const request = (method: string, path: string, json?: unknown, more: Record<string, string> = {}) =>
    call(method, path, undefined, json, { cookie, ...sameOrigin, ...more })
  return {
    id: body.id as string,
    session: body,
    cookie,
    setCookie: headers.get('set-cookie') ?? '',
    request,
    to: (method: string, path: string, json?: unknown, more?: Record<string, string>) =>
      request(method, `/merchants/${merchantId}${path}`, json, more),
  }
}

/** A venue in a home with an owner, and an operator of the role support. */
export async function createSupported(home: (typeof homes)[number], role: 'admin' | 'support' = 'support') {
  const venue = await createVenue({ home })
  const [owner, operator] = [await createMember(venue.id), await createOperator(role)]
  const allow = (supportAccess: string | null) => owner.to('POST', '', { supportAccess })
  return { venue, owner, operator, allow }
}

/** An update of a venue by the operator's token. */
export const update = (merchantId: string, fields: object) =>
  call('POST', `/admin/merchants/${merchantId}`, adminToken, fields)
