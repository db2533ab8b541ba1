import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, readAtRest, widthOf } from '../browser.ts'
import { savePicture } from '../save-picture.ts'
import { createOwner, listViolations, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

async function makeTables(page: Page, fields: Record<string, string>) {
  await page.getByRole('button', { name: 'Make tables' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make tables' })
  for (const [name, value] of Object.entries(fields))
    await dialog.getByRole('textbox', { name }).or(dialog.getByRole('combobox', { name })).fill(value)
  await dialog.getByRole('button', { name: 'Make', exact: true }).click()
}

test('tables are made at once, listed by area, and printed', async () => {
  await visitConsole(browser, owner, '/tables', async (page, { browserErrors }) => {
    await page.getByText('No tables yet').waitFor()
    await makeTables(page, { From: '1', To: '12', Area: 'Terrace' })
    await status(page, '12 tables are made.')
    // New tables are selected, so one click prints them.
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Print selected' }).click()
    const sheet = await opened
    await sheet.waitForURL('**/sheet/**')
    expect(await sheet.getByText('Mesa 12', { exact: false }).count()).toBeGreaterThan(0)
    await sheet.close()

    // The dialog suggests the next numbers.
    await page.getByRole('button', { name: 'Make tables' }).click()
    const suggested = page.getByRole('dialog', { name: 'Make tables' }).getByRole('textbox')
    expect(await suggested.nth(1).inputValue()).toBe('13')
    expect(await suggested.nth(2).inputValue()).toBe('22')
    await page.keyboard.press('Escape')

    // Tables that exist in the area are left out; undo takes back what was made.
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await makeTables(page, { From: '12', To: '13', Area: 'Terrace' })
    await status(page, '1 table is made.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, 'Undone.')
    await makeTables(page, { Name: 'Stool', From: '1', To: '2', Area: 'Bar' })
    await status(page, '2 tables are made.')
    const names = await page.getByRole('table', { name: 'Tables' }).locator('.open').allTextContents()
    expect(names).toEqual(['Stool 1', 'Stool 2', ...Array.from({ length: 12 }, (_, index) => `Table ${index + 1}`)])
    await page.getByRole('combobox', { name: 'Area' }).selectOption('Bar')
    await page.getByRole('checkbox', { name: 'Select Table 1', exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByRole('checkbox', { name: 'Select Stool 2' }).isChecked()).toBe(true)
    expect(browserErrors).toEqual([])
  })
})

test('the search finds a number from its first digit, and a printed code from four characters', async () => {
  const venue = await createOwner()
  // Any digit is in some of their codes.
  for (const value of ['1', '5', '15', '50']) await venue.post('/tags', { metadata: [{ key: 'table', value }] })
  const { alias } = await venue.post('/tags', { metadata: [{ key: 'table', value: '12' }] })
  await visitConsole(browser, venue, '/tables', async (page) => {
    const list = page.getByRole('table', { name: 'Tables' }).locator('.open')
    const search = page.getByRole('searchbox')
    const found = async (text: string) => {
      await search.fill(text)
      return expect.poll(() => list.allTextContents())
    }
    await (await found('')).toHaveLength(5)
    await (await found('table 5')).toEqual(['Table 5', 'Table 50'])
    await (await found('table 1')).toEqual(['Table 1', 'Table 12', 'Table 15'])
    const [code] = alias
    await (await found(code.toLowerCase())).toEqual(['Table 12'])
    await (await found(code.replaceAll('-', '').slice(0, 9))).toEqual(['Table 12'])
  })
})

test('a code is downloaded, a chip is written, and a table is renamed and deleted with the keyboard', async () => {
  const venue = await createOwner()
  for (const value of ['4', '5']) await venue.post('/tags', { metadata: [{ key: 'table', value }] })
  await visitConsole(browser, venue, '/tables', async (page) => {
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download QR of Table 4' }).click()
    expect((await download).suggestedFilename()).toBe('Table 4.png')

    await page.getByRole('button', { name: 'Write a chip for Table 4' }).click()
    const chip = page.getByRole('dialog', { name: 'Write a chip for Table 4' })
    expect(await chip.getByRole('textbox', { name: 'Link' }).inputValue()).toMatch(/\/chip\//)
    await chip.getByText('The link works for 15 minutes.').waitFor()
    await page.keyboard.press('Escape')
    // Until then nothing below it takes the focus.
    await chip.waitFor({ state: 'detached' })

    // Focuses the button and presses the key in one step: the browser may return the focus to the other button between two.
    await page.getByRole('button', { name: 'Table 4', exact: true }).press('Enter')
    const editor = page.getByRole('dialog', { name: 'Table 4', exact: true })
    await editor.getByText('None in the last 30 days.').waitFor()
    await editor.getByRole('textbox', { name: 'Value' }).fill('40')
    await page.keyboard.press('Enter')
    await status(page, '“Table 40” is saved.')

    await page.getByRole('button', { name: 'Table 40', exact: true }).click()
    await page.getByRole('dialog', { name: 'Table 40' }).getByRole('textbox', { name: 'Value' }).fill('41')
    const [tag] = await venue.get('/tags?q=40')
    await venue.post(`/tags/${tag.id}`, { metadata: [{ key: 'table', value: '42' }] })
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByText('Table 42').first().waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await status(page, '“Table 41” is saved.')

    await page.getByRole('button', { name: 'Table 41', exact: true }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await status(page, '“Table 41” is deleted.')
    expect((await venue.get('/tags')).length).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, '“Table 41” is back.')
    // Its printed code works again.
    expect((await venue.get('/tags')).find(({ id }: { id: string }) => id === tag.id).alias).toEqual(tag.alias)
  })
})

test('what is typed of a table survives a closed tab, is marked where it is wrong, and can be undone', async () => {
  const venue = await createOwner()
  const { id } = await venue.post('/tags', { metadata: [{ key: 'table', value: '7' }] })
  await visitConsole(browser, venue, `/tables/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Table 7' })
    // At once: a tab can close before the next frame is drawn.
    const drafts = await editor.getByRole('textbox', { name: 'Value' }).evaluate(async (input) => {
      Reflect.set(input, 'value', '70')
      input.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => queueMicrotask(() => resolve(undefined)))
      return Object.values(localStorage).filter((text) => text.includes('"70"')).length
    })
    expect(drafts).toBe(1)
    await page.reload()
    await status(page, 'Your unsaved changes are back.')
    await editor.getByRole('textbox', { name: 'Name' }).fill('')
    await editor.getByRole('button', { name: 'Save' }).click()
    const invalid = editor.locator('[aria-invalid=true]')
    await invalid.and(page.locator(':focus')).waitFor()
    await invalid.fill('room')
    await page.keyboard.press('Enter')
    await status(page, '“Room 70” is saved.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, 'Undone.')
    expect((await venue.get(`/tags/${id}`)).metadata).toEqual([{ key: 'table', value: '7', visible: true }])
  })
})

test('on a phone, a wrong range is marked, and messages leave the print bar free', async () => {
  await visitConsole(
    browser,
    await createOwner(),
    '/tables',
    async (page) => {
      await makeTables(page, { From: '5', To: '2' })
      await page.getByText('the smaller one first').waitFor()
      await page.getByRole('textbox', { name: 'From' }).and(page.locator(':focus')).waitFor()
      await page.getByRole('textbox', { name: 'To' }).fill('30')
      await page.getByRole('button', { name: 'Make', exact: true }).tap()
      await status(page, '26 tables are made.')
      const [bar, message, title] = await readAtRest(page, () =>
        Promise.all(['.selection', '.toast', 'h1'].map((selector) => page.locator(selector).boundingBox())),
      )
      expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
      expect(message?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0))
    },
    sizes.phone,
  )
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  const venue = await createOwner()
  const table = (value: string, area: string) =>
    venue.post('/tags', {
      metadata: [
        { key: 'table', value },
        { key: 'area', value: area },
      ],
    })
  for (const value of ['1', '2', '3', '4']) await table(value, Number(value) < 3 ? 'Terrace' : 'Main room')
  const open = async (page: Page) => {
    await page.getByRole('checkbox', { name: 'Select Table 3' }).check()
    await page.getByRole('button', { name: 'Print selected' }).waitFor()
  }
  await visitConsole(
    browser,
    venue,
    '/tables',
    async (page) => {
      await open(page)
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Table 1', exact: true }).click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
  await visitConsole(
    browser,
    venue,
    '/tables',
    async (page) => {
      await open(page)
      const picture = await page.screenshot({ animations: 'disabled' })
      await savePicture('console-tables', picture)
    },
    sizes.desk,
  )
})
