import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createVenue } from '../../support/api.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T20:00:00Z') }))
afterEach(() => vi.useRealTimers())

test.each([
  ['a time', Date.parse('2026-11-22T21:00:00Z') / 1000, '2026-11-22T21:00:01Z'],
  ['the next day', 'tomorrow', '2026-11-23T19:59:00Z'],
])('a mark until %s is repeated after its end with the same response', async (_, until, later) => {
  const venue = await createVenue()
  const { body: product } = await venue.post('/products', { title: 'Cake', price: 3 })
  const path = `/products/${product.id}/availability`
  const post = (body: object) => venue.post(path, body, { 'idempotency-key': `until ${until}` })
  const first = await post({ soldOut: true, until })
  expect([first.status, first.body.soldOut]).toEqual([200, true])
  vi.setSystemTime(Date.parse(later))
  const { status, body, headers } = await post({ soldOut: true, until })
  expect([status, body, headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
  expect((await venue.get(path)).body).toEqual({ soldOut: false })
  expect((await post({ soldOut: false })).body.code).toBe('idempotency_key_reused')
})
