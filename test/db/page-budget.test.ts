import { expect, test } from 'vitest'
import { pageBytes, readPageWithin, rowShare, showPage } from '../../src/db/page-budget.ts'
import type { Row } from '../../src/db/row.ts'

const rowsOf = (...sizes: number[]): Row[] => sizes.map((row_bytes, n) => ({ id: `o${n}`, row_bytes }))
const none = async () => []

test('a page holds rows of exactly its budget, and not one byte more', async () => {
  const whole = async (ids: readonly string[]) => ids.map((id) => ({ id, whole: true }))
  const half = pageBytes / 2
  const exact = await readPageWithin(rowsOf(half, half, 1), 50, 'id', whole)
  expect([exact.rows.length, exact.last, exact.hasMore]).toEqual([2, 'o1', true])
  const over = await readPageWithin(rowsOf(half, half + 1, 1), 50, 'id', whole)
  expect([over.rows.length, over.last, over.hasMore]).toEqual([1, 'o0', true])
  const alone = await readPageWithin(rowsOf(2 * pageBytes, 1), 50, 'id', whole)
  expect([alone.rows.length, alone.last, alone.hasMore]).toEqual([1, 'o0', true])
})

test('only rows larger than their share are read again', async () => {
  const share = rowShare(51)
  const asked: (readonly string[])[] = []
  const page = await readPageWithin(rowsOf(share, share + 1, 1), 50, 'id', async (ids) => {
    asked.push(ids)
    return []
  })
  expect(asked).toEqual([['o1']])
  // It was deleted meanwhile.
  expect([page.rows.map(({ id }) => id), page.last, page.hasMore]).toEqual([['o0', 'o2'], 'o2', false])
})

test('what is read at once is within the budget, however many rows there are', () => {
  for (const limit of [1, 50, 100]) expect((limit + 1) * rowShare(limit + 1)).toBeLessThanOrEqual(pageBytes)
})

test('a page that is large as JSON ends where the text would exceed the budget', async () => {
  const page = await readPageWithin(rowsOf(700_000, 700_000, 700_000), 3, 'id', none)
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
