import { describe, expect, test } from 'vitest'
import { createAccentStyles, getContrast, toAccent } from '../../../src/storefront/pages/accent-color.ts'

const [light, dark] = ['#fdfbf7', '#171411']

describe('the color of a venue', () => {
  test('stays where it can be read', () => {
    expect(toAccent('#9a3b12').light).toBe('#9a3b12')
    expect(toAccent('#F0A36B').dark).toBe('#f0a36b')
  })

  test.each(['#000000', '#ffffff', '#ffff00', '#0000ff', '#ff0000', '#808080', '#fdfbf7', '#171411', '#00ff7f'])(
    '%s is adjusted to a contrast of 4.5 on light and dark paper',
    (color) => {
      const accent = toAccent(color)
      expect(getContrast(accent.light, light)).toBeGreaterThanOrEqual(4.5)
      expect(getContrast(accent.dark, dark)).toBeGreaterThanOrEqual(4.5)
    },
  )

  test('keeps its hue', () => {
    expect(toAccent('#ffff00').light).toMatch(/^#(..)\1..$/)
    expect(toAccent('#0000ff').dark).toMatch(/^#(..)\1ff$/)
  })

  test('is not used on paper', () => expect(createAccentStyles('#ff0000')).not.toMatch(/^(?!@media screen)/))
})

test('contrast is that of WCAG', () => {
  expect(getContrast('#000000', '#ffffff')).toBe(21)
  expect(getContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
