import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const venue = await createVenue()
const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
const createProduct = (fields: object = {}) => create('/products', { title: 'Tea', price: 2, ...fields })
const quote = async (body: object) => {
  const { status, body: response } = await venue.post('/quotes', body)
  expect([status, response]).toEqual([200, expect.anything()])
  return response
}
const codes = async (body: object) =>
  (await quote(body)).issues.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

const tea = await createProduct()
const at = Date.UTC(2026, 10, 21, 9) / 1000

describe('the body', () => {
  const line = { product: tea, quantity: 1 }
  test.each<[string, object, string[]]>([
    ['lacks items', {}, ['/items required']],
    ['has no item', { items: [] }, ['/items too_short']],
    ['has 201 items', { items: Array(201).fill(line) }, ['/items too_many']],
    [
      'has quantities out of range',
      { items: [0, 1000, 1.5, true].map((quantity) => ({ product: tea, quantity })) },
      [
        '/items/0/quantity too_small',
        '/items/1/quantity too_large',
        '/items/2/quantity too_precise',
        '/items/3/quantity invalid_type',
      ],
    ],
    [
      'has options out of range',
      {
        items: [
          { ...line, options: Array.from({ length: 101 }, (_, n) => ({ modifier: 'm', option: `${n}` })) },
          { ...line, options: [{ modifier: 'm', option: 'o', quantity: 100 }, { modifier: 'm' }] },
        ],
      },
      ['/items/0/options too_many', '/items/1/options/0/quantity too_large', '/items/1/options/1/option required'],
    ],
    [
      'repeats an option or a code',
      {
        items: [
          {
            ...line,
            options: [
              { modifier: 'm', option: 'o' },
              { modifier: 'n', option: 'o' },
              { modifier: 'm', option: 'o', quantity: 2 },
            ],
          },
        ],
        coupons: ['TEN', 'ten', 'Ｔｅｎ'],
      },
      ['/coupons/1 duplicate', '/coupons/2 duplicate', '/items/0/options/2 duplicate'],
    ],
    ['has 11 codes', { items: [line], coupons: Array.from({ length: 11 }, (_, n) => `C${n}`) }, ['/coupons too_many']],
    [
      'has wrong types and unknown fields',
      { items: [{ ...line, price: 1 }], customer: 1, menu: '', at: -1, colour: 'red' },
      [
        '/at too_small',
        '/colour unknown_field',
        '/customer invalid_type',
        '/items/0/price unknown_field',
        '/menu too_short',
      ],
    ],
  ])('is rejected if it %s', async (_, body, issues) => {
    expect(toIssues(await venue.post('/quotes', body))).toEqual(issues)
  })

  test('is accepted at its limits', async () => {
    const { items, coupons } = await quote({
      items: Array.from({ length: 200 }, (_, n) => ({ product: tea, quantity: n === 0 ? 999 : 1, options: null })),
      coupons: Array.from({ length: 10 }, (_, n) => `NONE${n}`),
      customer: null,
      menu: null,
      at: null,
    })
    expect([items.length, items[0].quantity, coupons.length]).toEqual([200, 999, 10])
    const options = Array.from({ length: 100 }, (_, n) => ({ modifier: 'm', option: `${n}`, quantity: 99 }))
    expect((await quote({ items: [{ product: tea, quantity: 1, options }] })).issues).toHaveLength(100)
  })
})

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
})

describe('menu and customer', () => {
  test('must exist', async () => {
    const customer = await create('/customers', { firstName: 'Ana', lastName: 'Silva' })
    const menu = await create('/menus', { title: 'Day' })
    const hidden = await create('/menus', { title: 'Staff', visible: false })
    const items = [{ product: tea, quantity: 1 }]
    expect(await codes({ items, customer, menu })).toEqual([])
    expect(await codes({ items, customer: 'cus_none', menu: 'menu_none' })).toEqual([
      '/menu unknown_menu',
      '/customer unknown_customer',
    ])
    expect(await codes({ items, menu: hidden })).toEqual(['/menu not_visible'])
  })

  // Lisbon: 01:00 became 02:00 on 2026-03-29 (UTC 01:00), and 02:00 became 01:00 on 2026-10-25 (UTC 01:00).
  test('hours are those of the clock at the venue, also when it changes', async () => {
    const lisbon = await createVenue({ timezone: 'Europe/Lisbon' })
    const product = (await lisbon.post('/products', { title: 'Tea', price: 2 })).body.id
    const open = async (begin: string, end: string, times: Record<string, boolean>) => {
      const menu = (await lisbon.post('/menus', { title: 'Menu', begin, end })).body.id
      for (const [time, isOpen] of Object.entries(times)) {
        const order = { items: [{ product, quantity: 1 }], menu, at: Date.parse(time) / 1000 }
        const { issues } = (await lisbon.post('/quotes', order)).body
        expect([time, issues.map(({ code }: { code: string }) => code)]).toEqual([
          time,
          isOpen ? [] : ['outside_menu_hours'],
        ])
      }
    }
    await open('0700', '1130', {
      '2026-01-15T06:59:59Z': false,
      '2026-01-15T07:00:00Z': true,
      '2026-01-15T11:29:59Z': true,
      '2026-01-15T11:30:00Z': false,
      '2026-07-15T05:59:59Z': false,
      '2026-07-15T06:00:00Z': true,
    })
    // From 01:00 to 02:00: skipped in March, repeated in October.
    await open('0100', '0200', {
      '2026-03-29T00:59:59Z': false,
      '2026-03-29T01:00:00Z': false,
      '2026-10-24T23:59:59Z': false,
      '2026-10-25T00:00:00Z': true,
      '2026-10-25T01:00:00Z': true,
      '2026-10-25T01:59:59Z': true,
      '2026-10-25T02:00:00Z': false,
    })
  })
})

describe('access', () => {
  const order = { items: [{ product: tea, quantity: 1 }] }
  test('requires both scopes', async () => {
    const scoped = async (scopes: string[]) =>
      (await (await createKey(venue.id, { mode: 'live', scopes })).post('/quotes', order)).status
    expect(await scoped(['products:read', 'coupons:read'])).toBe(200)
    expect(await scoped(['products:write', 'coupons:write'])).toBe(200)
    expect(await scoped(['products:read'])).toBe(403)
    expect(await scoped(['coupons:read', 'events:write'])).toBe(403)
  })

  test('costs one round trip, stores nothing, and ignores Idempotency-Key', async () => {
    await venue.get('/products')
    const headers = { 'idempotency-key': 'same' }
    const items = [{ product: tea, quantity: 1 }]
    for (const body of [{ items }, { items: [...items, ...items], coupons: ['A', 'B'], customer: 'c', menu: 'm' }]) {
      const {
        status,
        trips,
        headers: answered,
      } = await observe('POST', venue.path('/quotes'), {
        key: venue.key,
        json: body,
        headers,
      })
      expect([status, trips.length, answered.get('idempotent-replayed')]).toEqual([200, 1, null])
      expect(trips.reduce((written, trip) => written + trip.rowsWritten, 0)).toBe(0)
    }
    expect(
      (await venue.get('/events?limit=100')).body.filter(({ type }: { type: string }) => type.includes('quote')),
    ).toEqual([])
  })

  test('returns the same bytes for the same order and time', async () => {
    const request = async () => {
      const { status, body } = await venue.post('/quotes', { ...order, at })
      return [status, JSON.stringify(body)]
    }
    expect(await request()).toEqual(await request())
    const before = Math.floor(Date.now() / 1000)
    expect((await quote(order)).at).toBeGreaterThanOrEqual(before)
  })
})
