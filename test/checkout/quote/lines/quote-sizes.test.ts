import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { createDishVenue } from './dishes.ts'

const { venue, create, quote, codes, setDetails, createModifier, createDish, createSized } = await createDishVenue()
const line = (product: string, options: object[] = [], more: object = {}) => ({
  items: [{ product, quantity: 1, options, ...more }],
})

describe('a size', () => {
  test('replaces the price of the product and the cost of its option', async () => {
    const { product, size } = await createSized()
    const answer = await quote({ items: [{ product, quantity: 2, options: [{ modifier: size, option: 'l' }] }] })
    expect(answer).toMatchObject({ orderable: true, total: 8.4, issues: [], stock: [] })
    expect(answer.items[0]).toMatchObject({
      size: 'l',
      quantity: 2,
      unitPrice: 4.2,
      options: [{ modifier: size, option: 'l', additionalCost: 0 }],
    })
  })

  test('must be chosen exactly once, whatever the rules of the modifier say', async () => {
    const { product, size } = await createSized()
    for (const rules of [{}, { required: false }, { selectRestriction: 1 }]) {
      await venue.post(`/modifiers/${size}`, { rules })
      const missing = await quote(line(product))
      expect(missing.issues).toMatchObject([
        { pointer: '/items/0/options', code: 'required_modifier_missing', modifier: size },
      ])
      expect(missing.items[0]).not.toHaveProperty('size')
    }
    await setDetails(`/products/${product}`, { modifierRules: [{ modifier: size, min: 0 }] })
    expect(await codes(line(product))).toEqual(['/items/0/options required_modifier_missing'])
    const both = ['s', 'm'].map((option) => ({ modifier: size, option }))
    expect(await codes(line(product, both))).toEqual(['/items/0/options too_many_options'])
    await venue.post(`/modifiers/${size}`, {
      type: 'CHECKBOX',
      rules: { enableOptionQuantity: true, selectRestriction: 2 },
    })
    expect(await codes(line(product, both))).toEqual(['/items/0/options too_many_options'])
    expect(await codes(line(product, [{ modifier: size, option: 's', quantity: 2 }]))).toEqual([
      '/items/0/options too_many_options',
    ])
    expect(await quote(line(product, [{ modifier: size, option: 's' }]))).toMatchObject({ orderable: true, total: 3 })
  })

  test('that was added later has no price, and is unknown', async () => {
    const { product, size } = await createSized()
    const options = [...['s', 'm', 'l'].map((id) => ({ id })), { id: 'xl', additionalCost: 2 }]
    await venue.post(`/modifiers/${size}`, { options })
    const answer = await quote(line(product, [{ modifier: size, option: 'xl' }]))
    expect(answer.issues).toMatchObject([{ pointer: '/items/0/options/0/option', code: 'unknown_option' }])
    expect(answer.items[0]).toMatchObject({ unitPrice: 9, options: [{ additionalCost: 0 }] })
  })

  test('whose option is gone is no size; without any, the product has none', async () => {
    const { product, size } = await createSized()
    await venue.post(`/modifiers/${size}`, { options: [{ id: 's' }, { id: 'new', additionalCost: 0.5 }] })
    expect((await quote(line(product, [{ modifier: size, option: 's' }]))).total).toBe(3)
    expect(await codes(line(product, [{ modifier: size, option: 'm' }]))).toEqual([
      '/items/0/options/0/option unknown_option',
    ])
    await venue.post(`/modifiers/${size}`, { options: [{ id: 'new', additionalCost: 0.5 }] })
    const answer = await quote(line(product, [{ modifier: size, option: 'new' }]))
    expect(answer).toMatchObject({ orderable: true, total: 9.5 })
    expect(answer).not.toHaveProperty('stock')
  })

  test('has the price of a menu only if the menu lists the size; the price of the product is ignored', async () => {
    const { product, size } = await createSized()
    const plain = await createDish()
    const menu = await create('/menus', { title: 'Noon' })
    await setDetails(`/menus/${menu}`, {
      prices: [
        { product, price: 1, sizes: { m: 2.25 } },
        { product: plain, price: 1.5 },
      ],
    })
    const total = async (option: string) =>
      (await quote({ ...line(product, [{ modifier: size, option }]), menu })).total
    expect([await total('s'), await total('m'), await total('l')]).toEqual([3, 2.25, 4.2])
    expect((await quote({ ...line(plain), menu })).total).toBe(1.5)
  })

  test('with the prices of a modifier gives the totals of that modifier', async () => {
    const { product, size } = await createSized()
    const adding = await createModifier(
      [
        ['s', 3],
        ['m', 3.5],
        ['l', 4.2],
      ],
      { type: 'RADIO', rules: { required: true } },
    )
    const other = await createDish({ price: 0, modifiers: [adding] })
    for (const option of ['s', 'm', 'l']) {
      const { items: sized, ...first } = await quote({ ...line(product, [{ modifier: size, option }]), at: 1 })
      const { items: added, ...second } = await quote({ ...line(other, [{ modifier: adding, option }]), at: 1 })
      expect({ ...first, stock: undefined }).toEqual({ ...second, stock: undefined })
      expect([sized[0].unitPrice, sized[0].tax]).toEqual([added[0].unitPrice, added[0].tax])
    }
  })
})

describe('costs by size', () => {
  test('replace the cost of an option at that size; elsewhere and without a size its own counts', async () => {
    const milk = await createModifier(['dairy', ['oat', 0.4]], {}, { sizedCosts: {} })
    const { product, size } = await createSized([milk])
    await setDetails(`/modifiers/${milk}`, { sizedCosts: { oat: { s: 0.25, l: 0.8 } } })
    const unit = async (option: string) =>
      (
        await quote(
          line(product, [
            { modifier: size, option },
            { modifier: milk, option: 'oat' },
          ]),
        )
      ).items[0].unitPrice
    expect([await unit('s'), await unit('m'), await unit('l')]).toEqual([3.25, 3.9, 5])
    const unsized = await createDish({ modifiers: [milk] })
    expect((await quote(line(unsized, [{ modifier: milk, option: 'oat' }]))).total).toBe(2.4)
    const without = await quote(line(product, [{ modifier: milk, option: 'oat' }]))
    expect(without.items[0]).toMatchObject({ unitPrice: 9.4, options: [{ additionalCost: 0.4 }] })
  })
})

const damage = (resource: string, id: string, data: string) =>
  env.DB.batch([
    env.DB.prepare('pragma ignore_check_constraints = on'),
    env.DB.prepare(
      `update details set data = ?1 where resource = '${resource}' and object = (select seq from ${resource} where id = ?2)`,
    ).bind(data, id),
    env.DB.prepare('pragma ignore_check_constraints = off'),
  ])

describe('damaged details', () => {
  test.each(['{"sizes": 5}', '{"allergens": "none"}', '[1]', '{broken'])(
    'of a product make it unknown: %s',
    async (data) => {
      const { product, size } = await createSized()
      const order = line(product, [{ modifier: size, option: 's' }])
      expect((await quote(order)).total).toBe(3)
      await damage('products', product, data)
      const answer = await quote(order)
      expect(answer).toMatchObject({ orderable: false, total: 0 })
      expect(answer.issues).toMatchObject([{ pointer: '/items/0/product', code: 'unknown_product' }])
    },
  )

  test.each([
    '{"min": "one"}',
    '{"options": [1]}',
    '{"options": {"oat": 1}}',
    '{"sizedCosts": {"oat": {"s": "1"}}}',
    '[1]',
    '{broken',
  ])('of a modifier make its products unknown: %s', async (data) => {
    const milk = await createModifier(['dairy', ['oat', 0.4]], {}, { pricing: 'sum' })
    const product = await createDish({ modifiers: [milk] })
    const order = line(product, [{ modifier: milk, option: 'oat' }])
    expect((await quote(order)).total).toBe(2.4)
    await damage('modifiers', milk, data)
    expect(await codes(order)).toEqual(['/items/0/product unknown_product'])
    expect((await quote(order)).total).toBe(0)
  })
})

describe('a damaged row of a modifier', () => {
  const damageRow = (id: string, field: string, value: string) =>
    env.DB.batch([
      env.DB.prepare('pragma ignore_check_constraints = on'),
      env.DB.prepare(`update modifiers set ${field} = ?1 where id = ?2`).bind(value, id),
      env.DB.prepare('pragma ignore_check_constraints = off'),
    ])

  test.each([
    ['rules', '{"required": "yes"}'],
    ['rules', '[]'],
    ['rules', '{broken'],
    ['options', '{"s": 1}'],
    ['options', '5'],
    ['options', '{broken'],
    ['options', '["s", {"id": "s", "additionalCost": "1"}]'],
  ])('makes a product with sizes unknown, with and without its size: %s %s', async (field, value) => {
    const { product, size } = await createSized()
    const chosen = line(product, [{ modifier: size, option: 's' }])
    expect(await quote(chosen)).toMatchObject({ orderable: true, total: 3 })
    await damageRow(size, field, value)
    const isChosenOnly = value.startsWith('["s"')
    for (const order of isChosenOnly ? [chosen] : [chosen, line(product)]) {
      expect(await codes(order)).toEqual(['/items/0/product unknown_product'])
      expect((await quote(order)).total).toBe(0)
    }
    // A damaged option that was not chosen has no effect: the size is still required.
    expect((await quote(line(product))).orderable).toBe(false)
  })

  test('does not make others forget their sizes: an option without an id in text', async () => {
    const { product, size } = await createSized()
    await damageRow(size, 'options', '[{"id": 5}, {"id": "s"}]')
    expect(await quote(line(product, [{ modifier: size, option: 's' }]))).toMatchObject({ total: 3 })
    expect((await quote(line(product))).orderable).toBe(false)
  })

  test('leaves other parts of a bundle as they are', async () => {
    const [{ product: bad }, { product: good, size }] = [await createSized(), await createSized()]
    const items = [bad, good].map((part) => ({ product: part }))
    const groups = [{ id: 'g', title: 'G', min: 1, max: 1, items }]
    const bundle = await createDish({}, { bundle: { groups } })
    await damage('products', bad, '{"sizes": {"prices": 5}}')
    const choices = [{ group: 'g', product: good, options: [{ modifier: size, option: 's' }] }]
    expect(await codes(line(bundle, [], { choices }))).toEqual([])
  })
})
