import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { staffMessagesByLanguage } from '../../../src/storefront/pages/staff/languages.ts'
import { type Card, createCards, type SheetContent, toCardLabel } from '../../../src/storefront/print/cards.ts'
import {
  getFormats,
  type LayoutName,
  layoutNames,
  type PaperFormat,
  placeLayout,
} from '../../../src/storefront/print/layouts.ts'
import { readFontPacks } from '../../../src/storefront/print/scripts/font-pack.ts'
import { renderSheetHtml } from '../../../src/storefront/print/sheet-html.ts'
import { renderSheetPdf } from '../../../src/storefront/print/sheet-pdf.ts'
import { readPdf, spell } from '../../support/pdf.ts'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Different codes that are the same each time. */
const codeOf = (index: number) =>
  Array.from({ length: 16 }, (_, place) => digits[(index * 7 + place * place * 11 + index * place) % 32]).join('')

const tag = (index: number, metadata: [string, string][], more: object = {}): Card => {
  const entries = metadata.map(([key, value]) => ({ key, value }))
  const [card] = createCards(
    [{ code: codeOf(index), entries, testMode: false, nfc: false, ...more }],
    'https://menu.example.com',
  )
  if (!card) throw new Error('no card')
  return card
}

const tables = (count: number): Card[] =>
  Array.from({ length: count }, (_, index) =>
    tag(index, [
      ['table', String(index + 1)],
      ['area', 'Terrace'],
    ]),
  )

const toContent = (
  cards: Card[],
  layout: LayoutName = 'stickers',
  format: PaperFormat = 'a4',
  venue = 'Zum Löwen',
): SheetContent => ({
  ...{ venue, cards, layout, format, language: 'en', messages: staffMessagesByLanguage.en, skip: 0, omitted: 0 },
  address: 'menu.example.com/t',
})
const print = (...parts: Parameters<typeof toContent>) =>
  renderSheetPdf(toContent(...parts), (texts) => readFontPacks(env, texts))

const textsOf = async (metadata: [string, string][], venue?: string) =>
  (await readPdf(await print([tag(1, metadata)], 'stickers', 'a4', venue))).texts.map(spell)

test.each(layoutNames)('a code of wide letters is printed whole on %s', async (layout) => {
  const wide = createCards(
    [{ code: 'W'.repeat(16), entries: [], testMode: false, nfc: false }],
    'https://menu.example.com',
  )
  for (const format of getFormats(layout)) {
    expect((await readPdf(await print(wide, layout, format))).texts.map(spell)).toContain('WWWW-WWWW-WWWW-WWWW')
  }
})

describe('a label', () => {
  const label = (...metadata: [string, string][]) => toCardLabel(tag(1, metadata).entries)

  test('is the capitalized key and the value', () => {
    expect(label(['table', '4'])).toBe('Table 4')
    expect(label(['table', '4'], ['área', 'norte'])).toBe('Table 4, Área norte')
    expect(label(['table', 'Table 4'])).toBe('Table 4')
    expect(label(['стол', '4'])).toBe('Стол 4')
    expect(label(['Table', ''])).toBe('Table ')
    expect(label(['table', ' 4\n\n5 '])).toBe('Table 4 5')
    expect(label()).toBe('')
  })

  test('is shortened in its middle, between grapheme clusters', () => {
    const long = label(['x', `${'👩‍👩‍👧‍👦'.repeat(100)} 12`])
    expect(long).toMatch(/^X (?:👩‍👩‍👧‍👦)+…(?:👩‍👩‍👧‍👦)+ 12$/u)
    expect([...new Intl.Segmenter().segment(long)].length).toBeLessThanOrEqual(82)
    expect(label(['k', 'é'.normalize('NFD').repeat(5_000)]).length).toBeLessThan(200)
  })
})

describe('the PDF', () => {
  test.each([
    ['stickers', 'a4', 5],
    ['stickers', 'letter', 5],
    ['tents', 'a4', 25],
    ['tents', 'letter', 25],
  ] as const)('of 50 tags as %s on %s takes at most 44 KB', async (layout, format, pages) => {
    const bytes = await print(tables(50), layout, format)
    expect(bytes.length).toBeLessThanOrEqual(45_056)
    expect((await readPdf(bytes)).pages).toHaveLength(pages)
  })

  test('fills a page before it starts another', async () => {
    const pages = async (count: number) => (await readPdf(await print(tables(count)))).pages.length
    expect([await pages(0), await pages(1), await pages(12), await pages(13)]).toEqual([1, 1, 1, 2])
  })

  test('prints values without their unsupported keys and says that text is missing', async () => {
    const texts = await textsOf([
      ['սեղան', '7'],
      ['ტერასა', 'ბაღი'],
      ['floor', '2'],
    ])
    expect(texts).toContain('7, Floor 2')
    expect(texts.at(-1)).toMatch(/web page/)
  })

  test('omits an unsupported name, never the code', async () => {
    const texts = await textsOf([], 'ռեստորան')
    expect(texts).toContain(tag(1, []).code)
    expect(texts.at(-1)).toMatch(/web page/)
  })

  test('shortens long texts', async () => {
    const texts = await textsOf([['table', `${'W'.repeat(5_000)} 12`]])
    expect(texts.filter((text) => /^Table W{5,40}…$/.test(text))).toHaveLength(1)
    expect(texts.filter((text) => /^W{5,40} 12$/.test(text))).toHaveLength(1)
  })

  test('escapes PDF operators in texts', async () => {
    const texts = await textsOf([['note', ') Tj ET (\\ > <00 endstream']])
    expect(texts.join(' ')).toContain('Note ) Tj ET (\\ > <00 endstream')
  })
})

describe.each(layoutNames)('the layout %s', (name) => {
  test('fits its paper, and its texts and symbol fit its cards', () => {
    for (const format of getFormats(name).flatMap((format) => [true, false].map((hasArea) => ({ format, hasArea })))) {
      const { layout, paper, margin } = placeLayout(name, format.format, { hasArea: format.hasArea, hasLogo: true })
      const { columns, rows, width, height, pitch, isFolded, symbol, mark } = layout
      expect(margin.left).toBeGreaterThanOrEqual(0)
      expect(margin.top).toBeGreaterThanOrEqual(0)
      expect(2 * margin.left + (columns - 1) * pitch.x + width).toBeCloseTo(paper.width, 6)
      expect(2 * margin.top + (rows - 1) * pitch.y + height * (isFolded ? 2 : 1)).toBeCloseTo(paper.height, 6)
      expect(pitch.x).toBeGreaterThanOrEqual(width)
      // A reader needs its quiet zone, and a phone at arm's length modules of at least half a millimetre.
      expect(symbol.size / 37).toBeGreaterThan(0.5)
      const quiet = (symbol.size / 37) * 4
      const { test: band, plate, label, area, scan, address, code, venue, logo } = layout
      const isApart =
        logo.left + logo.width <= mark.left ||
        logo.top + logo.height <= mark.top ||
        mark.top + 1.5 * mark.width <= logo.top
      expect([logo, mark, isApart]).toEqual([logo, mark, true])
      for (const box of [
        band,
        plate,
        label,
        area,
        scan,
        address,
        code,
        venue,
        logo,
        { ...mark, height: 1.5 * mark.width },
      ]) {
        expect(box.left).toBeGreaterThanOrEqual(0)
        expect(box.top).toBeGreaterThanOrEqual(0)
        expect(box.left + box.width).toBeLessThanOrEqual(width + 1e-9)
        expect(box.top + box.height).toBeLessThanOrEqual(height)
        // No text is in the dark part of the symbol or in its quiet zone, except for half a module of ascenders.
        const isBeside = box.left >= symbol.left + symbol.size - 0.5 * quiet || box.left + box.width <= symbol.left
        const isAboveOrBelow =
          box.top >= symbol.top + symbol.size - 0.15 * quiet || box.top + box.height <= symbol.top + 0.5 * quiet
        expect([box, isBeside || isAboveOrBelow]).toEqual([box, true])
      }
    }
  })
})

/** Measures of Avery stock as third parties publish them, in millimetres: label, margins and pitch. */
test.each([
  ['avery-5160', 'letter', 3, 10, [66.675, 25.4], [4.7625, 12.7], [69.85, 25.4]],
  ['avery-l7160', 'a4', 3, 7, [63.5, 38.1], [7.21, 15.15], [66.04, 38.1]],
  ['avery-22806', 'letter', 3, 4, [50.8, 50.8], [15.875, 15.875], [66.675, 65.617]],
] as const)('%s has the measures of its stock', (name, format, columns, rows, size, edges, pitches) => {
  const { layout, margin } = placeLayout(name, format)
  expect([layout.columns, layout.rows]).toEqual([columns, rows])
  const pairs = [
    [layout.width, size[0]],
    [layout.height, size[1]],
    [margin.left, edges[0]],
    [margin.top, edges[1]],
    [layout.pitch.x, pitches[0]],
    [layout.pitch.y, pitches[1]],
  ] as const
  for (const [actual, published] of pairs) expect(Math.abs(actual - published)).toBeLessThan(0.01)
})

test('all labels of a sheet have the same size, and none is wider than its box', async () => {
  const cards = [tag(1, [['table', '4']]), tag(2, [['table', 'by the window on the upper floor']])]
  for (const layout of layoutNames) {
    const [format = 'a4'] = getFormats(layout)
    const { pages } = await readPdf(await print(cards, layout, format))
    const { body } = await renderSheetHtml(toContent(cards, layout, format))
    const { label } = placeLayout(layout, format).layout
    const size = Number(/\.label\{[^}]*font-size:([\d.]+)pt/.exec(body)?.[1])
    expect(size).toBeGreaterThanOrEqual(label.points / 2)
    expect(size).toBeLessThan(label.points)
    const sizes = pages.join('').matchAll(/\/H ([\d.]+) Tf <5461626c65/g)
    expect(new Set(Array.from(sizes, ([, used]) => used))).toEqual(
      new Set([String(Number((size / (72 / 25.4)).toFixed(3)))]),
    )
  }
})

test('a page of 50 tags has no script and no inline style', async () => {
  const { body } = await renderSheetHtml(toContent(tables(50), 'tents', 'letter'))
  expect(body).not.toMatch(/<script|\sstyle=|javascript:/)
  expect(body.match(/<article/g)).toHaveLength(50)
})
