import { describe, expect, test } from 'vitest'
import { createVenue, type Venue } from '../../../support/api.ts'
import { importFile, settle, upload } from '../../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** Products with their texts and translations. */
async function listProducts(venue: Venue) {
  const products: { id: string; title: string; description?: string }[] = (await venue.get('/products?order=asc')).body
  return Promise.all(
    products.map(async ({ id, title, description }) => {
      const { translations } = (await venue.get(`/products/${id}/details`)).body
      return [title, description, translations]
    }),
  )
}

const listTargets = ({ reading }: { reading: { columns: { to: string | null }[] } }) =>
  reading.columns.map(({ to }) => to)

describe('columns with texts in several languages', () => {
  test.each([
    ['el', 'name_el,name_en,description_el,description_en,price'],
    ['de', 'Name DE,Name EN,Beschreibung DE,Beschreibung EN,price'],
    ['de-AT', 'Name (de),Name (en),Description (de),Description (en),price'],
    ['ar', 'nameAr,nameEn,descriptionAr,descriptionEn,price'],
    ['es', 'Spanish name,English name,Descripción (español),Descripción (inglés),price'],
    [undefined, 'name,name_en,description,description-en,price'],
  ])('have the texts of a venue in %s, and translations: %s', async (language, header) => {
    const venue = await createVenue({ currency: 'EUR', ...(language && { language }) })
    const done = await importFile(venue, auto, `${header}\nOwn,Soup,Eigen,Hot,2.50\nOnly,,,,3.00\n`, text)
    expect([done.state, listTargets(done)]).toEqual([
      'done',
      ['title', 'translations.en.title', 'description', 'translations.en.description', 'price'],
    ])
    expect(await listProducts(venue)).toEqual([
      ['Own', 'Eigen', { en: { title: 'Soup', description: 'Hot' } }],
      ['Only', undefined, undefined],
    ])
  })

  test('are asked about if none is the language of the venue', async () => {
    const venue = await createVenue({ currency: 'EUR', language: 'fr' })
    const file =
      'Name_EN,Name_DE,Description_EN,Description_DE,Category_EN,Category_DE,Price\nSoup,Suppe,Hot,Heiß,A,B,2.5\n'
    const { body: asked } = await upload(venue, `${auto}&apply=true`, file, text)
    expect([asked.state, asked.reading.questions]).toMatchObject([
      'asking',
      [{ code: 'column', column: 'title', choices: ['Name_EN', 'Name_DE'] }],
    ])
    const columns = { Name_DE: 'title', Description_DE: 'description', Category_DE: 'category' }
    await venue.post(`/imports/${asked.id}/mapping`, { columns })
    expect((await settle(venue, asked.id)).state).toBe('done')
    expect(await listProducts(venue)).toEqual([['Suppe', 'Heiß', { en: { title: 'Soup', description: 'Hot' } }]])
    expect((await venue.get('/menus')).body[0].sections).toMatchObject([{ title: 'B' }])
  })

  test('are one title if there is only one', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const done = await importFile(venue, auto, 'name_en,category_en,item_id,price\nSoup,Hot,7,2.5\n', text)
    expect(listTargets(done)).toEqual(['title', 'category', null, 'price'])
  })

  test('can be chosen, in any language', async () => {
    const venue = await createVenue({ currency: 'EUR' })
    const { body } = await upload(venue, auto, 'Name,Ime,Cena X,Price\nSoup,Juha,x,2.5\n', text)
    const map = (Ime: string) => venue.post(`/imports/${body.id}/mapping`, { columns: { Ime } })
    expect((await map('translations.hr.price')).body.errors).toMatchObject([{ code: 'invalid_value' }])
    expect((await map('translations.hr.title')).status).toBe(200)
    await settle(venue, body.id)
    await venue.post(`/imports/${body.id}/apply`, undefined)
    await settle(venue, body.id)
    expect(await listProducts(venue)).toEqual([['Soup', undefined, { hr: { title: 'Juha' } }]])
  })

  test('in a JSON list are members of a member', async () => {
    const venue = await createVenue({ currency: 'EUR', language: 'ar' })
    const list = [{ id: '1', name: { ar: 'كشري', en: 'Koshari' }, prices: { small: 25, large: 40.5 }, tags: {} }]
    const done = await importFile(venue, auto, JSON.stringify(list), text)
    expect(listTargets(done)).toEqual(['id', 'title', 'translations.en.title', 'sizes.small', 'sizes.large', null])
    expect(await listProducts(venue)).toEqual([['كشري', undefined, { en: { title: 'Koshari' } }]])
  })
})
