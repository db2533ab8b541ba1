import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { type Theme, themes } from '../../../../src/platform/themes.ts'
import { getContrast } from '../../../../src/storefront/pages/accent-color.ts'
import { staffMessagesByLanguage } from '../../../../src/storefront/pages/staff/languages.ts'
import { createCards, type SheetContent } from '../../../../src/storefront/print/cards.ts'
import { createMeasure } from '../../../../src/storefront/print/fit-text.ts'
import { getPaperLook } from '../../../../src/storefront/print/look/paper-colors.ts'
import { listPaperFonts, readPaperFonts } from '../../../../src/storefront/print/look/paper-font.ts'
import { createPdfFonts } from '../../../../src/storefront/print/pdf-fonts.ts'
import { renderSheetHtml } from '../../../../src/storefront/print/sheet-html.ts'
import { renderSheetPdf } from '../../../../src/storefront/print/sheet-pdf.ts'
import { readPdf, spell } from '../../../support/pdf.ts'

const entries = [
  { key: 'table', value: '201' },
  { key: 'area', value: 'Dachterrasse' },
]

async function createContent(theme: Theme, color?: string): Promise<SheetContent> {
  const tags = [{ code: '4F7K9Q2MXR8TWN3B', entries, testMode: false, nfc: false }]
  return {
    ...{ venue: 'Zum Löwen', language: 'de', messages: staffMessagesByLanguage.de, omitted: 0, theme, color },
    ...{ address: 'menu.example.com/t', cards: createCards(tags, 'https://menu.example.com') },
    ...{ layout: 'tents', format: 'a4', fonts: await readPaperFonts(env, theme, ['Tisch Löwen Dachterrasse']) },
  }
}

test.each([
  ['cafe', 'Tisch 201', 'Zum Löwen'],
  ['bar', 'TISCH 201', 'ZUM LÖWEN'],
  ['fine', 'Tisch 201', 'Zum Löwen'],
] as const)(
  'in %s, paper has the type and the color of the venue, and the name of the table in its language',
  async (theme, label, venue) => {
    const content = await createContent(theme, '#ffff00')
    const pdf = await readPdf(await renderSheetPdf(content, async () => new Map()))
    const texts = pdf.texts.map(spell)
    expect(texts).toEqual(expect.arrayContaining([label, 'Dachterrasse', venue]))
    // The plate of pure yellow has black text. The fine design has no plate.
    expect(pdf.pages[0]?.includes('1 1 0 rg')).toBe(theme !== 'fine')
    expect(pdf.objects.join()).toMatch(theme === 'bar' ? /\+sans700latin/ : /\+serif(?:600|400)latin/)
    const { body, policy } = await renderSheetHtml(content)
    expect(body).toContain(`>${label}</bdi>`)
    expect(body).toMatch(/@font-face\{font-family:s\w+-own/)
    expect(body.includes('fill="#ffff00"')).toBe(theme !== 'fine')
    expect(policy).toContain("font-src 'self'")
  },
)

test('texts can be read on every plate, and a pale plate has an edge', () => {
  for (const theme of themes) {
    for (const color of [undefined, '#ffff00', '#ffffff', '#000000', '#808080', '#d9005b']) {
      const { plate = '#ffffff', onPlate, accent, edge } = getPaperLook({ theme, color })
      expect([theme, color, getContrast(onPlate, plate) >= 4.5, getContrast(accent, '#ffffff') >= 4.5]).toEqual([
        ...[theme, color],
        ...[true, true],
      ])
      expect(edge !== undefined).toBe(theme !== 'fine' && (color === '#ffff00' || color === '#ffffff'))
    }
  }
})

test('texts are as wide as they are measured, with the distances of their pairs', async () => {
  const fonts = await readPaperFonts(env, 'cafe', ['Ta'])
  const [font] = fonts.display
  expect(font?.kerning['Ta']).toBeLessThan(-20)
  const measure = createMeasure({ fonts })
  for (const text of ['Tavolo 7', 'AVAT', 'Żółw', 'テーブル 4']) {
    const line = createPdfFonts([text], new Map(), fonts).set(text, 'display')
    expect([text, (line?.width ?? 0) / 1000]).toEqual([text, expect.closeTo(measure(text, 'display'), 5)])
  }
})

test('each font of paper takes at most 60 KB', async () => {
  for (const { file } of listPaperFonts()) {
    const bytes = await (await env.ASSETS.fetch(`https://assets.local/fonts/${file}`)).arrayBuffer()
    expect([file, bytes.byteLength > 1_000, bytes.byteLength <= 61_440]).toEqual([file, true, true])
  }
})
