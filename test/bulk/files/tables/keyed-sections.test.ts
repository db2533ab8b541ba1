import { expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { importFile, listIssues, upload } from '../../../support/imports.ts'

const any = { 'content-type': 'application/json' }
const auto = 'mapping=auto'

async function load(document: unknown, venue: Venue) {
  const done = await importFile(venue, auto, JSON.stringify(document), any)
  const products: { id: string; title: string; price: number }[] = (await venue.get('/products?order=asc')).body
  const [menu] = (await venue.get('/menus')).body
  const titles = new Map(products.map(({ id, title, price }) => [id, [title, price]]))
  return {
    done,
    issues: await listIssues(venue, done.id),
    sections: menu.sections.map(({ title, items }: { title: string; items: string[] }) => [
      title,
      ...items.map((id) => titles.get(id)),
    ]),
    products,
  }
}

test('a JSON document whose sections are names of lists is read', async () => {
  const document = {
    version: 3,
    menu: { Suppen: [{ name: 'Miso', price: 4.5 }], Desserts: [{ name: 'Mochi', price: '3,50 €' }] },
  }
  const { issues, sections } = await load(document, await createVenue({ currency: 'EUR' }))
  expect([issues, sections]).toEqual([
    [],
    [
      ['Suppen', ['Miso', 4.5]],
      ['Desserts', ['Mochi', 3.5]],
    ],
  ])
})

test('a JSON document whose texts are in several languages is read in that of the venue, with prices of sizes', async () => {
  const venue = await createVenue({ currency: 'EUR', language: 'fr' })
  const tea = {
    name: { fr: 'Thé', ar: 'شاي' },
    description: { fr: 'Chaud', ar: 'حار' },
    prices: { petit: 2, grand: 3.2 },
  }
  const document = { categories: [{ id: 'c', name: { fr: 'Boissons', ar: 'مشروبات' }, items: [tea] }] }
  const { issues, sections, products } = await load(document, venue)
  expect([issues, sections]).toEqual([[], [['Boissons', ['Thé', 2]]]])
  const { translations, sizes } = (await venue.get(`/products/${products[0]?.id}/details`)).body
  expect(translations).toEqual({ ar: { title: 'شاي', description: 'حار' } })
  expect(Object.values(sizes.prices)).toEqual([{ price: 2 }, { price: 3.2 }])
})

test('a JSON document with lists of options beside those of dishes is rejected', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const list = [{ name: 'Milk', price: 0.5 }]
  for (const name of ['customizationOptions', 'extras', 'toppings']) {
    const { status, body } = await upload(venue, auto, JSON.stringify({ [name]: list, drinks: list }), any)
    expect([name, status, body.code]).toEqual([name, 422, 'unsupported_file'])
  }
})

test('sections that differ only in case are one', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const text = { 'content-type': 'text/plain' }
  await importFile(venue, auto, 'category,name,price\nPolish,Pierogi,4\npolish ,Barszcz,3\nPOLISH,Bigos,5\n', text)
  await importFile(venue, auto, 'category,name,price\npolish,Placki,4\n', text)
  const sections = (await venue.get('/menus')).body.flatMap((menu: { sections: object[] }) => menu.sections)
  expect(sections).toMatchObject([{ title: 'Polish', items: { length: 4 } }])
})

test('a column of currencies leaves out rows in another one than that of the venue', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const text = { 'content-type': 'text/plain' }
  const lines = ['Name,Price,Currency', 'Tea,2,EUR', 'Cola,3,USD', 'Cake,4,€', 'Bun,5,', 'Ale,6,usd']
  const done = await importFile(venue, auto, `${lines.join('\n')}\n`, text)
  const products = (await venue.get('/products?order=asc')).body
  expect(products.map(({ title }: { title: string }) => title)).toEqual(['Tea', 'Cake', 'Bun'])
  expect(await listIssues(venue, done.id)).toEqual(['3 Currency other_currency'])
})
