import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { orderPage } from '../../../src/tenancy/people/erase-orders.ts'
import { maxEventsRead } from '../../../src/tenancy/people/person-events.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { dump, observe } from '../../support/d1.ts'

const person = { firstName: 'Zoëlle', lastName: 'Núñezowa', email: 'zoe.n@example.com', phone: '+44 20 7946 0123' }
const create = async (venue: Pick<Venue, 'post'>, fields: object = {}) =>
  (await venue.post('/customers', { ...person, ...fields })).body

test('erasing reads the rows of the merchant only', async () => {
  const venue = await createVenue()
  const stranger = await createVenue()
  for (let n = 0; n < 5; n++) await create(stranger, { email: `${n}@example.com` })
  const { id } = await create(venue)
  const { trips } = await observe('POST', venue.path(`/customers/${id}/erase`), { key: venue.key })
  const few = trips.map(({ rowsRead }) => rowsRead)
  await env.DB.exec(
    `insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
    select merchant_id, test_mode, id || 'x', seq + 100, type, version, at, row from events where merchant_id = '${stranger.id}'`.replaceAll(
      '\n',
      ' ',
    ),
  )
  const { id: second } = await create(venue)
  const again = await observe('POST', venue.path(`/customers/${second}/erase`), { key: venue.key })
  expect(again.trips.map(({ rowsRead }) => rowsRead).reduce((a, b) => a + b, 0)).toBeLessThan(
    few.reduce((a, b) => a + b, 0) + 60,
  )
})

test('erasing reads a bounded number of events and customers in each round trip, and twice as many take twice the round trips', async () => {
  const venue = await createVenue()
  const order = { type: 'order.created', data: { name: 'Zoëlle', items: [{ title: 'Tea', quantity: 1 }] } }
  await venue.post('/events', order)
  const grow = (from: number, count: number) =>
    env.DB.prepare(
      `with recursive n(value) as (select ?2 union all select value + 1 from n where value < ?2 + ?3 - 1)
      insert into events (merchant_id, test_mode, id, seq, type, version, at, row)
      select merchant_id, test_mode, 'evt_' || n.value, n.value, type, version, at, row from events, n where merchant_id = ?1 and seq = 1`,
    )
      .bind(venue.id, from, count)
      .run()
  const n = maxEventsRead
  const steps: number[] = []
  for (const [from, count] of [
    [10, n],
    [10 + n, n],
    [10 + 2 * n, 2 * n],
  ] as const) {
    await grow(from, count)
    const { id } = await create(venue)
    const { status, trips } = await observe('POST', venue.path(`/customers/${id}/erase`), { key: venue.key })
    expect(status).toBe(200)
    // An event, its text twice, and the values that it is compared with.
    expect(Math.max(...trips.map(({ rowsRead }) => rowsRead))).toBeLessThan(7.5 * n)
    steps.push(trips.length)
  }
  // A window of events takes two round trips: one for events of the customer, one for orders.
  const [first = 0, second = 0, third = 0] = steps
  expect([second - first, third - second]).toEqual([2, 4])
})

test('orders that may contain the person are read in pages of a bounded size', async () => {
  const venue = await createVenue()
  const { id } = await create(venue)
  const data = { email: person.email, note: 'x'.repeat(200_000) }
  for (let n = 0; n < 12; n++) await venue.post('/events', { type: 'order.created', data })
  const { trips } = await observe('POST', venue.path(`/customers/${id}/erase`), { key: venue.key })
  const pages = trips.filter(({ statements }) => statements.some((sql) => sql.includes('sum(')))
  // The last order of a page may exceed its size.
  expect(pages).toHaveLength(12 / Math.ceil(orderPage.bytes / 200_000))
  expect(await dump()).not.toContain(person.email)
})
