import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

const choose = (page: Page, name: string, text: string) =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

const loyverse = `Handle,REF,Nombre,Categoria,Descripción,Vendido por peso,Opción 1 nombre,Opción 1 valor,Coste,Codigo de barras,Seguir el Inventario,Disponibles para la venta [Local],Precio [Local],En inventario [Local]
tarta,10260,Tarta,Postres,,N,,,0.00,,N,Y,3.50,
agua,10013,Agua,Bebida,,N,,,0.00,,N,Y,1.50,
otros,10015,Otros,Postres,,N,,,0.00,,N,Y,variable,
`

test('an owner loads the export of a till on a phone in six taps, and guests see its sections', async () => {
  const venue = await createOwner()
  await visitConsole(
    browser,
    venue,
    '/',
    async (page) => {
      let taps = 0
      const tap = async (role: 'button' | 'link', name: string) => {
        taps++
        await page.getByRole(role, { name, exact: true }).tap()
      }
      await tap('button', 'Menu')
      await tap('link', 'Import and export')
      // Opens the list of files, in which a file is chosen.
      taps += 2
      await choose(page, 'loyverse-export.csv', loyverse)
      await tap('button', 'Check')
      await page.getByText('2 new, 2 sections, 1 left out.').waitFor()
      await page.getByText('An export of Loyverse.').waitFor()
      const shown = page.getByRole('region', { name: 'Preview' })
      await shown.getByRole('heading', { name: 'Postres' }).waitFor()
      expect(await shown.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^Tarta\s+€3.50$/),
        expect.stringMatching(/^Agua\s+€1.50$/),
      ])
      await page.getByRole('table', { name: 'Faults' }).getByText('Enter a number such as 12.50.').waitFor()
      await tap('button', 'Apply')
      await waitForStatus(page, '3 created, 0 updated, 0 unchanged.')
      expect(taps).toBeLessThanOrEqual(6)
      expect((await venue.get('/products')).length).toBe(2)
      const [menu] = await venue.get('/menus')
      expect(menu.sections.map(({ title }: { title: string }) => title)).toEqual(['Postres', 'Bebida'])
      // One more tap takes it all back.
      await tap('button', 'Undo')
      await page.getByText('Import: undone.').waitFor()
      expect([await venue.get('/products'), await venue.get('/menus')]).toEqual([[], []])
    },
    sizes.phone,
  )
})

test('an owner answers how numbers are written, and chooses columns and the menu', async () => {
  const venue = await createOwner()
  await venue.post('/menus', { title: 'Evening', sections: [] })
  await visitConsole(browser, venue, '/import-export', async (page) => {
    await choose(page, 'list.csv', 'Gericht;Preis;Gruppe;Herkunft\nNasi;15.000;Reis;Java\nTeh;5.000;;\n')
    await page.getByRole('button', { name: 'Check' }).click()
    const question = page.getByRole('group', { name: 'How are numbers written in the file? (Preis)' })
    await question.getByRole('radio', { name: '15.000 is €15,000.00' }).check()
    await page.getByText('Columns:').click()
    await page.getByRole('combobox', { name: 'Gruppe' }).selectOption('Section of the menu')
    await page.getByRole('combobox', { name: 'Herkunft' }).selectOption('Description')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('2 new, 1 section, 0 left out.').waitFor()
    const into = page.getByRole('combobox', { name: 'Categories become sections of' })
    await into.selectOption('the menu “Evening”')
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('button', { name: 'Check again' }).waitFor({ state: 'detached' })
    await page.getByText('2 new, 1 section, 0 left out.').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await waitForStatus(page, '2 created, 1 updated, 0 unchanged.')
    const products: { id: string; title: string; price: number; description?: string }[] =
      await venue.get('/products?order=asc')
    expect(products.map(({ title, price, description }) => [title, price, description])).toEqual([
      ['Nasi', 15000, 'Java'],
      ['Teh', 5000, undefined],
    ])
    const menus = await venue.get('/menus')
    expect(menus).toMatchObject([{ title: 'Evening', sections: [{ title: 'Reis', items: [products[0]?.id] }] }])
  })
})

test('an earlier import is undone later, and the owner reads what stays', async () => {
  const venue = await createOwner()
  await visitConsole(
    browser,
    venue,
    '/import-export',
    async (page) => {
      await choose(page, 'list.csv', 'title,price\nNasi,3\nTeh,1\n')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('button', { name: 'Apply' }).click()
      await waitForStatus(page, '2 created, 0 updated, 0 unchanged.')
      const products = await venue.get('/products')
      const nasi = products.find(({ title }: { title: string }) => title === 'Nasi')
      await venue.post(`/products/${nasi.id}`, { price: 4 })
      await page.reload()
      const earlier = page.getByRole('table', { name: 'Earlier imports' })
      await earlier.getByRole('button').first().click()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      const question = page.getByRole('alertdialog', { name: 'Undo “Import”?' })
      await question
        .getByText(/^1 change is taken back. 1 stays as it is. .*Nasi.*: changed by somebody since\.$/)
        .waitFor()
      await question.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(/^Import: undone. 1 stays as it is. .*Nasi/).waitFor()
      expect((await venue.get('/products')).map(({ title }: { title: string }) => title)).toEqual(['Nasi'])
      // The result stays with the import.
      await page.reload()
      await earlier.getByRole('button').first().click()
      await page.getByText('Import: undone. 1 stays').waitFor()
      expect(await listViolations(page)).toEqual([])
    },
    { bypassCSP: true },
  )
})

test('an import that would delete much shows what, and asks before', async () => {
  const venue = await createOwner()
  for (const [externalId, title] of [
    ['A', 'Kept'],
    ['B', 'Gone cake'],
    ['C', 'Gone tea'],
  ]) {
    const { id } = await venue.post('/products', { title, price: 1 })
    await venue.post(`/products/${id}/external-id`, { externalId })
  }
  await visitConsole(browser, venue, '/import-export', async (page) => {
    await choose(page, 'products.csv', 'externalId,title,price\nA,Kept,2\n')
    await page.getByRole('checkbox', { name: 'Delete objects' }).check()
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('2 objects: Gone cake, Gone tea').waitFor()
    const apply = page.getByRole('button', { name: 'Apply', exact: true })
    await apply.click()
    const question = page.getByRole('alertdialog', { name: 'Delete 2 objects?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await venue.get('/products')).length).toBe(3)
    await apply.click()
    await question.getByRole('button', { name: 'Apply and delete' }).click()
    await waitForStatus(page, '0 created, 1 updated, 0 unchanged.')
    expect((await venue.get('/products')).map(({ title }: { title: string }) => title)).toEqual(['Kept'])
  })
})

test('two people who map one import do not overwrite each other without a word', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/import-export', async (page) => {
    await choose(page, 'list.csv', 'title;price\nNasi;15.000\n')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('radio', { name: '15.000 is €15.00' }).check()
    const [open] = await venue.get('/imports')
    await venue.post(`/imports/${open.id}/mapping`, { numberFormat: 'comma' })
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('Somebody else has changed').waitFor()
    expect((await venue.get(`/imports/${open.id}`)).reading.numberFormat).toBe('comma')
  })
})

test('the columns and the preview are accessible in both themes and fit 320 px', async () => {
  const venue = await createOwner()
  await visitConsole(
    browser,
    venue,
    '/import-export',
    async (page) => {
      await choose(page, 'loyverse-export.csv', loyverse.replace('Tarta', 'T'.repeat(80)))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('region', { name: 'Preview' }).waitFor()
      await page.getByText('Columns:').click()
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
      await choose(page, 'list.csv', 'title;price\nNasi;15.000\n')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('radio').first().waitFor()
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
