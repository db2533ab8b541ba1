import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** Names of the elements in which the focus is, from the inside. */
const listPlaces = (page: Page): Promise<string[]> =>
  page.evaluate(`
    (function list(each) { return each ? [each.localName, ...list(each.parentElement)] : [] })(document.activeElement)
  `)

/** Presses Enter on a button, which disappears, and expects the focus in the dialog or the screen. */
async function press(page: Page, button: Locator, place: 'dialog' | 'main', key = 'Enter') {
  await button.press(key)
  await button.waitFor({ state: 'detached' })
  await expect.poll(() => listPlaces(page)).toContain(place)
}

test('the focus stays in the dialog or the screen when what had it disappears', async () => {
  const { id: tea } = await owner.post('/products', { title: 'Tea', price: 2 })
  const { id: milk } = await owner.post('/modifiers', { title: 'Milk', instructions: '', options: [{ label: 'Oat' }] })
  const { id: bar } = await owner.post('/menus', { title: 'Bar', sections: [{ title: 'Drinks', items: [tea] }] })
  const coupon = { title: 'Off', code: 'OFF', type: 'FIXED', value: 1, products: [tea] }
  const { id: off } = await owner.post('/coupons', coupon)
  await visitConsole(browser, owner, `/modifiers/${milk}`, async (page) => {
    const open = (path: string) => page.goto(`${owner.origin}/console${path}`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    page.on('dialog', (dialog) => void dialog.accept())
    await press(page, page.getByRole('group', { name: 'Option 1' }).getByRole('button', { name: 'Remove' }), 'dialog')
    await open(`/menus/${bar}`)
    await press(page, button('Remove Tea'), 'main')
    await button('Add product').press('Enter')
    await press(page, page.getByRole('combobox', { name: 'Find a product' }), 'main', 'Escape')
    await press(page, button('Remove Drinks'), 'main')
    await open(`/coupons/${off}`)
    await press(page, button('Remove Tea'), 'dialog')
    await open('/products')
    await page.getByRole('checkbox', { name: 'Select Tea' }).check()
    await press(page, button('Clear selection'), 'main')
    await open('/settings')
    await button('Add hours').click()
    await press(page, button('Remove Hours 1'), 'main')
  })
})

test('a button or a field that is busy keeps the focus', async () => {
  const { id } = await owner.post('/products', { title: 'Offline', price: 2 })
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') }
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const hasFocus = (element: Locator) => element.and(page.locator(':focus')).waitFor({ timeout: 5_000 })
    const picture = page.getByLabel('Add a picture')
    await picture.focus()
    await picture.setInputFiles(file)
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await hasFocus(picture)
    await page.getByRole('textbox', { name: 'Title' }).fill('Online')
    const save = page.getByRole('button', { name: 'Save' })
    await page.context().setOffline(true)
    await save.press('Enter')
    await page.getByRole('alert').getByText('connection').waitFor()
    await hasFocus(save)
    await page.context().setOffline(false)
    await save.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('checkbox', { name: 'Select Online' }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const apply = page.getByRole('button', { name: 'Apply' })
    await page.getByRole('dialog').getByRole('textbox').fill('10')
    await page.context().setOffline(true)
    await apply.press('Enter')
    await page.getByRole('alert').getByText('connection').waitFor()
    await hasFocus(apply)
  })
})
