import { describe, expect, test } from 'vitest'
import { allergenCodes, diets } from '../../../../src/catalogue/resources/details/food-codes.ts'
import { createVenue, send, toIssues } from '../../../support/api.ts'
import { load } from '../../../support/catalogue.ts'
import { queryHome } from '../../../support/home.ts'
import { check, importFile, jsonl, listIssues, toCounts, toJsonLines } from '../../../support/imports.ts'

const venue = await createVenue()
const product: string = (await venue.post('/products', { title: 'Dish', price: 2 })).body.id
const path = `/products/${product}/details`

/** The allergens that a diet excludes: what a guest would expect, not what the code says. */
const excluded: Record<string, readonly string[]> = {
  vegan: ['crustaceans', 'eggs', 'fish', 'milk', 'molluscs'],
  vegetarian: ['crustaceans', 'fish', 'molluscs'],
  kosher: ['crustaceans', 'molluscs'],
  gluten_free: ['gluten'],
}

test.each(diets)('%s with each contained allergen, and with its traces', async (diet) => {
  const rejected: string[] = []
  for (const code of allergenCodes) {
    const traces = { diets: [diet], allergens: [{ code, level: 'may_contain' }] }
    expect([code, (await venue.post(path, traces)).status]).toEqual([code, 200])
    const response = await venue.post(path, { diets: [diet], allergens: [{ code, level: 'contains' }] })
    if (response.status === 200) continue
    expect(toIssues(response)).toEqual(['/diets/0 contradicts'])
    expect(response.body.errors[0].message).toContain(code)
    rejected.push(code)
  }
  expect(rejected).toEqual(excluded[diet] ?? [])
})

test('halal allows at most 0.5 % of alcohol', async () => {
  await venue.post(path, { diets: ['halal'], allergens: null, alcoholByVolume: 0.5 })
  expect(toIssues(await venue.post(path, { alcoholByVolume: 0.51 }))).toEqual(['/diets/0 contradicts'])
  expect((await venue.post(path, { alcoholByVolume: null })).status).toBe(200)
})

test('the merged state is judged, and each contradicted diet is named', async () => {
  await venue.post(path, { diets: ['vegan', 'halal', 'vegetarian'], allergens: [], alcoholByVolume: null })
  const fish = [{ code: 'fish', level: 'contains' }]
  expect(toIssues(await venue.post(path, { allergens: fish }))).toEqual([
    '/diets/0 contradicts',
    '/diets/2 contradicts',
  ])
  expect((await venue.post(path, { allergens: fish, diets: ['halal'] })).status).toBe(200)
  expect(toIssues(await venue.post(path, { diets: ['halal', 'vegan'] }))).toEqual(['/diets/1 contradicts'])
  // The diet itself is not valid: its contradictions are not told.
  expect(toIssues(await venue.post(path, { diets: ['vegan', 'vegan'] }))).toEqual(['/diets/1 duplicate'])
})

describe('in files', () => {
  const tea = { resource: 'products', externalId: 'TEA', title: 'Tea', price: 1 }
  const milk = [{ code: 'milk', level: 'contains' }]

  test('are issues of the check where the row creates the object, and of applying where it updates one', async () => {
    const venue = await createVenue()
    const wrong = { ...tea, details: { diets: ['vegan'], allergens: milk } }
    const checked = await check(venue, '', toJsonLines([wrong]), jsonl)
    expect(await listIssues(venue, checked.id)).toEqual(['1 /details/diets/0 contradicts'])
    expect(
      toCounts(await importFile(venue, '', toJsonLines([{ ...tea, details: { allergens: milk } }]), jsonl)),
    ).toEqual({
      ...{ rows: 1, checked: 1, applied: 1, created: 1 },
    })
    const done = await importFile(venue, '', toJsonLines([{ ...tea, details: { diets: ['vegan'] } }]), jsonl)
    expect(await listIssues(venue, done.id)).toEqual(['1 /details/diets/0 contradicts'])
    const [{ details }] = (await venue.get('/products?include=details')).body
    expect(details).toEqual({ allergens: milk })
  })
})

describe('that are stored already', () => {
  /** A venue whose dish was stored with all diets and all allergens before the rule. */
  async function createOldVenue() {
    const venue = await createVenue({ language: 'en' })
    const [dish] = await load(venue.post, {
      modifiers: [],
      products: [
        { title: 'Dish', price: 5 },
        { title: 'Water', price: 1 },
      ],
      menus: [{ title: 'All', sections: [{ title: 'Food', items: [0, 1] }] }],
    })
    const allergens = allergenCodes.map((code) => ({ code, level: 'contains' }))
    const details = { allergens, diets, alcoholByVolume: 40 }
    await venue.post(`/products/${dish}/details`, { ageLimit: 18 })
    await queryHome(venue.id, 'update details set data = ? where merchant_id = ?', JSON.stringify(details), venue.id)
    return { venue, detailsPath: `/products/${dish}/details`, details }
  }

  test('stay readable, and changes of other fields do not fail', async () => {
    const { venue, detailsPath: path, details } = await createOldVenue()
    const { get, post } = venue
    expect((await get(path)).body).toEqual(details)
    expect((await post(path, { ageLimit: 16, translations: { fr: { title: 'Plat' } } })).status).toBe(200)
    expect((await post(path, { diets, allergens: details.allergens })).status).toBe(200)
    expect(toIssues(await post(path, { alcoholByVolume: 30 }))).toHaveLength(5)
    expect((await post(path, { diets: ['lactose_free'] })).status).toBe(200)
  })

  test('are imported unchanged into their venue', async () => {
    const { venue } = await createOldVenue()
    const file = String((await venue.get('/export?resources=products')).body)
    const done = await importFile(venue, '', file, jsonl)
    expect([toCounts(done), await listIssues(venue, done.id)]).toEqual([
      { rows: 2, checked: 2, applied: 2, unchanged: 2 },
      [],
    ])
  })

  test('are shown to no guest: page, data, JSON-LD, filters', async () => {
    const { venue } = await createOldVenue()
    const read = async (query: string) => (await send(`/m/${venue.id}${query}`)).body
    const page = String(await read('?lang=en'))
    expect(/<p class="food">(.*?)<\/p>/.exec(page)?.[1]).toMatch(/molluscs · lactose-free · 40 % vol/)
    expect(page.match(/https:\/\/schema.org\/\w*Diet/g)).toEqual(['https://schema.org/LowLactoseDiet'])
    const listDishes = (body: { menus: { sections: { products: { title: string; diets?: string[] }[] }[] }[] }) =>
      body.menus.flatMap(({ sections }) => sections.flatMap(({ products }) => products))
    const [dish] = listDishes(await read('.json'))
    expect(dish?.diets).toEqual(['lactose_free'])
    for (const diet of diets) {
      const shown = listDishes(await read(`.json?diet=${diet}`)).map(({ title }) => title)
      expect([diet, shown]).toEqual([diet, diet === 'lactose_free' ? ['Dish'] : []])
    }
    expect(await read('/allergens?lang=en')).not.toMatch(/vegan|halal|kosher/)
  })
})
