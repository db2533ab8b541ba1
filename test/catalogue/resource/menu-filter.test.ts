import { expect, test } from 'vitest'
import { createKey, createVenue, type Venue } from '../../support/api.ts'

const idsIn = (body: { id: string }[]) => body.map(({ id }) => id)
const create = async (venue: Venue, collection: string, body: object): Promise<string> =>
  (await venue.post(`/${collection}`, body)).body.id

test.each(['d1', 'object'])('products are found by a menu that names them, page by page, in %s', async (home) => {
  const [venue, other] = [await createVenue({ home }), await createVenue({ home })]
  const made = []
  for (const title of ['Soup', 'Salad', 'Cake', 'Tea'])
    made.push(await create(venue, 'products', { price: 1, title, visible: title !== 'Cake' }))
  const [soup, salad, cake, tea] = made
  // A product in two sections is there once.
  const sections = [{ items: [cake, soup] }, { items: [soup, salad] }]
  const menu = await create(venue, 'menus', { title: 'Lunch', sections })
  const empty = await create(venue, 'menus', { title: 'Empty' })
  const uses = async (query: string) => idsIn((await venue.get(`/products?menu=${query}`)).body)
  expect(await uses(menu)).toEqual([cake, salad, soup])
  expect(await uses(`${menu}&order=asc&limit=1`)).toEqual([soup])
  expect(await uses(`${menu}&visible=true`)).toEqual([salad, soup])
  expect(await uses(`${menu}&q=sal`)).toEqual([salad])
  expect(await uses(`${menu}&q=sallad`)).toEqual([salad])
  expect(await uses(`${menu}&ids=${tea},${cake}`)).toEqual([cake])
  expect([await uses(empty), await uses('menu_none'), await uses('')]).toEqual([[], [], []])
  const pages: string[] = []
  for (let next = `/products?menu=${menu}&limit=2`; next !== ''; ) {
    const page = await venue.get(next)
    pages.push(idsIn(page.body).join())
    next = /<[^>]*(\/products\?[^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  }
  expect(pages).toEqual([`${cake},${salad}`, soup])
  await venue.remove(`/products/${salad}`)
  await venue.post(`/menus/${menu}`, { sections: [{ items: [cake] }] })
  expect(await uses(menu)).toEqual([cake])
  const tester = await createKey(venue.id, { mode: 'test' })
  for (const who of [other, tester]) expect((await who.get(`/products?menu=${menu}`)).body).toEqual([])
  await venue.remove(`/menus/${menu}`)
  expect(await uses(menu)).toEqual([])
})
