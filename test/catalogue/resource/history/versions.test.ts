import { afterEach, describe, expect, test, vi } from 'vitest'
import { resourceList } from '../../../../src/catalogue/resources/registry.ts'
import { createKey, createVenue, type Venue } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { samples } from '../../../support/samples.ts'

const start = Math.floor(Date.now() / 1000) - 20 * 86_400
const setTime = (second: number) => vi.useFakeTimers({ toFake: ['Date'], now: second * 1000 + 300 })
afterEach(() => vi.useRealTimers())

/** A generator of numbers below 1 that is the same in every run. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

/** Runs random changes of some products, one each second, and keeps what responses showed after each. */
async function createHistory(venue: Venue, changes: number, random: () => number) {
  const ids: string[] = []
  const states: Map<string, { object: object; details: object }>[] = []
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)]
  const gone = new Set<string>()
  for (let step = 0; step < changes; step++) {
    setTime(start + step)
    const id = pick(ids)
    const kind = random()
    if (id === undefined || (kind < 0.1 && ids.length < 8)) {
      const body = { title: `Tea ${step}`, price: 1, metadata: [{ key: 'step', value: `${step}` }] }
      ids.push((await venue.post('/products', body)).body.id)
    } else if (gone.has(id)) {
      await venue.post(`/products/${id}/restore`, {})
      gone.delete(id)
    } else if (kind < 0.2) {
      await venue.remove(`/products/${id}`)
      gone.add(id)
    } else if (kind < 0.5) {
      await venue.post(`/products/${id}/details`, { ageLimit: random() < 0.3 ? null : Math.ceil(random() * 20) })
    } else {
      const description = random() < 0.3 ? null : `Step ${step}`
      await venue.post(`/products/${id}`, { price: step, description })
    }
    const state: (typeof states)[number] = new Map()
    for (const each of ids.filter((one) => !gone.has(one))) {
      const [object, details] = [await venue.get(`/products/${each}`), await venue.get(`/products/${each}/details`)]
      state.set(each, { object: object.body, details: details.body })
    }
    states.push(state)
  }
  setTime(start + changes)
  return { ids, states }
}

describe.each(['d1', 'object'] as const)('history in a home of the kind %s', (home) => {
  test('1,000 random pairs of objects and times equal a model', async () => {
    const venue = await createVenue({ home })
    const random = createRandom(7)
    const changes = 60
    const { ids, states } = await createHistory(venue, changes, random)
    for (let pair = 0; pair < 1_000; pair++) {
      const id = ids[Math.floor(random() * ids.length)] ?? ''
      const second = Math.floor(random() * changes)
      const expected = states[second]?.get(id)
      const path = `/products/${id}`
      const part = pair % 2 === 0 ? '' : '/details'
      const { status, body } = await venue.get(`${path}${part}?at=${start + second}`)
      const wanted = part === '' ? expected?.object : expected?.details
      expect([second, id, part, status, status === 200 ? body : undefined]).toEqual([
        second,
        id,
        part,
        expected ? 200 : 404,
        wanted,
      ])
    }
  }, 120_000)

  test.each(resourceList.map(({ path }) => ({ path })))(
    'an object of $path has its versions, and is shown as it was',
    async ({ path }) => {
      const venue = await createVenue({ home })
      const sample = samples.find(({ collection }) => collection === path)
      setTime(start)
      const { id } = (await venue.post(`/${path}`, sample?.body('was'))).body
      const created = (await venue.get(`/${path}/${id}`)).body
      setTime(start + 10)
      await venue.post(`/${path}/${id}`, sample?.change)
      const updated = (await venue.get(`/${path}/${id}`)).body
      setTime(start + 20)
      await venue.remove(`/${path}/${id}`)
      setTime(start + 30)
      const versions = (await venue.get(`/${path}/${id}/versions`)).body
      expect(versions).toMatchObject([
        { part: 'object', change: 'deleted', version: 3, at: start + 20, by: venue.keyId, changed: {} },
        { part: 'object', change: 'updated', version: 2, at: start + 10, by: venue.keyId },
        { part: 'object', change: 'created', version: 1, at: start, by: venue.keyId, changed: {} },
      ])
      for (const [field, { before, after }] of Object.entries<{ before: unknown; after: unknown }>(
        versions[1].changed,
      )) {
        expect([field, before, after]).toEqual([field, created[field] ?? null, updated[field] ?? null])
      }
      expect(Object.keys(versions[1].changed).length).toBeGreaterThan(0)
      const at = async (second: number) => venue.get(`/${path}/${id}?at=${second}`)
      if (path === 'webhooks') {
        expect((await at(start)).status).toBe(422)
        return
      }
      expect((await at(start - 1)).status).toBe(404)
      expect((await at(start)).body).toEqual(created)
      expect((await at(start + 9)).body).toEqual(created)
      expect((await at(start + 10)).body).toEqual(updated)
      expect((await at(start + 20)).status).toBe(404)
      const other = await createVenue({ home })
      expect((await other.get(`/${path}/${id}/versions`)).status).toBe(404)
      expect((await other.get(`/${path}/${id}?at=${start}`)).status).toBe(404)
    },
  )

  test('limits, marks and details have versions of their own, page by page', async () => {
    const venue = await createVenue({ home })
    const product = (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
    await venue.post(`/products/${product}/details`, { ageLimit: 18 })
    await venue.post(`/products/${product}/availability`, { soldOut: true })
    const fields = { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 }
    const coupon = (await venue.post('/coupons', fields)).body.id
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 })
    const all = (await venue.get(`/products/${product}/versions`)).body
    expect(all).toMatchObject([
      { part: 'availability', change: 'updated', changed: { until: { before: null, after: 'further_notice' } } },
      { part: 'details', change: 'updated', version: 1, changed: { ageLimit: { before: null, after: 18 } } },
      { part: 'object', change: 'created' },
    ])
    expect((await venue.get(`/coupons/${coupon}/versions`)).body[0]).toMatchObject({
      part: 'limits',
      changed: { maxRedemptions: { before: null, after: 5 } },
    })
    const first = await venue.get(`/products/${product}/versions?limit=2`)
    const cursor = /cursor=(\w+)/.exec(first.headers.get('link') ?? '')?.[1]
    const rest = await venue.get(`/products/${product}/versions?limit=2&cursor=${cursor}`)
    expect([...first.body, ...rest.body]).toEqual(all)
    const key = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
    const seen = (await key.get(`/products/${product}/versions`)).body
    expect(seen.map(({ part }: { part: string }) => part)).toEqual(['details', 'object'])
    const blind = await createKey(venue.id, { mode: 'live', scopes: ['menus:read'] })
    expect((await blind.get(`/products/${product}/versions`)).status).toBe(403)
  })

  test('times that no event tells about are rejected, and erased customers have no history', async () => {
    const venue = await createVenue({ home })
    const now = Math.floor(Date.now() / 1000)
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const status = async (query: string) => (await venue.get(`/products/${id}?${query}`)).status
    expect(await status(`at=${now + 60}`)).toBe(422)
    expect(await status('at=yesterday')).toBe(422)
    expect(await status(`at=${now}&include=details`)).toBe(422)
    expect(await status(`at=${now - 31 * 86_400}`)).toBe(410)
    expect((await venue.get('/products/none/versions')).status).toBe(404)
    const customer = (await venue.post('/customers', { firstName: 'Zoë', lastName: 'Núñez' })).body.id
    expect((await venue.get(`/customers/${customer}/versions`)).status).toBe(200)
    await venue.post(`/customers/${customer}/erase`, undefined)
    expect((await venue.get(`/customers/${customer}/versions`)).status).toBe(404)
    expect((await venue.get(`/customers/${customer}?at=${now}`)).status).toBe(404)
  })

  test('before the first event that names its object, the history has expired', async () => {
    const venue = await createVenue({ home })
    setTime(start)
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    setTime(start + 100)
    await venue.post(`/products/${id}`, { price: 2 })
    setTime(start + 200)
    await venue.post(`/products/${id}`, { price: 3 })
    await queryHome(
      venue.id,
      'update events set object = null where merchant_id = ? and at < ?',
      venue.id,
      (start + 150) * 1000,
    )
    expect((await venue.get(`/products/${id}?at=${start + 50}`)).status).toBe(410)
    expect((await venue.get(`/products/${id}?at=${start + 150}`)).body).toMatchObject({ price: 2 })
    expect((await venue.get(`/products/${id}?at=${start + 200}`)).body).toMatchObject({ price: 3 })
    expect((await venue.get(`/products/${id}?at=${start - 1}`)).status).toBe(404)
  })
})
