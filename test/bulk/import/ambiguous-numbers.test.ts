import { describe, expect, test } from 'vitest'
import { listColumns } from '../../../src/bulk/csv/columns.ts'
import { getResource } from '../../../src/bulk/import/rows/imported-resource.ts'
import { createVenue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toCounts } from '../../support/imports.ts'

/** Imports one price. Returns it as it is stored, or the issue. */
async function read(delimiter: string, value: string) {
  const venue = await createVenue()
  const checked = await check(venue, 'resource=products', `title${delimiter}price\nTea${delimiter}${value}\n`)
  if (checked.failed > 0) {
    const [{ code, message }] = (await venue.get(`/imports/${checked.id}/errors`)).body
    return `${code}: ${message}`
  }
  await venue.post(`/imports/${checked.id}/apply`, undefined)
  await settle(venue, checked.id)
  return (await venue.get('/products')).body[0].price
}

describe.each([';', '\t'])('in a file with the delimiter %j', (delimiter) => {
  test.each([
    ['15.000', 'ambiguous: can be read as 15 or as 15000; write 15 or 15000'],
    ['15,000', 'ambiguous: can be read as 15 or as 15000; write 15 or 15000'],
    ['1.250', 'ambiguous: can be read as 1.250 or as 1250; write 1.2500 or 1250'],
    ['999,999', 'ambiguous: can be read as 999.999 or as 999999; write 999.9990 or 999999'],
  ])('%s can be read in two ways, which is an issue', async (value, issue) => {
    expect(await read(delimiter, value)).toBe(issue)
  })

  test.each([
    ['15.00', 15],
    ['15,5', 15.5],
    ['0.500', 0.5],
    ['0,125', 0.125],
    ['1000.000', 1000],
    ['1.2500', 1.25],
    ['1e3', 1000],
  ])('%s can be read in one way', async (value, price) => {
    expect(await read(delimiter, value)).toBe(price)
  })
})

test('in a file with commas between its cells, a point is a decimal point', async () => {
  expect(await read(',', '15.000')).toBe(15)
})

test('an export that a spreadsheet has saved with decimal commas is read as it was', async () => {
  const venue = await createVenue()
  await venue.post('/products', { title: 'Tea', price: 2.125, stockQuantity: 1.875, manageStock: true })
  const { body } = await venue.get('/export?resources=products&format=csv')
  const saved = body.replaceAll(',', ';').replaceAll(/(\d)\.(\d)/g, '$1,$2')
  expect(saved).toContain(';2,125;')
  expect(toCounts(await importFile(venue, 'resource=products', saved))).toMatchObject({ unchanged: 1 })
})

test.each([
  ['a list', (column: string) => column !== 'id'],
  ['an export in which somebody has typed it', () => true],
])('each column of numbers of each resource is checked, in %s', async (_, isColumn) => {
  const venue = await createVenue()
  for (const path of ['products', 'coupons'] as const) {
    const columns = listColumns(getResource(path), []).filter(isColumn)
    const file = `${columns.join(';')}\n${columns.map((column) => (column === 'id' ? '' : '15.000')).join(';')}\n`
    const checked = await check(venue, `resource=${path}`, file)
    const numbers = {
      products: ['price', 'taxRate', 'calories', 'stockQuantity'],
      coupons: [
        'value',
        'minimumOrderAmount',
        'timesRedeemed',
        ...['startsAt', 'endsAt', 'maxRedemptions', 'maxRedemptionsPerCustomer', 'maxDiscount'].map(
          (name) => `limits.${name}`,
        ),
      ],
    }
    expect((await listIssues(venue, checked.id)).toSorted()).toEqual(
      numbers[path].map((name) => `2 ${name} ambiguous`).toSorted(),
    )
  }
})

test('a row with such a number still names its object, which is not deleted', async () => {
  const venue = await createVenue()
  for (const key of ['A', 'B', 'C']) await venue.request('PUT', `/products/external/${key}`, { title: key, price: 1 })
  const file = 'externalId;price\nA;2,5\nB;15.000\n'
  const done = await importFile(venue, 'resource=products&delete=missing', file)
  expect(toCounts(done)).toMatchObject({ failed: 1, updated: 1, deleted: 1 })
  const left = (await venue.get('/products?order=asc')).body
  expect(left.map(({ title, price }: { title: string; price: number }) => `${title} ${price}`)).toEqual([
    'A 2.5',
    'B 1',
  ])
})
