import { expect, test } from 'vitest'

const { readSchemaOrg } = await import('../../../src/bulk/files/documents/schema-org.ts')
const { readSquare } = await import('../../../src/bulk/files/documents/square.ts')
const { createWorkbookReader } = await import('../../../src/bulk/files/sheet/workbook.ts')

test('taxes of a Square catalogue are left out with a notice', () => {
  const read = (taxes: object) => readSquare([{ type: 'ITEM', id: 'A', item_data: { name: 'Tea', ...taxes } }], 'EUR')
  const notice = { code: 'part_left_out', count: 1, message: 'taxes are set for the venue' }
  expect(read({ tax_ids: ['T'] }).notices).toEqual([expect.objectContaining(notice)])
  expect([read({ tax_ids: [] }).notices, read({}).notices]).toEqual([[], []])
})

test.each([
  ['240 calories', 240],
  ['240 kcal per serving', 240],
  ['240', 240],
  ['1,200 calories', undefined],
  ['1004 kJ', undefined],
])('the energy %j of a dish of schema.org is %j', (calories, expected) => {
  const dish = { name: 'Tea', offers: { price: '2' }, nutrition: { calories } }
  const { items } = readSchemaOrg({ '@type': 'Menu', hasMenuItem: [dish] }, undefined)
  expect(items[0]?.body['calories']).toBe(expected)
})

test.each([
  ['dd.mm.yyyy', 'date'],
  ['[h]:mm', 'date'],
  ['0.0%', 'percent'],
  ['#,##0.00\\ "DM"', 'plain'],
  ['_-* #,##0.00\\ _D_M_-', 'plain'],
  ['* #,##0.00_);*s(0.00)', 'plain'],
])('the format %j of a spreadsheet shows a %s', (format, style) => {
  const reader = createWorkbookReader()
  const formatCode = format.replaceAll('"', '&quot;')
  reader.push(
    'xl/styles.xml',
    `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="${formatCode}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></styleSheet>`,
  )
  expect(reader.finish().styles).toEqual([style])
})
