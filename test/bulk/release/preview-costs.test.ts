import { expect, test, vi } from 'vitest'
import { D1Connection } from '../../../src/platform/db/home/d1-connection.ts'
import { createKey, createVenue, send } from '../../support/api.ts'
import { autumn, createFilled } from './filled-release.ts'
import { link, readData } from './preview-links.ts'

test('a preview needs one round trip more than the menu, and a quote one more than without the release', async () => {
  const { venue, soup, milk, menu, coupon } = await createFilled()
  const operations = autumn(soup, milk, menu, coupon)
    .filter(({ resource }) => resource !== 'menus')
    .slice(3)
  const { id } = (await venue.post('/releases', { title: 'R', operations })).body
  const url = await link(venue, id)
  const order = { items: [{ product: soup, quantity: 1 }] }
  const count = async (request: () => Promise<{ status: number }>) => {
    const run = vi.spyOn(D1Connection.prototype, 'run')
    const { status } = await request()
    const { length } = run.mock.calls
    run.mockRestore()
    return [status, length]
  }
  await venue.post('/quotes', order)
  expect(await count(() => send(`/m/${venue.id}.json?at=1900000000`))).toEqual([200, 1])
  expect(await count(() => readData(url))).toEqual([200, 2])
  expect(await count(() => venue.post('/quotes', order))).toEqual([200, 1])
  expect(await count(() => venue.post('/quotes', { ...order, release: id }))).toEqual([200, 2])
})

test('the address of a preview requires the rights to read the release and its objects', async () => {
  const { venue, soup } = await createFilled()
  const operations = [{ op: 'update', resource: 'products', id: soup, body: { title: 'Stew' } }]
  const { id } = (await venue.post('/releases', { title: 'R', operations })).body
  const ask = async (scopes: readonly string[]) =>
    (await (await createKey(venue.id, { mode: 'live', scopes })).post(`/releases/${id}/preview-link`, {})).status
  expect(await ask(['releases:read', 'products:read'])).toBe(200)
  expect(await ask(['releases:read', 'menus:read'])).toBe(403)
  expect(await ask(['products:read'])).toBe(403)
  const quoting = await createKey(venue.id, { mode: 'live', scopes: ['products:read', 'coupons:read'] })
  expect((await quoting.post('/quotes', { items: [{ product: soup, quantity: 1 }], release: id })).status).toBe(403)
  for (const body of [{ hours: 169 }, { hours: 0 }, { hours: 1.5 }, { at: 'noon' }, { until: 1 }])
    expect((await venue.post(`/releases/${id}/preview-link`, body)).status).toBe(422)
  const other = await createVenue()
  expect((await other.post(`/releases/${id}/preview-link`, {})).status).toBe(404)
  const testKey = await createKey(venue.id, { mode: 'test' })
  expect((await testKey.post(`/releases/${id}/preview-link`, {})).status).toBe(404)
})
