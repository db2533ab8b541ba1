import { expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { check, importFile } from '../../../support/imports.ts'

const text = { 'content-type': 'text/plain' }

/** Names of targets that presets give to their columns. */
const internal =
  'axis,parent,kind,key,priceKind,surcharge,optionValue,axisKind,variantSkus,storeView,combines,condition'.split(',')

test.each(internal)('a column %s of any table is left out and named', async (heading) => {
  const venue = await createVenue({ currency: 'EUR' })
  const found = await check(venue, 'mapping=auto', `Title,Price,${heading}\nSoup,4.50,Variant\n`, text)
  expect(found.reading.columns[2]).toMatchObject({ name: heading, to: null, how: 'left_out' })
  expect(found.reading.notices).toMatchObject([{ code: 'column_left_out', column: heading }])
})

test('a group is a category, a code is a SKU, and neither joins rows', async () => {
  const venue = await createVenue({ currency: 'EUR' })
  const lines = ['Group,Code,Title,Price', 'Hot,A1,Tea,2.50', 'Hot,A2,Coffee,3.00', 'Cold,A3,Cola,3.50']
  const done = await importFile(venue, 'mapping=auto', `${lines.join('\n')}\n`, text)
  expect(done.reading.columns.map(({ to }: { to: string }) => to)).toEqual(['category', 'sku', 'title', 'price'])
  const products = (await venue.get('/products?order=asc')).body
  expect(products.map(({ title, sku }: Record<string, string>) => [title, sku])).toEqual([
    ['Tea', 'A1'],
    ['Coffee', 'A2'],
    ['Cola', 'A3'],
  ])
  const [menu] = (await venue.get('/menus')).body
  expect(menu.sections.map(({ title }: { title: string }) => title)).toEqual(['Hot', 'Cold'])
})
