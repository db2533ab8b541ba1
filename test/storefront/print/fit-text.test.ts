import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { staffMessagesByLanguage } from '../../../src/storefront/pages/staff/languages.ts'
import { createCards, type SheetContent } from '../../../src/storefront/print/cards.ts'
import { getDefaultFormat, type LayoutName, layoutNames, placeLayout } from '../../../src/storefront/print/layouts.ts'
import { readFontPacks } from '../../../src/storefront/print/scripts/font-pack.ts'
import { renderSheetHtml } from '../../../src/storefront/print/sheet-html.ts'
import { renderSheetPdf } from '../../../src/storefront/print/sheet-pdf.ts'
import { readPdf, spell } from '../../support/pdf.ts'

const names = [
  'Terrasse am Fluss links hinten Tisch 12',
  'Donaudampfschifffahrtsgesellschaftskapitänszimmer Tisch 12',
  `${'Terrasse am Fluss '.repeat(40)}Tisch 12`,
]

test.each(layoutNames.flatMap((layout) => names.map((name): [LayoutName, string] => [layout, name])))(
  'on %s, the start and the end of %s are printed, alike in PDF and HTML',
  async (layout, name) => {
    const entries = [{ key: '', value: name }]
    const tags = [{ code: '4F7K9Q2MXR8TWN3B', entries, testMode: false, nfc: false }]
    const content: SheetContent = {
      ...{ venue: 'Zum Löwen', language: 'de', messages: staffMessagesByLanguage.de, omitted: 0, layout },
      ...{ address: 'menu.example.com/t', cards: createCards(tags, 'https://menu.example.com') },
      format: getDefaultFormat(layout),
    }
    const { body } = await renderSheetHtml(content)
    const [, label = ''] = /<p class="label">(.*?)<\/p>/.exec(body) ?? []
    const lines = Array.from(label.matchAll(/<bdi[^>]*>(.*?)<\/bdi>/g), ([, line = '']) => line)
    expect(lines.join(' ')).toMatch(/^(?:Terrasse am F|Donaudampf).*Tisch 12$/)
    const { texts } = await readPdf(await renderSheetPdf(content, (texts) => readFontPacks(env, texts)))
    expect(texts.map(spell)).toEqual(expect.arrayContaining(lines))
  },
)

/** A sheet of stickers for tables with names and, optionally, parts of the venue. The last one is for tests. */
function createSheet(layout: LayoutName, tables: readonly (readonly [name: string, area?: string])[]) {
  const tags = tables.map(([value, area], index) => ({
    code: `4F7K9Q2MXR8TWN3${index}`,
    entries: [{ key: '', value }, ...(area === undefined ? [] : [{ key: 'area', value: area }])],
    testMode: index === tables.length - 1,
    nfc: false,
  }))
  return {
    ...{ venue: 'Zum Löwen', language: 'de', messages: staffMessagesByLanguage.de, omitted: 0, layout },
    ...{ address: 'menu.example.com/t', cards: createCards(tags, 'https://menu.example.com') },
    format: getDefaultFormat(layout),
  } satisfies SheetContent
}
const readSize = (body: string, name: string) =>
  Number(new RegExp(`\\.${name}\\{[^}]*font-size:([\\d.]+)pt`).exec(body)?.[1])

test('one long name is smaller than the others, and begins again with a word after it was shortened', async () => {
  const long = 'Stammtisch der Donaudampfschifffahrtsgesellschaft Kapitän Müller-Lüdenscheidt'
  const content = createSheet('stickers', [['7'], ['8'], [long], ['12']])
  const { body } = await renderSheetHtml(content)
  expect(body.match(/<p class="label">/g)).toHaveLength(3)
  expect(readSize(body, 'longLabel')).toBeLessThan(readSize(body, 'label'))
  const [, lines = ''] = /<p class="longLabel">(.*?)<\/p>/.exec(body) ?? []
  expect(lines).toMatch(/<bdi[^>]*>Stammtisch der .*…<\/bdi><bdi[^>]*>(Kapitän )?Müller-Lüdenscheidt<\/bdi>/)
  const { texts } = await readPdf(await renderSheetPdf(content, (texts) => readFontPacks(env, texts)))
  expect(texts.map(spell).filter((text) => text.endsWith('Müller-Lüdenscheidt'))).toHaveLength(1)
})

test('a table outside of all parts of the venue has the whole plate for its name; parts are smaller than names', async () => {
  const { body } = await renderSheetHtml(createSheet('tents', [['7'], ['8', 'Dachterrasse'], ['9']]))
  const readBox = (name: string) =>
    new RegExp(`\\.${name}\\{left:[^;]*;(top:[^;]*;)width:[^;]*;(height:[^;]*;)`).exec(body)
  expect(body.match(/<p class="soleLabel">/g)).toHaveLength(4)
  expect(readBox('soleLabel')?.slice(1)).toEqual(readBox('plate')?.slice(1) ?? [])
  expect(readSize(body, 'area')).toBeLessThanOrEqual(0.6 * readSize(body, 'label'))
})

test.each(layoutNames)('the mark of a test covers no text on %s', async (layout) => {
  const content = createSheet(layout, [['7'], ['8']])
  const { body } = await renderSheetHtml(content)
  const [first = '', last = ''] = body.split('<article').slice(1)
  const names = ['venue', 'address', 'code'] as const
  const { test: mark, ...boxes } = placeLayout(layout, content.format).layout
  const isFree = (name: (typeof names)[number]) =>
    boxes[name].top + boxes[name].height <= mark.top ||
    boxes[name].top >= mark.top + mark.height ||
    boxes[name].left >= mark.left + mark.width ||
    boxes[name].left + boxes[name].width <= mark.left
  for (const name of names) {
    expect(first).toContain(`<p class="${name}"`)
    expect([name, last.includes(`<p class="${name}"`)]).toEqual([name, isFree(name)])
  }
  const { texts } = await readPdf(await renderSheetPdf(content, (texts) => readFontPacks(env, texts)))
  const count = (text: string) => texts.map(spell).filter((each) => each === text).length
  expect(count('Zum Löwen')).toBe(
    (placeLayout(layout, content.format).layout.isFolded ? 2 : 1) * (isFree('venue') ? 2 : 1),
  )
})
