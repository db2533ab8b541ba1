import { describe, expect, test } from 'vitest'
import { createKey, createVenue } from '../../support/api.ts'
import { createQuoteVenue } from './quote-venue.ts'

const { venue, create, createProduct, quote, codes } = await createQuoteVenue()
const tea = await createProduct()

describe('a product', () => {
  test('that does not exist, or belongs to another merchant or mode, costs 0', async () => {
    const others = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
    const ids = ['prod_none']
    for (const other of others) ids.push((await other.post('/products', { title: 'Cake', price: 3 })).body.id)
    const response = await quote({ items: [...ids, tea].map((product) => ({ product, quantity: 2 })) })
    expect(response.issues).toEqual(
      ids.map((_, index) => ({
        pointer: `/items/${index}/product`,
        code: 'unknown_product',
        message: 'The product does not exist.',
      })),
    )
    expect(response).toMatchObject({ orderable: false, subtotal: 4, total: 4 })
    expect(response.items.map(({ total }: { total: number }) => total)).toEqual([0, 0, 0, 4])
    expect(response.items[0]).not.toHaveProperty('title')
  })

  test('that is hidden, sold out or short is reported, and priced', async () => {
    const hidden = await createProduct({ visible: false })
    const out = await createProduct({ manageStock: true, stockQuantity: 0 })
    const negative = await createProduct({ manageStock: true, stockQuantity: -2 })
    const absent = await createProduct({ manageStock: true })
    const unmanaged = await createProduct({ stockQuantity: 0 })
    const few = await createProduct({ manageStock: true, stockQuantity: 2.5 })
    const products = [hidden, out, negative, absent, unmanaged, few]
    const response = await quote({ items: products.map((product) => ({ product, quantity: 3 })) })
    expect(response.issues).toEqual([
      { pointer: '/items/0/product', code: 'not_visible', message: expect.any(String) },
      { pointer: '/items/1/product', code: 'sold_out', message: expect.any(String) },
      { pointer: '/items/2/product', code: 'sold_out', message: expect.any(String) },
      { pointer: '/items/3/product', code: 'sold_out', message: expect.any(String) },
      { pointer: '/items/5/quantity', code: 'insufficient_stock', message: expect.any(String), available: 2.5 },
    ])
    expect(response).toMatchObject({ orderable: false, total: 36 })
  })

  test('shares its stock between its lines', async () => {
    const product = await createProduct({ manageStock: true, stockQuantity: 5 })
    const lines = (...quantities: number[]) => ({ items: quantities.map((quantity) => ({ product, quantity })) })
    expect(await codes(lines(2, 3))).toEqual([])
    expect(await codes(lines(2, 4))).toEqual([
      '/items/0/quantity insufficient_stock',
      '/items/1/quantity insufficient_stock',
    ])
  })

  test('that is marked as sold out is back at the second it is marked until, as far as its stock allows', async () => {
    const [unmanaged, empty] = [await createProduct(), await createProduct({ manageStock: true, stockQuantity: 0 })]
    const until = Math.floor(Date.now() / 1000) + 3600
    const items = [unmanaged, empty].map((product) => ({ product, quantity: 1 }))
    for (const product of [unmanaged, empty]) {
      expect((await venue.post(`/products/${product}/availability`, { soldOut: true, until })).status).toBe(200)
    }
    const both = ['/items/0/product sold_out', '/items/1/product sold_out']
    expect(await codes({ items })).toEqual(both)
    expect(await codes({ items, at: until - 1 })).toEqual(both)
    expect(await codes({ items, at: until })).toEqual(['/items/1/product sold_out'])
  })

  test('that is marked as sold out reports no shortage, until further notice or until the mark is removed', async () => {
    const product = await createProduct({ manageStock: true, stockQuantity: 2 })
    const mark = (soldOut: boolean) => venue.post(`/products/${product}/availability`, { soldOut })
    const order = { items: [{ product, quantity: 3 }] }
    await mark(true)
    expect(await codes(order)).toEqual(['/items/0/product sold_out'])
    expect(await codes({ ...order, at: Date.UTC(2126, 0) / 1000 })).toEqual(['/items/0/product sold_out'])
    await mark(false)
    expect(await codes(order)).toEqual(['/items/0/quantity insufficient_stock'])
  })
})

describe('options', () => {
  const createModifier = (rules: object, fields: object = {}) =>
    create('/modifiers', {
      title: 'Milk',
      instructions: '',
      rules,
      options: [
        { id: 'oat', label: 'Oat', additionalCost: 0.4 },
        { id: 'soy', additionalCost: 0.25 },
        { id: 'none', additionalCost: -5, preSelected: true },
      ],
      ...fields,
    })
  const order = (product: string, ...options: [modifier: string, option: string, quantity?: number][]) => ({
    items: [
      {
        product,
        quantity: 2,
        options: options.map(([modifier, option, quantity]) => ({ modifier, option, quantity })),
      },
    ],
  })

  test('add to the unit price, which is never negative', async () => {
    const modifier = await createModifier({ enableOptionQuantity: true })
    const product = await createProduct({ modifiers: [modifier] })
    const response = await quote(order(product, [modifier, 'oat', 3], [modifier, 'soy']))
    // 2 + 3 × 0.40 + 0.25 = 3.45; twice 6.90.
    expect(response.items[0]).toMatchObject({
      unitPrice: 3.45,
      subtotal: 6.9,
      options: [
        { modifier, option: 'oat', label: 'Oat', quantity: 3, additionalCost: 0.4 },
        { modifier, option: 'soy', quantity: 1, additionalCost: 0.25 },
      ],
    })
    expect((await quote(order(product, [modifier, 'none']))).items[0]).toMatchObject({ unitPrice: 0, total: 0 })
    // A preselected option is not implied.
    expect((await quote(order(product))).items[0]).toMatchObject({ unitPrice: 2, options: [] })
  })

  test('that the product or the modifier does not have cost 0', async () => {
    const [offered, other] = [await createModifier({}), await createModifier({})]
    const product = await createProduct({ modifiers: [offered] })
    const response = await quote(
      order(product, [other, 'oat'], [offered, 'rice'], ['mod_none', 'oat'], [offered, 'soy']),
    )
    expect(response.issues.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual([
      '/items/0/options/0/modifier modifier_not_offered',
      '/items/0/options/1/option unknown_option',
      '/items/0/options/2/modifier modifier_not_offered',
    ])
    expect(response.items[0]).toMatchObject({ unitPrice: 2.25, subtotal: 4.5 })
  })

  test.each<[string, object, object, [string, number?][], string[]]>([
    ['a required one is missing', { required: true }, {}, [], ['/items/0/options required_modifier_missing']],
    ['a required one is there', { required: true }, {}, [['oat']], []],
    ['none is required', {}, {}, [], []],
    ['RADIO has one', {}, { type: 'RADIO' }, [['oat']], []],
    ['RADIO has two', {}, { type: 'RADIO' }, [['oat'], ['soy']], ['/items/0/options too_many_options']],
    ['only one is allowed', { allowedMultiple: false }, {}, [['oat'], ['soy']], ['/items/0/options too_many_options']],
    ['as many as allowed', { selectRestriction: 2 }, {}, [['oat'], ['soy']], []],
    [
      'one more than allowed',
      { selectRestriction: 2 },
      {},
      [['oat'], ['soy'], ['none']],
      ['/items/0/options too_many_options'],
    ],
    ['fewer than allowed', { selectRestriction: 2 }, {}, [['oat']], []],
    [
      'fewer than exactly',
      { selectRestriction: 2, requireSelectRestriction: true },
      {},
      [['oat']],
      ['/items/0/options too_few_options'],
    ],
    [
      'none of exactly two',
      { selectRestriction: 2, requireSelectRestriction: true },
      {},
      [],
      ['/items/0/options too_few_options'],
    ],
    ['exactly as many', { selectRestriction: 2, requireSelectRestriction: true }, {}, [['oat'], ['soy']], []],
    [
      'none of exactly one of RADIO',
      { requireSelectRestriction: true },
      { type: 'RADIO' },
      [],
      ['/items/0/options too_few_options'],
    ],
    ['exactly one of RADIO', { requireSelectRestriction: true }, { type: 'RADIO' }, [['oat']], []],
    [
      'none of exactly one',
      { allowedMultiple: false, selectRestriction: 2, requireSelectRestriction: true },
      {},
      [],
      ['/items/0/options too_few_options'],
    ],
    [
      'exactly one',
      { allowedMultiple: false, selectRestriction: 2, requireSelectRestriction: true },
      {},
      [['oat']],
      [],
    ],
    [
      'two instead of exactly one',
      { allowedMultiple: false, selectRestriction: 2, requireSelectRestriction: true },
      {},
      [['oat'], ['soy']],
      ['/items/0/options too_many_options'],
    ],
    ['no number to require', { requireSelectRestriction: true }, {}, [], []],
    ['a quantity is not enabled', {}, {}, [['oat', 2]], ['/items/0/options/0/quantity option_quantity_not_enabled']],
    [
      'a quantity counts',
      { selectRestriction: 2, enableOptionQuantity: true },
      {},
      [['oat', 3]],
      ['/items/0/options too_many_options'],
    ],
    [
      'a quantity fits',
      { selectRestriction: 2, enableOptionQuantity: true, requireSelectRestriction: true },
      {},
      [['oat', 2]],
      [],
    ],
  ])('are counted: %s', async (_, rules, fields, chosen, issues) => {
    const modifier = await createModifier(rules, {
      ...fields,
      options: [{ id: 'oat' }, { id: 'soy' }, { id: 'none' }],
    })
    const product = await createProduct({ modifiers: [modifier] })
    const body = order(
      product,
      ...chosen.map(([option, quantity]) => [modifier, option, quantity] as [string, string, number]),
    )
    const response = await quote(body)
    expect(response.issues.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)).toEqual(issues)
    for (const issue of response.issues) if (issue.pointer === '/items/0/options') expect(issue.modifier).toBe(modifier)
  })

  test('are counted in the singular and the plural', async () => {
    const options = [{ id: 'oat' }, { id: 'soy' }, { id: 'none' }]
    const messages = async (rules: object, ...chosen: string[]) => {
      const modifier = await createModifier(rules, { options })
      const product = await createProduct({ modifiers: [modifier], manageStock: true, stockQuantity: 1 })
      const { issues } = await quote(order(product, ...chosen.map((option): [string, string] => [modifier, option])))
      return issues.map(({ message }: { message: string }) => message)
    }
    const stock = '2 units are ordered, and 1 is in stock.'
    expect(await messages({ selectRestriction: 1 }, 'oat', 'soy')).toEqual([
      stock,
      'At most 1 option is allowed, and 2 are chosen.',
    ])
    expect(await messages({ selectRestriction: 2, requireSelectRestriction: true }, 'oat')).toEqual([
      stock,
      'Exactly 2 options are required, and 1 is chosen.',
    ])
  })
})
