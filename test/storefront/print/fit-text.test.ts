import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { staffMessagesByLanguage } from '../../../src/storefront/pages/staff/languages.ts'
import { createCards, type SheetContent } from '../../../src/storefront/print/cards.ts'
import { getDefaultFormat, type LayoutName, layoutNames } from '../../../src/storefront/print/layouts.ts'
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
