import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { call, createKey, createVenue, toIssues } from '../../../support/api.ts'
import { observe } from '../../../support/d1.ts'
import { create, createProduct, full, toDetailsPath, useVenue, venue } from './detailed-objects.ts'

useVenue()

const createModifier = () =>
  create('modifiers', { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }, { id: 'cow' }] })
async function createMenu(items: readonly string[] = []) {
  const { body } = await venue.post('/menus', {
    title: 'Lunch',
    sections: [{ title: 'Cold', items }, { title: 'Hot' }],
  })
  const [cold, hot]: { id: string }[] = body.sections
  return { id: String(body.id), cold: cold?.id ?? '', hot: hot?.id ?? '' }
}
const listEvents = async () =>
  (await venue.get('/events?order=desc&limit=5')).body.map(({ type, version, data }: Record<string, unknown>) => ({
    type,
    version,
    data,
  }))

test('a product has no details until they are set', async () => {
  const path = toDetailsPath(await createProduct())
  expect(await venue.get(path)).toMatchObject({ status: 200, body: {} })
  expect((await venue.post(path, full)).body).toEqual(full)
  expect((await venue.get(path)).body).toEqual(full)
})

test('a body is merged at every depth; null clears, lists are replaced, nothing empty stays', async () => {
  const path = toDetailsPath(await createProduct())
  await venue.post(path, full)
  const change = {
    allergens: [],
    diets: null,
    nutrition: { fat: null, salt: '0.30' },
    translations: { FR: { title: null }, 'pt-br': { title: ' Chá ' }, de: null },
  }
  const changed = {
    allergens: [],
    alcoholByVolume: 4.5,
    ageLimit: 18,
    nutrition: { basis: '100g', energyKcal: 250, salt: 0.3 },
    translations: { fr: { description: 'Chaud' }, 'pt-BR': { title: 'Chá' } },
  }
  expect((await venue.post(path, change)).body).toEqual(changed)
  expect((await venue.get(path)).body).toEqual(changed)
  const cleared = { allergens: null, alcoholByVolume: null, ageLimit: null, nutrition: null, translations: null }
  expect((await venue.post(path, cleared)).body).toEqual({})
  expect((await venue.get(path)).body).toEqual({})
})

test('details of modifiers and menus translate their parts by id', async () => {
  const modifier = `/modifiers/${await createModifier()}/details`
  const translations = { fr: { title: 'Lait', instructions: 'Choisir', options: { oat: { label: 'Avoine' } } } }
  expect((await venue.post(modifier, { translations })).body).toEqual({ translations })
  expect(
    toIssues(await venue.post(modifier, { translations: { fr: { options: { soy: { label: 'Soja' } } } } })),
  ).toEqual(['/translations/fr/options/soy not_found'])
  const product = await createProduct()
  const { id, cold } = await createMenu([product])
  const details = {
    position: 2,
    days: ['sat', 'sun'],
    dates: { from: '2026-12-01', until: '2026-12-01' },
    prices: [{ product, price: 1.5 }],
    translations: { fr: { title: 'Midi', sections: { [cold]: { title: 'Froid', description: 'Frais' } } } },
  }
  expect((await venue.post(`/menus/${id}/details`, details)).body).toEqual(details)
  expect((await venue.get(`/menus/${id}/details`)).body).toEqual(details)
  expect(
    toIssues(
      await venue.post(`/menus/${id}/details`, {
        prices: [
          { product, price: 1 },
          { product: 'prod_none', price: 1 },
        ],
        translations: { de: { sections: { 'sec_a/b': { title: 'x' } } } },
      }),
    ),
  ).toEqual(['/prices/1/product not_found', '/translations/de/sections/sec_a~1b not_found'])
})

test('texts of removed parts and prices of deleted products disappear, and what remains can be sent back', async () => {
  const [kept, gone] = [await createProduct(), await createProduct()]
  const { id, cold, hot } = await createMenu([kept])
  const path = `/menus/${id}/details`
  await venue.post(path, {
    prices: [
      { product: gone, price: 1 },
      { product: kept, price: 1 },
    ],
    translations: { fr: { sections: { [cold]: { title: 'Froid' }, [hot]: { title: 'Chaud' } } } },
  })
  await venue.remove(`/products/${gone}`)
  await venue.post(`/menus/${id}`, { sections: [{ id: hot, title: 'Hot' }] })
  const rest = {
    prices: [{ product: kept, price: 1 }],
    translations: { fr: { sections: { [hot]: { title: 'Chaud' } } } },
  }
  const { body } = await venue.get(path)
  expect(body).toEqual(rest)
  expect((await venue.post(path, body)).body).toEqual(rest)
  // `null` for a part that is already absent.
  expect((await venue.post(path, { translations: { fr: { sections: { [cold]: null } } } })).status).toBe(200)
})

test('each change raises one event with the details and their version, and an entry in the audit log', async () => {
  const id = await createProduct()
  await venue.post(`/products/${id}/external-id`, { externalId: 'T-1' })
  await venue.post(toDetailsPath(id), { ageLimit: 16 })
  await venue.post(toDetailsPath(id), { ageLimit: 16 })
  await venue.post(toDetailsPath(id), { ageLimit: 18 })
  expect((await listEvents()).slice(0, 3)).toEqual([
    { type: 'product.details_updated', version: 2, data: { id, details: { ageLimit: 18 } } },
    { type: 'product.details_updated', version: 1, data: { id, details: { ageLimit: 16 } } },
    expect.objectContaining({ type: 'product.updated' }),
  ])
  const [{ externalId }] = (await venue.get('/events?order=desc&limit=1')).body
  expect(externalId).toBe('T-1')
  const { body } = await venue.get(`/audit?object=${id}&limit=2`)
  expect(body.map(({ operation }: { operation: string }) => operation)).toEqual([
    'products.details.update',
    'products.details.update',
  ])
  // The product itself is as it was.
  expect((await venue.get(`/products/${id}?include=version`)).body.version).toBe(2)
})

test('details belong to the merchant, mode and scopes of their object, and go with it', async () => {
  const id = await createProduct()
  await venue.post(toDetailsPath(id), full)
  for (const other of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
    expect((await other.get(toDetailsPath(id))).status).toBe(404)
    expect((await other.post(toDetailsPath(id), { ageLimit: 9 })).status).toBe(404)
  }
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
  expect((await reader.get(toDetailsPath(id))).body).toEqual(full)
  expect((await reader.post(toDetailsPath(id), {})).status).toBe(403)
  expect((await reader.get('/menus/none/details')).status).toBe(403)
  expect((await call('GET', venue.path(toDetailsPath(id)), undefined)).status).toBe(401)
  const count = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where merchant_id = ?`).bind(venue.id).first<number>('n')
  const before = [Number(await count('details')), Number(await count('translations'))]
  expect((await venue.remove(`/products/${id}`)).status).toBe(200)
  expect([await count('details'), await count('translations')]).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) - 2])
  expect((await venue.get(toDetailsPath(id))).status).toBe(404)
  expect((await venue.post(toDetailsPath(id), {})).status).toBe(404)
})

test('details cost one round trip to read and two to write', async () => {
  const path = venue.path(toDetailsPath(await createProduct()))
  await venue.get('/products')
  expect((await observe('GET', path, { key: venue.key })).trips).toHaveLength(1)
  expect((await observe('POST', path, { key: venue.key, json: full })).trips).toHaveLength(2)
  expect((await observe('GET', venue.path('/products?include=details'), { key: venue.key })).trips).toHaveLength(1)
})
