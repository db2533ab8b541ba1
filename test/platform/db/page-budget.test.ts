import { expect, test } from 'vitest'
import { compile } from '../../../src/platform/db/database.ts'
import {
  columnShare,
  columnsWithinShare,
  getJsonColumns,
  pageBytes,
  readPageWithin,
  showPage,
} from '../../../src/platform/db/page-budget.ts'
import type { Row } from '../../../src/platform/db/row.ts'
import { productTable } from '../../../src/platform/db/schema/resources/products.ts'
import { tagTable } from '../../../src/platform/db/schema/resources/tags.ts'

const { tags, products } = { tags: getJsonColumns(tagTable), products: getJsonColumns(productTable) }
const large = { images: productTable.images }

/** Rows with a column larger than its share, so that only its length was read. */
const rowsOf = (...sizes: number[]): Row[] => sizes.map((images, n) => ({ id: `o${n}`, images }))
const none = async () => []

test('a page holds rows of exactly its budget, and not one byte more', async () => {
  const whole = async (ids: readonly string[]) => ids.map((id) => ({ id, whole: true }))
  // Ids count towards the budget, too: two bytes for each.
  const half = pageBytes / 2 - 2
  const exact = await readPageWithin(rowsOf(half, half, 1), 50, 'id', large, whole)
  expect([exact.rows.length, exact.last, exact.hasMore]).toEqual([2, 'o1', true])
  const over = await readPageWithin(rowsOf(half, half + 1, 1), 50, 'id', large, whole)
  expect([over.rows.length, over.last, over.hasMore]).toEqual([1, 'o0', true])
  const alone = await readPageWithin(rowsOf(2 * pageBytes, 1), 50, 'id', large, whole)
  expect([alone.rows.length, alone.last, alone.hasMore]).toEqual([1, 'o0', true])
})

test('only rows with a column larger than its share are read again', async () => {
  const asked: (readonly string[])[] = []
  const found: Row[] = [
    { id: 'o0', images: '[]', price: 1 },
    { id: 'o1', images: 100_000, price: 1 },
    { id: 'o2', images: '[]', price: 1 },
  ]
  const page = await readPageWithin(found, 50, 'id', large, async (ids) => {
    asked.push(ids)
    return []
  })
  expect(asked).toEqual([['o1']])
  // It was deleted in between.
  expect([page.rows.map(({ id }) => id), page.last, page.hasMore]).toEqual([['o0', 'o2'], 'o2', false])
})

test('rows that were read whole count by the length of their texts', async () => {
  const images = 'x'.repeat(pageBytes / 2 - 2)
  const rows = ['o0', 'o1', 'o2'].map((id): Row => ({ id, images }))
  const page = await readPageWithin(rows, 50, 'id', large, none)
  expect([page.rows.length, page.last, page.hasMore, page.isLarge]).toEqual([2, 'o1', true, true])
  const small = await readPageWithin([{ id: 'o0', images: '[]' }], 50, 'id', large, none)
  expect([small.rows.length, small.isLarge]).toEqual([1, false])
})

test('what is read at once is within the budget, however many rows and large columns there are', () => {
  expect(Object.keys(products)).toEqual(['images', 'metadata', 'modifiers'])
  for (const columns of [{}, tags, products, large]) {
    for (const rows of [2, 51, 101]) {
      const bytes = rows * Object.keys(columns).length * columnShare(rows, columns)
      expect(bytes).toBeLessThanOrEqual(pageBytes)
    }
  }
})

test('a list evaluates one length for each large column', () => {
  const text = compile(columnsWithinShare(productTable, products)).sql
  // Returns the comparison that fails and its result. Asserting each comparison took a third of the time of a list.
  expect(text.match(/octet_length/g)).toHaveLength(2 * Object.keys(products).length)
  expect(text.length).toBeLessThan(1_100)
})

test('a page that is large as JSON ends where the text would exceed the budget', async () => {
  const page = await readPageWithin(rowsOf(700_000, 700_000, 700_000), 3, 'id', large, none)
  const text = (length: number) => `"${'x'.repeat(length - 2)}"`
  const shownOf = (texts: readonly string[]) => {
    const rows = texts.map((json, n) => ({ id: `o${n}`, json }))
    const { shown, end } = showPage(
      { report: () => {} },
      { ...page, rows, isLarge: true },
      'id',
      ({ json }) => json,
      String,
    )
    return { count: shown.length, end }
  }
  // Two brackets and two commas.
  const exact = [text(1_000_000), text(1_000_000), text(pageBytes - 2_000_000 - 4)]
  expect(`[${exact}]`.length).toBe(pageBytes)
  expect(shownOf(exact).count).toBe(3)
  const over = [text(1_000_000), text(1_000_000), text(pageBytes - 2_000_000 - 3)]
  expect(shownOf(over)).toEqual({ count: 2, end: 'o1' })
  // Bytes, not characters.
  expect(shownOf([text(1_000_000), 'é'.repeat(pageBytes / 2), text(9)]).count).toBe(1)
  expect(shownOf(['é'.repeat(pageBytes), text(9), text(9)]).count).toBe(1)
})
