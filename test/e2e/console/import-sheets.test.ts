import { strToU8, zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()

/** A spreadsheet whose sheets have texts and numbers in rows. */
function createBook(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>) {
  const toCell = (value: string | number) =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const entries = Object.entries(sheets).map(([name, rows], index) => ({
    ...{ name, path: `worksheets/sheet${index + 1}.xml`, id: `r${index + 1}` },
    content: rows.map((cells) => `<row>${cells.map(toCell).join('')}</row>`).join(''),
  }))
  const names = entries.map(({ name, id }) => `<sheet name="${name.replaceAll('&', '&amp;')}" r:id="${id}"/>`).join('')
  const targets = entries.map(({ id, path }) => `<Relationship Id="${id}" Target="${path}"/>`).join('')
  return zipSync({
    'xl/workbook.xml': strToU8(`<workbook><sheets>${names}</sheets></workbook>`),
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${targets}</Relationships>`),
    ...Object.fromEntries(
      entries.map(({ path, content }) => [
        `xl/${path}`,
        strToU8(`<worksheet><sheetData>${content}</sheetData></worksheet>`),
      ]),
    ),
  })
}

/** `CONSOLE_PICTURES` names a folder for pictures. */
async function takePicture(page: Page, name: string) {
  const folder = process.env['CONSOLE_PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', fullPage: true })
}

const sheetTexts = {
  'en-GB': {
    label: 'Sheet',
    check: 'Check',
    apply: 'Apply',
    further: 'There are further sheets: choose one with the file.',
  },
  'de-DE': {
    label: 'Tabellenblatt',
    check: 'Prüfen',
    apply: 'Anwenden',
    further: 'Es gibt weitere Blätter: Wähle eins bei der Datei.',
  },
} as const

test.each(['en-GB', 'de-DE'] as const)('an owner chooses among three sheets on a phone, in %s', async (locale) => {
  const venue = await createOwner()
  const { label, check, apply, further } = sheetTexts[locale]
  const book = createBook({
    Food: [
      ['Title', 'Price'],
      ['Soup', 5],
      ['Salad', 6],
    ],
    'Drinks & wine of the cellar': [
      ['Title', 'Price'],
      ['Tea', 2.5],
    ],
    Notes: [['Closed on Mondays']],
  })
  await visitConsole(
    browser,
    venue,
    '/import-export',
    async (page) => {
      const shown = page.getByRole('listitem')
      const titles = () => shown.allInnerTexts().then((all) => all.map((text) => text.split(/\s/)[0]))
      await page
        .locator('input[type="file"]')
        .setInputFiles({ name: 'menu.xlsx', mimeType: '', buffer: Buffer.from(book) })
      await page.getByRole('button', { name: check, exact: true }).tap()
      const sheet = page.getByRole('combobox', { name: label })
      await sheet.waitFor()
      expect(await sheet.locator('option').allInnerTexts()).toEqual(['Food', 'Drinks & wine of the cellar', 'Notes'])
      await page.getByText(further).waitFor()
      await expect.poll(titles).toEqual(['Soup', 'Salad'])
      await takePicture(page, `sheets-${locale}-first`)
      await sheet.selectOption('Drinks & wine of the cellar')
      await expect.poll(titles).toEqual(['Tea'])
      expect(await sheet.inputValue()).toBe('Drinks & wine of the cellar')
      expect([await page.getByText(further).count(), await widthOf(page)]).toEqual([0, 390])
      await takePicture(page, `sheets-${locale}-second`)
      await page.getByRole('button', { name: apply, exact: true }).tap()
      await expect.poll(() => venue.get('/products')).toMatchObject([{ title: 'Tea', price: 2.5 }])
    },
    { ...sizes.phone, locale, bypassCSP: true },
  )
})

test('a sheet that cannot be read leaves the choice of sheets, and Check reads the chosen sheet again', async () => {
  const venue = await createOwner()
  const book = createBook({
    Food: [
      ['Title', 'Price'],
      ['Soup', 5],
    ],
    Cover: [['Autumn']],
    Drinks: [
      ['Title', 'Price'],
      ['Tea', 2.5],
    ],
  })
  await visitConsole(
    browser,
    venue,
    '/import-export',
    async (page) => {
      const titles = async () => (await page.locator('.import-preview li').allInnerTexts()).join(' ')
      const upload = (name: string, buffer: Buffer) =>
        page.locator('input[type="file"]').setInputFiles({ name, mimeType: '', buffer })
      const check = page.getByRole('button', { name: 'Check', exact: true })
      await upload('menu.xlsx', Buffer.from(book))
      await check.tap()
      const sheet = page.getByRole('combobox', { name: 'Sheet' })
      await sheet.selectOption('Cover')
      await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
      expect(await sheet.inputValue()).toBe('Cover')
      await sheet.selectOption('Drinks')
      await expect.poll(titles).toContain('Tea')
      await check.tap()
      await page.getByRole('button', { name: 'Apply', exact: true }).waitFor()
      await expect.poll(titles).toContain('Tea')
      expect(await sheet.inputValue()).toBe('Drinks')
      // The list has as much room to the button as to the other fields.
      const [field, button] = [await page.locator('.field', { has: sheet }).boundingBox(), await check.boundingBox()]
      expect((button?.y ?? 0) - (field?.y ?? 0) - (field?.height ?? 0)).toBeGreaterThanOrEqual(16)

      // An import that is opened again has no file, so no sheet can be chosen.
      await page.reload()
      await page.getByRole('button', { name: /^Open/ }).last().tap()
      await page.getByText('There are further sheets: choose one with the file.').waitFor()
      expect(await sheet.count()).toBe(0)
      // Another file has its own sheets.
      await upload('list.csv', Buffer.from('Title,Price\nCake,3\n'))
      await check.tap()
      await expect.poll(titles).toContain('Cake')
      expect(await sheet.count()).toBe(0)
    },
    { ...sizes.phone, bypassCSP: true },
  )
})
