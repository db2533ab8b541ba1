import { describe, expect, test } from 'vitest'
import {
  type Card,
  createCard,
  type Format,
  formats,
  type LayoutName,
  layouts,
  toCardLabel,
} from '../../src/print/layout.ts'
import { createPdfFonts } from '../../src/print/pdf-fonts.ts'
import { renderSheetHtml } from '../../src/print/sheet-html.ts'
import { renderSheetPdf } from '../../src/print/sheet-pdf.ts'
import { readPdf, spell } from '../support/pdf.ts'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Different codes that are the same each time. */
const codeOf = (index: number) =>
  Array.from({ length: 16 }, (_, place) => digits[(index * 7 + place * place * 11 + index * place) % 32]).join('')

const tag = (index: number, metadata: [string, string][], more: object = {}) =>
  createCard(
    {
      code: codeOf(index),
      metadata: metadata.map(([key, value]) => ({ key, value, visible: true })),
      testMode: false,
      nfc: false,
      ...more,
    },
    'https://menu.example.com',
  )

const tables = (count: number): Card[] =>
  Array.from({ length: count }, (_, index) =>
    tag(index, [
      ['table', String(index + 1)],
      ['area', 'Terrace'],
    ]),
  )

const print = (cards: Card[], layout: LayoutName = 'stickers', format: Format = 'a4', venue = 'Zum Löwen') =>
  renderSheetPdf({ venue, cards, layout, format })

const textsOf = async (metadata: [string, string][], venue?: string) =>
  (await readPdf(await print([tag(1, metadata)], 'stickers', 'a4', venue))).texts.map(spell)

describe('a label', () => {
  const label = (...metadata: [string, string][]) => toCardLabel(tag(1, metadata).entries)

  test('is the capitalized key and the value', () => {
    expect(label(['table', '4'])).toBe('Table 4')
    expect(label(['table', '4'], ['área', 'norte'])).toBe('Table 4 · Área norte')
    expect(label(['стол', '4'])).toBe('Стол 4')
    expect(label(['Table', ''])).toBe('Table')
    expect(label(['table', ' 4\n\n5 '])).toBe('Table 4 5')
    expect(label()).toBe('')
  })

  test('is cut between grapheme clusters', () => {
    const long = label(['x', '👩‍👩‍👧‍👦'.repeat(100)])
    expect(long.endsWith('👩‍👩‍👧‍👦…')).toBe(true)
    expect([...new Intl.Segmenter().segment(long)].length).toBeLessThanOrEqual(82)
    expect(label(['k', 'é'.normalize('NFD').repeat(5_000)]).length).toBeLessThan(200)
  })
})

describe('fonts', () => {
  const widthOf = (text: string) => createPdfFonts([]).set(text)?.width

  test('have the widths of Helvetica Bold', () => {
    expect(widthOf('Table 4')).toBe(611 + 556 + 611 + 278 + 556 + 278 + 556)
    expect(widthOf('€')).toBe(556)
    expect(widthOf('Ł')).toBe(611)
    expect(widthOf('Ж')).toBe(904)
    expect(widthOf('Ω')).toBe(802)
    expect(widthOf('卓')).toBe(1000)
  })

  test('name glyphs that Windows-1252 lacks', () => {
    const lettering = createPdfFonts([])
    lettering.set('Łódź ŞŢČ ČŁ')
    lettering.set('Ёлка Ђ Ґ')
    lettering.set('Ώρα ΐ ς')
    const fonts: string[] = []
    lettering.fonts((object) => `${fonts.push(object)} 0 R`)
    expect(/Differences \[1 ([^\]]*)\]/.exec(fonts.join())?.[1]?.split(' ')).toEqual(
      '/Lslash /zacute /Scedilla /Tcommaaccent /Ccaron /afii10023 /afii10077 /afii10076 /afii10065 /afii10051 /afii10050 /Omegatonos /rho /alpha /iotadieresistonos /uni03C2'.split(
        ' ',
      ),
    )
  })

  test.each(['طاولة', 'שולחן', 'โต๊ะ', 'मेज़', 'աղյուսակ', 'ế', 'ﾃｰﾌﾞﾙ', '\u038b', 'ѝ'])(
    'refuses %s rather than print something else',
    (text) => {
      expect(widthOf(text)).toBeUndefined()
      expect(widthOf(`4 ${text}`)).toBeUndefined()
    },
  )

  test('omit pictograms and invisible characters', () => {
    expect(widthOf('🌿 A\u202eB\u0007 👩‍👧🇩🇪')).toBe(widthOf('AB'))
    expect(widthOf('©')).toBe(737)
  })

  test.each([
    ['テーブル 卓', 'J', 'HeiseiKakuGo-W5'],
    ['자리 卓', 'K', 'HYGoThic-Medium'],
    ['桌子 卓', 'G', 'STSong-Light'],
  ])('set %s in a font of its language', (text, name, font) => {
    const lettering = createPdfFonts([text])
    expect(lettering.set('卓')?.runs).toEqual([{ font: name, hex: '5353' }])
    const objects: string[] = []
    expect(Object.keys(lettering.fonts((object) => `${objects.push(object)} 0 R`))).toEqual(['H', name])
    expect(objects.join()).toContain(`/BaseFont /${font}`)
  })
})

describe('the PDF', () => {
  test.each([
    ['stickers', 'a4', 5],
    ['stickers', 'letter', 5],
    ['tents', 'a4', 25],
    ['tents', 'letter', 25],
  ] as const)('of 50 tags as %s on %s takes at most 40 KB', async (layout, format, pages) => {
    const bytes = await print(tables(50), layout, format)
    expect(bytes.length).toBeLessThanOrEqual(40_960)
    expect((await readPdf(bytes)).pages).toHaveLength(pages)
  })

  test('fills a page before it starts another', async () => {
    const pages = async (count: number) => (await readPdf(await print(tables(count)))).pages.length
    expect([await pages(0), await pages(1), await pages(12), await pages(13)]).toEqual([1, 1, 1, 2])
  })

  test('prints values without their unsupported keys and says that text is missing', async () => {
    const texts = await textsOf([
      ['طاولة', '7'],
      ['เขต', 'สวน'],
      ['floor', '2'],
    ])
    expect(texts[0]).toBe('7 · Floor 2')
    expect(texts.at(-1)).toMatch(/HTML sheet/)
  })

  test('omits an unsupported name, never the code', async () => {
    const texts = await textsOf([], 'مطعم')
    expect(texts[0]).toBe(tag(1, []).code)
    expect(texts.at(-1)).toMatch(/HTML sheet/)
  })

  test('shortens long texts', async () => {
    const [label = ''] = await textsOf([['table', 'W'.repeat(5_000)]])
    expect(label).toMatch(/^Table W{5,40}…$/)
  })

  test('escapes PDF operators in texts', async () => {
    const [label] = await textsOf([['note', ') Tj ET (\\ > <00 endstream']])
    expect(label).toBe('Note ) Tj ET (\\ > <00 endstream')
  })
})

test.each([
  ['stickers', 'a4'],
  ['stickers', 'letter'],
  ['tents', 'a4'],
  ['tents', 'letter'],
] as const)('%s fit on %s', (layout, format) => {
  const { columns, rows, width, height, gap, isFolded, symbol } = layouts[layout](format)
  const paper = formats[format]
  const down = isFolded ? 2 * height : rows * (height + gap) - gap
  const spare = isFolded ? 0 : 24
  expect(columns * (width + gap) - gap).toBeLessThanOrEqual(paper.width - spare + 1e-9)
  expect(down).toBeLessThanOrEqual(paper.height - spare + 1e-9)
  // A reader needs its quiet zone, and a phone at arm's length modules of at least half a millimetre.
  expect(symbol.size / 37).toBeGreaterThan(0.5)
  expect(symbol.top + symbol.size).toBeLessThan(height)
})

test('a page of 50 tags has no script and no inline style', async () => {
  const { body } = await renderSheetHtml({ venue: 'Zum Löwen', cards: tables(50), layout: 'tents', format: 'letter' })
  expect(body).not.toMatch(/<script|\sstyle=|javascript:/)
  expect(body.match(/<article/g)).toHaveLength(50)
})
