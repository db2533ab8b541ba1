import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'

const venue = await createVenue()
const product = (await venue.post('/products', { title: 'Tea', price: 4.5 })).body.id
const [milk, lemon] = [
  (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id,
  (await venue.post('/modifiers', { title: 'Lemon', instructions: '' })).body.id,
]
const tea = { title: 'Tea', price: 1 }

describe("the document's own examples", () => {
  test.each([
    ['12.50', 12.5],
    ['12', 12],
    ['0.0001', 0.0001],
    ['-0', 0],
    [7.25, 7.25],
  ])('a price of %j is returned as %d', async (price, expected) => {
    const created = await venue.post('/products', { title: 'Tea', price })
    expect(created.body.price).toBe(expected)
    expect((await venue.post(`/products/${created.body.id}`, { price })).body.price).toBe(expected)
  })

  test('every number can be a numeric string', async () => {
    const numbers = { price: '1.5', taxRate: '7.7', calories: '120', stockQuantity: '-2.5' }
    expect((await venue.post('/products', { title: 'Tea', ...numbers })).body).toMatchObject({
      price: 1.5,
      taxRate: 7.7,
      calories: 120,
      stockQuantity: -2.5,
    })
    const options = [{ additionalCost: '-0.5', additionalCalories: '3' }]
    const modifier = { title: 'Milk', instructions: '', options, rules: { selectRestriction: '1' } }
    expect((await venue.post('/modifiers', modifier)).body).toMatchObject({
      options: [{ additionalCost: -0.5, additionalCalories: 3 }],
      rules: { selectRestriction: 1 },
    })
    const amounts = { minimumOrderAmount: '20.00', timesRedeemed: '4' }
    expect(
      (await venue.post('/coupons', { title: 'a', code: 'a', type: 'FIXED', value: '1', ...amounts })).body,
    ).toMatchObject({
      value: 1,
      minimumOrderAmount: 20,
      timesRedeemed: 4,
    })
  })

  test.each([
    '',
    ' ',
    '1 ',
    ' 1',
    '1e3',
    '+1',
    '.5',
    '5.',
    '0x10',
    '1,5',
    '1_000',
    '--1',
    'NaN',
    'Infinity',
    'abc',
    '١',
  ])('the text %j is not a number', async (text) => {
    const numbers = { price: text, taxRate: text, calories: text, stockQuantity: text }
    const pointers = Object.keys(numbers).map((field) => `/${field} invalid_format`)
    expect(toIssues(await venue.post('/products', { title: 'Tea', ...numbers }))).toEqual(pointers.sort())
  })

  test.each([[true], [[]], [{}], [[1]]])('%j is not a number', async (value) => {
    expect(toIssues(await venue.post('/products', { title: 'Tea', price: value }))).toEqual(['/price invalid_type'])
  })

  const booleans: [string, string[]][] = [
    ['products', ['visible', 'taxable', 'useCustomTaxRate', 'manageStock']],
    ['menus', ['showSectionNavigation', 'visible']],
    ['coupons', ['active', 'individualUse', 'applyToAllProducts']],
    ['tags', ['nfc', 'testMode']],
    ['webhooks', ['active']],
  ]
  test.each(booleans)('the booleans of %s can be 0 and 1, but no other numbers', async (collection, fields) => {
    const sample = samples.find((each) => each.collection === collection)
    const { body } = await venue.post(`/${collection}`, sample?.body('Thing'))
    const all = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]))
    for (const value of [0, 1, false, true, 0]) {
      const updated = await venue.post(`/${collection}/${body.id}`, all(value))
      expect(updated.body).toMatchObject(all(Boolean(value)))
      expect((await venue.post(`/${collection}`, { ...sample?.body('Thing'), ...all(value) })).body).toMatchObject(
        all(Boolean(value)),
      )
    }
    for (const value of [2, -1, 0.5, '0', '1', 'true', 'false', '', [], {}]) {
      const refused = await venue.post(`/${collection}/${body.id}`, all(value))
      expect(toIssues(refused)).toEqual(fields.map((field) => `/${field} invalid_type`).sort())
    }
  })

  test('a product create accepts and ignores image; an update rejects it', async () => {
    for (const image of [true, false, 0, 1, null]) {
      const created = await venue.post('/products', { ...tea, image })
      expect(created.status).toBe(201)
      expect(created.body).not.toHaveProperty('image')
    }
    expect(toIssues(await venue.post('/products', { ...tea, image: 'a.png' }))).toEqual(['/image invalid_type'])
    expect(toIssues(await venue.post(`/products/${product}`, { image: true }))).toEqual(['/image unknown_field'])
  })

  test('modifiers are ids or objects with an id; responses have ids in the same order', async () => {
    for (const modifiers of [
      [lemon, milk],
      [{ id: lemon }, milk],
      [{ id: lemon }, { id: milk }],
    ]) {
      const created = await venue.post('/products', { ...tea, modifiers })
      expect(created.body.modifiers).toEqual([lemon, milk])
      expect(
        (await venue.post(`/products/${created.body.id}`, { modifiers: [milk, { id: lemon }] })).body.modifiers,
      ).toEqual([milk, lemon])
    }
  })

  test('an invalid modifier is reported with its pointer', async () => {
    const modifiers = [{ id: milk, label: 'x' }, '', 'x'.repeat(65), 5, null, {}, [milk], 'a\0', { id: 5 }, milk]
    expect(toIssues(await venue.post('/products', { ...tea, modifiers }))).toEqual(
      [
        '/modifiers/0/label unknown_field',
        '/modifiers/1 too_short',
        '/modifiers/2 too_long',
        '/modifiers/3 invalid_type',
        '/modifiers/4 required',
        '/modifiers/5/id required',
        '/modifiers/6 invalid_type',
        '/modifiers/7 invalid_character',
        '/modifiers/8/id invalid_type',
        '/modifiers/9 duplicate',
      ].sort(),
    )
  })
})

describe('a value of another type', () => {
  test.each([
    [
      'products',
      { title: 1, price: [], visible: 'yes', images: {}, type: 'BUNDLE', metadata: [1] },
      {
        '/title': 'must be a string',
        '/price': 'must be a number, or a string with a number in plain decimals',
        '/visible': 'must be true or false',
        '/images': 'must be a list',
        '/type': 'must be SIMPLE',
        '/metadata/0': 'must be an object',
      },
    ],
    ['coupons', { title: 'a', code: 'a', type: 'GIFT', value: 1 }, { '/type': 'must be PERCENTAGE or FIXED' }],
    ['modifiers', { title: 'a', instructions: '', rules: [] }, { '/rules': 'must be an object' }],
  ])('is reported with the expected type (%s)', async (collection, fields, expected) => {
    const { body } = await venue.post(`/${collection}`, fields)
    const messages = body.errors.map(({ pointer, message }: { pointer: string; message: string }) => [pointer, message])
    expect(Object.fromEntries(messages)).toEqual(expected)
  })

  test('is reported in a query too', async () => {
    const { body } = await venue.get('/products?order=up&limit=x')
    expect(body.errors.map(({ message }: { message: string }) => message).sort()).toEqual([
      'must be a whole number',
      'must be asc or desc',
    ])
  })
})
