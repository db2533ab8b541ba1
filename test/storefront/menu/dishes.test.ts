import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { send } from '../../support/api.ts'
import { createDishes } from './dishes.ts'

const cafe = await createDishes()
const byTitle = (list: readonly { title: string }[], title: string): Record<string, unknown> => ({
  ...list.find((each) => each.title === title),
})

describe('a filter looks at the dish as it can be ordered', () => {
  test.each([
    ['?without=milk', ['Latte', 'Juice', 'Cake', 'Set']],
    ['?without=eggs', ['Latte', 'Juice', 'Set']],
    ['?without=celery', ['Latte', 'Juice', 'Cake']],
    ['?diet=vegetarian', []],
  ])('%s leaves %j', async (query, titles) => {
    expect(await cafe.titles(query)).toEqual(titles)
  })

  test('and marks what suits: options, sizes and parts. What does not suit is not preselected', async () => {
    const { modifiers, menus, parts } = await cafe.data('?without=milk')
    const milk = byTitle(modifiers, 'Milk')
    expect(milk['options']).toEqual([
      expect.objectContaining({ id: 'whole', preSelected: false, suits: false }),
      expect.objectContaining({ id: 'oat', suits: true }),
    ])
    expect(byTitle(modifiers, 'Sauce')['options']).toEqual([
      expect.objectContaining({ id: 'cream', suits: false }),
      expect.objectContaining({ id: 'none', suits: 'not_stated' }),
    ])
    const { products } = menus[0].sections[0]
    expect(byTitle(products, 'Juice')['sizes']).toMatchObject([
      { option: 's', suits: true },
      { option: 'l', suits: true },
    ])
    expect(byTitle(products, 'Set')['bundle']).toMatchObject({
      groups: [{ items: [{ suits: true }, { suits: true }] }, { items: [{ suits: true }] }],
    })
    // Parts that no menu shows are there too, and so are modifiers of options.
    expect(parts.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Juice', 'Latte', 'Soup'])
    expect(byTitle(modifiers, 'Topping')['options']).toMatchObject([{ suits: 'not_stated' }])
  })

  test('without a filter, nothing is marked and the preselection stands', async () => {
    const { modifiers } = await cafe.data()
    expect(byTitle(modifiers, 'Milk')['options']).toEqual([
      { id: 'whole', label: 'Whole', preSelected: true, allergens: [{ code: 'milk', level: 'contains' }] },
      { id: 'oat', label: 'Oat', allergens: [] },
    ])
  })
})

test('the data has sizes with their prices, and neither labels nor stock keeping units', async () => {
  await cafe.details(`/products/${cafe.ids[1]}`, {
    labels: ['label-secret'],
    sizes: { prices: { s: { price: 3, sku: 'sku-secret', calories: 90 } } },
  })
  const data = await cafe.data()
  expect(byTitle(data.menus[0].sections[0].products, 'Juice')).toMatchObject({
    price: 2,
    sizes: [
      { modifier: cafe.idOf('Size'), option: 's', label: 'S', price: 3, soldOut: false, calories: 90 },
      { modifier: cafe.idOf('Size'), option: 'l', label: 'L', price: 3.5, soldOut: false },
    ],
  })
  expect(JSON.stringify(data)).not.toMatch(/label-secret|sku-secret/)
})

test('a menu replaces the prices of sizes that it lists, and not those of a product with sizes', async () => {
  const { body: menus } = await cafe.get('/menus')
  await cafe.details(`/menus/${menus[0].id}`, { prices: [{ product: cafe.ids[1], price: 1, sizes: { l: 9 } }] })
  const { products } = (await cafe.data()).menus[0].sections[0]
  expect(byTitle(products, 'Juice')).toMatchObject({ price: 2, sizes: [{ price: 3 }, { price: 9 }] })
  await cafe.details(`/menus/${menus[0].id}`, { prices: null })
})

test('a size that is added later has no price and is not shown', async () => {
  const venue = await createDishes()
  await venue.post(`/modifiers/${venue.idOf('Size')}`, {
    options: [
      { id: 's', label: 'S' },
      { id: 'l', label: 'L' },
      { id: 'xl', label: 'XL' },
    ],
  })
  const { products } = (await venue.data()).menus[0].sections[0]
  expect(byTitle(products, 'Juice')['sizes']).toMatchObject([{ option: 's' }, { option: 'l' }])
})

test('a product with damaged details states nothing, is sold out, and no filter shows it', async () => {
  const venue = await createDishes()
  await env.DB.prepare(
    `update details set data = '{"allergens": 5, "diets": ["vegan"]}' where resource = 'products' and merchant_id = ?
      and object = (select seq from products where id = ?)`,
  )
    .bind(venue.id, venue.ids[1])
    .run()
  const juice = byTitle((await venue.data()).menus[0].sections[0].products, 'Juice')
  expect(juice).toMatchObject({ soldOut: true, lacksChoices: true, choicesMayAddAllergens: true })
  expect([juice['allergens'], juice['diets'], juice['sizes']]).toEqual([undefined, undefined, undefined])
  expect(await venue.titles('?without=milk')).toEqual(['Latte', 'Cake', 'Set'])
  expect(await venue.titles('?diet=vegan')).toEqual([])
})

test('a modifier with damaged details is never read as free of anything', async () => {
  const venue = await createDishes()
  await env.DB.prepare(
    `update details set data = '{"options": {"oat": {"allergens": 5}}}' where resource = 'modifiers' and merchant_id = ?
      and object = (select seq from modifiers where id = ?)`,
  )
    .bind(venue.id, venue.idOf('Milk'))
    .run()
  const latte = byTitle((await venue.data()).menus[0].sections[0].products, 'Latte')
  expect(latte).toMatchObject({ lacksChoices: true, choicesMayAddAllergens: true })
  expect(await venue.titles('?without=milk')).toEqual(['Juice', 'Cake', 'Set'])
})

test('a product is sold out if too little is left of what must be chosen', async () => {
  const venue = await createDishes()
  await venue.details(`/products/${venue.ids[0]}`, { modifierRules: [{ modifier: venue.idOf('Milk'), min: 1 }] })
  await venue.post(`/modifiers/${venue.idOf('Milk')}`, { options: [] })
  const { products } = (await venue.data()).menus[0].sections[0]
  expect(products.map(({ title, soldOut }: { title: string; soldOut: boolean }) => [title, soldOut])).toEqual([
    ['Latte', true],
    ['Juice', false],
    ['Cake', false],
    ['Set', false],
  ])
  expect(byTitle(products, 'Set')['bundle']).toMatchObject({ groups: [{ items: [{ soldOut: true }, {}] }, {}] })
})

test('additives that are allergens count as contained, and a diet that they contradict is shown to no guest', async () => {
  const venue = await createDishes()
  await env.DB.prepare(
    `update details set data = '{"additives": ["milk_protein"], "diets": ["vegan", "halal"]}' where resource = 'products' and object = (select seq from products where id = ?)`,
  )
    .bind(venue.ids[2])
    .run()
  const cake = byTitle((await venue.data()).menus[0].sections[0].products, 'Cake')
  expect([cake['diets'], cake['allergens']]).toEqual([['halal'], undefined])
  expect(await venue.titles('?without=milk')).toEqual(['Latte', 'Juice', 'Set'])
})

test('gluten that is named can be gluten-free, and is still left out without gluten', async () => {
  const venue = await createDishes()
  const state = (names: string[], level = 'contains') =>
    venue.details(`/products/${venue.ids[2]}`, {
      allergens: [{ code: 'gluten', level, names }],
      diets: ['gluten_free'],
    })
  await venue.details(`/modifiers/${venue.idOf('Sauce')}`, { options: { none: { allergens: [] } } })
  await state(['oats'])
  expect(await venue.titles('?diet=gluten_free')).toEqual(['Cake'])
  expect(await venue.titles('?without=gluten')).not.toContain('Cake')
  await state(['oats'], 'may_contain')
  expect(await venue.titles('?diet=gluten_free')).toEqual([])
})

test('structured data names a diet only if every choice suits it', async () => {
  const venue = await createDishes()
  const page = async (): Promise<string> => (await send(`/m/${venue.id}`)).body
  expect(await page()).not.toContain('VegetarianDiet')
  const suited = { diets: ['vegetarian'] }
  await venue.details(`/modifiers/${venue.idOf('Milk')}`, { options: { whole: suited, oat: suited } })
  expect(await page()).toContain('"suitableForDiet":["https://schema.org/VegetarianDiet"]')
})
