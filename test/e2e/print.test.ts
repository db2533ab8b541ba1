import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCard, type Format, type LayoutName } from '../../src/print/layout.ts'
import { renderSheetHtml } from '../../src/print/sheet-html.ts'
import { renderSheetPdf } from '../../src/print/sheet-pdf.ts'
import { toPng } from '../../src/qr/qr-routes.ts'
import { createSymbol, type Level, toSymbolText } from '../../src/qr/symbol.ts'

const run = promisify(execFile)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'print-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What zbar reads in pictures: their names, each with the texts found in it. */
async function scan(pictures: readonly string[]): Promise<Map<string, Set<string>>> {
  const { stdout } = await run('zbarimg', ['--quiet', '--xml', '-Sdisable', '-Sqrcode.enable', ...pictures], {
    maxBuffer: 1e8,
    // It tries to tell a desktop what it has read.
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

/** Every code that zbar reads on the pages of a PDF, as a printer of 150 dots an inch would show them. */
async function scanPdf(file: string) {
  const pages = `${file}.pages`
  await mkdir(pages)
  await run('pdftoppm', ['-r', '150', '-gray', '-png', file, join(pages, 'page')])
  const pictures = (await readdir(pages)).map((name) => join(pages, name))
  const found = await scan(pictures)
  return { pages: pictures.length, codes: [...new Set([...found.values()].flatMap((texts) => [...texts]))].sort() }
}

const text = toSymbolText('https://menu.example.com', '4F7K9Q2MXR8TWN3B')
const levels: readonly (Level | undefined)[] = [undefined, 'L', 'M', 'Q', 'H']

test.each(levels)('zbar reads every QR code at level %s', async (level) => {
  const matrix = createSymbol(text, level)
  const pictures: string[] = []
  for (let margin = 4; margin <= 16; margin++) {
    const modules = matrix.length + 2 * margin
    for (const scale of [2, 3, 5, 8, 13, Math.floor(2_048 / modules)]) {
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
  ['طاولة', '7'],
  ['stůl', 'Łódź'],
  ['стол', '12'],
  ['τραπέζι', '9'],
  ['bar', 'stool <2>'],
] as const
const codes = Array.from({ length: 50 }, (_, index) => `4F7K9Q2MXR8TW${String(index).padStart(3, '0')}`)
const cards = codes.map((code, index) => {
  const [key, value] = labels[index % labels.length] ?? ['', '']
  const metadata = [{ key, value, visible: true }]
  return createCard({ code, metadata, testMode: index % 4 === 1, nfc: index % 3 === 1 }, base)
})
const expected = codes.map((code) => toSymbolText(base, code))

describe.each([
  ['stickers', 'a4', 5],
  ['stickers', 'letter', 5],
  ['tents', 'a4', 25],
  ['tents', 'letter', 25],
] as const)('%s on %s', (layout: LayoutName, format: Format, pages: number) => {
  const sheet = { venue: 'Zum Löwen', cards, layout, format }
  const name = (kind: string) => join(folder, `${layout}-${format}-${kind}`)

  test('every code of a printed PDF can be read', async () => {
    const file = name('written.pdf')
    await writeFile(file, await renderSheetPdf(sheet))
    const { stdout, stderr } = await run('pdfinfo', [file])
    expect(stderr).toBe('')
    expect(stdout).toMatch(new RegExp(`Pages: +${pages}\n`))
    expect(stdout).toMatch(format === 'a4' ? /Page size: .*\(A4\)/ : /Page size: .*\(letter\)/)
    expect(await scanPdf(file)).toEqual({ pages, codes: expected })
  })

  test('every code of a page printed by a browser can be read', async () => {
    const [page, file] = [name('sheet.html'), name('printed.pdf')]
    await writeFile(page, (await renderSheetHtml(sheet)).body)
    await run('chromium', [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--user-data-dir=${name('profile')}`,
      '--no-pdf-header-footer',
      `--print-to-pdf=${file}`,
      `file://${page}`,
    ])
    expect(await scanPdf(file)).toEqual({ pages, codes: expected })
    // What the documentation shows is what was printed here.
    const picture = resolve(import.meta.dirname, `../../docs/sheet-${layout}`)
    const first = ['-r', '60', '-gray', '-png', '-singlefile', file, picture]
    if (format === 'a4') await run('pdftoppm', first)
  })
})

test('the text of a PDF is searchable in every supported script', async () => {
  const file = join(folder, 'words.pdf')
  await writeFile(
    file,
    await renderSheetPdf({ venue: 'Zum Löwen', cards: cards.slice(0, 7), layout: 'stickers', format: 'a4' }),
  )
  const { stdout } = await run('pdftotext', ['-raw', file, '-'])
  for (const words of [
    'Table 4',
    'テーブル',
    'Stůl Łódź',
    'Стол 12',
    'Τραπέζι 9',
    'Bar stool <2>',
    '4F7K-9Q2M-XR8T-W000',
  ]) {
    expect(stdout).toContain(words)
  }
  expect(stdout).toContain('The HTML sheet prints it.')
})
