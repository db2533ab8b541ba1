import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { check, importFile, jsonl, listIssues, settle, toCounts, toJsonLines } from '../../support/imports.ts'

const exportFile = async (venue: Pick<Venue, 'get'>) =>
  String((await venue.get('/export?resources=modifiers,products,menus')).body)
const readDetails = async (venue: Pick<Venue, 'get'>, collection: string) =>
  (await venue.get(`/${collection}?include=details&order=asc`)).body
const listTypes = async (venue: Pick<Venue, 'get'>) =>
  (
    await venue.get('/events?limit=100&types=menu.details_updated,modifier.details_updated,product.details_updated')
  ).body.map(({ type }: { type: string }) => type)

/** A venue whose modifier, product and menu have details that name options, sections and products. */
async function createDetailedVenue() {
  const venue = await createVenue()
  const create = async (collection: string, body: object) => (await venue.post(`/${collection}`, body)).body
  const modifier = await create('modifiers', {
    title: 'Milk',
    instructions: '',
    options: [{ label: 'Oat' }, { label: 'Soy' }],
  })
  const tea = await create('products', { title: 'Tea', price: 3, modifiers: [modifier.id] })
  await create('products', { title: 'Cake', price: 4 })
  const menu = await create('menus', { title: 'All', sections: [{ title: 'Hot', items: [tea.id] }, { title: 'Cold' }] })
  const setDetails = async (path: string, body: object) =>
    expect((await venue.post(`/${path}/details`, body)).status).toBe(200)
  await setDetails(`modifiers/${modifier.id}`, {
    translations: { fr: { title: 'Lait', options: { [modifier.options[1].id]: { label: 'Soja' } } } },
  })
  await setDetails(`products/${tea.id}`, {
    allergens: [{ code: 'milk', level: 'may_contain' }],
    diets: ['vegetarian'],
    translations: { fr: { title: 'Thé' }, de: { title: 'Tee' } },
  })
  await setDetails(`menus/${menu.id}`, {
    position: 2,
    days: ['sat', 'sun'],
    prices: [{ product: tea.id, price: 2.5 }],
    translations: { fr: { sections: { [menu.sections[1].id]: { title: 'Froid' } } } },
  })
  return venue
}

describe('details in an export', () => {
  test('are restored in an empty venue, with the ids of its options, sections and products', async () => {
    const venue = await createDetailedVenue()
    const empty = await createVenue()
    const done = await importFile(empty, '', await exportFile(venue), jsonl)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, created: 4 })
    const [[modifier], [tea, cake], [menu]] = await Promise.all(
      ['modifiers', 'products', 'menus'].map((collection) => readDetails(empty, collection)),
    )
    expect(modifier.details).toEqual({
      translations: { fr: { title: 'Lait', options: { [modifier.options[1].id]: { label: 'Soja' } } } },
    })
    expect(tea.details).toMatchObject({
      allergens: [{ code: 'milk', level: 'may_contain' }],
      diets: ['vegetarian'],
      translations: { de: { title: 'Tee' }, fr: { title: 'Thé' } },
    })
    expect(cake.details).toEqual({})
    expect(menu.details).toEqual({
      position: 2,
      days: ['sat', 'sun'],
      prices: [{ product: tea.id, price: 2.5 }],
      translations: { fr: { sections: { [menu.sections[1].id]: { title: 'Froid' } } } },
    })
    expect((await listTypes(empty)).toSorted()).toEqual([
      'menu.details_updated',
      'modifier.details_updated',
      'product.details_updated',
    ])
  })

  test('that is imported unchanged leave those of its venue unchanged, without events', async () => {
    const venue = await createDetailedVenue()
    const before = await exportFile(venue)
    const done = await importFile(venue, '', before, jsonl)
    expect(toCounts(done)).toEqual({ rows: 4, checked: 4, applied: 4, unchanged: 4 })
    expect((await exportFile(venue)).split('\n').slice(1)).toEqual(before.split('\n').slice(1))
    expect(await listTypes(venue)).toHaveLength(3)
  })

  test('of almost 1 MiB are restored', async () => {
    const [venue, empty] = [await createVenue(), await createVenue()]
    const options = Array.from({ length: 250 }, (_, index) => ({ label: `Milk ${index}` }))
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '', options })
    const texts = (letter: string) =>
      Object.fromEntries(modifier.options.map(({ id }: { id: string }) => [id, { label: letter.repeat(250) }]))
    const languages = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'cs', 'da', 'sv', 'fi', 'nb']
    for (const language of languages) {
      const body = { translations: { [language]: { options: texts(language.slice(0, 1)) } } }
      expect((await venue.post(`/modifiers/${modifier.id}/details`, body)).status).toBe(200)
    }
    const file = await exportFile(venue)
    expect(file.length).toBeGreaterThan(800_000)
    expect(toCounts(await importFile(empty, '', file, jsonl))).toMatchObject({ created: 1 })
    const [restored] = await readDetails(empty, 'modifiers')
    const labels = ({ options, details }: { options: { id: string }[]; details: Record<string, never> }) =>
      Object.values<{ options: Record<string, { label: string }> }>(details['translations'] ?? {}).map(
        ({ options: of }) => options.map(({ id }) => of[id]?.label),
      )
    const [original] = await readDetails(venue, 'modifiers')
    expect(labels(restored)).toEqual(labels(original))
    expect(labels(restored)).toHaveLength(languages.length)
  })
})

describe('details in lines', () => {
  test('are merged into those of the object, without a key of the file too', async () => {
    const venue = await createVenue()
    const lines = [
      { resource: 'products', externalId: 'TEA', title: 'Tea', price: 1, details: { diets: ['vegan'], ageLimit: 18 } },
      { resource: 'products', title: 'Cake', price: 1, details: { allergens: [] } },
    ]
    await importFile(venue, '', toJsonLines(lines), jsonl)
    const change = { resource: 'products', externalId: 'TEA', details: { ageLimit: null, alcoholByVolume: 5 } }
    const done = await importFile(venue, '', toJsonLines([change]), jsonl)
    expect(toCounts(done)).toEqual({ rows: 1, checked: 1, applied: 1, unchanged: 1 })
    const products = await readDetails(venue, 'products')
    expect(products.map(({ details }: { details: object }) => details)).toEqual([
      { diets: ['vegan'], alcoholByVolume: 5 },
      { allergens: [] },
    ])
  })

  test('of many rows are all written', async () => {
    const venue = await createVenue()
    // More than one message may write: the queries of an invocation are limited.
    const amount = 200
    const lines = Array.from({ length: amount }, (_, index) => ({
      ...{ resource: 'products', externalId: `P${index}`, title: 'Tea', price: 1 },
      ...(index !== 1 && { details: { ageLimit: 10 + (index % 50) } }),
    }))
    const menu = {
      ...{ resource: 'menus', title: 'All', sections: [] },
      details: { prices: lines.map(({ externalId }, index) => ({ product: externalId, price: index })) },
    }
    const done = await importFile(venue, '', toJsonLines([menu, ...lines]), jsonl)
    expect(toCounts(done)).toMatchObject({ created: amount + 1 })
    const [first, second] = (await venue.get('/products?include=details&order=asc&limit=2')).body
    expect([first.details, second.details]).toEqual([{ ageLimit: 10 }, {}])
    const events = `select count(*) as count from events where merchant_id = ? and type like '%.details_updated'`
    expect(await queryHome(venue.id, events, venue.id)).toEqual([{ count: amount }])
    const [{ details }] = await readDetails(venue, 'menus')
    expect(details.prices).toHaveLength(amount)
  })

  test('that are not valid are issues of the row, which is not applied', async () => {
    const venue = await createVenue()
    const product = { resource: 'products', title: 'Tea', price: 1 }
    const lines = [
      { ...product, details: { diets: ['raw'], colour: 'red' } },
      { ...product, title: '', details: { ageLimit: -1 } },
      { ...product, details: 'none' },
      { resource: 'menus', title: 'All', sections: [], details: { prices: [{ product: 'nothing', price: 1 }] } },
      { resource: 'customers', firstName: 'A', lastName: 'B', details: {} },
      product,
    ]
    const checked = await check(venue, '', toJsonLines(lines), jsonl)
    expect(toCounts(checked)).toEqual({ rows: 6, checked: 6, failed: 5 })
    expect(await listIssues(venue, checked.id)).toEqual([
      '1 /details/diets/0 invalid_value',
      '1 /details/colour unknown_field',
      '2 /title too_short',
      '2 /details/ageLimit too_small',
      '3 /details invalid_type',
      '4 /details/prices/0/product not_found',
      '5 /details unknown_field',
    ])
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    expect(toCounts(await settle(venue, checked.id))).toMatchObject({ created: 1, failed: 5 })
    expect(await listTypes(venue)).toEqual([])
  })

  test('that name parts the object does not have are issues, and the object stays', async () => {
    const venue = await createVenue()
    const line = {
      ...{ resource: 'modifiers', externalId: 'M', title: 'Milk', instructions: '' },
      details: { translations: { fr: { options: { nothing: { label: 'Rien' } } } } },
    }
    const done = await importFile(venue, '', toJsonLines([line]), jsonl)
    expect(toCounts(done)).toMatchObject({ created: 1 })
    expect(await listIssues(venue, done.id)).toEqual(['1 /details/translations/fr/options/nothing not_found'])
  })
})
