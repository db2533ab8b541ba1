import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
const rows = 'externalId,title,price\nA,Galão,2.5\nB,Nata,much\nC,Bica,1\n'

test('a file is checked by cell, applied and downloaded again', async () => {
  await visitConsole(browser, owner, '/import-export', async (page) => {
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Choose a file.').waitFor()
    const picture = { ...file('products.csv', ''), buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') }
    await page.getByLabel('File', { exact: true }).setInputFiles(picture)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('alert').getByText('picture').waitFor()
    await page.getByLabel('File', { exact: true }).setInputFiles(file('products.csv', rows))
    expect(await page.getByRole('combobox', { name: 'Resource' }).inputValue()).toBe('products')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('2 of 3 rows can be applied.').waitFor()
    const issue = page.getByRole('table', { name: 'Faults' }).getByRole('row').nth(1)
    // The issues are read when the check has ended.
    await expect
      .poll(() => issue.getByRole('cell').allTextContents())
      .toEqual(['3', 'price', 'much', 'Enter a number such as 12.50.'])
    expect(await page.getByRole('progressbar', { name: 'Progress' }).count()).toBe(1)

    // The import of a tab that was closed is found again.
    await page.reload()
    await page.getByRole('table', { name: 'Earlier imports' }).getByRole('button', { name: 'Open' }).click()
    await page.getByRole('table', { name: 'Faults' }).waitFor()
    await page.getByRole('button', { name: 'Apply' }).focus()
    await page.keyboard.press('Enter')
    await status(page, '2 created, 0 updated, 0 unchanged.')
    expect((await owner.get('/products')).length).toBe(2)

    await page.getByRole('combobox', { name: 'Export' }).selectOption('Products')
    await page.getByRole('combobox', { name: 'Format' }).selectOption('CSV')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const saved = await readFile(await (await download).path(), 'utf8')
    expect(saved).toContain(',Galão,')
  })
})

test('a check is withdrawn when its file or an option changes, and says that objects will be deleted', async () => {
  const venue = await createOwner()
  const { id } = await venue.post('/products', { title: 'Kept', price: 1 })
  await venue.post(`/products/${id}/external-id`, { externalId: 'KEPT' })
  await visitConsole(browser, venue, '/import-export', async (page) => {
    const upload = page.getByLabel('File', { exact: true })
    const check = page.getByRole('button', { name: 'Check' })
    const apply = page.getByRole('button', { name: 'Apply' })
    const warning = page.locator('.import').getByText('that the file does not name will be deleted')
    const deletes = page.getByRole('checkbox', { name: 'Delete objects' })
    await upload.setInputFiles(file('products.csv', rows))
    await deletes.check()
    await check.click()
    await warning.waitFor()
    await deletes.uncheck()
    expect(await apply.count()).toBe(0)

    // An earlier import still has its options.
    await page.getByRole('table', { name: 'Earlier imports' }).getByRole('button', { name: 'Open' }).click()
    await warning.waitFor()
    await page.getByRole('table', { name: 'Faults' }).waitFor()
    await upload.setInputFiles(file('products.csv', rows.replace('much', '2')))
    expect(await apply.count()).toBe(0)
    expect(await page.getByRole('table', { name: 'Faults' }).count()).toBe(0)

    await page.route('**/imports/**', (route) => route.abort())
    await check.click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    // The options cannot change during the check.
    expect(await upload.isDisabled()).toBe(true)
    await page.unroute('**/imports/**')
    await page.getByText('3 of 3 rows can be applied.').waitFor()
    expect(await warning.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Find objects by' }).selectOption('Id')
    expect(await apply.count()).toBe(0)
    await check.click()
    await apply.click()
    await status(page, '3 created, 0 updated, 0 unchanged.')
    expect((await venue.get('/products')).length).toBe(4)
  })
})

test('objects are found by SKU only where the service can do so', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/import-export', async (page) => {
    const match = page.getByRole('combobox', { name: 'Find objects by' })
    const deletes = page.getByRole('checkbox', { name: 'Delete objects' })
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles(file('coupons.csv', 'title,code,type,value\nTen,TEN,PERCENTAGE,10\n'))
    await page.getByRole('combobox', { name: 'Resource' }).selectOption('Products')
    await deletes.check()
    await match.selectOption('SKU')
    expect(await deletes.count()).toBe(0)
    await page.getByRole('combobox', { name: 'Resource' }).selectOption('Coupons')
    expect(await match.inputValue()).toBe('auto')
    await deletes.uncheck()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('1 of 1 rows can be applied.').waitFor()
  })
})

test('an import goes on without a connection, and says in German what is wrong', async () => {
  const venue = await createOwner()
  const many = Array.from({ length: 1_500 }, (_, index) => `${index},Dish ${index},1`).join('\n')
  await visitConsole(
    browser,
    venue,
    '/import-export',
    async (page) => {
      await page.getByLabel('Datei', { exact: true }).setInputFiles(file('products.csv', rows))
      await page.getByRole('button', { name: 'Prüfen' }).click()
      const issues = page.getByRole('table', { name: 'Fehler' })
      await issues.getByRole('cell', { name: 'Gib eine Zahl wie 12,50 ein.' }).waitFor()

      await page
        .getByLabel('Datei', { exact: true })
        .setInputFiles(file('products.csv', `externalId,title,price\n${many}\n`))
      await page.getByRole('button', { name: 'Prüfen' }).click()
      const apply = page.getByRole('button', { name: 'Anwenden' })
      await page.getByText('1500 von 1500').waitFor()
      let isAccepted = false
      await page.route('**/imports/**', async (route) => {
        if (isAccepted) return route.abort()
        isAccepted = true
        await route.continue()
      })
      await apply.press('Enter')
      await page.getByRole('alert').getByText('Keine Verbindung').waitFor()
      // The button has disappeared: the focus is on the import.
      await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('import')
      await page.unroute('**/imports/**')
      await status(page, '1500 angelegt, 0 geändert, 0 unverändert.')
      expect(await page.getByRole('alert').getByText('Keine Verbindung').count()).toBe(0)
    },
    { ...sizes.desk, locale: 'de-DE' },
  )
})

test('an export of test mode has the objects of test mode', async () => {
  const venue = await createOwner({ mode: 'test' })
  await venue.post('/products', { title: 'Practice dish', price: 1 })
  await visitConsole(browser, venue, '/import-export', async (page) => {
    // Calls of a member, whose session has both modes.
    await page.evaluate(`localStorage.setItem('console.test', '1')`)
    const request = page.waitForRequest('**/export?**')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await (await request).allHeaders())['mode']).toBe('test')
    expect(await readFile(await (await download).path(), 'utf8')).toContain('Practice dish')
    await status(page, 'is saved.')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('alert').getByText('No connection').waitFor()
  })
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  await visitConsole(
    browser,
    owner,
    '/import-export',
    async (page) => {
      await page.getByLabel('File', { exact: true }).setInputFiles(file('products.csv', rows))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('table', { name: 'Faults' }).waitFor()
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
