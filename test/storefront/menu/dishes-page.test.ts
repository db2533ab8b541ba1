import { describe, expect, test } from 'vitest'
import { send } from '../../support/api.ts'
import { createDishes } from './dishes.ts'

describe('the page', () => {
  const strip = (body: string) =>
    body
      .replaceAll(/<\/(?:b|dt|dd|p|li|span|summary)>/g, '\n')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('\u00a0', ' ')
      .split('\n')
  const createPage = async () => {
    const venue = await createDishes()
    const page = async (query = ''): Promise<string> => (await send(`/m/${venue.id}?lang=en${query}`)).body
    return { ...venue, page, lines: async (query = '') => strip(await page(query)) }
  }

  test('shows sizes in one line, from the lowest price if there are many, and sold-out sizes struck out', async () => {
    const { lines, details, idOf, ids, post } = await createPage()
    const size = idOf('Size')
    expect(await lines()).toEqual(expect.arrayContaining(['S €3.00', ' · L €3.50']))
    const options = Array.from({ length: 7 }, (_, index) => ({ id: `s${index}`, label: `${index}` }))
    await post(`/modifiers/${size}`, { options })
    const prices = Object.fromEntries(options.map(({ id }, index) => [id, { price: 9 - index }]))
    await details(`/products/${ids[1]}`, { sizes: null })
    await details(`/products/${ids[1]}`, { sizes: { modifier: size, prices, sameContents: true } })
    expect(await lines()).toContain('from €3.00')
  })

  test('shows costs at sizes once, the rule of each use, indented modifiers of options, and prices per unit', async () => {
    const { lines, details, idOf, ids, page } = await createPage()
    await details(`/modifiers/${idOf('Milk')}`, { sizedCosts: { oat: { s: 0.5, l: 0.8 } } })
    await details(`/products/${ids[2]}`, {
      modifierRules: [{ modifier: idOf('Sauce'), min: 1, max: 2, title: 'Pick a sauce' }],
      soldBy: { unit: 'kg' },
    })
    const shown = await lines()
    expect(shown).toEqual(
      expect.arrayContaining([
        'Oat+€0.50 (S), +€0.80 (L)',
        '€4.00 / kg',
        'Pick a sauce choose 1 to 2',
        'Cream Contains: milk',
        'None Allergens not stated',
        'Topping optional · Allergens not stated',
      ]),
    )
    expect(await page()).toMatch(/<dd class="in" id="c\d+"><bdi>Topping<.*?<dd class="in"><bdi>Nuts</)
  })

  test('names cereals and nuts, and numbers additives in the order of their list', async () => {
    const { lines, details, ids, id } = await createPage()
    await details(`/products/${ids[2]}`, {
      allergens: [
        { code: 'gluten', level: 'contains', names: ['rye', 'spelt'] },
        { code: 'nuts', level: 'may_contain', names: ['brazil_nuts'] },
      ],
      additives: ['caffeine', 'coloring'],
    })
    const shown = await lines()
    expect(shown).toEqual(
      expect.arrayContaining([
        'Contains: gluten (rye, wheat (spelt)) · May contain: tree nuts (Brazil nuts) · Choices may add allergens 1, 15',
        '1 With Coloring Agent',
        '15 Contains Caffeine',
      ]),
    )
    const german = strip((await send(`/m/${id}?lang=de`)).body)
    expect(german).toContain('15 koffeinhaltig')
    expect(german.join()).toContain(
      'Enthält: Gluten (Roggen, Weizen (Dinkel)) · Kann enthalten: Schalenfrüchte (Paranüsse)',
    )
  })

  test('says nothing to ask for or to leave out without a filter', async () => {
    const { lines } = await createPage()
    expect((await lines()).filter((line) => /^Order it with/.test(line))).toEqual([])
  })

  test.each(['', '&without=milk', '&without=gluten', '&diet=vegan'])(
    '%s: no sentence has an empty list',
    async (query) => {
      const { lines } = await createPage()
      expect((await lines(query)).filter((line) => /: *(?:$|,|·)|, *(?:$|,)/.test(line))).toEqual([])
    },
  )

  test('says under a filter how many dishes it leaves, what to ask for and what to leave out', async () => {
    const { lines, page, post, idOf } = await createPage()
    await post(`/modifiers/${idOf('Sauce')}`, {
      options: [
        { id: 'cream', label: 'Cream', preSelected: true },
        { id: 'none', label: 'None' },
      ],
    })
    const shown = await lines('&without=milk')
    expect(shown).toEqual(
      expect.arrayContaining([
        'Dishes that suit: 4',
        'Order it with: Oat',
        'Order it without: Cream',
        'Whole Contains: milk',
      ]),
    )
    expect(shown.join()).not.toContain('preselected')
    expect(await page('&without=milk')).toContain('<dd class="no"><bdi>Whole')
    expect((await lines()).join()).toContain('Whole ✓ preselected Contains: milk')
  })

  test('shows the groups of a bundle with the contents of their parts', async () => {
    const { lines } = await createPage()
    const shown = await lines()
    expect(shown).toEqual(
      expect.arrayContaining([
        '+Drink, Food'.slice(1),
        'Drink choose 1',
        'Latte Choices may add allergens · vegetarian',
        'Soup Contains: celery',
      ]),
    )
  })

  test('has one offer for each size in its structured data', async () => {
    const { page } = await createPage()
    expect(await page()).toContain(
      '"offers":{"@type":"AggregateOffer","lowPrice":3,"priceCurrency":"EUR","offerCount":2,"offers":[{"@type":"Offer","name":"S","price":3,',
    )
  })
})

test('the sheet lists each option once in a part of its own, and each dish names its choices', async () => {
  const { body } = await send(`/m/${(await createDishes()).id}/allergens?lang=en`)
  const heads = Array.from(String(body).matchAll(/<th scope="row(?:group)?"[^>]*>(.*?)<\/th>/g), ([, text = '']) =>
    text.replace('<small>', ' | ').replaceAll(/<[^>]*>/g, ''),
  )
  expect(heads).toEqual([
    'Latte * | Choices: Milk',
    'Juice | Choices: Size',
    'Cake * | Choices: Sauce',
    'Set | Choices: Drink (Latte, Juice), Food (Soup)',
    'Soup',
    'Choices',
    ...['Milk: Whole', 'Milk: Oat', 'Size: S', 'Size: L', 'Sauce: Cream', 'Sauce: None', 'Topping: Nuts'],
  ])
  expect(body).toMatch(/Allergen sheet · As of \w+ \d+, \d{4}/)
  expect(String(body).match(/Allergens not stated/g)).toHaveLength(3)
})

test('the sheet names the sizes of a dish that a bundle offers in several', async () => {
  const { id, ids, details } = await createDishes()
  const items = ['s', 'l'].map((size) => ({ product: ids[1], size }))
  await details(`/products/${ids[3]}`, { bundle: null })
  await details(`/products/${ids[3]}`, { bundle: { groups: [{ title: 'Drink', min: 1, max: 1, items }] } })
  const { body } = await send(`/m/${id}/allergens?lang=en`)
  expect(body).toContain('Drink (Juice S, Juice L)')
})
