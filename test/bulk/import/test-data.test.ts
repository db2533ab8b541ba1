import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { toCounts } from '../../support/imports.ts'
import { moveTo } from '../../support/moves.ts'

/** Copies, and waits until the copy is made. */
async function copy(live: Venue) {
  const { status, body, headers } = await live.post('/test-data', { from: 'live' })
  expect([status, body.mapping, headers.get('location')]).toEqual([202, 'live', live.path('/test-data')])
  return vi.waitFor(
    async () => {
      const { body: shown } = await live.get('/test-data')
      expect([shown.id, shown.state]).toEqual([body.id, 'done'])
      return shown
    },
    { timeout: 15_000, interval: 50 },
  )
}

const titles = async ({ get }: Pick<Venue, 'get'>, path: string) =>
  (await get(`/${path}?limit=100`)).body.map(({ title }: { title: string }) => title).toSorted()

/** A live key that may change the venue and its catalogue. */
async function createLive(home: string) {
  const { id } = await createVenue({ home })
  const scopes = ['merchant', 'products', 'modifiers', 'menus', 'coupons'].map((path) => `${path}:write`)
  return { id, ...(await createKey(id, { mode: 'live', scopes })) }
}

async function createCatalogue(home: string) {
  const live = await createLive(home)
  const probe = { ...(await createKey(live.id, { mode: 'test' })), id: live.id }
  const make = async (path: string, body: object) => {
    const made = await live.post(path, body)
    expect([made.status, made.body]).toEqual([201, expect.any(Object)])
    return String(made.body.id)
  }
  const options = [
    { id: 's', label: 'Small' },
    { id: 'l', label: 'Large', additionalCost: 1 },
  ]
  const size = await make('/modifiers', { title: 'Size', instructions: '', type: 'RADIO', options })
  const tea = await make('/products', { title: 'Tea', price: 3, sku: 'T', modifiers: [size] })
  const cake = await make('/products', { title: 'Cake', price: 4, visible: false })
  const sizes = { modifier: size, prices: { s: { price: 3 }, l: { price: 4 } } }
  expect((await live.post(`/products/${tea}/details`, { labels: ['Lunch'], sizes })).status).toBe(200)
  await live.post(`/products/${tea}/external-id`, { externalId: 'POS-1' })
  const menu = await make('/menus', { title: 'Card', sections: [{ title: 'All', items: [tea, cake] }] })
  await make('/coupons', { title: 'Secret', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  return { live, probe, ids: { size, tea, cake, menu } }
}

describe.each(['d1', 'object'])('live data at home %s', (home) => {
  test('is copied to test mode with details and references, without coupons', async () => {
    const { live, probe, ids } = await createCatalogue(home)
    const done = await copy(live)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, created: 4 })
    const of = async (path: string, id: string) =>
      (await probe.get(`/${path}/external/live:${id}?include=details`)).body
    const [tea, cake, size, menu] = [
      await of('products', ids.tea),
      await of('products', ids.cake),
      await of('modifiers', ids.size),
      await of('menus', ids.menu),
    ]
    expect(tea).toMatchObject({ title: 'Tea', price: 3, sku: 'T', modifiers: [size.id] })
    const sizes = { modifier: size.id, prices: { s: { price: 3 }, l: { price: 4 } } }
    expect(tea.details).toEqual({ labels: ['Lunch'], sizes })
    expect(menu.sections[0].items).toEqual([tea.id, cake.id])
    expect([tea.id, cake.visible]).toEqual([expect.not.stringMatching(ids.tea), false])
    expect((await probe.get('/coupons')).body).toEqual([])
    // Live objects stay as they are.
    expect((await live.get(`/products/external/POS-1`)).body.id).toBe(ids.tea)
    expect(await titles(live, 'products')).toEqual(['Cake', 'Tea'])
    const { body: set } = await probe.get(`/changes/${done.changeSet}`)
    expect([set.kind, set.counts.created]).toEqual(['import', 4])
    expect((await probe.post(`/changes/${done.changeSet}/undo`, {})).body.counts.deleted).toBe(4)
    expect(await titles(probe, 'products')).toEqual([])
  })

  test('changes and deletes only copies at the next time, also after a move', async () => {
    const { live, probe, ids } = await createCatalogue(home)
    await copy(live)
    await probe.post('/products', { title: 'Mine', price: 1 })
    const { body: own } = await probe.post('/products', { title: 'Named', price: 1 })
    await probe.post(`/products/${own.id}/external-id`, { externalId: 'own' })
    await live.post(`/products/${ids.tea}`, { title: 'Green tea' })
    await live.remove(`/products/${ids.cake}`)
    await live.post('/products', { title: 'Bun', price: 2 })
    expect(await moveTo(live.id, home === 'object' ? 'd1' : 'object')).toMatchObject({ state: 'done' })
    expect(toCounts(await copy(live))).toMatchObject({ created: 1, updated: 2, deleted: 1 })
    expect(await titles(probe, 'products')).toEqual(['Bun', 'Green tea', 'Mine', 'Named'])
    expect(toCounts(await copy(live))).toEqual({ rows: 4, checked: 4, applied: 4, unchanged: 4 })
    expect(await titles(live, 'products')).toEqual(['Bun', 'Green tea'])
  })
})

test('is copied with a live key that may change the venue', async () => {
  const live = await createLive('d1')
  expect((await live.post('/test-data', { from: 'live' })).status).toBe(409)
  await live.post('/products', { title: 'Tea', price: 1 })
  const probe = await createKey(live.id, { mode: 'test', scopes: ['merchant:write'] })
  const reader = await createKey(live.id, { mode: 'live', scopes: ['merchant:read', 'products:write'] })
  expect((await probe.post('/test-data', { from: 'live' })).status).toBe(403)
  expect((await probe.get('/test-data')).status).toBe(403)
  expect((await reader.post('/test-data', { from: 'live' })).status).toBe(403)
  expect((await reader.get('/test-data')).status).toBe(404)
  const { status, body } = await live.post('/test-data', { from: 'test', all: true })
  expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([422, ['/from', '/all']])
  const headers = { 'Idempotency-Key': 'copy-1' }
  const [first, second] = [
    await live.post('/test-data', { from: 'live' }, headers),
    await live.post('/test-data', { from: 'live' }, headers),
  ]
  expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id])
  expect(
    (await env.DB.prepare('select count(*) as n from imports where state = ?').bind('uploading').first())?.['n'],
  ).toBe(0)
})
