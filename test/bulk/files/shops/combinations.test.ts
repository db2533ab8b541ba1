import { expect, test } from 'vitest'
import { createVenue } from '../../../support/api.ts'
import { upload } from '../../../support/imports.ts'

test('combinations of PrestaShop are rejected with what to send instead', async () => {
  const venue = await createVenue()
  const header =
    'Product ID*;Attribute (Name:Type:Position)*;Value (Value:Position)*;Reference;Impact on price;Quantity'
  const file = `${header}\n1;Size:select:0;Large:1;C-L;1.50;10\n`
  const { status, body } = await upload(venue, 'mapping=auto', file, { 'content-type': 'text/csv' })
  expect([status, body.code, body.detail]).toEqual([422, 'unsupported_file', expect.stringContaining('a column Size')])
})
