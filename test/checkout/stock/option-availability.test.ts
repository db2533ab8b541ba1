import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { returnOptions } from '../../../src/checkout/stock/return-options.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { call, createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T20:00:00Z') }))
afterEach(() => vi.useRealTimers())

const seconds = (iso: string) => Date.parse(iso) / 1000
const until = seconds('2026-11-22T21:00:00Z')
const sold = { soldOut: true, until: 'further_notice' }
const left = { soldOut: false }
const createModifier = async (venue: Venue, ...ids: string[]): Promise<string> => {
  const options = ids.map((id) => ({ id, label: id }))
  return (await venue.post('/modifiers', { title: 'Milk', instructions: '', options })).body.id
}
const at = (id: string) => `/modifiers/${id}/availability`
const read = async (venue: Venue, id: string) => (await venue.get(at(id))).body.options
const mark = (venue: Venue, id: string, options: object) => venue.post(at(id), { options })
const listEvents = async (venue: Venue): Promise<[string, { options: object[]; soldOut: object[] }][]> =>
  (await venue.get('/events?limit=100')).body.flatMap(({ type, data }: { type: string; data: object }) =>
    /sold_out|back_in/.test(type) ? [[type, data]] : [],
  )
const listRows = ({ id }: Venue) => queryHome(id, `select * from option_availability where merchant_id = '${id}'`)
const named = (modifier: string, ...options: string[]) => options.map((option) => ({ modifier, option }))

describe('marks of options', () => {
  test('merge, and last until further notice unless they have an end', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat', 'soy', 'cow')
    expect(await read(venue, id)).toEqual({ oat: left, soy: left, cow: left })
    const first = await mark(venue, id, { oat: { soldOut: true }, soy: { soldOut: true, until } })
    expect([first.status, first.body]).toEqual([
      200,
      { options: { oat: sold, soy: { soldOut: true, until }, cow: left } },
    ])
    const { body } = await mark(venue, id, { oat: { soldOut: false }, cow: { soldOut: true, until: 'tomorrow' } })
    const tomorrow = seconds('2026-11-23T04:00:00Z')
    expect(body.options).toEqual({ oat: left, soy: { soldOut: true, until }, cow: { soldOut: true, until: tomorrow } })
    expect((await mark(venue, id, {})).body.options).toEqual(body.options)
    vi.setSystemTime(until * 1000)
    expect(await read(venue, id)).toEqual({ oat: left, soy: left, cow: { soldOut: true, until: tomorrow } })
  })

  test('are refused with every issue, and change nothing then', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat', 'cow')
    const issues = async (body: object) => toIssues(await venue.post(at(id), body))
    expect(await issues({})).toEqual(['/options required'])
    expect(await issues({ options: { oat: {}, soy: { soldOut: true } } })).toEqual(['/options/oat/soldOut required'])
    expect(await issues({ options: { oat: { soldOut: true }, soy: { soldOut: true } } })).toEqual([
      '/options/soy not_found',
    ])
    expect(await issues({ options: { cow: { soldOut: false, until }, oat: { soldOut: true, until: 1 } } })).toEqual([
      '/options/cow/until conflict',
      '/options/oat/until too_small',
    ])
    expect(await read(venue, id)).toEqual({ oat: left, cow: left })
    expect(await listEvents(venue)).toEqual([])
    expect((await mark(venue, 'mod_none', { oat: { soldOut: true } })).status).toBe(404)
    expect((await venue.get(at('mod_none'))).status).toBe(404)
  })

  test('go with their option, however it is removed, and with their modifier', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat', 'soy', 'cow')
    const other = await createModifier(venue, 'oat')
    await mark(venue, id, { oat: { soldOut: true }, soy: { soldOut: true }, cow: { soldOut: true } })
    await mark(venue, other, { oat: { soldOut: true } })
    const rows = () => listRows(venue)
    expect(await rows()).toHaveLength(4)
    const option = (name: string) => ({ id: name, label: name })
    await venue.post(`/modifiers/${id}`, { title: 'Milks', options: [option('cow'), option('soy')] })
    expect(await read(venue, id)).toEqual({ cow: sold, soy: sold })
    await venue.post('/batch', {
      operations: [{ op: 'update', resource: 'modifiers', id, body: { options: [option('soy')] } }],
    })
    await venue.post(`/modifiers/${id}`, { options: [option('soy'), option('cow'), option('oat')] })
    expect(await read(venue, id)).toEqual({ soy: sold, cow: left, oat: left })
    await venue.remove(`/modifiers/${id}`)
    expect(await rows()).toHaveLength(1)
    await venue.post('/batch', { operations: [{ op: 'delete', resource: 'modifiers', id: other }] })
    expect(await rows()).toEqual([])
  })

  test('belong to their merchant and mode; stock:write changes them, modifiers:read reads them', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat')
    for (const foreign of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
      expect((await foreign.post(at(id), { options: { oat: { soldOut: true } } })).status).toBe(404)
      expect((await foreign.get(at(id))).status).toBe(404)
    }
    const access = async (...scopes: string[]) => {
      const key = await createKey(venue.id, { mode: 'live', scopes })
      return [(await key.post(at(id), { options: { oat: { soldOut: true } } })).status, (await key.get(at(id))).status]
    }
    expect(await access('stock:write')).toEqual([200, 403])
    expect(await access('stock:read')).toEqual([403, 403])
    expect(await access('modifiers:write')).toEqual([403, 200])
    expect(await access('modifiers:read')).toEqual([403, 200])
  })

  test('are set in two calls of the database, with one entry in the audit log each', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat', 'soy')
    const request = async (options: object) =>
      (await observe('POST', venue.path(at(id)), { key: venue.key, json: { options } })).trips.length
    expect(await request({ oat: { soldOut: true } })).toBe(2)
    expect(await request({ oat: { soldOut: false }, soy: { soldOut: true } })).toBe(2)
    expect(await request({ oat: { soldOut: false }, soy: { soldOut: false } })).toBe(2)
    expect((await venue.get('/audit?operation=modifiers.availability.update')).body).toHaveLength(3)
  })

  test('answer a repeated request with the same key alike, and raise nothing again', async () => {
    const venue = await createVenue()
    const id = await createModifier(venue, 'oat')
    const request = (soldOut: boolean, end?: number) => {
      const options = { oat: { soldOut, ...(end && { until: end }) } }
      return call('POST', venue.path(at(id)), venue.key, { options }, { 'Idempotency-Key': 'A' })
    }
    const first = await request(true, until)
    vi.setSystemTime((until + 60) * 1000)
    const again = await request(true, until)
    expect([again.status, again.body]).toEqual([200, first.body])
    expect((await request(false)).status).toBe(422)
    expect(await listEvents(venue)).toHaveLength(1)
  })
})

describe('events of options', () => {
  test('name what changed and all that is sold out, and none of a product', async () => {
    const venue = await createVenue()
    const milk = await createModifier(venue, 'oat', 'soy')
    const size = await createModifier(venue, 'large')
    const product = (await venue.post('/products', { title: 'Latte', price: 3, modifiers: [milk, size] })).body.id
    const before = (await venue.get(`/products/${product}/availability`)).body
    await mark(venue, milk, { oat: { soldOut: true }, soy: { soldOut: false } })
    await mark(venue, milk, { oat: { soldOut: true, until } })
    await mark(venue, size, { large: { soldOut: true } })
    await mark(venue, milk, { oat: { soldOut: false }, soy: { soldOut: true } })
    const large = named(size, 'large')
    const sort = (...all: { modifier: string; option: string }[]) =>
      all.toSorted((a, b) => (a.modifier + a.option < b.modifier + b.option ? -1 : 1))
    const oat = named(milk, 'oat')
    const soy = named(milk, 'soy')
    expect(await listEvents(venue)).toEqual([
      ['option.sold_out', { options: oat, soldOut: oat, truncated: false }],
      ['option.sold_out', { options: large, soldOut: sort(...oat, ...large), truncated: false }],
      ['option.sold_out', { options: soy, soldOut: sort(...soy, ...large), truncated: false }],
      ['option.back_in_stock', { options: oat, soldOut: sort(...soy, ...large), truncated: false }],
    ])
    expect((await venue.get(`/products/${product}/availability`)).body).toEqual(before)
  })

  test('list 5,000 options, and say so when there are more', async () => {
    const venue = await createVenue()
    const ids = Array.from({ length: 250 }, (_, n) => `o${n}`)
    const all = Object.fromEntries(ids.map((id) => [id, { soldOut: true }]))
    const modifiers: string[] = []
    for (let n = 0; n < 21; n++) modifiers.push(await createModifier(venue, ...ids))
    for (const id of modifiers) expect((await mark(venue, id, all)).status).toBe(200)
    await mark(venue, modifiers[0] ?? '', all)
    await mark(venue, modifiers[0] ?? '', { o1: { soldOut: false } })
    const events = (await venue.get('/events?limit=100&types=option.sold_out,option.back_in_stock&order=desc')).body
    const figures = events
      .slice(0, 3)
      .map(({ data }: { data: Record<string, unknown[]> }) => [
        data['options']?.length,
        data['soldOut']?.length,
        data['truncated'],
      ])
    expect(figures).toEqual([
      [1, 5_000, true],
      [250, 5_000, true],
      [250, 5_000, false],
    ])
    expect(events).toHaveLength(22)
  })

  test('are raised by the cron once where marks end, and the rows go', async () => {
    const venue = await createVenue()
    const milk = await createModifier(venue, 'oat', 'soy', 'cow')
    const quiet = await createVenue()
    const other = await createModifier(quiet, 'oat')
    await mark(venue, milk, { oat: { soldOut: true, until }, soy: { soldOut: true, until: until + 60 }, cow: sold })
    await mark(quiet, other, { oat: { soldOut: true, until } })
    const run = (now: number) => returnOptions(env, directoryDatabase(env), now * 1000)
    await run(until - 1)
    expect(await listRows(venue)).toHaveLength(3)
    vi.setSystemTime(until * 1000)
    await run(until)
    expect(await run(until)).toBe(0)
    const back = (await listEvents(venue)).filter(([type]) => type === 'option.back_in_stock')
    const soldOut = named(milk, 'cow', 'soy')
    expect(back).toEqual([['option.back_in_stock', { options: named(milk, 'oat'), soldOut, truncated: false }]])
    expect((await listEvents(quiet)).at(-1)?.[1]).toEqual({
      options: named(other, 'oat'),
      soldOut: [],
      truncated: false,
    })
    expect(await listRows(venue)).toHaveLength(2)
    // A mark that ended before the cron ran: the request that removes it raises the event.
    vi.setSystemTime((until + 60) * 1000)
    await mark(venue, milk, { soy: { soldOut: false } })
    expect(await run(until + 60)).toBe(0)
    expect((await listEvents(venue)).at(-1)).toEqual([
      'option.back_in_stock',
      { options: named(milk, 'soy'), soldOut: named(milk, 'cow'), truncated: false },
    ])
  })
})
