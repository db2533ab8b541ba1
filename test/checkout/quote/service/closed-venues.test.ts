import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { adminToken, call, createVenue, toIssues } from '../../../support/api.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000
const hours = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], opens: '0730', closes: '2200' }]

/** Creates a venue with a product. Returns functions that update it, and that quote at a time. */
async function createClosing(fields: object) {
  const venue = await createVenue({ timezone: 'Europe/Berlin', ...fields })
  const product = (await venue.post('/products', { title: 'Tea', price: 2 })).body.id
  const update = (patch: object) => call('POST', `/admin/merchants/${venue.id}`, adminToken, patch)
  const quote = async (at: string, more: object = {}) => {
    const order = { items: [{ product, quantity: 1 }], at: seconds(at), ...more }
    const { status, body } = await venue.post('/quotes', order)
    expect([status, body.total]).toEqual([200, 2])
    expect(body.orderable).toBe(body.issues.length === 0)
    return body.issues.map(({ message: _, ...issue }: Record<string, unknown>) => issue)
  }
  return { venue, update, quote }
}
const closed = (opensAt?: string) => [
  { pointer: '', code: 'closed', ...(opensAt !== undefined && { opensAt: seconds(opensAt) }) },
]

test.each(['d1', 'object'])('quotes tell when a venue in %s is closed, and when it opens', async (home) => {
  const { quote, update } = await createClosing({ home, openingHours: hours })
  // 2026-12-21 is a Monday.
  expect(await quote('2026-12-21T06:29:59Z')).toEqual(closed('2026-12-21T06:30:00Z'))
  expect(await quote('2026-12-21T06:30:00Z')).toEqual([])
  expect(await quote('2026-12-18T21:00:00Z')).toEqual(closed('2026-12-21T06:30:00Z'))
  expect(await quote('2026-12-18T21:00:00Z', { ignoreHours: true })).toEqual([])
  await update({ closures: [{ from: '2026-12-21', until: '2027-01-05', title: 'Christmas' }] })
  expect(await quote('2026-12-21T06:30:00Z')).toEqual(closed('2027-01-06T06:30:00Z'))
  await update({ specialHours: [{ date: '2026-12-31', opens: '2000', closes: '0400' }] })
  expect(await quote('2026-12-21T06:30:00Z')).toEqual(closed('2026-12-31T19:00:00Z'))
  expect(await quote('2027-01-01T02:59:59Z')).toEqual([])
  expect(await quote('2027-01-01T03:00:00Z')).toEqual(closed('2027-01-06T06:30:00Z'))
  await update({ timezone: 'Asia/Kolkata' })
  expect(await quote('2027-01-01T03:00:00Z')).toEqual(closed('2027-01-06T02:00:00Z'))
  await update({ closures: null, specialHours: null, openingHours: null })
  expect(await quote('2027-01-01T03:00:00Z')).toEqual([])
})

test('venues from before the field are not closed by their opening hours, but by closures', async () => {
  const { venue, quote, update } = await createClosing({ openingHours: hours })
  await env.DB.prepare('update merchants set hours_close = 0 where id = ?').bind(venue.id).run()
  expect(await quote('2026-12-20T12:00:00Z')).toEqual([])
  await update({ closures: [{ from: '2026-12-20', until: '9999-12-31' }] })
  expect(await quote('2026-12-20T12:00:00Z')).toEqual(closed('+010000-01-01T00:00:00+01:00'))
  expect((await update({ hoursClose: true })).body.hoursClose).toBe(true)
  expect(await quote('2026-12-18T12:00:00Z')).toEqual([])
})

test('orders of staff ignore the hours of a menu too, but not its prices', async () => {
  const { venue, quote } = await createClosing({})
  const menu = (await venue.post('/menus', { title: 'Lunch', begin: '1100', end: '1400' })).body.id
  expect(await quote('2026-12-21T20:00:00Z', { menu })).toEqual([{ pointer: '/menu', code: 'outside_menu_hours' }])
  expect(await quote('2026-12-21T20:00:00Z', { menu, ignoreHours: true })).toEqual([])
  const unknown = [{ pointer: '/menu', code: 'unknown_menu' }]
  expect(await quote('2026-12-21T20:00:00Z', { menu: 'menu_none', ignoreHours: true })).toEqual(unknown)
})

test('a venue with damaged closures still takes orders', async () => {
  const { venue, quote } = await createClosing({ openingHours: hours })
  await env.DB.prepare(`update merchants set closures = '[{"from":1}]' where id = ?`).bind(venue.id).run()
  expect(await quote('2026-12-21T06:30:00Z')).toEqual([])
  expect(await quote('2026-12-21T06:29:59Z')).toEqual(closed('2026-12-21T06:30:00Z'))
})

test('hours and closures have an end after their begin, and days of the calendar', async () => {
  const day = '2026-12-24'
  const response = await call('POST', '/admin/merchants', adminToken, {
    name: 'Venue',
    openingHours: [{ days: ['mon'], opens: '0800', closes: '0800' }],
    closures: [
      { from: day, until: '2026-12-23' },
      { from: '2026-02-30', until: day },
      { from: day },
      { from: day, until: day, title: 'x'.repeat(256) },
      { from: day, until: day, translations: {} },
    ],
    specialHours: [
      { date: day, opens: '0800', closes: '0800' },
      { date: day, opens: '2400', closes: '2401' },
    ],
  })
  expect([response.status, toIssues(response)]).toEqual([
    422,
    [
      '/closures/0 conflict',
      '/closures/1/from invalid_format',
      '/closures/2/until required',
      '/closures/3/title too_long',
      '/closures/4/translations unknown_field',
      '/openingHours/0 conflict',
      '/specialHours/0 conflict',
      '/specialHours/1/closes invalid_format',
      '/specialHours/1/opens invalid_format',
    ],
  ])
})
