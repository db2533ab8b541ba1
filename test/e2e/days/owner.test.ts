import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { sizes, visitConsole, waitForStatus } from '../console/console-page.ts'
import { createDay, createLunch } from './day.ts'

const browser = await getBrowser()

test("an owner's day on a phone", async () => {
  const { owner, scan, products } = await createLunch()
  await scan(1)
  await owner.post(`/products/${products.cake}/availability`, { soldOut: true })
  const { tap, type, choose, step, end } = createDay('owner')
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      const open = async (screen: string) => {
        await tap(page.getByRole('button', { name: 'Menu', exact: true }))
        await tap(page.locator('#navigation').getByRole('link', { name: screen, exact: true }))
        await page.getByRole('heading', { level: 1, name: screen }).waitFor()
      }
      await step('sees what is served, what is sold out, and the scans', 0, async () => {
        await page.getByRole('region', { name: 'Menus' }).getByText('Lunch').waitFor()
        await page.getByRole('region', { name: 'Sold out' }).getByText('Zwiebelkuchen').waitFor()
        await page.getByRole('region', { name: 'Scans' }).waitFor()
      })
      await step('puts the dish of the day on the menu', 8, async () => {
        await open('Products')
        await tap(page.getByRole('button', { name: 'New product' }))
        const editor = page.getByRole('dialog', { name: 'New product' })
        await type(editor.getByLabel('Title', { exact: true }), 'Maultaschen')
        await type(editor.getByLabel('Price', { exact: true }), '13.90')
        await choose(editor.getByRole('combobox', { name: 'Add to a menu' }), 'Lunch › Warm')
        await tap(editor.getByRole('button', { name: 'Save' }))
        await waitForStatus(page, '“Maultaschen” is created.')
      })
      await step('raises a price', 1, async () => {
        await type(page.getByRole('textbox', { name: 'Price of Latte' }), '3.40')
        await page.keyboard.press('Enter')
        await waitForStatus(page, '“Latte” now costs €3.40.')
      })
      await step('takes it back', 1, async () => {
        await tap(page.getByRole('button', { name: 'Undo' }).last())
        await waitForStatus(page, '“Latte” now costs €3.20.')
      })
      await step('finds a dish by a part of its name, and hides it', 2, async () => {
        await type(page.getByRole('searchbox', { name: 'Search products' }), 'suppe')
        await tap(page.getByRole('switch', { name: /Kürbiscremesuppe/ }))
        await waitForStatus(page, 'Kürbiscremesuppe')
      })
      await step('sees which table is scanned least', 3, async () => {
        await open('Tables')
        const heading = page.getByRole('columnheader', { name: '7 days' })
        await tap(heading.getByRole('button'))
        await expect.poll(() => page.locator('.rows .open').first().textContent()).toBe('Table 2')
      })
      await step('closes for a holiday', 6, async () => {
        await open('Settings')
        await tap(page.getByRole('button', { name: 'Add closed days' }))
        const closure = page.getByRole('group', { name: 'Closure 1' })
        await type(closure.getByLabel('First day'), '2030-12-24')
        await type(closure.getByLabel('Reason'), 'Christmas')
        await tap(page.getByRole('button', { name: 'Save' }).first())
        await waitForStatus(page, 'The settings are saved.')
      })
      await owner.delete(`/products/${products.tart}`)
      await step('brings back what somebody has deleted', 3, async () => {
        await open('Today')
        const deleted = page.getByRole('region', { name: 'Deleted' })
        await tap(deleted.getByRole('button', { name: /Restore/ }).first())
        await waitForStatus(page, '“Apple tart” is back')
      })
    },
    sizes.phone,
  )
  end()
  const [menu] = await owner.get('/menus')
  const listed = menu.sections.map(({ items }: { items: string[] }) => items.length)
  expect(listed).toEqual([3, 1, 1])
  expect(await owner.get(`/products/${products.latte}`)).toMatchObject({ price: 3.2 })
  expect(await owner.get(`/products/${products.soup}`)).toMatchObject({ visible: false })
})
