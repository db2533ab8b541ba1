import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { app } from '../../../src/app/app.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { createVenue, origin, send, type Venue } from '../../support/api.ts'

const noon = Date.parse('2026-11-22T12:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: noon }))
afterEach(() => vi.useRealTimers())

/** A venue whose menu lists a cake and tea, neither with managed stock. */
async function createMenu() {
  const venue = await createVenue()
  const create = async (title: string): Promise<string> => (await venue.post('/products', { title, price: 3 })).body.id
  const [cake, tea] = [await create('Cake'), await create('Tea')]
  await venue.post('/menus', { title: 'All day', sections: [{ title: 'Food', items: [cake, tea] }] })
  return { venue, cake, tea }
}

const mark = (venue: Venue, id: string, body: object) => venue.post(`/products/${id}/availability`, body)

/** The titles of the sold-out products in the data, on the page and in its JSON-LD. */
async function listSoldOut({ id }: Venue) {
  const { body: data } = await send(`/m/${id}.json`)
  const { body: page } = await send(`/m/${id}`)
  const products: { title: string; soldOut: boolean }[] = data.menus[0].sections[0].products
  return {
    data: products.filter(({ soldOut }) => soldOut).map(({ title }) => title),
    page: [...page.matchAll(/<bdi>(\w+)<\/bdi> <small>Sold out[^<]*<\/small>/g)].map(([, title]) => title),
    jsonLd: [...page.matchAll(/"name":"(\w+)","offers":\{[^}]*"https:\/\/schema\.org\/SoldOut"/g)].map(
      ([, title]) => title,
    ),
  }
}

const onlyCake = { data: ['Cake'], page: ['Cake'], jsonLd: ['Cake'] }
const none = { data: [], page: [], jsonLd: [] }

test('a marked product is sold out until the second of until', async () => {
  const { venue, cake } = await createMenu()
  expect(await listSoldOut(venue)).toEqual(none)
  await mark(venue, cake, { soldOut: true, until: noon / 1000 + 60 })
  expect(await listSoldOut(venue)).toEqual(onlyCake)
  vi.setSystemTime(noon + 59_999)
  expect(await listSoldOut(venue)).toEqual(onlyCake)
  vi.setSystemTime(noon + 60_000)
  expect(await listSoldOut(venue)).toEqual(none)
})

test('a product is available once its mark is removed, unless it is out of stock', async () => {
  const { venue, cake } = await createMenu()
  await mark(venue, cake, { soldOut: true })
  expect(await listSoldOut(venue)).toEqual(onlyCake)
  await mark(venue, cake, { soldOut: false })
  expect(await listSoldOut(venue)).toEqual(none)
  await venue.post(`/products/${cake}`, { manageStock: true, stockQuantity: 1 })
  await venue.post('/stock', { reference: '1', reason: 'sale', changes: [{ product: cake, delta: -1 }] })
  expect(await listSoldOut(venue)).toEqual(onlyCake)
})

test('a mark of one mode does not show in the other', async () => {
  const { venue, cake } = await createMenu()
  const insert = 'insert into availability (merchant_id, test_mode, product, sold_out_until) values (?, 1, ?, ?)'
  await env.DB.prepare(insert).bind(venue.id, cake, noon).run()
  expect(await listSoldOut(venue)).toEqual(none)
})

test('the cached menu shows a mark, and its end, within 60 seconds', async () => {
  const { venue, cake } = await createMenu()
  const production: Bindings = { ...env }
  delete production.ALLOW_INSECURE_WEBHOOKS
  const isSoldOut = async () => {
    const context = createExecutionContext()
    const response = await app.fetch(new Request(`${origin}/m/${venue.id}`), production, context)
    const page = await response.text()
    await waitOnExecutionContext(context)
    return page.includes('Sold out')
  }
  expect(await isSoldOut()).toBe(false)
  await mark(venue, cake, { soldOut: true, until: noon / 1000 + 100 })
  expect(await isSoldOut()).toBe(false)
  vi.setSystemTime(noon + 60_000)
  expect(await isSoldOut()).toBe(true)
  vi.setSystemTime(noon + 99_000)
  expect(await isSoldOut()).toBe(true)
  vi.setSystemTime(noon + 159_000)
  expect(await isSoldOut()).toBe(false)
})
