import { describe, expect, test } from 'vitest'
import { historyEventNames } from '../../../src/platform/names.ts'
import { createVenue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

type Row = Record<string, string | number | null>

const readEvents = async (merchantId: string): Promise<Row[]> =>
  queryHome(
    merchantId,
    'select id, type, object, version, row, previous, change_set, context, kept from events where merchant_id = ? order by seq',
    merchantId,
  ) as Promise<Row[]>

const homes = [{ home: 'd1' }, { home: 'object' }] as const

describe.each(homes)('in the home $home', ({ home }) => {
  test('events name their object, who changed it and by which request', async () => {
    const venue = await createVenue({ home })
    const create = async (path: string, body: object) => (await venue.post(path, body)).body.id
    const product = await create('/products', { title: 'Tea', price: 3 })
    const modifier = await create('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
    const coupon = await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })
    const customer = await create('/customers', { firstName: 'Zoë', lastName: 'Núñez' })
    const changed = [
      await venue.post(`/products/${product}`, { price: 4 }),
      await venue.post(`/products/${product}/details`, { ageLimit: 18 }),
      await venue.post(`/products/${product}/availability`, { soldOut: true }),
      await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 }),
      await venue.post('/redemptions', { code: 'TEN', order: 'o-1', customer }),
      await venue.request('DELETE', `/products/${product}`),
    ]
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200])
    const events = await readEvents(venue.id)
    const lists = ['product.sold_out', 'coupon.limit_reached']
    const own = events.filter(({ type }) => !lists.includes(String(type)))
    expect(own.map(({ type, object }) => [type, object])).toEqual([
      ['product.created', product],
      ['modifier.created', modifier],
      ['coupon.created', coupon],
      ['customer.created', customer],
      ['product.updated', product],
      ['product.details_updated', product],
      ['product.availability_changed', product],
      ['coupon.limits_changed', coupon],
      ['coupon.redeemed', coupon],
      ['product.deleted', product],
    ])
    for (const { context } of events) expect(JSON.parse(String(context))).toMatchObject({ actor: venue.keyId })
    const requests = own.slice(4).map(({ context }) => JSON.parse(String(context)).request)
    expect(requests).toEqual(changed.map(({ headers }) => headers.get('request-id')))
    expect(events.map(({ change_set }) => change_set)).toEqual(events.map(() => null))
  })

  test('changes of details, limits and availability record what was before', async () => {
    const venue = await createVenue({ home })
    const create = async (path: string, body: object) => (await venue.post(path, body)).body
    const product = (await create('/products', { title: 'Tea', price: 3 })).id
    const milk = await create('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
    const oat = milk.options[0].id
    const coupon = (await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).id
    const steps: readonly (readonly [string, object, object?])[] = [
      [`/products/${product}/details`, { ageLimit: 16 }, { ageLimit: null }],
      [`/products/${product}/details`, { ageLimit: 18 }, { ageLimit: 16 }],
      [`/products/${product}/availability`, { soldOut: true, until: 4_000_000_000 }, { until: null }],
      [`/products/${product}/availability`, { soldOut: true, until: 4_000_000_000 }],
      [`/products/${product}/availability`, { soldOut: true, until: 4_100_000_000 }, { until: 4_000_000_000 }],
      [`/products/${product}/availability`, { soldOut: false }, { until: 4_100_000_000 }],
      [`/products/${product}/availability`, { soldOut: false }],
      [
        `/modifiers/${milk.id}/availability`,
        { options: { [oat]: { soldOut: true, until: 4_000_000_000 } } },
        { [oat]: null },
      ],
      [`/modifiers/${milk.id}/availability`, { options: { [oat]: { soldOut: false } } }, { [oat]: 4_000_000_000 }],
      [`/coupons/${coupon}/limits`, { maxRedemptions: 5, automatic: true }, { maxRedemptions: null, automatic: null }],
      [`/coupons/${coupon}/limits`, { maxRedemptions: null }, { maxRedemptions: 5 }],
      [`/coupons/${coupon}/limits`, { automatic: true }],
    ]
    const seen = new Set((await readEvents(venue.id)).map(({ id }) => id))
    for (const [path, body, before] of steps) {
      expect([path, (await venue.post(path, body)).status]).toEqual([path, 200])
      const added = (await readEvents(venue.id)).filter(({ id }) => !seen.has(id))
      const recorded = added.filter(({ type }) => !/_out$|_stock$/.test(String(type)))
      for (const { id } of added) seen.add(id)
      const previous = recorded.map((event) => JSON.parse(String(event['previous'])))
      expect([path, body, previous.map((each) => each.options ?? each)]).toEqual([path, body, before ? [before] : []])
    }
    const versions = (await readEvents(venue.id)).filter(({ type }) => type === 'product.availability_changed')
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3])
  })

  test('a deletion keeps what it removes, and who named the object', async () => {
    const venue = await createVenue({ home })
    const create = async (path: string, body: object) => (await venue.post(path, body)).body.id
    const product = await create('/products', { title: 'Tea', price: 3 })
    const menu = await create('/menus', { title: 'Lunch', sections: [{ title: 'All', items: [product] }] })
    const coupon = await create('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1, products: [product] })
    await venue.post(`/products/${product}/details`, { ageLimit: 18, translations: { fr: { title: 'Thé' } } })
    await venue.post(`/products/${product}/availability`, { soldOut: true, until: 4_000_000_000 })
    await venue.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5, automatic: true })
    await venue.request('DELETE', `/products/${product}`)
    await venue.post('/batch', { operations: [{ op: 'delete', resource: 'coupons', id: coupon }] })
    const events = await readEvents(venue.id)
    const kept = new Map(
      events.flatMap(({ object, kept }) => (kept === null ? [] : [[object, JSON.parse(String(kept))]])),
    )
    expect([...kept.keys()]).toEqual([product, coupon])
    const { details, translations, availability, places } = kept.get(product)
    expect(details).toEqual([{ data: JSON.stringify({ ageLimit: 18 }), version: 1 }])
    expect(translations).toEqual([{ language: 'fr', texts: JSON.stringify({ title: 'Thé' }) }])
    expect(availability).toEqual([{ sold_out_until: 4_000_000_000 }])
    expect(places.toSorted()).toEqual([
      ['coupons', coupon],
      ['menus', menu],
    ])
    expect(kept.get(coupon)).toMatchObject({
      coupon_limits: [{ max_redemptions: 5, version: 1 }],
      columns: { automatic: 1 },
    })
  })
})

test('changes for the history are in no list of events and sent to no webhook', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook()
  const { id } = (await harness.post('/products', { title: 'Tea', price: 3 })).body
  const coupon = (await harness.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })).body.id
  const milk = (await harness.post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })).body
  await harness.post(`/products/${id}/availability`, { soldOut: true })
  await harness.post(`/modifiers/${milk.id}/availability`, { options: { [milk.options[0].id]: { soldOut: true } } })
  await harness.post(`/coupons/${coupon}/limits`, { maxRedemptions: 5 })
  const stored = new Set((await readEvents(harness.venue.id)).map(({ type }) => type))
  expect([...stored]).toEqual(expect.arrayContaining([...historyEventNames]))
  const hidden = new Set<unknown>(historyEventNames)
  for (const order of ['asc', 'desc']) {
    const { body } = await harness.get(`/events?order=${order}`)
    expect(body.length).toBeGreaterThan(5)
    expect(body.filter(({ type }: { type: string }) => hidden.has(type))).toEqual([])
  }
  const sent = await harness.query('select type from deliveries join events on events.id = deliveries.event')
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.filter(({ type }) => hidden.has(type))).toEqual([])
  expect((await harness.get(`/events?types=${historyEventNames[0]}`)).status).toBe(422)
})
