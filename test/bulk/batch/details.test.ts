import { describe, expect, test } from 'vitest'
import { createVenue, toIssues, type Venue } from '../../support/api.ts'
import { createNamedDishes, readNamedDetails, replaceTexts } from '../../support/named-dishes.ts'
import { create, inSizes, latte, options, size } from './detailed-operations.ts'
import { product, run, statuses } from './requests.ts'

const readDetails = async ({ get }: Venue, path: string) => (await get(`/${path}/details`)).body
const types = async ({ get }: Venue): Promise<string[]> =>
  (await get('/events?order=asc&limit=100')).body.map(({ type }: { type: string }) => type)

const bodyFields: Record<string, readonly string[]> = {
  modifiers: ['title', 'instructions', 'type', 'options'],
  products: ['title', 'price', 'modifiers'],
  menus: ['title', 'sections'],
}

interface Section {
  title: string
  items: readonly string[]
}

/** Operations that create all objects of a venue with their details. They name each other by `ref`. */
async function copyAsBatch({ get }: Venue) {
  const all = await Promise.all(
    Object.entries(bodyFields).map(async ([resource, fields]) => {
      const { body } = await get(`/${resource}?include=details&limit=100`)
      return body.map((object: Record<string, unknown> & { id: string; details: object }) => {
        const copied = Object.fromEntries(fields.map((field) => [field, object[field]]))
        if (resource === 'menus')
          copied['sections'] = body[0].sections.map(({ title, items }: Section) => ({ title, items }))
        return { id: object.id, operation: create(resource, `#${object.id}`, copied, object.details) }
      })
    }),
  )
  const ids = new Set(all.flat().map(({ id }) => id))
  // The last is first: each names those behind it too.
  return all
    .flat()
    .toReversed()
    .map(({ operation: { ref, ...operation } }) => ({
      ...Object(replaceTexts(operation, (text) => (ids.has(text) ? `#${text}` : text))),
      ref,
    }))
}

describe('details in a batch', () => {
  test('create a whole menu at once, whose objects name each other in every way they can', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    await createNamedDishes(venue)
    const operations = await copyAsBatch(venue)
    const done = await run(other, operations)
    expect([done.status, done.body.errors]).toEqual([200, undefined])
    expect(await readNamedDetails(other)).toEqual(await readNamedDetails(venue))
  })

  test('follow all objects, with an event and an entry of the audit log for each', async () => {
    const venue = await createVenue()
    const bundle = {
      groups: [{ id: 'drink', title: 'Drink', min: 1, max: 1, items: [{ product: '#latte', size: 'l' }] }],
    }
    const { body } = await run(venue, [
      create('menus', '#menu', { title: 'All', sections: [] }, { prices: [{ product: '#latte', sizes: { s: 2 } }] }),
      create('products', '#set', product({ title: 'Set' }), { bundle }),
      latte({ sizes: inSizes(3, 4), translations: { de: { title: 'Milchkaffee' } } }),
      create('products', '#tea', product({ title: 'Tea' })),
      { ...size, details: { options: { s: { allergens: [] } } } },
    ])
    const [menu, set, tea, , modifier] = body.results.map(({ id }: { id: string }) => id)
    expect(await readDetails(venue, `products/${tea}`)).toEqual({
      sizes: { modifier, prices: { s: { price: 3 }, l: { price: 4 } } },
      translations: { de: { title: 'Milchkaffee' } },
    })
    expect(await readDetails(venue, `products/${set}`)).toMatchObject({
      bundle: { groups: [{ items: [{ product: tea, size: 'l' }] }] },
    })
    expect(await readDetails(venue, `menus/${menu}`)).toEqual({ prices: [{ product: tea, sizes: { s: 2 } }] })
    expect(await types(venue)).toEqual([
      'modifier.created',
      ...Array.from({ length: 3 }, () => 'product.created'),
      'menu.created',
      'modifier.details_updated',
      'product.details_updated',
      'product.details_updated',
      'menu.details_updated',
    ])
    const { body: events } = await venue.get('/events?types=product.details_updated&order=asc')
    expect(events.map((event: { version: number; data: { id: string } }) => [event.version, event.data.id])).toEqual([
      [1, tea],
      [1, set],
    ])
    const { body: log } = await venue.get('/audit?limit=100')
    const operations = log.map(({ operation }: { operation: string }) => operation).sort()
    expect(operations.filter((each: string) => each.includes('details'))).toEqual([
      'menus.details.update',
      'modifiers.details.update',
      ...['products.details.update', 'products.details.update'],
    ])
  })

  test('merge into those of existing objects, in the state after the bodies of the batch', async () => {
    const venue = await createVenue()
    const first = await run(venue, [size, { ...latte({ sizes: inSizes(3, 4), labels: ['hot'] }), externalId: 'LATTE' }])
    const [modifier] = first.body.results.map(({ id }: { id: string }) => id)
    // A size more, one less, and an option that no longer exists has no price.
    const changed = [{ id: 'm', label: 'M' }, options[0]]
    const second = await run(venue, [
      { op: 'update', resource: 'modifiers', id: modifier, body: { options: changed } },
      {
        op: 'upsert',
        resource: 'products',
        externalId: 'LATTE',
        body: product({ modifiers: [modifier] }),
        details: { sizes: { prices: { m: { price: 3.5 } } }, translations: { fr: { title: 'Café' } } },
      },
    ])
    expect(statuses(second)).toEqual([200, 200])
    const { id } = second.body.results[1]
    expect(await readDetails(venue, `products/${id}`)).toEqual({
      sizes: { modifier, prices: { s: { price: 3 }, m: { price: 3.5 } } },
      labels: ['hot'],
      translations: { fr: { title: 'Café' } },
    })
    const cleared = { translations: { fr: null, de: { title: 'Kaffee' } }, labels: null }
    const update = { op: 'update', resource: 'products', id, body: {} }
    const third = await run(venue, [{ ...update, details: cleared }], {}, '?return=objects')
    expect(third.body.results[0].details).toEqual({
      sizes: { modifier, prices: { s: { price: 3 }, m: { price: 3.5 } } },
      translations: { de: { title: 'Kaffee' } },
    })
    expect(await readDetails(venue, `products/${id}`)).toEqual(third.body.results[0].details)
    const count = (await types(venue)).length
    await run(venue, [{ ...update, details: { labels: null, translations: { de: { title: 'Kaffee' } } } }])
    expect((await types(venue)).length).toBe(count)
  })

  test('name objects by external ids, and none that the batch deletes', async () => {
    const venue = await createVenue()
    await run(venue, [
      { ...size, externalId: 'SIZE' },
      { ...latte({ sizes: inSizes(3, 4) }), externalId: 'LATTE' },
    ])
    const named = { product: { externalId: 'LATTE' }, size: 'l' }
    const set = create('products', '#set', product(), {
      bundle: { groups: [{ title: 'A', min: 1, max: 1, items: [named] }] },
    })
    const done = await run(venue, [set])
    expect(statuses(done)).toEqual([201])
    const { bundle } = await readDetails(venue, `products/${done.body.results[0].id}`)
    expect(bundle.groups[0].items).toEqual([{ product: expect.stringMatching(/^prod_/), size: 'l' }])
    const deletion = { op: 'delete', resource: 'products', externalId: 'LATTE' }
    expect(toIssues(await run(venue, [set, deletion]))).toEqual([
      '/operations/0/details/bundle/groups/0/items/0/product not_found',
    ])
  })

  test('of a dry run are checked and not written', async () => {
    const venue = await createVenue()
    const dry = await run(venue, [size, latte({ sizes: inSizes(3, 4) })], {}, '?dryRun=true')
    expect([dry.body.dryRun, statuses(dry)]).toEqual([true, [201, 201]])
    expect(await types(venue)).toEqual([])
    expect(toIssues(await run(venue, [size, latte({ sizes: inSizes(3) })], {}, '?dryRun=true'))).toEqual([
      '/operations/1/details/sizes/prices/l required',
    ])
  })

  test('of batches and requests at once are merged, and none is lost', async () => {
    const venue = await createVenue()
    const { body } = await venue.post('/products', product())
    const languages = ['de', 'fr', 'it', 'es', 'pl', 'nl']
    const changes = languages.map((language, index) => {
      const details = { translations: { [language]: { title: language } } }
      return index % 2 === 0
        ? run(venue, [{ op: 'update', resource: 'products', id: body.id, body: {}, details }])
        : venue.post(`/products/${body.id}/details`, details)
    })
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(languages.map(() => 200))
    const { translations } = await readDetails(venue, `products/${body.id}`)
    expect(Object.keys(translations).sort()).toEqual(languages.toSorted())
    const { body: events } = await venue.get('/events?types=product.details_updated&order=asc')
    expect(events.map(({ version }: { version: number }) => version)).toEqual(languages.map((_, index) => index + 1))
  })
})
