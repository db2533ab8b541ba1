import { describe, expect, test } from 'vitest'
import { getLevels, mirror, toVisualOrder } from '../../../../src/storefront/print/scripts/bidi.ts'

/** A line in visual order, from left to right. */
function order(text: string): string {
  const chars = Array.from(text)
  const levels = getLevels(chars)
  return toVisualOrder(
    chars.map((char, index) => mirror(char, levels[index] ?? 0)),
    levels,
  ).join('')
}

describe('a line', () => {
  test.each([
    ['Table 4 (VIP)', 'Table 4 (VIP)'],
    ['שולחן', 'ןחלוש'],
    ['שולחן 12', '12 ןחלוש'],
    ['שולחן (חוץ)', '(ץוח) ןחלוש'],
    ['שולחן VIP', 'VIP ןחלוש'],
    ['שולחן VIP 4', 'VIP 4 ןחלוש'],
    ['חוץ 12:30, 7', '7 ,12:30 ץוח'],
    ['Table שולחן 4', 'Table 4 ןחלוש'],
    ['4 שולחן', 'ןחלוש 4'],
    ['Bar – חוץ – 2', 'Bar – 2 – ץוח'],
    ['', ''],
    ['12', '12'],
  ])('%j is drawn as %j', (text, visual) => {
    expect(order(text)).toBe(visual)
  })
})
