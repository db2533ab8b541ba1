import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { resourceList } from '../../../src/catalogue/resources/registry.ts'

/** No fields of clients: the key of the row, its version, the normalized code of a coupon, the state of a webhook's attempts, and its filter. */
const internal = new Set([
  'seq',
  'merchantId',
  'version',
  'codeKey',
  'keyForm',
  'automatic',
  'failures',
  'failingSince',
  'probeAt',
  'filter',
  'filterVersion',
  'shape',
  'shapes',
])

test.each(resourceList)('every column of $path is declared as a field', ({ item, table }) => {
  const columns = Object.keys(getTableColumns(table)).filter((name) => !internal.has(name))
  expect(columns.filter((name) => !(name in item.shape))).toEqual([])
})
