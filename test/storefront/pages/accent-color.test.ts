import { describe, expect, test } from 'vitest'
import { themes } from '../../../src/platform/themes.ts'
import { getContrast, getTextColor, toAccent } from '../../../src/storefront/pages/accent-color.ts'
import { createThemeStyles } from '../../../src/storefront/pages/look/theme-styles.ts'
import { palettes } from '../../../src/storefront/pages/look/tokens.ts'

describe('the color of a venue', () => {
  test('stays where it can be read', () => {
    expect(toAccent('#96380f', 'cafe').light).toBe('#96380f')
    expect(toAccent('#F2A56E', 'cafe').dark).toBe('#f2a56e')
  })

  describe.each(themes)('in the design %s', (theme) => {
    test.each(['#000000', '#ffffff', '#ffff00', '#0000ff', '#ff0000', '#808080', '#fdf9f3', '#171310', '#00ff7f'])(
      '%s is adjusted to a contrast of 4.5 on all backgrounds, light and dark',
      (color) => {
        const accent = toAccent(color, theme)
        for (const scheme of ['light', 'dark'] as const) {
          const { paper, card, tint } = palettes[theme][scheme]
          for (const background of [paper, card, tint]) {
            expect(getContrast(accent[scheme], background)).toBeGreaterThanOrEqual(4.5)
          }
        }
      },
    )
  })

  test('keeps its hue', () => {
    expect(toAccent('#ffff00', 'cafe').light).toMatch(/^#(..)\1..$/)
    expect(toAccent('#0000ff', 'cafe').dark).toMatch(/^#(..)\1ff$/)
  })

  test('is not used on paper', () =>
    expect(createThemeStyles({ theme: 'bar', color: '#ff0000', alphabets: [] })).toContain(
      '@media print{:root{--mark:#000',
    ))

  test.each(['#ffff00', '#0000ff', '#808080', '#ff0000'])('text on %s can be read', (color) =>
    expect(getContrast(color, getTextColor(color))).toBeGreaterThanOrEqual(4.5),
  )
})

test('contrast is that of WCAG', () => {
  expect(getContrast('#000000', '#ffffff')).toBe(21)
  expect(getContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
