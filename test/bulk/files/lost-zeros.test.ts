import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }

test.each(['mapping=auto', 'mapping=auto&match=externalId', 'mapping=auto&match=sku&resource=products'])(
  'a code that lost zeros is not stored, with %s',
  async (query) => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1, sku: '0017' })
    await venue.post('/products', { title: 'Cake', price: 1, upc: '0075678164125' })
    await venue.post('/products', { title: 'Pie', price: 1, sku: '42' })
    await venue.post('/products', { title: 'Pies', price: 1, sku: '042' })
    const file = 'title,price,sku,upc\nTea,2,17,\nCake,2,C,75678164125\nPie,2,42,\nNew,2,18,\nOther,2,A17,\n'
    const ready = await check(venue, query, file, text)
    expect(await listIssues(venue, ready.id)).toEqual(['2 sku damaged_by_spreadsheet', '3 upc damaged_by_spreadsheet'])
    expect(ready.check.leftOut).toBe(2)
  },
)

test.each([
  ['de', 'Speisekarte'],
  ['de-AT', 'Speisekarte'],
  ['zh-TW', '菜單'],
  ['eu', 'Menu'],
  [undefined, 'Menu'],
])('a file without a title makes a menu in the language of the venue, %s', async (language, title) => {
  const venue = await createVenue(language === undefined ? {} : { language })
  await importFile(venue, 'mapping=auto', 'title,price,category\nTea,2,Hot\n', text)
  expect((await venue.get('/menus')).body).toMatchObject([{ title }])
})
