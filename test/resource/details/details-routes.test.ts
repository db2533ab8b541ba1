import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { maxDetailBytes, maxLanguages } from '../../../src/resource/details/details-definition.ts'
import { call, createKey, createVenue, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(`/${path}`, body)).body.id
const createProduct = (title = 'Tea') => create('products', { title, price: 2 })
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
const detailsOf = (id: string) => `/products/${id}/details`
const listEvents = async () =>
  (await venue.get('/events?order=desc&limit=5')).body.map(({ type, version, data }: Record<string, unknown>) => ({
    type,
    version,
    data,
  }))

const full = {
  allergens: [
    { code: 'milk', level: 'contains' },
    { code: 'nuts', level: 'may_contain' },
  ],
  diets: ['vegetarian'],
  alcoholByVolume: 4.5,
  ageLimit: 18,
  nutrition: { basis: '100g', energyKcal: 250, fat: 1.5 },
  translations: { de: { title: 'Tee' }, fr: { title: 'Thé', description: 'Chaud' } },
}

test('a product has no details until they are set', async () => {
  const path = detailsOf(await createProduct())
  expect(await venue.get(path)).toMatchObject({ status: 200, body: {} })
  expect((await venue.post(path, full)).body).toEqual(full)
  expect((await venue.get(path)).body).toEqual(full)
})

test('a body is merged at every depth; null clears, lists are replaced, nothing empty stays', async () => {
  const path = detailsOf(await createProduct())
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
  // `null` clears what is gone already.
  expect((await venue.post(path, { translations: { fr: { sections: { [cold]: null } } } })).status).toBe(200)
})

describe('limits', () => {
  test('a name in translations is a language, given once', async () => {
    const path = detailsOf(await createProduct())
    const title = { title: 'x' }
    const names = { english: title, en_GB: title, '': title, 'de-at': title, 'de-AT': title, 'zh-hant-TW': title }
    expect(toIssues(await venue.post(path, { translations: names }))).toEqual([
      '/translations/ invalid_format',
      '/translations/de-AT duplicate',
      '/translations/en_GB invalid_format',
      '/translations/english invalid_format',
    ])
    expect((await venue.post(path, { translations: { 'zh-hant-tw': title } })).body).toEqual({
      translations: { 'zh-Hant-TW': title },
    })
  })

  test(`an object has at most ${maxLanguages} languages, also after a merge`, async () => {
    const path = detailsOf(await createProduct())
    const name = (index: number) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? 'a' : 'b'}`
    const languages = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, index) => [name(from + index), { title: 'x' }]))
    const first = await venue.post(path, { translations: languages(0, maxLanguages) })
    expect([first.status, Object.keys(first.body.translations).length]).toEqual([200, maxLanguages])
    const another = languages(maxLanguages, maxLanguages + 1)
    expect(toIssues(await venue.post(path, { translations: another }))).toEqual(['/translations too_many'])
    const swapped = await venue.post(path, { translations: { ...another, [name(0)]: null } })
    expect(swapped.status).toBe(200)
  })

  test('all languages of an object together have at most 1 MiB', async () => {
    const sections = Array.from({ length: 50 }, (_, index) => ({ title: `${index}` }))
    const { body } = await venue.post('/menus', { title: 'Long', sections })
    const ids: string[] = body.sections.map(({ id }: { id: string }) => id)
    const path = `/menus/${body.id}/details`
    const toTexts = (length: number) => Object.fromEntries(ids.map((id) => [id, { description: 'x'.repeat(length) }]))
    const add = (language: string, length: number) =>
      venue.post(path, { translations: { [language]: { sections: toTexts(length) } } })
    for (const language of ['de', 'fr', 'it', 'es']) expect((await add(language, 5_000)).status).toBe(200)
    expect(toIssues(await add('pt', 5_000))).toEqual(['/translations too_long'])
    const size = (await env.DB.prepare(
      `select sum(length(texts)) as n from translations where object = (select seq from menus where id = ?) and resource = 'menus'`,
    )
      .bind(body.id)
      .first<number>('n')) as number
    // 20 bytes for `{"translations":{}}`, and a name, quotes and a comma for each language.
    const now = JSON.stringify((await venue.get(path)).body).length
    expect(now).toBeGreaterThan(size)
    const more = JSON.stringify({ pt: { title: '' } }).length - 1
    const room = maxDetailBytes - now - more
    const fill = (bytes: number) => ({
      description: 'x'.repeat(Math.min(bytes, 5_000)),
    })
    // The rest is filled section by section, to the byte.
    const texts: Record<string, { description: string }> = {}
    let left = room - JSON.stringify({ sections: {} }).length
    for (const id of ids) {
      const frame = JSON.stringify({ [id]: { description: '' } }).length - 1
      if (left <= frame + 10) break
      texts[id] = fill(left - frame)
      left -= frame + (texts[id]?.description.length ?? 0)
    }
    const title = 'x'.repeat(Math.max(1, left % 200))
    const exact = async (length: number) =>
      venue.post(path, { translations: { pt: { title: 'x'.repeat(length), sections: texts } } })
    const made = await exact(title.length)
    expect(made.status).toBe(200)
    const over = maxDetailBytes - JSON.stringify(made.body).length
    expect(over).toBeLessThan(250)
    const at = await exact(title.length + over)
    expect([at.status, JSON.stringify(at.body).length]).toEqual([200, maxDetailBytes])
    expect(toIssues(await exact(title.length + over + 1))).toEqual(['/translations too_long'])
  })

  test('all issues are reported at once', async () => {
    const path = detailsOf(await createProduct())
    const body = { nutrition: { fat: -1 }, ageLimit: 0, colour: 'red', translations: { fr: { text: 'x' } } }
    expect(toIssues(await venue.post(path, body))).toEqual([
      '/ageLimit too_small',
      '/colour unknown_field',
      '/nutrition/fat too_small',
      '/translations/fr/text unknown_field',
    ])
    expect(toIssues(await venue.post(path, { nutrition: { fat: 1 } }))).toEqual(['/nutrition/basis required'])
  })
})

test('each change raises one event with the details and their version, and an entry in the audit log', async () => {
  const id = await createProduct()
  await venue.post(`/products/${id}/external-id`, { externalId: 'T-1' })
  await venue.post(detailsOf(id), { ageLimit: 16 })
  await venue.post(detailsOf(id), { ageLimit: 16 })
  await venue.post(detailsOf(id), { ageLimit: 18 })
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
  await venue.post(detailsOf(id), full)
  for (const other of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
    expect((await other.get(detailsOf(id))).status).toBe(404)
    expect((await other.post(detailsOf(id), { ageLimit: 9 })).status).toBe(404)
  }
  const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
  expect((await reader.get(detailsOf(id))).body).toEqual(full)
  expect((await reader.post(detailsOf(id), {})).status).toBe(403)
  expect((await reader.get('/menus/none/details')).status).toBe(403)
  expect((await call('GET', venue.path(detailsOf(id)), undefined)).status).toBe(401)
  const count = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where merchant_id = ?`).bind(venue.id).first<number>('n')
  const before = [Number(await count('details')), Number(await count('translations'))]
  expect((await venue.remove(`/products/${id}`)).status).toBe(200)
  expect([await count('details'), await count('translations')]).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) - 2])
  expect((await venue.get(detailsOf(id))).status).toBe(404)
  expect((await venue.post(detailsOf(id), {})).status).toBe(404)
})

describe('include=details', () => {
  test('adds them to lists and retrievals', async () => {
    const shop = await createVenue()
    const { id } = (await shop.post('/products', { title: 'Tea', price: 1 })).body
    const plain = (await shop.post('/products', { title: 'Water', price: 1 })).body
    await shop.post(`/products/${id}/details`, full)
    await shop.post(`/products/${id}/external-id`, { externalId: 'T/1' })
    const shown = async (path: string) => (await shop.get(path)).body
    expect((await shown(`/products/${id}?include=details`)).details).toEqual(full)
    expect((await shown(`/products/${id}`)).details).toBeUndefined()
    expect(await shown('/products/external/T%2F1?include=details,version')).toMatchObject({ details: full, version: 2 })
    const listed = await shown('/products?include=details,externalId&order=asc')
    expect(listed.map(({ details, externalId }: Record<string, unknown>) => [externalId, details])).toEqual([
      ['T/1', full],
      [undefined, {}],
    ])
    expect((await shown(`/products/${plain.id}?include=details`)).details).toEqual({})
    expect(toIssues(await shop.get('/coupons?include=details'))).toEqual(['include invalid_value'])
    expect(toIssues(await shop.get('/tags/none?include=details'))).toEqual(['include invalid_value'])
    expect(toIssues(await shop.post('/products', { title: 'x', price: 1, details: {} }))).toEqual([
      '/details read_only_field',
    ])
  })

  test('keeps pages within their budget, and reads large details whole', async () => {
    const shop = await createVenue()
    const long = { description: 'ß'.repeat(5_000) }
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      const { id } = (await shop.post('/products', { title: `${index}`, price: 1 })).body
      ids.push(id)
      for (const names of [['de', 'fr', 'it', 'es', 'pt', 'pl', 'cs', 'da', 'sv', 'fi']]) {
        await shop.post(`/products/${id}/details`, {
          translations: Object.fromEntries(names.map((name) => [name, long])),
        })
      }
    }
    const { body } = await shop.get('/products?include=details&order=asc&limit=100')
    expect(
      body.map(({ id, details }: { id: string; details: { translations: object } }) => [
        id,
        Object.keys(details.translations).length,
      ]),
    ).toEqual(ids.map((id) => [id, 10]))
  })

  test('exports carry them beside the object', async () => {
    const shop = await createVenue()
    const { id } = (await shop.post('/products', { title: 'Tea', price: 1 })).body
    await shop.post('/products', { title: 'Water', price: 1 })
    await shop.post(`/products/${id}/details`, full)
    const lines = String((await shop.get('/export?resources=products')).body)
      .trim()
      .split('\n')
    const objects = lines.map((line) => JSON.parse(line)).filter(({ resource }) => resource === 'products')
    expect(objects.map(({ object, details }) => [object.title, details])).toEqual([
      ['Tea', full],
      ['Water', undefined],
    ])
  })
})

describe('concurrent changes', () => {
  test('of different fields are all kept', async () => {
    const path = detailsOf(await createProduct())
    const bodies = Object.entries(full).map(([key, value]) => ({ [key]: value }))
    const answers = await Promise.all(bodies.map((body) => venue.post(path, body)))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    expect((await venue.get(path)).body).toEqual(full)
  })

  test('are detected with If-Match, and If-None-Match saves the body', async () => {
    const path = detailsOf(await createProduct())
    const first = (await venue.get(path)).headers.get('etag') ?? ''
    expect((await venue.get(path, { 'if-none-match': first })).status).toBe(304)
    expect((await venue.post(path, { ageLimit: 16 }, { 'if-match': first })).status).toBe(200)
    expect((await venue.post(path, { ageLimit: 17 }, { 'if-match': first })).status).toBe(412)
    expect((await venue.get(path)).body).toEqual({ ageLimit: 16 })
  })

  test('written between read and write are merged', async () => {
    const id = await createProduct()
    await venue.post(detailsOf(id), { translations: { fr: { title: 'Thé' } } })
    let trips = 0
    const late = await observe('POST', venue.path(detailsOf(id)), {
      key: venue.key,
      json: { translations: { de: { title: 'Tee' } } },
      before: async () => {
        // Another isolate, between the read and the write of the first attempt.
        if (++trips !== 2) return
        const isObject = `resource = 'products' and object = (select seq from products where id = ?)`
        await env.DB.batch([
          env.DB.prepare(`update details set version = 2, data = '{"ageLimit":18}' where ${isObject}`).bind(id),
          env.DB.prepare(`delete from translations where ${isObject}`).bind(id),
        ])
      },
    })
    expect([late.status, late.body, late.trips.length]).toEqual([
      200,
      { ageLimit: 18, translations: { de: { title: 'Tee' } } },
      4,
    ])
    expect((await venue.get(detailsOf(id))).body).toEqual(late.body)
  })

  test('of a product deleted meanwhile leave nothing', async () => {
    const id = await createProduct()
    let trips = 0
    const late = await observe('POST', venue.path(detailsOf(id)), {
      key: venue.key,
      json: full,
      before: async () => {
        if (++trips === 2) await venue.remove(`/products/${id}`)
      },
    })
    expect(late.status).toBe(404)
  })
})

test('a repeated request with one Idempotency-Key returns the same response', async () => {
  const path = detailsOf(await createProduct())
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await venue.post(path, { ageLimit: 16 }, key)
  await venue.post(path, { ageLimit: 18 })
  const again = await venue.post(path, { ageLimit: 16 }, key)
  expect([first.body, again.body]).toEqual([{ ageLimit: 16 }, { ageLimit: 16 }])
  expect((await venue.get(path)).body).toEqual({ ageLimit: 18 })
})

test('details cost one round trip to read and two to write', async () => {
  const path = venue.path(detailsOf(await createProduct()))
  await venue.get('/products')
  expect((await observe('GET', path, { key: venue.key })).trips).toHaveLength(1)
  expect((await observe('POST', path, { key: venue.key, json: full })).trips).toHaveLength(2)
  expect((await observe('GET', venue.path('/products?include=details'), { key: venue.key })).trips).toHaveLength(1)
})

test('damaged details are reported, not ignored', async () => {
  const id = await createProduct()
  await venue.post(detailsOf(id), full)
  await env.DB.prepare(
    `update details set data = '{"ageLimit":"old"}' where resource = 'products' and object = (select seq from products where id = ?)`,
  )
    .bind(id)
    .run()
  expect((await venue.get(detailsOf(id))).body.code).toBe('damaged')
  expect((await venue.get(`/products/${id}?include=details`)).body.code).toBe('damaged')
  expect((await venue.get(`/products/${id}`)).status).toBe(200)
  expect((await venue.post(detailsOf(id), { ageLimit: 1 })).body.code).toBe('damaged')
  // Deleting the product ends the damage.
  expect((await venue.remove(`/products/${id}`)).status).toBe(200)
})
