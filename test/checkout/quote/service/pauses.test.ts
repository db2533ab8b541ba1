import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adminToken, call, createKey, createVenue } from '../../../support/api.ts'
import { observe } from '../../../support/d1.ts'

const now = Date.parse('2026-12-21T12:00:00Z') / 1000
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: now * 1000 }))
afterEach(() => vi.useRealTimers())

/** A venue with products, and functions that quote one of each. */
async function createOrders(fields: object = {}, count = 1) {
  const venue = await createVenue({ timezone: 'Europe/Berlin', ...fields })
  const products: string[] = []
  for (let n = 0; n < count; n++)
    products.push((await venue.post('/products', { title: `Tea ${n}`, price: 2 })).body.id)
  const order = { items: products.map((product) => ({ product, quantity: 1 })) }
  const quote = async (more: object = {}, post = venue.post) => {
    const { status, body } = await post('/quotes', { ...order, ...more })
    expect([status, body.orderable]).toEqual([200, body.issues.length === 0])
    return body.issues.map(({ message: _, ...issue }: Record<string, unknown>) => issue)
  }
  return { venue, products, order, quote }
}
const paused = (until?: number) => [{ pointer: '', code: 'paused', ...(until !== undefined && { until }) }]
const unserved = (...lines: number[]) =>
  lines.map((line) => ({ pointer: `/items/${line}/product`, code: 'not_served_now' }))

describe.each(['d1', 'object'])('quotes of a venue in %s', (home) => {
  test('tell at once that it is paused, until the second in which the pause ends', async () => {
    const { venue, quote } = await createOrders({ home })
    const until = now + 600
    await venue.post('/service', { paused: true, until })
    expect(await quote()).toEqual(paused(until))
    expect(await quote({ at: until - 1 })).toEqual(paused(until))
    expect(await quote({ at: until })).toEqual([])
    vi.setSystemTime((until - 1) * 1000)
    expect(await quote()).toEqual(paused(until))
    vi.setSystemTime(until * 1000)
    expect(await quote()).toEqual([])
    await venue.post('/service', { paused: true })
    expect(await quote({ at: until + 86_400 })).toEqual(paused())
    expect(await quote({ ignoreHours: true })).toEqual([])
    const tests = await createKey(venue.id, { mode: 'test' })
    const { id } = (await tests.post('/products', { title: 'Tea', price: 2 })).body
    expect(await quote({ items: [{ product: id, quantity: 1 }] }, tests.post)).toEqual([])
    await venue.post('/service', { paused: false })
    expect(await quote()).toEqual([])
  })

  test('tell that their products stand only on menus of which none is served', async () => {
    const { venue, products, quote } = await createOrders({ home }, 4)
    const [lunch, dinner, both] = products
    await venue.post('/menus', { title: 'Lunch', begin: '1100', end: '1500', sections: [{ items: [lunch, both] }] })
    await venue.post('/menus', { title: 'Dinner', begin: '1800', end: '0200', sections: [{ items: [dinner, both] }] })
    await venue.post('/menus', { title: 'Draft', visible: false, sections: [{ items: products }] })
    // The local time is one hour later.
    expect(await quote({ at: now })).toEqual(unserved(1))
    expect(await quote({ at: now + 4 * 3_600 })).toEqual(unserved(0, 1, 2))
    expect(await quote({ at: now + 5 * 3_600 })).toEqual(unserved(0))
    expect(await quote({ at: now + 5 * 3_600, ignoreHours: true })).toEqual([])
    const pause = { paused: true, until: now + 86_400 }
    await venue.post('/service', pause)
    expect(await quote({ at: now + 5 * 3_600 })).toEqual([...paused(pause.until), ...unserved(0)])
    await call('POST', `/admin/merchants/${venue.id}`, adminToken, { hoursClose: false })
    expect(await quote({ at: now + 5 * 3_600 })).toEqual(paused(pause.until))
  })
})

test('a menu of days, dates or another type of order serves its products only then', async () => {
  const { venue, products, quote } = await createOrders({}, 3)
  const create = async (product: string | undefined, details: object) => {
    const { id } = (await venue.post('/menus', { title: 'Day', allDayMenu: true, sections: [{ items: [product] }] }))
      .body
    expect((await venue.post(`/menus/${id}/details`, details)).status).toBe(200)
    return id
  }
  const tuesdays = await create(products[0], { days: ['tue'] })
  await create(products[1], { dates: { from: '2026-12-22', until: '2026-12-22' } })
  await create(products[2], { orderTypes: ['takeaway'] })
  expect(await quote()).toEqual(unserved(0, 1, 2))
  expect(await quote({ orderType: 'takeaway' })).toEqual(unserved(0, 1))
  expect(await quote({ at: now + 86_400 })).toEqual(unserved(2))
  expect(await quote({ menu: tuesdays })).toEqual([{ pointer: '/menu', code: 'outside_menu_hours' }])
})

test('while the venue is closed, only that is told, beside a pause', async () => {
  const { venue, products, quote } = await createOrders({ closures: [{ from: '2026-12-21', until: '2026-12-21' }] })
  await venue.post('/menus', { title: 'Day', allDayMenu: true, sections: [{ items: products }] })
  await venue.post('/service', { paused: true })
  const opensAt = Date.parse('2026-12-21T23:00:00Z') / 1000
  expect(await quote()).toEqual([{ pointer: '', code: 'closed', opensAt }, ...paused()])
})

test('answer how long orders take, in one call of the database', async () => {
  const { venue, order } = await createOrders({}, 2)
  const read = async () => {
    const { trips, body } = await observe('POST', venue.path('/quotes'), { key: venue.key, json: order })
    return [trips.length, body.prepMinutes]
  }
  expect(await read()).toEqual([1, undefined])
  await venue.post('/service', { prepMinutes: 0 })
  expect(await read()).toEqual([1, 0])
  await venue.post('/service', { paused: true, prepMinutes: 40 })
  expect(await read()).toEqual([1, 40])
})
