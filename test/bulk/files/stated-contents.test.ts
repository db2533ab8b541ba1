import { expect, test } from 'vitest'
import { createVenue, send, type Venue } from '../../support/api.ts'
import { importFile, listIssues, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

interface Food {
  title: string
  allergens?: { code: string; level: string }[]
  sizes?: { label: string; suits: unknown }[]
}
/** The menu of guests with an allergy to nuts: all dishes with their statements, and the dishes that suit. */
async function readMenu({ id }: Pick<Venue, 'id'>) {
  const read = async (query: string): Promise<Food[]> => {
    const { menus } = (await send(`/m/${id}.json${query}`)).body
    return menus.flatMap(({ sections }: { sections: { products: Food[] }[] }) =>
      sections.flatMap(({ products }) => products),
    )
  }
  const [all, suiting] = [await read(''), await read('?without=nuts')]
  const describe = ({ title, allergens }: Food) => [
    title,
    allergens?.map(({ code, level }) => `${level} ${code}`) ?? 'not stated',
  ]
  return {
    all: all.map(describe),
    suiting: suiting.map(({ title, sizes }) =>
      sizes ? [title, ...sizes.map(({ label, suits }) => `${label} ${suits}`)] : [title],
    ),
  }
}

const list = (price: string, ...columns: string[]) => {
  const [heading = '', cell = ''] = columns
  const lines = ['Artikel;Preis;Gruppe', `Kuchen;${price};Süß`, `Salat;${price};Kalt`, `Suppe;${price};Warm`]
  return lines.map((line, index) => `${line}${[heading, cell, cell, cell][index]}\n`).join('')
}

test('an import without the allergens neither changes what dishes state nor states anything', async () => {
  const venue = await createVenue()
  await importFile(venue, auto, list('3,00'), text)
  const products: { id: string; title: string }[] = (await venue.get('/products')).body
  const pathOf = (title: string) => `/products/${products.find((each) => each.title === title)?.id}/details`
  await venue.post(pathOf('Kuchen'), { allergens: [{ code: 'nuts', level: 'may_contain' }] })
  await venue.post(pathOf('Suppe'), { allergens: [] })
  const stated = {
    all: [
      ['Kuchen', ['may_contain nuts']],
      ['Salat', 'not stated'],
      ['Suppe', []],
    ],
    suiting: [['Suppe']],
  }
  expect(await readMenu(venue)).toEqual(stated)
  const done = await importFile(venue, auto, list('4,00'), text)
  expect(done).toMatchObject({ updated: 3, failed: 0 })
  expect(await readMenu(venue)).toEqual(stated)
  // A column of allergens is no statement of the details, and the reading says so.
  const { body: asked } = await upload(venue, auto, list('5,00', ';Allergene', ';keine'), text)
  expect(asked.reading.notices).toContainEqual(
    expect.objectContaining({
      code: 'column_left_out',
      column: 'Allergene',
      message: expect.stringContaining('state'),
    }),
  )
  await importFile(venue, auto, list('5,00', ';Allergene', ';keine'), text)
  expect(await readMenu(venue)).toEqual(stated)
  const [set] = (await venue.get('/changes')).body
  expect((await venue.post(`/changes/${set.id}/undo`, undefined)).status).toBe(200)
  expect(await readMenu(venue)).toEqual(stated)
})

test('a size that an import adds is not stated, though the other sizes contain the same as their product', async () => {
  const venue = await createVenue()
  const sizes = (...labels: string[]) =>
    `Artikel;Größe;Preis;Gruppe\n${labels.map((label, index) => `Latte;${label};${3 + index},00;Kaffee\n`).join('')}`
  await importFile(venue, auto, sizes('Klein', 'Groß'), text)
  const [latte] = (await venue.get('/products')).body
  const path = `/products/${latte.id}/details`
  expect((await venue.post(path, { allergens: [], sizes: { sameContents: true } })).status).toBe(200)
  expect((await readMenu(venue)).suiting).toEqual([['Latte', 'Klein true', 'Groß true']])
  await importFile(venue, auto, sizes('Klein', 'Groß'), text)
  expect((await venue.get(path)).body.sizes.sameContents).toBe(true)
  const done = await importFile(venue, auto, sizes('Klein', 'Groß', 'Haselnuss'), text)
  expect(await listIssues(venue, done.id)).toEqual([])
  expect((await readMenu(venue)).suiting).toEqual([])
  const body = String((await send(`/m/${venue.id}?lang=en`)).body)
  expect(body).not.toContain('No allergens')
  expect(body).toContain('Allergens not stated')
  const [set] = (await venue.get('/changes')).body
  expect((await venue.post(`/changes/${set.id}/undo`, undefined)).status).toBe(200)
  expect((await readMenu(venue)).suiting).toEqual([['Latte', 'Klein true', 'Groß true']])
})

test('a price of a further size takes the statement about all sizes back, unless the request makes it again', async () => {
  const venue = await createVenue()
  const option = (id: string) => ({ id, label: id })
  const options = ['s', 'l'].map(option)
  const modifier = { title: 'Size', instructions: '', type: 'RADIO', options }
  const { id: size } = (await venue.post('/modifiers', modifier)).body
  const { id } = (await venue.post('/products', { title: 'Juice', price: 2, modifiers: [size] })).body
  const write = async (sizes: object) => (await venue.post(`/products/${id}/details`, { sizes })).body.sizes
  const prices = (...ids: string[]) => Object.fromEntries(ids.map((each) => [each, { price: 3 }]))
  await write({ modifier: size, prices: prices('s', 'l'), sameContents: true })
  // Prices of the same sizes change nothing, with and without the name of their modifier.
  expect(await write({ prices: { s: { price: 4 } } })).toMatchObject({ sameContents: true })
  expect(await write({ modifier: size, prices: prices('s', 'l') })).toMatchObject({ sameContents: true })
  await venue.post(`/modifiers/${size}`, { options: ['s', 'l', 'xl'].map(option) })
  expect(await write({ prices: prices('xl') })).toEqual({ modifier: size, prices: prices('s', 'l', 'xl') })
  expect(await write({ sameContents: true })).toMatchObject({ sameContents: true })
  await venue.post(`/modifiers/${size}`, { options: ['s', 'l', 'xl', 'xxl'].map(option) })
  expect(await write({ prices: prices('xxl'), sameContents: true })).toMatchObject({ sameContents: true })
  const other = (await venue.post('/modifiers', { ...modifier, title: 'Cup' })).body.id
  await venue.post(`/products/${id}`, { modifiers: [size, other] })
  expect(await write({ modifier: other, prices: { ...prices('s', 'l'), xl: null, xxl: null } })).toEqual({
    modifier: other,
    prices: prices('s', 'l'),
  })
})
