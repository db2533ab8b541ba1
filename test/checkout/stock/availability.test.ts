import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { returnToStock } from '../../../src/checkout/stock/return-to-stock.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createKey, createVenue, send, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T20:00:00Z') }))
afterEach(() => vi.useRealTimers())

const seconds = (iso: string) => Date.parse(iso) / 1000
const createProduct = async (venue: Venue, fields: object = {}): Promise<string> =>
  (await venue.post('/products', { title: 'Cake', price: 3, ...fields })).body.id
const read = async (venue: Venue, id: string) => (await venue.get(`/products/${id}/availability`)).body
const mark = (venue: Venue, id: string, body: object) => venue.post(`/products/${id}/availability`, body)
const listEvents = async (venue: Venue) =>
  (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => /sold_out|back_in/.test(type))

describe('a mark as sold out', () => {
  test('lasts until further notice, unless it has an end', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    expect(await read(venue, id)).toEqual({ soldOut: false })
    for (const body of [{ soldOut: true }, { soldOut: true, until: null }, { soldOut: 1, until: 'further_notice' }]) {
      const { status, body: response } = await mark(venue, id, body)
      expect([status, response]).toEqual([200, { soldOut: true, until: 'further_notice' }])
    }
    vi.setSystemTime(Date.parse('2126-01-01T00:00:00Z'))
    expect(await read(venue, id)).toEqual({ soldOut: true, until: 'further_notice' })
    expect((await mark(venue, id, { soldOut: false })).body).toEqual({ soldOut: false })
    expect(await read(venue, id)).toEqual({ soldOut: false })
  })

  test('counts until the second before its end, without the cron', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const until = seconds('2026-11-22T21:00:00Z')
    expect((await mark(venue, id, { soldOut: true, until })).body).toEqual({ soldOut: true, until })
    vi.setSystemTime((until - 1) * 1000)
    expect(await read(venue, id)).toEqual({ soldOut: true, until })
    expect((await venue.get('/stock')).body).toEqual([{ product: id, title: 'Cake', soldOut: true, until }])
    vi.setSystemTime(until * 1000)
    expect(await read(venue, id)).toEqual({ soldOut: false })
    expect((await venue.get('/stock')).body).toEqual([])
  })

  test.each([
    ['UTC', '0400', '2026-11-22T20:00:00Z', '2026-11-23T04:00:00Z'],
    ['UTC', '0400', '2026-11-22T03:59:59Z', '2026-11-22T04:00:00Z'],
    ['UTC', '0400', '2026-11-22T04:00:00Z', '2026-11-23T04:00:00Z'],
    ['America/New_York', '0530', '2026-11-22T20:00:00Z', '2026-11-23T10:30:00Z'],
    ['Europe/Lisbon', '0400', '2026-10-24T20:00:00Z', '2026-10-25T04:00:00Z'],
    ['Europe/Lisbon', '0400', '2026-03-28T20:00:00Z', '2026-03-29T03:00:00Z'],
  ])('until tomorrow ends in %s at %s after %s', async (timezone, dayStartsAt, now, end) => {
    vi.setSystemTime(Date.parse(now))
    const venue = await createVenue({ timezone, dayStartsAt })
    const id = await createProduct(venue)
    expect((await mark(venue, id, { soldOut: true, until: 'tomorrow' })).body.until).toBe(seconds(end))
  })

  test('does not end what the stock says, and the stock does not end it', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue, { manageStock: true, stockQuantity: 0 })
    expect(await read(venue, id)).toEqual({ soldOut: true })
    await mark(venue, id, { soldOut: true })
    await venue.post('/stock', { reference: 'A', reason: 'delivery', changes: [{ product: id, delta: 5 }] })
    expect(await read(venue, id)).toEqual({ soldOut: true, until: 'further_notice' })
    expect(await listEvents(venue)).toEqual([])
    await venue.post('/stock', { reference: 'B', reason: 'sale', changes: [{ product: id, delta: -5 }] })
    expect((await mark(venue, id, { soldOut: false })).body).toEqual({ soldOut: true })
    expect(await listEvents(venue)).toEqual([])
  })

  test('goes with its product', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    await mark(venue, id, { soldOut: true })
    await venue.remove(`/products/${id}`)
    expect((await venue.get('/stock')).body).toEqual([])
    expect((await venue.get(`/products/${id}/availability`)).status).toBe(404)
    expect((await mark(venue, id, { soldOut: true })).status).toBe(404)
  })

  test('belongs to its merchant and mode, and requires the scope of stock', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    for (const foreign of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
      expect((await foreign.post(`/products/${id}/availability`, { soldOut: true })).status).toBe(404)
      expect((await foreign.get(`/products/${id}/availability`)).status).toBe(404)
    }
    const till = await createKey(venue.id, { mode: 'live', scopes: ['stock:write'] })
    const editor = await createKey(venue.id, { mode: 'live', scopes: ['products:write'] })
    expect((await till.post(`/products/${id}/availability`, { soldOut: true })).status).toBe(200)
    expect((await till.get(`/products/${id}/availability`)).status).toBe(200)
    expect((await editor.post(`/products/${id}/availability`, { soldOut: true })).status).toBe(403)
    expect((await editor.get(`/products/${id}/availability`)).status).toBe(403)
    expect((await till.get(`/products/${id}`)).status).toBe(403)
  })

  test('is refused with every issue', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const now = seconds('2026-11-22T20:00:00Z')
    const issues = async (body: object) => toIssues(await mark(venue, id, body))
    expect(await issues({})).toEqual(['/soldOut required'])
    expect(await issues({ soldOut: true, until: now })).toEqual(['/until too_small'])
    expect(await issues({ soldOut: true, until: 253_402_300_800 })).toEqual(['/until too_large'])
    expect(await issues({ soldOut: false, until: 'tomorrow' })).toEqual(['/until conflict'])
    expect(await issues({ until: 'soon', note: 'x' })).toEqual([
      '/note unknown_field',
      '/soldOut required',
      '/until invalid_format',
    ])
    expect((await mark(venue, id, { soldOut: true, until: now + 1 })).status).toBe(200)
  })

  test('is set in one call of the database, until tomorrow in two', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const request = async (json: object) =>
      (await observe('POST', venue.path(`/products/${id}/availability`), { key: venue.key, json })).trips.length
    expect(await request({ soldOut: true })).toBe(1)
    expect(await request({ soldOut: false })).toBe(1)
    expect(await request({ soldOut: true, until: 'tomorrow' })).toBe(2)
    expect((await venue.get('/audit?operation=products.availability.update')).body).toHaveLength(3)
  })
})

describe('events of availability', () => {
  test('are raised where a product becomes sold out, or available', async () => {
    const venue = await createVenue()
    const [cake, tea] = [await createProduct(venue), await createProduct(venue, { title: 'Tea' })]
    await mark(venue, cake, { soldOut: true })
    await mark(venue, cake, { soldOut: true, until: 'tomorrow' })
    await mark(venue, tea, { soldOut: true })
    await mark(venue, cake, { soldOut: false })
    await mark(venue, cake, { soldOut: false })
    const events = await listEvents(venue)
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['product.sold_out', { products: [cake], soldOut: [cake], truncated: false }],
      ['product.sold_out', { products: [tea], soldOut: [cake, tea], truncated: false }],
      ['product.back_in_stock', { products: [cake], soldOut: [tea], truncated: false }],
    ])
  })

  test('are raised once where staff clear a mark that has ended, before the cron does', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const until = seconds('2026-11-22T20:01:00Z')
    await mark(venue, id, { soldOut: true, until })
    vi.setSystemTime((until + 5) * 1000)
    expect((await mark(venue, id, { soldOut: false })).body).toEqual({ soldOut: false })
    await returnToStock(env, directoryDatabase(env), Date.now())
    await mark(venue, id, { soldOut: false })
    expect((await venue.get('/events')).body.map(({ type }: { type: string }) => type)).toEqual([
      'product.created',
      'product.sold_out',
      'product.back_in_stock',
    ])
  })

  test('end with the state of the product where staff mark it again after its mark has ended, before the cron does', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const until = seconds('2026-11-22T20:01:00Z')
    const returned = async () => {
      await returnToStock(env, directoryDatabase(env), Date.now())
      return (await listEvents(venue)).map(({ type, data }: { type: string; data: { soldOut: object } }) => [
        type,
        data.soldOut,
      ])
    }
    await mark(venue, id, { soldOut: true, until })
    vi.setSystemTime((until + 5) * 1000)
    await mark(venue, id, { soldOut: true, until: until + 60 })
    // A receiver that missed the seconds between has the state of the product.
    const soldOut = ['product.sold_out', [id]]
    expect(await returned()).toEqual([soldOut, soldOut])
    vi.setSystemTime((until + 60) * 1000)
    expect(await returned()).toEqual([soldOut, soldOut, ['product.back_in_stock', []]])
    expect(await returned()).toHaveLength(3)
  })

  test('are raised by updates of the product that cross the line', async () => {
    const venue = await createVenue()
    const id = await createProduct(venue)
    const update = (body: object) => venue.post(`/products/${id}`, body)
    await update({ manageStock: true })
    await update({ stockQuantity: -1 })
    await update({ stockQuantity: 3, title: 'Tart' })
    await update({ stockQuantity: 2 })
    await update({ stockQuantity: 0 })
    await update({ manageStock: false })
    const types = (await listEvents(venue)).map(({ type, data }: { type: string; data: { soldOut: string[] } }) => [
      type,
      data.soldOut,
    ])
    expect(types).toEqual([
      ['product.sold_out', [id]],
      ['product.back_in_stock', []],
      ['product.sold_out', [id]],
      ['product.back_in_stock', []],
    ])
    await mark(venue, id, { soldOut: true })
    await update({ manageStock: true, stockQuantity: 0 })
    await update({ stockQuantity: 5 })
    expect(await listEvents(venue)).toHaveLength(5)
  })
})

describe('the list of stock', () => {
  test('has the exceptions only, in pages', async () => {
    const venue = await createVenue()
    const managed = (stockQuantity: number | null) => createProduct(venue, { manageStock: true, stockQuantity })
    const [none, absent, negative] = [await managed(0), await managed(null), await managed(-1)]
    const [one, five] = [await managed(0.5), await managed(5)]
    const marked = await createProduct(venue)
    await createProduct(venue, { stockQuantity: 0 })
    await mark(venue, marked, { soldOut: true })
    await mark(venue, none, { soldOut: true })
    const list = async (search: string) =>
      (await venue.get(`/stock${search}`)).body.map(({ product }: { product: string }) => product)
    expect(await list('')).toEqual([marked, negative, absent, none])
    expect(await list('?state=out&order=asc')).toEqual([none, absent, negative, marked])
    expect(await list('?state=low')).toEqual([one])
    expect(await list('?state=low&below=6')).toEqual([five, one])
    expect(await list('?state=low&below=1')).toEqual([one])
    const first = await venue.get('/stock?limit=3')
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await send(next, { headers: { authorization: `Bearer ${venue.key}` } })
    expect([first.body.length, second.body.length, second.headers.get('link')]).toEqual([3, 1, null])
    expect(first.body[1]).toEqual({ product: negative, title: 'Cake', stockQuantity: -1, soldOut: true })
    expect(first.body[2]).toMatchObject({ product: absent, stockQuantity: 0 })
    expect(second.body[0]).toMatchObject({ product: none, stockQuantity: 0, until: 'further_notice' })
  })

  test('rejects unknown fields and values', async () => {
    const venue = await createVenue()
    expect(toIssues(await venue.get('/stock?state=high&below=0'))).toEqual(['below too_small', 'state invalid_value'])
    expect(toIssues(await venue.get('/stock?below=5'))).toEqual(['below conflict'])
    expect((await venue.get('/stock?state=low&below=1000000000')).status).toBe(200)
    expect(toIssues(await venue.get('/stock?state=low&below=1000000001'))).toEqual(['below too_large'])
    const { trips } = await observe('GET', venue.path('/stock'), { key: venue.key })
    expect(trips).toHaveLength(1)
  })
})
