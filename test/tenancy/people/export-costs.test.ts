import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { exportPageRows } from '../../../src/tenancy/people/export-customer.ts'
import { maxEventsRead } from '../../../src/tenancy/people/person-events.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'

const person = { firstName: 'Zoëlle', lastName: 'Núñezowa', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }

/** Copies an event of the venue; the copies are newer. */
const copyEvent = (venue: Venue, seq: number, from: number, count: number) =>
  env.DB.prepare(
    `with recursive n(value) as (select ?3 union all select value + 1 from n where value < ?3 + ?4 - 1)
    insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
    select merchant_id, test_mode, 'evt_' || n.value, n.value, type, version, at, row from events, n where merchant_id = ?1 and seq = ?2`,
  )
    .bind(venue.id, seq, from, count)
    .run()

/** A venue with a customer, orders of others and of the customer, redemptions of both, and other customers. */
async function createBusy(size: number) {
  const venue = await createVenue()
  const { id } = (await venue.post('/customers', person)).body
  const other = (await venue.post('/customers', { ...person, email: 'other@example.com', phone: '+49 30 1234567' }))
    .body
  await venue.post('/events', { type: 'order.created', data: { customer: id, total: 4 } })
  await venue.post('/events', { type: 'order.created', data: { total: 4 } })
  await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  const own = (await venue.post('/redemptions', { code: 'TEN', order: '1', customer: id })).body
  const foreign = (await venue.post('/redemptions', { code: 'TEN', order: '2', customer: other.id })).body
  const order = { id: "id || '-' || n", order_id: "order_id || '-' || n" }
  await multiply('redemptions', own.id, size / 10, order)
  await multiply('redemptions', foreign.id, size, order)
  await multiply('customers', other.id, size, { email: "n || '@example.com'" })
  await copyEvent(venue, 3, 1_000, size / 10)
  await copyEvent(venue, 4, 1_000 + size / 10, size)
  return { venue, id }
}

test('an export of a person reads a bounded number of rows in each round trip, and twice as many for twice as much data', async () => {
  const read: number[] = []
  for (const size of [1_000, 2_000, 4_000]) {
    const { venue, id } = await createBusy(size)
    const { status, body, trips } = await observe('GET', venue.path(`/customers/${id}/export`), { key: venue.key })
    expect(status).toBe(200)
    expect([body.events.length, body.redemptions.length]).toEqual([size / 10 + 3, size / 10 + 1])
    // An event, its text, and the values that it is compared with.
    expect(Math.max(...trips.map(({ rowsRead }) => rowsRead))).toBeLessThan(7.5 * Math.min(size, maxEventsRead) + 500)
    read.push(rowsRead(trips))
  }
  const [one = 0, two = 0, four = 0] = read
  expect((four - two) / (two - one)).toBeLessThan(2.1)
  expect(four).toBeLessThan(12 * 4_400 + exportPageRows.others)
})
