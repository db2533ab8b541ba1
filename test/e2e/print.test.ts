import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffMessagesByLanguage } from '../../src/storefront/pages/staff/languages.ts'
import { createCards, type SheetContent } from '../../src/storefront/print/cards.ts'
import { millimetre } from '../../src/storefront/print/fit-text.ts'
import { getFormats, layoutNames, placeLayout } from '../../src/storefront/print/layouts.ts'
import { createPdfFonts } from '../../src/storefront/print/pdf-fonts.ts'
import { type FontPack, packNames, toPackFile } from '../../src/storefront/print/scripts/font-pack.ts'
import { renderSheetHtml } from '../../src/storefront/print/sheet-html.ts'
import { renderSheetPdf } from '../../src/storefront/print/sheet-pdf.ts'
import { toPng } from '../../src/storefront/qr/drawing.ts'
import { createSymbol, type Level, toSymbolText } from '../../src/storefront/qr/symbol.ts'
import { openFont } from '../../tools/cli/fonts/font-packs.ts'
import { getBrowser, visit } from './browser.ts'
import { isLong, takeShare } from './rounds.ts'

const run = promisify(execFile)

let folder: string
const browser = await getBrowser()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'print-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Returns the texts that zbar reads in each picture, by its name. */
async function scan(pictures: readonly string[]): Promise<Map<string, Set<string>>> {
  const { stdout } = await run('zbarimg', ['--quiet', '--xml', '-Sdisable', '-Sqrcode.enable', ...pictures], {
    maxBuffer: 1e8,
    // Prevents a message to the desktop.
    env: { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/dev/null' },
  })
  const sources = [...stdout.matchAll(/<source href='([^']*)'>(.*?)<\/source>/gs)]
  return new Map(
    sources.map(([, name = '', found = '']) => [
      name,
      new Set([...found.matchAll(/<!\[CDATA\[(.*?)\]\]>/g)].map(([, text = '']) => text)),
    ]),
  )
}

/** Resolutions of prints in dots an inch. zbar misses a code on a crowded page at some of them; a phone looks at one code. */
const resolutions = [150, 220, 300]

/** The pages of a PDF, and the codes that zbar reads on them: at further resolutions, until it has read all that are expected. */
async function scanPdf(file: string, expected: readonly string[]) {
  const codes = new Set<string>()
  let pages = 0
  for (const resolution of resolutions) {
    const folder = `${file}.${resolution}`
    await mkdir(folder)
    // Uncompressed: PNG takes most of the time of both programs.
    await run('pdftoppm', ['-r', `${resolution}`, '-gray', file, join(folder, 'page')])
    const pictures = (await readdir(folder)).map((name) => join(folder, name))
    pages = pictures.length
    for (const texts of (await scan(pictures)).values()) for (const text of texts) codes.add(text)
    if (expected.every((code) => codes.has(code))) break
  }
  return { pages, codes: [...codes].sort() }
}

const text = toSymbolText('https://menu.example.com', '4F7K9Q2MXR8TWN3B')
// The default is one of these levels: see test/storefront/qr/symbol.test.ts.
const levels: readonly Level[] = ['L', 'M', 'Q', 'H']
/** Each margin is read at one of the scales; in CI at all scales. */
const isRead = (index: number, margin: number) => isLong || index === margin % 6

test.each(levels)('zbar reads every QR code at level %s', async (level) => {
  const matrix = createSymbol(text, level)
  const pictures: string[] = []
  for (let margin = 4; margin <= 16; margin++) {
    const modules = matrix.length + 2 * margin
    for (const [index, scale] of [2, 3, 5, 8, 13, Math.floor(2_048 / modules)].entries()) {
      if (!isRead(index, margin)) continue
      const file = join(folder, `${level}-${margin}-${scale}.png`)
      await writeFile(file, await toPng(matrix, { scale, margin }))
      pictures.push(file)
    }
  }
  const found = await scan(pictures)
  expect(pictures.filter((picture) => ![...(found.get(picture) ?? [])].includes(text))).toEqual([])
})

const base = 'https://menu.example.com'
const labels = [
  ['table', '4'],
  ['テーブル', '４番'],
  ['stůl', 'Łódź'],
  ['стол', '12'],
  ['τραπέζι', '9'],
  ['bar', 'stool <2>'],
  ['طاولة', '7'],
] as const
const codes = Array.from({ length: 32 }, (_, index) => `4F7K9Q2MXR8TW${String(index).padStart(3, '0')}`)
const cards = createCards(
  codes.map((code, index) => {
    const [key, value] = labels[index % labels.length] ?? ['', '']
    return { code, entries: [{ key, value }], testMode: index % 4 === 1, nfc: index % 3 === 1 }
  }),
  base,
)
const expected = codes.map((code) => toSymbolText(base, code))
const content = {
  ...{ venue: 'Zum Löwen', language: 'de', messages: staffMessagesByLanguage.de, omitted: 0 },
  ...{ address: 'menu.example.com/t', cards, layout: 'stickers', format: 'a4' },
} as const satisfies SheetContent

/** The packs that the service loads, as the build has drawn them. */
const packs = new Map(
  packNames.map((name): [typeof name, FontPack] => [
    name,
    JSON.parse(readFileSync(`public/${toPackFile(name)}`, 'utf8')),
  ]),
)
const readPacks = async () => packs

/** Every layout, in CI on each of its papers: a full page and the beginning of another. */
const sheets = takeShare(layoutNames, 3).flatMap((layout, index) =>
  getFormats(layout)
    .filter((_, paper, { length }) => isLong || paper === index % length)
    .map((format) => {
      const { columns, rows } = placeLayout(layout, format).layout
      return { layout, format, count: columns * rows + 1 }
    }),
)

describe.each(sheets)('$layout on $format', ({ layout, format, count }) => {
  const sheet = { ...content, cards: cards.slice(0, count), layout, format }
  const printed = { pages: 2, codes: expected.slice(0, count) }
  const { paper } = placeLayout(layout, format)
  const name = (kind: string) => join(folder, `${layout}-${format}-${kind}`)
  /** Size of the pages of a PDF in millimetres. */
  const measure = async (file: string) => {
    const { stdout, stderr } = await run('pdfinfo', [file])
    expect(stderr).toBe('')
    const [, width, height] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(stdout) ?? []
    return { width: Number(width) / millimetre, height: Number(height) / millimetre }
  }
  // Browsers round to whole points.
  const within = (length: number) => expect.closeTo(length, 0)
  const size = { width: within(paper.width), height: within(paper.height) }

  test('every code of a printed PDF can be read', async () => {
    const file = name('written.pdf')
    await writeFile(file, await renderSheetPdf(sheet, readPacks))
    expect(await measure(file)).toEqual(size)
    expect(await scanPdf(file, printed.codes)).toEqual(printed)
  })

  test('every code of a page printed by a browser can be read', async () => {
    const [page, file] = [name('sheet.html'), name('printed.pdf')]
    await writeFile(page, (await renderSheetHtml(sheet)).body)
    await visit(browser, `file://${page}`, {}, async (tab) => {
      await tab.pdf({ path: file, preferCSSPageSize: true, printBackground: true })
    })
    expect(await measure(file)).toEqual(size)
    expect(await scanPdf(file, printed.codes)).toEqual(printed)
  })
})

test.each(takeShare(layoutNames, 2))('on %s, no browser cuts a line of a long name', async (layout) => {
  const names = [
    'Terrasse am Fluss links hinten Tisch 12',
    'W'.repeat(300),
    'شرفة على النهر خلف اليسار طاولة 12',
    '卓'.repeat(50),
  ]
  const tags = names.map((value, index) => ({
    ...{ code: codes[index] ?? '', testMode: false, nfc: false },
    entries: [{ key: '', value }],
  }))
  const file = join(folder, `${layout}-long.html`)
  const venue = 'Gasthaus zum Löwen am alten Marktplatz'
  const [format = 'a4'] = getFormats(layout)
  await writeFile(
    file,
    (await renderSheetHtml({ ...content, layout, format, venue, cards: createCards(tags, base) })).body,
  )
  const cut = await visit(browser, `file://${file}`, {}, (tab) =>
    tab.evaluate(
      '[...document.querySelectorAll(".face bdi")].filter((line) => line.scrollWidth > line.clientWidth + 1).map((line) => line.textContent)',
    ),
  )
  expect(cut).toEqual([])
})

test('the text of a PDF is searchable in every supported script; what is missing is said in the language of the venue', async () => {
  const labels = [
    'Table 4',
    'テーブル',
    'Stůl Łódź',
    'Стол 12',
    'Τραπέζι 9',
    'Bar stool <2>',
    'שולחן',
    'โต๊ะ',
    'मेज़',
    'طاولة',
    'սեղան',
  ]
  const tags = labels.map((value, index) => ({
    ...{ code: codes[index] ?? '', testMode: false, nfc: false },
    entries: [{ key: '', value }],
  }))
  const file = join(folder, 'words.pdf')
  const { ar: messages } = staffMessagesByLanguage
  const sheet: SheetContent = { ...content, language: 'ar', messages, venue: 'مقهى', cards: createCards(tags, base) }
  await writeFile(file, await renderSheetPdf(sheet, readPacks))
  const { stdout } = await run('pdftotext', ['-raw', file, '-'])
  const text = stdout.replace(/\p{Cf}/gu, '')
  for (const words of [...labels.slice(0, -1), '4F7K-9Q2M-XR8T-W000', 'menu.example.com/t', 'مقهى']) {
    expect(text).toContain(words.normalize('NFC'))
  }
  for (const word of [...messages.scan.split(' '), 'النصوص']) expect(text).toContain(word)
})

/** Words of which letters change, join, move or stack. */
test.each([
  ['arabic', ['طاولة', 'القائمة', 'السلام', 'پنجره', 'گوشه']],
  ['devanagari', ['मेज़', 'हिन्दी', 'क्षत्रिय', 'स्त्री', 'कर्म', 'श्री', 'लक्ष्मी', 'विद्यार्थी', 'ज्ञान', 'चन्द्र', 'उत्तर', 'पर्व']],
  ['hebrew', ['שולחן', 'מרפסת']],
  ['thai', ['โต๊ะ', 'ที่', 'น้ำ', 'ป้า', 'ผู้ใหญ่', 'ปู่', 'กุ้ง']],
] as const)('words in %s are as wide as the font itself shapes them', (name, words) => {
  const font = openFont(name)
  const fonts = createPdfFonts([], packs)
  for (const word of words) {
    // Without kerning, because the PDF has none in any script.
    const width = font.layout(word).glyphs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0)
    expect([word, fonts.set(word)?.width]).toEqual([word, (width * 1000) / font.unitsPerEm])
  }
})
