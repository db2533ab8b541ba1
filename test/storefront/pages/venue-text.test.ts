import { expect, test } from 'vitest'
import { createVenue, send } from '../../support/api.ts'
import { load } from '../../support/catalogue.ts'

const mixed = 'Cappuccino ישראלי, חלב מוקצף.'
const hebrew = 'קפה של 100% Arabica.'
const latin = 'With everything (even bacon!).'

test('a text from right to left that begins with a foreign word states its direction', async () => {
  const venue = await createVenue({ name: 'קפה', language: 'he', currency: 'ILS', timezone: 'Asia/Jerusalem' })
  const products = await load(venue.post, {
    modifiers: [],
    products: [mixed, hebrew, latin].map((description) => ({ title: 'קפה', price: 9, description })),
    menus: [{ title: 'Brunch ארוחות', sections: [{ title: 'הכול', items: [0, 1, 2] }] }],
  })
  const read = async (path: string) => (await send(`/m/${venue.id}${path}`)).body as string
  const page = await read('?lang=he')
  expect(page).toContain('<h2><bdi dir="rtl">Brunch ארוחות</bdi></h2>')
  expect(page).toContain(`<p><bdi dir="rtl">${mixed}</bdi></p>`)
  for (const text of [hebrew, latin]) expect(page).toContain(`<p><bdi>${text}</bdi></p>`)

  // In a page from left to right it has the direction of its own language.
  for (const product of products) {
    await venue.post(`/products/${product}/details`, { translations: { en: { title: 'Coffee' } }, allergens: [] })
  }
  const translated = await read('?lang=en')
  expect(translated).toContain('<html lang="en">')
  expect(translated).toContain(`<bdi lang="he" dir="rtl">${mixed}</bdi>`)
  expect(translated).toContain(`<bdi lang="he">${hebrew}</bdi>`)
  expect(translated).toContain('<bdi>Coffee</bdi>')

  await venue.post(`/products/${products[0]}`, { title: mixed })
  expect(await read('/allergens?lang=he')).toContain(`<th scope="row"><bdi dir="rtl">${mixed}</bdi></th>`)
})
