import { describe, expect, test } from 'vitest'
import { createVenue, send, toIssues } from '../../../support/api.ts'

const venue = await createVenue({ hoursClose: false })
const create = async (collection: string, body: object): Promise<string> =>
  (await venue.post(`/${collection}`, body)).body.id
const details = (path: string, body: object, headers: Record<string, string> = {}) =>
  venue.post(`/${path}/details`, body, headers)
const read = async (path: string) => (await venue.get(path)).body
const data = async (id: string, query = '') => (await send(`/m/${id}.json${query}`)).body
const milk = { allergens: [{ code: 'milk', level: 'contains' }] }

test('a part of a bundle that sells out between quote and order leaves nothing of the order behind', async () => {
  const counted = { price: 3, manageStock: true, stockQuantity: 2 }
  const soup = await create('products', { title: 'Soup', ...counted })
  const set = await create('products', { title: 'Set', ...counted })
  const groups = [{ id: 'soup', title: 'Soup', min: 1, max: 2, items: [{ product: soup }] }]
  await details(`products/${set}`, { bundle: { groups } })
  const choices = ['soup', 'soup'].map((group) => ({ group, product: soup }))
  const { body: quote } = await venue.post('/quotes', { items: [{ product: set, quantity: 1, choices }] })
  expect(quote).toMatchObject({ orderable: true })
  const sale = { reference: 'other-guest', reason: 'sale', changes: [{ product: soup, delta: -1 }] }
  expect((await venue.post('/stock', sale)).status).toBe(200)
  const order = {
    type: 'order.created',
    data: {},
    effects: { stock: { reference: 'order-1', changes: quote.stock } },
  }
  const taken = await venue.post('/events', order)
  expect([taken.status, taken.body.code]).toEqual([409, 'insufficient_stock'])
  const stock = await Promise.all([soup, set].map(async (id) => (await read(`/products/${id}`)).stockQuantity))
  expect(stock).toEqual([1, 2])
  expect(await read('/events?types=order.created')).toEqual([])
})

test('without their last statement, neither a dish nor an option is ever free of anything', async () => {
  const oat = { id: 'oat', label: 'Oat' }
  const modifier = await create('modifiers', {
    ...{ title: 'Milk', instructions: '', type: 'RADIO', rules: { required: true } },
    options: [oat, { id: 'whole', label: 'Whole' }],
  })
  const tea = await create('products', { title: 'Tea', price: 3, modifiers: [modifier] })
  await create('menus', { title: 'All', sections: [{ title: 'All', items: [tea] }] })
  const titles = async () =>
    (await data(venue.id, '?without=milk')).menus.flatMap((menu: { sections: { products: { title: string }[] }[] }) =>
      menu.sections.flatMap(({ products }) => products.map(({ title }) => title)),
    )
  await details(`products/${tea}`, { allergens: [] })
  await details(`modifiers/${modifier}`, { options: { oat: { allergens: [] }, whole: milk } })
  expect(await titles()).toEqual(['Tea'])
  await details(`modifiers/${modifier}`, { options: { oat: { allergens: null } } })
  expect(await titles()).toEqual([])
  await details(`modifiers/${modifier}`, { options: { oat: { allergens: [] } } })
  await details(`products/${tea}`, { allergens: null })
  expect(await titles()).toEqual([])
  const page = String((await send(`/m/${venue.id}`)).body)
  expect(page).not.toContain('No allergens')
})

describe('people who edit one dish at once', () => {
  async function createSized() {
    const options = ['s', 'm', 'l'].map((id) => ({ id, label: id }))
    const size = await create('modifiers', { title: 'Size', instructions: '', type: 'RADIO', options })
    const tea = await create('products', { title: 'Tea', price: 3, modifiers: [size] })
    const menu = await create('menus', { title: 'All', sections: [] })
    const prices = Object.fromEntries(options.map(({ id }, index) => [id, { price: index + 1 }]))
    await details(`products/${tea}`, { sizes: { modifier: size, prices } })
    return { size, tea, menu, options }
  }

  test('lose no price of a size, and get no size without its option', async () => {
    const { size, tea, menu, options } = await createSized()
    const changes = await Promise.all([
      details(`products/${tea}`, { sizes: { prices: { s: { price: 1.5 } } } }),
      details(`products/${tea}`, { sizes: { prices: { m: { price: 2.5 } } } }),
      details(`products/${tea}`, { labels: ['hot'] }),
      details(`menus/${menu}`, { prices: [{ product: tea, sizes: { s: 1 } }] }),
      venue.post(`/modifiers/${size}`, { options: options.slice(0, 2) }),
    ])
    // The price of a size may come before its option is deleted, or behind it; it never stays.
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await read(`/products/${tea}/details`)).toEqual({
      labels: ['hot'],
      sizes: { modifier: size, prices: { s: { price: 1.5 }, m: { price: 2.5 } } },
    })
    expect(await read(`/menus/${menu}/details`)).toEqual({ prices: [{ product: tea, sizes: { s: 1 } }] })
  })

  test('are told of each other if they ask', async () => {
    const { tea } = await createSized()
    const etag = (await venue.get(`/products/${tea}/details`)).headers.get('etag') ?? ''
    const ifMatch = { 'if-match': etag }
    const answers = await Promise.all(
      ['s', 'm', 'l'].map((id, index) =>
        details(`products/${tea}`, { sizes: { prices: { [id]: { price: 7 + index } } } }, ifMatch),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })
})

test('250 options with contents and 30 languages fit, and one text too many is told at its field', async () => {
  const options = Array.from({ length: 250 }, (_, index) => ({ id: `o${index}`, label: `${index}` }))
  const modifier = await create('modifiers', { title: 'Large', instructions: '', options })
  const of = <Value>(make: (id: string) => Value) => Object.fromEntries(options.map(({ id }) => [id, make(id)]))
  const allergens = [
    { code: 'gluten', level: 'contains', names: ['wheat', 'rye'] },
    { code: 'milk', level: 'may_contain' },
    { code: 'nuts', level: 'contains', names: ['almonds'] },
  ]
  const contents = of(() => ({ allergens, diets: ['vegetarian'], additives: ['sweeteners'], max: 3 }))
  const path = `modifiers/${modifier}`
  const issuesOf = async (body: object) => {
    const response = await details(path, body)
    return response.status === 200 ? [] : toIssues(response)
  }
  expect(await issuesOf({ options: contents })).toEqual([])
  const languages = Array.from(
    { length: 30 },
    (_, index) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : '-DE'}`,
  )
  for (const language of languages) {
    const translations = { [language]: { options: of((id) => ({ label: `${language} ${id} of the house` })) } }
    expect([language, await issuesOf({ translations })]).toEqual([language, []])
  }
  const stored = await read(`/${path}/details`)
  expect(Object.keys(stored.translations)).toHaveLength(30)
  expect(Object.keys(stored.options)).toHaveLength(250)
  let found: string[] = []
  for (const language of languages) {
    found = await issuesOf({ translations: { [language]: { options: of(() => ({ label: 'x'.repeat(255) })) } } })
    if (found.length > 0) break
  }
  expect(found).toEqual(['/translations too_long'])
})

test('a client that knows no details sees what it saw: no new field, no event of the object, the same prices', async () => {
  const modifier = await create('modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ id: 'oat', label: 'Oat' }],
  })
  const tea = await create('products', { title: 'Tea', price: 3, modifiers: [modifier] })
  const menu = await create('menus', { title: 'Old', sections: [{ title: 'All', items: [tea] }] })
  const paths = [`/modifiers/${modifier}`, `/products/${tea}`, `/menus/${menu}`]
  const look = () => Promise.all([...paths, '/products', '/modifiers', '/menus'].map(read))
  const order = { items: [{ product: tea, quantity: 2, options: [{ modifier, option: 'oat' }] }] }
  const quote = async () => {
    const { at: _, ...answer } = (await venue.post('/quotes', order)).body
    return answer
  }
  const [before, price] = [await look(), await quote()]
  await details(`modifiers/${modifier}`, {
    options: { oat: { allergens: [] } },
    translations: { de: { title: 'Milch' } },
  })
  await details(`products/${tea}`, { allergens: [], labels: ['hot'], diets: ['vegan'] })
  await details(`menus/${menu}`, { position: 1 })
  expect(await look()).toEqual(before)
  expect(await quote()).toEqual(price)
  const types = (await read('/events?limit=100&order=desc')).map(({ type }: { type: string }) => type)
  expect(types.slice(0, 3).sort()).toEqual([
    'menu.details_updated',
    'modifier.details_updated',
    'product.details_updated',
  ])
})
