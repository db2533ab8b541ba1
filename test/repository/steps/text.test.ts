import { describe, expect, test } from 'vitest'
import { requireLinear } from '../../support/count-steps.ts'

const { renderAllergenPdf } = await import('../../../src/storefront/print/allergens/allergen-pdf.ts')
const { getLevels, toVisualOrder } = await import('../../../src/storefront/print/scripts/bidi.ts')
const { toParts } = await import('../../../src/storefront/print/scripts/shape-letters.ts')
const { createMeasure, toLines } = await import('../../../src/storefront/print/fit-text.ts')

const createTable = (titles: readonly string[]): Parameters<typeof renderAllergenPdf>[0] => ({
  ...{ venue: 'Café', title: 'Allergens', isRightToLeft: false, contains: 'Contains', mayContain: 'May contain' },
  ...{ notStated: 'Not stated', choices: undefined, band: undefined, truncated: undefined },
  ...{ day: 'As of today', footnotes: ['(1) With sugar'], venueNotes: ['Service is included.'] },
  ...{ missingText: 'Letters are missing', allergens: ['Milk', 'Eggs'] },
  rows: titles.map((title) => ({
    title,
    note: 'Choices: Milk, Size',
    isMarked: false,
    marks: ['contains', undefined],
  })),
})
const render = (titles: readonly string[]) => renderAllergenPdf(createTable(titles), async () => new Map())

describe('the steps of setting text grow with its length', () => {
  test.each([
    ['in rows of the table of allergens', (count: number) => Array(count).fill('Soup of the day')],
    ['in words of a title', (count: number) => ['soup with bread '.repeat(count)]],
    ['in letters of a word', (count: number) => ['x'.repeat(count)]],
    ['in letters that no font has', (count: number) => ['\u{1e900}'.repeat(count)]],
    ['in Chinese letters', (count: number) => ['料理'.repeat(count)]],
  ])('%s', async (_, create) => {
    await requireLinear(create, render, 200)
  })

  test('400 titles of one long word take five million steps at most', async () => {
    const word = (index: number) => String(index).padEnd(255, 'abcdefgh')
    const create = (count: number) => Array.from({ length: count }, (_, index) => word(index))
    expect(await requireLinear(create, render, 100)).toBeLessThan(5_000_000)
  })

  test.each([
    ['neutral characters', '( '],
    ['both directions', 'a ש 1 '],
  ])('of lines with %s', async (_, text) => {
    const create = (count: number) => toParts(text.repeat(count))
    const order = (parts: readonly string[]) => toVisualOrder(parts, getLevels(parts))
    await requireLinear(create, order, 500)
  })

  test.each([
    ['one word', 'x'],
    ['many words', 'x '],
  ])('of a label of %s', async (_, text) => {
    const box = { left: 0, top: 0, width: 50, height: 20, points: 20, role: 'display' as const }
    const measure = createMeasure({})
    await requireLinear(
      (count) => text.repeat(count),
      (label) => toLines(label, box, measure),
      500,
    )
  })
})
