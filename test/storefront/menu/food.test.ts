import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { additiveCodes, allergenCodes, diets } from '../../../src/catalogue/resources/details/food-codes.ts'
import { getFoodMessages } from '../../../src/storefront/pages/food/languages.ts'
import { readFoodMessages } from '../../../src/storefront/pages/food-messages.ts'
import { pageLanguages } from '../../../src/storefront/pages/messages.ts'
import { createKey, createVenue, send, toIssues } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'
import { loadCopy } from '../../support/module-copy.ts'

/** A café whose cake states everything, whose salad states that it has no allergens, and whose soup states nothing. */
async function createCafe() {
  const venue = await createVenue({ name: 'Café', timezone: 'Europe/London', currency: 'GBP' })
  const products = ['Cake', 'Salad', 'Soup', 'Cider'].map((title) => ({ title, price: 5 }))
  const menus = [{ title: 'All', sections: [{ title: 'Food', items: [0, 1, 2, 3] }] }]
  await load(venue.post, { modifiers: [], products, menus })
  const [menu] = (await venue.get('/menus')).body
  const [cake, salad, , cider]: string[] = menu.sections[0].items
  const state = (id: string | undefined, details: object) => venue.post(`/products/${id}/details`, details)
  await state(cake, {
    allergens: [
      { code: 'milk', level: 'contains' },
      { code: 'nuts', level: 'may_contain' },
    ],
    diets: ['vegetarian'],
    nutrition: { basis: '100g', energyKcal: 410, fat: 21.5 },
  })
  await state(salad, { allergens: [], diets: ['vegan', 'vegetarian'] })
  await state(cider, { allergens: [{ code: 'sulphites', level: 'contains' }], alcoholByVolume: 4.5, ageLimit: 18 })
  const page = (query = ''): Promise<{ status: number; headers: Headers; body: string }> =>
    send(`/m/${venue.id}${query}`)
  return { ...venue, page, data: (query = '') => send(`/m/${venue.id}.json${query}`) }
}
const cafe = await createCafe()
const titlesOf = (body: string) =>
  Array.from(body.matchAll(/<li class="dish"><div><b><bdi>(.*?)<\/bdi>/g), ([, title]) => title)
const foodOf = (body: string) => Array.from(body.matchAll(/<p class="food">(.*?)<\/p>/g), ([, text]) => text)

test('each dish says what it contains, whom it suits, and where nothing is stated', async () => {
  const { body } = await cafe.page('?lang=en')
  expect(foodOf(body)).toEqual([
    'Contains: milk · May contain: tree nuts · vegetarian · 410\u00a0kcal / 100g',
    'No allergens · vegan · vegetarian',
    'Allergens not stated',
    'Contains: sulphites · 4.5 % vol · from 18 years',
  ])
  const german = await cafe.page('?lang=de')
  expect(foodOf(german.body)[0]).toContain('Enthält: Milch · Kann enthalten: Schalenfrüchte · vegetarisch')
})

test('the data has allergens, diets, nutrition and limits, and JSON-LD names diets and nutrients', async () => {
  const { body } = await cafe.data()
  const [cake, salad, soup, cider] = body.menus[0].sections[0].products
  expect(cake).toMatchObject({ diets: ['vegetarian'], nutrition: { basis: '100g', energyKcal: 410, fat: 21.5 } })
  expect([salad.allergens, soup.allergens]).toEqual([[], undefined])
  expect(cider).toMatchObject({ alcoholByVolume: 4.5, ageLimit: 18 })
  const page = await cafe.page()
  expect(page.body).toContain('"suitableForDiet":["https://schema.org/VegetarianDiet"]')
  expect(page.body).toContain('"servingSize":"100g","calories":"410 calories","fatContent":"21.5 g"')
})

describe('filters', () => {
  test.each([
    ['?diet=vegetarian', ['Cake', 'Salad']],
    ['?diet=vegan,vegetarian', ['Salad']],
    ['?without=milk', ['Salad', 'Cider']],
    ['?without=nuts', ['Salad', 'Cider']],
    ['?diet=vegetarian&without=gluten', ['Cake', 'Salad']],
    ['?without=sulphites,milk', ['Salad']],
    ['?diet=kosher', []],
  ])('%s leaves %j: neither traces nor dishes that state nothing', async (query, titles) => {
    const { status, headers, body } = await cafe.page(query)
    expect([status, titlesOf(body), headers.get('x-robots-tag')]).toEqual([200, titles, 'noindex'])
    const data = (await cafe.data(query)).body
    const products = data.menus[0].sections.flatMap((section: { products: { title: string }[] }) => section.products)
    expect(products.map(({ title }: { title: string }) => title)).toEqual(titles)
  })

  test('say in the language of the guest if they leave nothing', async () => {
    const text = 'Auf dieser Karte passt nichts zu Ihrer Auswahl'
    expect((await cafe.page('?diet=kosher&lang=de')).body).toContain(text)
    expect((await cafe.page('?diet=vegan&lang=de')).body).not.toContain(text)
  })

  test('are links that keep the language and the tag, and remove themselves', async () => {
    const { body: tag } = await cafe.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    const { body } = await cafe.page(`?lang=en&tag=${tag.id}&diet=vegetarian`)
    const [, filter = ''] = /<div class="filter"[^>]*>(.*?)<\/div>/.exec(body) ?? []
    const links = Array.from(filter.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g), ([, href = '', text]) => [
      text,
      href.replaceAll('&amp;', '&').replaceAll('%2C', ','),
    ])
    expect(links).toEqual([
      ['vegan', `?tag=${tag.id}&diet=vegetarian,vegan&lang=en`],
      ['vegetarian', `?tag=${tag.id}&lang=en`],
      ['without milk', `?tag=${tag.id}&diet=vegetarian&without=milk&lang=en`],
      ['without tree nuts', `?tag=${tag.id}&diet=vegetarian&without=nuts&lang=en`],
      ['without sulphites', `?tag=${tag.id}&diet=vegetarian&without=sulphites&lang=en`],
      ['Show everything', `?tag=${tag.id}&lang=en`],
      ['Allergen sheet', `/m/${cafe.id}/allergens?tag=${tag.id}&lang=en`],
    ])
    expect(filter).toContain('aria-current="true">vegetarian')
  })

  test('with unknown names are rejected: a guest must not see what the filter does not know', async () => {
    expect((await cafe.page('?without=peanut')).status).toBe(422)
    expect((await cafe.page('?diet=paleo')).status).toBe(422)
    expect(toIssues(await cafe.data('?without=peanut'))).toEqual(['without invalid_format'])
    expect(toIssues(await cafe.data('?diet=Vegan'))).toEqual(['diet invalid_format'])
  })
})

test('the allergen sheet marks what each dish contains, may contain and does not state', async () => {
  const { status, body } = await cafe.page('/allergens?lang=en')
  expect(status).toBe(200)
  const rows = Array.from(
    String(body).matchAll(/<tr><th[^>]*><bdi>(.*?)<\/bdi><\/th>(.*?)<\/tr>/g),
    ([, title, cells = '']) => [title, Array.from(cells.matchAll(/<td[^>]*>(.*?)<\/td>/g), ([, mark]) => mark)],
  )
  const blank = allergenCodes.map(() => '')
  expect(rows).toEqual([
    ['Cake', blank.with(6, '●').with(7, '○')],
    ['Salad', blank],
    ['Soup', ['Allergens not stated']],
    ['Cider', blank.with(11, '●')],
  ])
  expect(body).toContain('● Contains')
  expect((await cafe.page('/allergens?lang=ar')).body).toContain('dir="rtl"')
  expect((await send(`/m/mer_${'0'.repeat(26)}/allergens`)).status).toBe(404)
})

test('the allergen sheet of a tag in test mode says so', async () => {
  const tests = await createKey(cafe.id, { mode: 'test' })
  const { body: tag } = await tests.post('/tags', { metadata: [] })
  const menus = [{ title: 'All', sections: [{ title: 'Food', items: [0] }] }]
  await load(tests.post, { modifiers: [], products: [{ title: 'Trial cake', price: 2 }], menus })
  const note = '<aside class="test">Test mode: this is not the menu that guests see.</aside>'
  const { body } = await cafe.page(`/allergens?tag=${tag.id}&lang=en`)
  expect([body.includes('Trial cake'), body.includes(note)]).toEqual([true, true])
  expect((await cafe.page('/allergens?lang=en')).body).not.toContain('class="test"')
})

test('a venue that states nothing has neither filters nor a link to the sheet', async () => {
  const venue = await createVenue({ name: 'Bar' })
  const menus = [{ title: 'All', sections: [{ title: 'Food', items: [0] }] }]
  await load(venue.post, { modifiers: [], products: [{ title: 'Toast', price: 3 }], menus })
  const { body } = await send(`/m/${venue.id}`)
  expect(body).not.toMatch(/class="(?:filter|food)"/)
  // A link from elsewhere filters: the page says that nothing is left, and leads back.
  const { body: filtered } = await send(`/m/${venue.id}?without=nuts&lang=de`)
  expect(filtered).not.toContain('Toast')
  expect(filtered).toContain('Auf dieser Karte passt nichts zu Ihrer Auswahl')
  expect(filtered).toContain('<a href="?lang=de" rel="nofollow">ohne Schalenfrüchte')
})

test('the codes are shown where the texts cannot be read', async () => {
  const broken = { ASSETS: { ...env.ASSETS, fetch: () => Promise.reject(new Error('gone')) } }
  // Another test may have read them before.
  const { readFoodMessages: read } = await loadCopy(
    () => import('../../../src/storefront/pages/food-messages.ts'),
    /food-messages/,
  )
  expect(await read({ ...env, ...broken }, 'hu')).toBeUndefined()
})

describe.each(pageLanguages)('the texts about food in %s', (language) => {
  test('are complete and served as a static asset', async () => {
    const messages = getFoodMessages(language)
    expect([messages.allergens.length, messages.diets.length]).toEqual([allergenCodes.length, diets.length])
    expect(new Set(messages.allergens).size).toBe(allergenCodes.length)
    // "without nuts" is no filter for tree nuts where people also call peanuts so.
    const [treeNuts = '', peanuts = ''] = (['nuts', 'peanuts'] as const).map(
      (code) => messages.allergens[allergenCodes.indexOf(code)],
    )
    expect(peanuts).not.toContain(treeNuts)
    expect(['ξηροί καρποί', 'المكسرات', 'ナッツ類', 'ořechy']).not.toContain(treeNuts)
    for (const [name, text] of Object.entries(messages)) expect([name, text]).not.toEqual([name, ''])
    for (const name of ['contains', 'mayContain'] as const) expect(messages[name]).toContain('{list}')
    expect(messages.without).toContain('{name}')
    expect(messages.age).toContain('{age}')
    for (const name of ['ask', 'leave'] as const) expect(messages[name]).toContain('{list}')
    expect([messages.matches, messages.from, messages.asOf].join()).toMatch(/\{count\}.*\{price\}.*\{date\}/)
    expect([messages.names.length, messages.additives.length]).toEqual([14, additiveCodes.length])
    expect(new Set(messages.names).size).toBe(14)
    expect(messages.names.join()).not.toMatch(/kamut|камут|كاموت|קאמוט|カムット|카무트/i)
    expect(await readFoodMessages(env, language)).toEqual(messages)
  })
})
