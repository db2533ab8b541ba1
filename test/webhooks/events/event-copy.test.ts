import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventTypes } from '../../../src/catalogue/events/event-catalogue.operations.ts'
import { type ApiResponse, createVenue, type Venue } from '../../support/api.ts'
import { applyEvent, listParts, readEvents, readExport, sortCopy } from '../../support/event-copy.ts'
import { findMisplaced } from '../../support/event-order.ts'
import { queryHome } from '../../support/home.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'
import { smallPicture } from '../../support/pictures.ts'
import { isLong, toRounds } from '../../support/rounds.ts'
import { samples } from '../../support/samples.ts'

/** Data for an operation: the venue, and ids of objects of a resource, one for each number. */
interface World {
  venue: Venue
  n: number
  pick(resource: string, n?: number): Promise<string>
}
type Operation = (world: World) => Promise<ApiResponse | object>

const sample = (name: string) => {
  const found = samples.find((each) => each.name === name)
  if (!found) throw new Error(`no sample ${name}`)
  return found
}

const stocked = { manageStock: true, stockQuantity: 4 }
const ofResources = Object.fromEntries(
  samples.flatMap(({ name, collection, body, change }): [string, Operation][] => [
    [`${name} create`, ({ venue, n }) => venue.post(`/${collection}`, { ...body(`New ${n}`) })],
    [`${name} update`, async ({ venue, pick }) => venue.post(`/${collection}/${await pick(collection)}`, change)],
    [`${name} upsert`, ({ venue, n }) => venue.request('PUT', `/${collection}/external/E${n % 3}`, body(`Up ${n}`))],
    [
      `${name} external id`,
      async ({ venue, n, pick }) =>
        venue.post(`/${collection}/${await pick(collection)}/external-id`, { externalId: n % 2 ? `X${n}` : null }),
    ],
    [`${name} delete`, async ({ venue, pick }) => venue.remove(`/${collection}/${await pick(collection)}`)],
  ]),
)

const others: Record<string, Operation> = {
  link: async ({ venue, pick }) =>
    venue.post(`/products/${await pick('products')}`, { ...stocked, modifiers: [await pick('modifiers')] }),
  serve: async ({ venue, pick }) =>
    venue.post(`/menus/${await pick('menus')}`, { sections: [{ title: 'S', items: [await pick('products', 1)] }] }),
  limit: async ({ venue, n, pick }) =>
    venue.post(`/coupons/${await pick('coupons')}/limits`, { maxRedemptions: n + 1 }),
  stock: async ({ venue, n, pick }) => {
    const id = await pick('products')
    await venue.post(`/products/${id}`, stocked)
    const changes = [{ product: id, set: n % 3 }]
    return venue.post('/stock', { reference: `${n} ${id}`, reason: 'count', changes })
  },
  order: async ({ venue, n, pick }) => {
    const id = await pick('products')
    await venue.post(`/products/${id}`, stocked)
    const { code } = (await venue.get(`/coupons/${await pick('coupons')}`)).body
    const order = `O ${n} ${id}`
    const stock = { reference: order, changes: [{ product: id, delta: -4 }] }
    return venue.post('/events', {
      type: 'order.created',
      data: { order },
      effects: { stock, redemptions: [{ code, order }] },
    })
  },
  redemption: async ({ venue, n, pick }) => {
    const { code } = (await venue.get(`/coupons/${await pick('coupons')}`)).body
    const { body } = await venue.post('/redemptions', { code, order: `R ${n} ${code}`, hold: 60 })
    await venue.post(`/redemptions/${body.id}/confirm`, undefined)
    return venue.post(`/redemptions/${body.id}/release`, undefined)
  },
  availability: async ({ venue, n, pick }) =>
    venue.post(`/products/${await pick('products')}/availability`, { soldOut: n % 2 === 0 }),
  'product details': async ({ venue, n, pick }) =>
    venue.post(`/products/${await pick('products')}/details`, { nutrition: { basis: 'portion', energyKcal: n } }),
  'modifier details': async ({ venue, n, pick }) =>
    venue.post(`/modifiers/${await pick('modifiers')}/details`, { translations: { de: { title: `M ${n}` } } }),
  'menu details': async ({ venue, n, pick }) => venue.post(`/menus/${await pick('menus')}/details`, { position: n }),
  'delete and restore': async ({ venue, n, pick }) => {
    const path = `/${['products', 'modifiers', 'menus', 'coupons', 'tags'][n % 5]}`
    const id = await pick(path.slice(1))
    await venue.remove(`${path}/${id}`)
    return venue.post(`${path}/${id}/restore`, undefined)
  },
  'delete and undo': async ({ venue, n, pick }) => {
    const paths = ['products', 'modifiers', 'menus', 'tags']
    const named = await Promise.all(paths.map(async (resource) => ({ resource, id: await pick(resource, n) })))
    const { body } = await venue.post('/batch', {
      operations: named.map((each) => ({ op: 'delete', ...each })),
    })
    return venue.post(`/changes/${body.changeSet}/undo`, undefined)
  },
  'nested details': async ({ venue, pick }) => {
    const [product, bundle] = [await pick('products'), await pick('products', 1)]
    const [modifier, nested] = [await pick('modifiers'), await pick('modifiers', 1)]
    const option = (await venue.get(`/modifiers/${modifier}`)).body.options[0]?.id
    const operations = [
      { op: 'update', resource: 'products', id: product, body: { modifiers: [modifier] } },
      ...(option === undefined
        ? []
        : [
            {
              op: 'update',
              resource: 'modifiers',
              id: modifier,
              details: { options: { [option]: { modifiers: [nested] } } },
            },
          ]),
    ]
    await venue.post('/batch', { mode: 'independent', operations })
    if (option !== undefined)
      await venue.post(`/products/${product}/details`, { sizes: { modifier, prices: { [option]: { price: 3 } } } })
    await venue.post(`/products/${bundle}/details`, {
      bundle: { groups: [{ title: 'Any', items: [{ product }] }] },
    })
    return venue.post(`/menus/${await pick('menus')}/details`, { prices: [{ product, price: 2 }] })
  },
  picture: async ({ venue, pick }) =>
    venue.raw(`/products/${await pick('products')}/images`, smallPicture, { 'content-type': 'image/webp' }),
  secret: async ({ venue, pick }) => venue.post(`/webhooks/${await pick('webhooks')}/secret/rotate`, undefined),
  token: async ({ venue, pick }) => venue.post(`/webhooks/${await pick('webhooks')}/token/rotate`, undefined),
  batch: async ({ venue, n, pick }) =>
    venue.post('/batch', {
      mode: 'independent',
      operations: [
        { op: 'update', resource: 'products', id: await pick('products'), body: { ...stocked, stockQuantity: n % 2 } },
        { op: 'delete', resource: 'modifiers', id: await pick('modifiers') },
        { op: 'create', resource: 'menus', body: { title: 'M', sections: [{ title: 'S', items: ['#p'] }] } },
        { op: 'create', resource: 'products', ref: '#p', body: { title: 'P', price: n } },
      ],
    }),
  import: async ({ venue, n, pick }) => {
    const rows = [{ id: await pick('products'), title: `Row ${n}`, stockQuantity: n }]
    return importFile(venue, 'resource=products&match=id&counters=set', toJsonLines(rows), jsonl)
  },
  erase: async ({ venue, pick }) => venue.post(`/customers/${await pick('customers')}/erase`, undefined),
}
const operations: Record<string, Operation> = { ...ofResources, ...others }

/** All operations in random order, some of them again. Each has a number. */
const plans = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(operations), { minLength: Object.keys(operations).length }),
    fc.shuffledSubarray(Object.keys(operations)),
  )
  .chain(([all, again]) => fc.tuple(...[...all, ...again].map((name) => fc.tuple(fc.constant(name), fc.nat(20)))))

/** The events of each transaction: their ids begin alike. */
const byTransaction = <Event extends { id: string }>(events: readonly Event[]) =>
  Map.groupBy(events, ({ id }) => id.slice(0, 18)).values()

const add = (venue: Venue, { collection, body }: (typeof samples)[number], title: string) =>
  venue.post(`/${collection}`, body(title))

/** Makes the operations of a plan. Returns those that failed otherwise than by a conflict. */
async function change(venue: Venue, plan: readonly (readonly [name: string, n: number])[]): Promise<string[]> {
  const failed: string[] = []
  for (const [name, n] of plan) {
    const pick = async (resource: string, more = 0) => {
      // From the database: 4,000 lists of 100 objects, each checked against the document, take longer than the changes.
      const newest = `select id from "${resource}" where merchant_id = ? order by id desc limit 100`
      const ids = await queryHome(venue.id, newest, venue.id)
      if (ids.length > 0) return String(ids[(n + more) % ids.length]?.['id'])
      return String((await add(venue, sample(resource.slice(0, -1)), 'Another')).body.id)
    }
    const result = await operations[name]?.({ venue, n, pick })
    const status = Number(Object(result).status ?? 200)
    if (status >= 300 && status !== 409) failed.push(`${name} ${n} ${status} ${JSON.stringify(Object(result).body)}`)
  }
  return failed
}

describe.each(['d1', 'object'])('in a merchant of home %s', (home) => {
  test('a copy that applies the events after an export equals a new export', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const venue = await createVenue({ home })
        for (const each of samples) for (const title of ['A', 'B', 'C']) await add(venue, each, title)
        const { copy, lastEvent } = await readExport(venue)

        const failed = await change(venue, plan)
        expect(failed).toEqual([])

        const events = await readEvents(venue, lastEvent)
        expect(events.length).toBeGreaterThan(plan.length / 2)
        for (const event of events) applyEvent(copy, event)
        expect(sortCopy(copy)).toEqual(sortCopy((await readExport(venue)).copy))
        // Objects that return were named by others before. Their references return behind all of them.
        const made = [...byTransaction(events)].filter((own) => !own.some(({ restored }) => restored))
        for (const own of made) expect(findMisplaced(own)).toEqual([])
      }),
      { numRuns: toRounds(8), endOnFailure: true },
    )
  })

  test.runIf(isLong)(
    'a copy of 3,000 objects equals a new export after 1,000 changes of all kinds',
    { timeout: 1_200_000 },
    async () => {
      const venue = await createVenue({ home })
      for (const each of samples) for (const title of ['A', 'B', 'C']) await add(venue, each, title)
      const rows = Array.from({ length: 3_000 }, (_, n) => ({ title: `Dish ${n}`, price: n / 100 }))
      await importFile(venue, 'resource=products', toJsonLines(rows), jsonl)
      const { copy, lastEvent } = await readExport(venue)
      expect(copy.size).toBeGreaterThanOrEqual(3_000)
      const names = Object.keys(operations)
      const plan = Array.from({ length: 1_000 }, (_, n) => [names[n % names.length] ?? '', (n * 7919) % 97] as const)
      // Some objects that an operation names are deleted by then.
      const failed = await change(venue, plan)
      expect(failed.filter((text) => !/^[a-z ]+ \d+ 404 /.test(text))).toEqual([])
      expect(failed.length).toBeLessThan(plan.length / 10)
      const events = await readEvents(venue, lastEvent)
      expect(events.length).toBeGreaterThanOrEqual(1_000)
      for (const event of events) applyEvent(copy, event)
      expect(sortCopy(copy)).toEqual(sortCopy((await readExport(venue)).copy))
      console.log(`figure: a copy at home ${home}, ${copy.size} objects equal after ${events.length} events`)
    },
  )
})

test('each event after which a copy has another object carries the time of its change', () => {
  const timeless = eventTypes.flatMap(({ type, copy, sample }) => {
    // Details are not part of an object, and do not change its `updatedAt`.
    if (copy === 'none' || copy === 'delete' || type.endsWith('.details_updated')) return []
    const parts = listParts({ type, data: {}, ...sample })
    expect(parts).not.toEqual([])
    return parts.every(({ fields }) => Number.isInteger(fields['updatedAt'])) ? [] : [type]
  })
  expect(timeless).toEqual([])
})
