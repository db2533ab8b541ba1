import { describe, expect, test } from 'vitest'
import { toIssues } from '../../../support/api.ts'
import { createDishVenue } from './dishes.ts'

const { venue, quote, codes, setDetails, createModifier, createDish, createSized } = await createDishVenue()
const choose = (product: string, ...choices: object[]) => ({ items: [{ product, quantity: 2, choices }] })
const main = (product: string, options: object[] = []) => ({ group: 'main', product, options })
const side = (product: string, options: object[] = []) => ({ group: 'side', product, options })

/** A set menu of 12.00: one main dish, and up to two sides. */
async function createMenu(fields: object = {}, more: object = {}) {
  const sauce = await createModifier([['pepper', 1.5], 'none'])
  const { product: steak, size } = await createSized([sauce], { price: 20 })
  const pasta = await createDish({ price: 9, modifiers: [sauce] })
  const salad = await createDish({ price: 4, ...fields })
  const groups = [
    {
      id: 'main',
      title: 'Main',
      min: 1,
      max: 1,
      items: [{ product: steak, size: 'l', surcharge: 3 }, { product: pasta }],
    },
    { id: 'side', title: 'Side', min: 0, max: 2, items: [{ product: salad, surcharge: 0.5 }] },
  ]
  const menu = await createDish({ price: 12 }, { bundle: { groups, ...more } })
  return { sauce, steak, size, pasta, salad, menu, groups }
}

describe('a bundle', () => {
  test('costs its price, surcharges and options; its parts are not charged', async () => {
    const { menu, steak, salad, sauce } = await createMenu()
    const answer = await quote(
      choose(menu, main(steak, [{ modifier: sauce, option: 'pepper' }]), side(salad), side(salad)),
    )
    // 12 + 3 + 1.50 + 2 × 0.50 = 17.50.
    expect(answer).toMatchObject({ orderable: true, total: 35, stock: [] })
    expect(answer.items[0]).toMatchObject({
      unitPrice: 17.5,
      choices: [
        {
          group: 'main',
          product: steak,
          size: 'l',
          surcharge: 3,
          options: [{ option: 'pepper', additionalCost: 1.5 }],
        },
        { group: 'side', product: salad, title: 'Tea', surcharge: 0.5, options: [] },
        { group: 'side', product: salad, surcharge: 0.5 },
      ],
    })
    expect(answer.items[0]).not.toHaveProperty('taxes')
  })

  test('has as many choices as its groups say', async () => {
    const { menu, pasta, salad } = await createMenu()
    expect((await quote(choose(menu))).issues).toMatchObject([
      { pointer: '/items/0/choices', code: 'bundle_choice_missing', group: 'main' },
    ])
    expect((await quote({ items: [{ product: menu, quantity: 1 }] })).issues).toMatchObject([
      { code: 'bundle_choice_missing', message: 'Exactly 1 choice is required, and 0 are made.' },
    ])
    const most = [main(pasta), side(salad), side(salad)]
    expect(await codes(choose(menu, ...most))).toEqual([])
    expect((await quote(choose(menu, ...most, side(salad)))).issues).toMatchObject([
      { pointer: '/items/0/choices', code: 'too_many_choices', group: 'side' },
    ])
  })

  test('has only the groups and parts that exist', async () => {
    const { menu, pasta, salad, steak, size, groups } = await createMenu()
    const unknown = async (choice: object) => (await codes(choose(menu, main(pasta), choice)))[0]
    expect(await unknown({ group: 'dessert', product: salad })).toBe('/items/0/choices/1/group unknown_choice')
    expect(await unknown(side(pasta))).toBe('/items/0/choices/1/product unknown_choice')
    expect(await unknown(side('prod_none'))).toBe('/items/0/choices/1/product unknown_choice')
    // The bundle decides the size.
    expect(await codes(choose(menu, main(steak, [{ modifier: size, option: 'l' }])))).toEqual([])
    expect(await codes(choose(menu, main(steak, [{ modifier: size, option: 's' }])))).toEqual([
      '/items/0/choices bundle_choice_missing',
      '/items/0/choices/0/product unknown_choice',
    ])
    const tea = await createDish()
    expect(await codes(choose(tea, main(pasta)))).toEqual(['/items/0/choices/0/group unknown_choice'])
    expect((await quote(choose(tea, main(pasta)))).total).toBe(4)
    // A part that became a bundle, and one that was deleted.
    await setDetails(`/products/${pasta}`, { bundle: { groups: [{ ...groups[1], id: 'x' }] } })
    expect(await codes(choose(menu, main(pasta)))).toContain('/items/0/choices/0/product unknown_choice')
    await venue.remove(`/products/${pasta}`)
    expect(await codes(choose(menu, main(pasta)))).toContain('/items/0/choices/0/product unknown_choice')
  })

  test('with fewer parts than a group needs is sold out', async () => {
    const [one, two] = [await createDish(), await createDish()]
    const groups = [{ id: 'g', title: 'Two', min: 2, max: 2, items: [{ product: one }, { product: two }] }]
    const menu = await createDish({}, { bundle: { groups } })
    const both = [one, two].map((product) => ({ group: 'g', product }))
    expect(await codes(choose(menu, ...both))).toEqual([])
    await venue.remove(`/products/${two}`)
    expect(await codes(choose(menu, ...both.slice(0, 1), ...both.slice(0, 1)))).toEqual(['/items/0/product sold_out'])
  })

  test('has the issues of its parts, at the choice', async () => {
    const { menu, pasta, salad, sauce } = await createMenu({ manageStock: true, stockQuantity: 0 })
    await setDetails(`/products/${pasta}`, { modifierRules: [{ modifier: sauce, min: 1, max: 1 }] })
    expect(await codes(choose(menu, main(pasta), side(salad)))).toEqual([
      '/items/0/choices/0/options required_modifier_missing',
      '/items/0/choices/1/product sold_out',
    ])
    await venue.post(`/products/${pasta}`, { visible: false })
    expect(await codes(choose(menu, main(pasta, [{ modifier: sauce, option: 'x' }])))).toEqual([
      '/items/0/choices/0/product not_visible',
      '/items/0/choices/0/options/0/option unknown_option',
    ])
  })

  test('offers a part in the sizes of its items, each with its surcharge', async () => {
    const { product: cola, size } = await createSized()
    const items = [
      { product: cola, size: 's' },
      { product: cola, size: 'l', surcharge: 1 },
    ]
    const menu = await createDish(
      { price: 5 },
      { bundle: { groups: [{ id: 'd', title: 'Drink', min: 1, max: 1, items }] } },
    )
    const drink = (option?: string) =>
      choose(menu, { group: 'd', product: cola, options: option ? [{ modifier: size, option }] : [] })
    expect((await quote(drink('s'))).items[0]).toMatchObject({ unitPrice: 5, choices: [{ size: 's', surcharge: 0 }] })
    expect((await quote(drink('l'))).items[0]).toMatchObject({ unitPrice: 6, choices: [{ size: 'l', surcharge: 1 }] })
    expect(await codes(drink())).toEqual(['/items/0/choices/0/options required_modifier_missing'])
    expect(await codes(drink('m'))).toEqual([
      '/items/0/choices bundle_choice_missing',
      '/items/0/choices/0/product unknown_choice',
    ])
  })

  test('takes its own stock and that of its parts, together with other lines', async () => {
    const { menu, pasta, salad } = await createMenu({ manageStock: true, stockQuantity: 5 })
    await venue.post(`/products/${menu}`, { manageStock: true, stockQuantity: 9 })
    const items = [...choose(menu, main(pasta), side(salad), side(salad)).items, { product: salad, quantity: 1 }]
    const answer = await quote({ items })
    expect(answer).toMatchObject({
      orderable: true,
      stock: [
        { product: menu, delta: -2 },
        { product: salad, delta: -5 },
      ],
    })
    expect(await codes({ items: [...items, { product: salad, quantity: 1 }] })).toEqual([
      '/items/0/choices/1/product insufficient_stock',
      '/items/0/choices/2/product insufficient_stock',
      '/items/1/quantity insufficient_stock',
      '/items/2/quantity insufficient_stock',
    ])
    const effects = { stock: { reference: 'bundle-1', changes: answer.stock } }
    const { status, body } = await venue.post('/events', { type: 'order.created', data: {}, effects })
    expect([status, body.effects.stock.changes]).toMatchObject([
      202,
      [{ stockQuantity: 7 }, { stockQuantity: 0, soldOut: true }],
    ])
    expect(await codes({ items })).toEqual([
      '/items/0/choices/1/product sold_out',
      '/items/0/choices/2/product sold_out',
      '/items/1/product sold_out',
    ])
  })
})

test('a choice changes no other line', async () => {
  const { menu, pasta, salad, steak } = await createMenu()
  const other = { product: steak, quantity: 1 }
  const [without] = [await quote({ items: [other, ...choose(menu, main(pasta)).items], at: 1 })]
  const added = await quote({ items: [other, ...choose(menu, main(pasta), side(salad)).items], at: 1 })
  expect(added.items[0]).toEqual(without.items[0])
  expect(added.total).toBe(without.total + 1)
})

describe('the body', () => {
  const choice = { group: 'g', product: 'p' }
  test.each<[string, object[], string[]]>([
    ['51 choices', [{ choices: Array(51).fill(choice) }], ['/items/0/choices too_many']],
    [
      'a quantity of a choice',
      [{ choices: [{ ...choice, quantity: 1 }] }],
      ['/items/0/choices/0/quantity unknown_field'],
    ],
    ['no group', [{ choices: [{ product: 'p' }] }], ['/items/0/choices/0/group required']],
    [
      'more than 500 products',
      Array.from({ length: 10 }, (_, n) => ({
        choices: Array.from({ length: 50 }, (_, m) => ({ ...choice, product: `${n}-${m}` })),
      })),
      ['/items too_many'],
    ],
  ])('is rejected with %s', async (_, items, issues) => {
    const body = { items: items.map((item) => ({ product: 'p', quantity: 1, ...item })) }
    expect(toIssues(await venue.post('/quotes', body))).toEqual(issues)
  })

  test('is accepted with 50 choices a line, and 500 products', async () => {
    const items = Array.from({ length: 10 }, (_, n) => ({
      product: '0-0',
      quantity: 1,
      choices: Array.from({ length: 50 }, (_, m) => ({ ...choice, product: `${n}-${m}` })),
    }))
    expect((await quote({ items })).issues).toHaveLength(10)
  })
})
