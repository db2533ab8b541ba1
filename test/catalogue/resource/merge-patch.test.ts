import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

const venue = await createVenue()
const named = {
  product: (await venue.post('/products', { title: 'Tea', price: 4.5 })).body.id,
  modifier: (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
}
const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body

/** Fields that only create and retrieve return. */
const secrets = { bearerToken: 0, nfcUrl: 0 }

describe('an update', () => {
  const rules = { required: true, allowedMultiple: true, selectRestriction: 2 }
  test.each<[object, object]>([
    [{}, rules],
    [{ required: false }, { ...rules, required: false }],
    [{ required: null }, { allowedMultiple: true, selectRestriction: 2 }],
    [{ enableOptionQuantity: 1 }, { ...rules, enableOptionQuantity: true }],
    [{ required: null, allowedMultiple: null, selectRestriction: null }, {}],
    [{ requireSelectRestriction: null }, rules],
  ])('merges rules by key: %j', async (change, expected) => {
    const { id } = await create('modifiers', { title: 'Milk', instructions: '', rules })
    expect((await venue.post(`/modifiers/${id}`, { rules: change })).body.rules).toStrictEqual(expected)
    expect((await venue.get(`/modifiers/${id}`)).body.rules).toStrictEqual(expected)
  })

  const branding = { banner: 'https://a.b/c', icon: false }
  test.each<[object, object]>([
    [{}, branding],
    [{ icon: 'https://a.b/d' }, { ...branding, icon: 'https://a.b/d' }],
    [{ banner: false }, { banner: false, icon: false }],
    [{ banner: null }, { icon: false }],
    [{ icon: null }, { banner: 'https://a.b/c' }],
    [{ banner: null, icon: null }, {}],
  ])('merges branding by key: %j', async (change, expected) => {
    const { id } = await create('menus', { title: 'Lunch', branding })
    expect((await venue.post(`/menus/${id}`, { branding: change })).body.branding).toStrictEqual(expected)
    expect((await venue.get(`/menus/${id}`)).body.branding).toStrictEqual(expected)
  })

  test('replaces lists as a whole', async () => {
    const full = samples.flatMap(({ collection, full }) => (collection === 'products' ? [full(named)] : []))[0] ?? {}
    const { id } = await create('products', full)
    const lists = { images: [{ url: 'https://a.b/new' }], metadata: [{ key: 'a', value: '' }], modifiers: [] }
    expect((await venue.post(`/products/${id}`, lists)).body).toMatchObject(lists)
    expect((await venue.post(`/products/${id}`, { images: [], metadata: null })).body).toMatchObject({
      images: [],
      metadata: [],
      modifiers: [],
    })
    const modifier = await create('modifiers', {
      title: 'Milk',
      instructions: '',
      options: [{ id: 'a', label: 'A', preSelected: true }, { id: 'b' }],
    })
    const options = [{ id: 'a' }]
    expect((await venue.post(`/modifiers/${modifier.id}`, { options })).body.options).toStrictEqual(options)
  })

  test.each(samples)('changes each field of a $name separately', async ({ collection, body, full }) => {
    const target = full(named)
    const before = await create(collection, body('Thing'))
    for (const [field, value] of Object.entries(target)) {
      // Either end of a window comes with the other, and a percentage with its type.
      const change =
        field === 'begin' || field === 'end' ? { begin: target['begin'], end: target['end'] } : { [field]: value }
      if (field === 'allDayMenu') continue
      const { body: was } = await venue.get(`/${collection}/${before.id}`)
      const { status, body: is } = await venue.post(`/${collection}/${before.id}`, change)
      expect(status).toBe(200)
      const derived = { allDayMenu: is.allDayMenu, applyToAllProducts: is.applyToAllProducts, sections: is.sections }
      expect({ ...is, ...secrets }).toEqual({
        ...was,
        ...change,
        ...derived,
        updatedAt: is.updatedAt,
        ...secrets,
      })
    }
    expect((await venue.get(`/${collection}/${before.id}`)).body).toMatchObject(target)
  })
})

describe('updatedAt', () => {
  test.each(samples)('is unchanged if an update of a $name changes nothing', async ({ collection, body, full }) => {
    for (const created of [await create(collection, body('Thing')), await create(collection, full(named))]) {
      const { secret: _shownOnce, ...made } = created
      const { id, createdAt, updatedAt, testMode, bearerToken, nfcUrl, alias, url, qrUrl, ...writable } = made
      const same = collection === 'webhooks' ? { ...writable, url } : writable
      const bodies = [{}, same, ...Object.entries(same).map(([key, value]) => ({ [key]: value }))]
      for (const unchanged of bodies) {
        const response = await venue.post(`/${collection}/${id}`, unchanged)
        expect(response).toMatchObject({ status: 200 })
        expect({ ...response.body, ...secrets }).toEqual({ ...made, ...secrets })
      }
      expect((await venue.get(`/${collection}/${id}`)).body).toEqual(made)
    }
  })

  test('is unchanged if only the order of keys or the notation of a value differs', async () => {
    const product = await create('products', {
      title: 'Tea',
      price: 4.5,
      visible: true,
      metadata: [{ key: 'a', value: 'b' }],
    })
    const spelled = {
      metadata: [{ value: 'b', key: ' a ' }],
      visible: 1,
      price: '4.50',
      title: ' Tea\n',
      description: null,
    }
    expect((await venue.post(`/products/${product.id}`, spelled)).body).toEqual(product)
    const options = [{ id: 'a', label: 'A', additionalCost: 1, preSelected: true }]
    const modifier = await create('modifiers', {
      title: 'a',
      instructions: '',
      options,
      rules: { required: true, allowedMultiple: true },
    })
    const reordered = [{ preSelected: 1, additionalCost: '1.0', label: ' A', id: 'a' }]
    const same = { options: reordered, rules: { allowedMultiple: 1, required: 1 } }
    expect((await venue.post(`/modifiers/${modifier.id}`, same)).body).toEqual(modifier)
    const menu = await create('menus', { title: 'a', sections: [{ title: 'b', items: [named.product] }] })
    const [{ id, ...section }] = menu.sections
    expect((await venue.post(`/menus/${menu.id}`, { sections: [{ ...section, id }] })).body).toEqual(menu)
  })

  test('increases with each of 50 updates within a second', async () => {
    const product = await create('products', { title: 'Tea', price: 0 })
    const times = [product.updatedAt]
    for (let price = 1; price <= 50; price++) {
      times.push((await venue.post(`/products/${product.id}`, { price })).body.updatedAt)
    }
    for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(times[index - 1] ?? 0)
    expect((await venue.get(`/products/${product.id}`)).body).toEqual({ ...product, price: 50, updatedAt: times[50] })
  })

  test('is unchanged by a rejected update', async () => {
    const product = await create('products', { title: 'Tea', price: 0 })
    expect((await venue.post(`/products/${product.id}`, { title: 'Other', price: -1 })).status).toBe(422)
    expect((await venue.post(`/products/${product.id}`, { title: 'Other', modifiers: ['mod_no'] })).status).toBe(422)
    expect((await venue.get(`/products/${product.id}`)).body).toEqual(product)
  })
})

describe('concurrent requests', () => {
  const rules = ['required', 'allowedMultiple', 'requireSelectRestriction', 'enableOptionQuantity']

  test('apply twenty updates of different fields', async () => {
    const product = await create('products', { title: 'Tea', price: 0 })
    const changes = {
      title: 'Tee',
      price: 1,
      description: 'a',
      visible: false,
      taxable: false,
      useCustomTaxRate: true,
      taxRate: 5,
      calories: 6,
      manageStock: true,
      stockQuantity: 7,
      upc: 'b',
      sku: 'c',
      images: [{ url: 'https://a.b/c' }],
      metadata: [{ key: 'd', value: 'e' }],
      modifiers: [named.modifier],
    }
    const modifier = await create('modifiers', { title: 'a', instructions: '' })
    const responses = await Promise.all([
      ...Object.entries(changes).map(([key, value]) => venue.post(`/products/${product.id}`, { [key]: value })),
      ...rules.map((rule) => venue.post(`/modifiers/${modifier.id}`, { rules: { [rule]: true } })),
      venue.post(`/modifiers/${modifier.id}`, { description: 'b' }),
    ])
    expect(responses).toHaveLength(20)
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const { body } = await venue.get(`/products/${product.id}`)
    expect(body).toEqual({ ...product, ...changes, updatedAt: body.updatedAt })
    expect(body.updatedAt).toBeGreaterThanOrEqual(product.updatedAt + Object.keys(changes).length)
    expect((await venue.get(`/modifiers/${modifier.id}`)).body).toMatchObject({
      description: 'b',
      rules: Object.fromEntries(rules.map((rule) => [rule, true])),
    })
    // Each response has a state of its own.
    expect(new Set(responses.map((response) => `${response.body.id} ${response.body.updatedAt}`)).size).toBe(20)
  })

  test('an update and a delete end in a delete', async () => {
    for (let n = 0; n < 10; n++) {
      const { id } = await create('customers', { firstName: 'A', lastName: 'B' })
      const update = () => venue.post(`/customers/${id}`, { firstName: 'C' })
      const remove = () => venue.remove(`/customers/${id}`)
      const responses = await Promise.all(n % 2 ? [update(), remove()] : [remove(), update()])
      const [updated, removed] = n % 2 ? responses : responses.toReversed()
      expect(removed?.status).toBe(200)
      expect(updated?.status === 404 || removed?.body.object).toEqual(updated?.status === 404 || updated?.body)
      expect((await venue.get(`/customers/${id}`)).status).toBe(404)
    }
  })
})

test.each(samples)(
  'an update of a $name that is not there says so, whatever it clears',
  async ({ collection, full, prefix }) => {
    const fields = Object.keys(full({ product: 'prod_none', modifier: 'mod_none' }))
    const nothing = Object.fromEntries(fields.map((field) => [field, null]))
    const path = `/${collection}/${prefix}_01m7y640wnewv8t48fcqaa4vh9`
    for (const [field, value] of Object.entries(nothing)) {
      const response = await venue.post(path, { [field]: value })
      expect([field, response.status === 422 ? toIssues(response) : response.status]).toEqual([
        field,
        response.status === 422 ? [`/${field} required`] : 404,
      ])
    }
    expect((await venue.post(path, { ...nothing, nope: 1 })).status).toBe(422)
  },
)
