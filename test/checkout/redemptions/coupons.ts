import { vi } from 'vitest'
import type { Venue } from '../../support/api.ts'

/** In the future: with a clock that is behind, alarms of objects are due without end. */
export const start = Math.ceil(Date.now() / 1000) + 86_400
export const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 })
export const setClock = (seconds: number) => vi.setSystemTime(seconds * 1000)

export async function createCoupon(venue: Venue, limits?: object, fields: object = {}): Promise<string> {
  const body = { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10, ...fields }
  const { id } = (await venue.post('/coupons', body)).body
  if (limits) await venue.post(`/coupons/${id}/limits`, limits)
  return id
}
export const redeem = (venue: Pick<Venue, 'post'>, order: string, fields: object = {}) =>
  venue.post('/redemptions', { code: 'TEN', order, ...fields })
export const settle = (venue: Venue, id: string, verb: 'confirm' | 'release') =>
  venue.post(`/redemptions/${id}/${verb}`, {})
export const readCount = async (venue: Venue, coupon: string): Promise<number> =>
  (await venue.get(`/coupons/${coupon}`)).body.timesRedeemed
export const createCustomer = async (venue: Venue): Promise<string> =>
  (await venue.post('/customers', { firstName: 'Ana', lastName: 'Silva' })).body.id
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
export const listEvents = async (venue: Venue): Promise<any[]> =>
  (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => /^coupon\.(?:re|li|up)/.test(type))
export const toReasons = ({ status, body }: Awaited<ReturnType<Venue['get']>>) => [
  status,
  body.code,
  (body.reasons ?? []).map(({ code }: { code: string }) => code),
]
