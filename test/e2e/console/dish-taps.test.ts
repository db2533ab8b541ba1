import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createActions } from './actions.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The maximum number of taps for a dish with a photo, allergens, sizes and extras, on a menu. A field that is filled is one tap. */
const maxTaps = 25

test('a dish with photo, allergens, sizes and extras is put on a menu in one editor, on a phone', async () => {
  const owner = await createOwner()
  const other = await owner.post('/products', { title: 'Tea', price: 2 })
  const sections = [{ title: 'Cold' }, { title: 'Warm', items: [other.id] }]
  const menu = await owner.post('/menus', { title: 'Breakfast', sections })
  const { tap, fill, add, count } = createActions()
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await tap(page.getByRole('button', { name: 'New product' }))
      const editor = page.getByRole('dialog', { name: 'New product' })
      await fill(editor.getByLabel('Title', { exact: true }), 'Latte')
      await tap(editor.getByRole('button', { name: 'Sizes', exact: true }))
      for (const [index, [label, price]] of Object.entries({ S: '3', M: '3.50', L: '4.20' }).entries()) {
        const size = editor.getByRole('group', { name: `Size ${index + 1}`, exact: true })
        await fill(size.getByLabel('Name of the size'), label)
        await fill(size.getByLabel('Price of the size'), price)
      }
      // The button of the field, and the picture.
      add(2)
      const buffer = Buffer.from(pixel, 'base64')
      await editor.getByLabel('Add a picture').setInputFiles({ name: 'latte.png', mimeType: 'image/png', buffer })
      await tap(editor.getByRole('button', { name: 'New modifier' }))
      const dialog = page.getByRole('dialog', { name: 'New modifier' })
      await fill(dialog.getByLabel('Title', { exact: true }), 'Extras')
      for (const [index, [label, cost]] of Object.entries({ 'Oat milk': '0.60', Syrup: '0,40' }).entries()) {
        const option = dialog.getByRole('group', { name: `Option ${index + 1}` })
        await fill(option.getByLabel('Label'), label)
        await fill(option.getByLabel('Additional cost'), cost)
      }
      expect(await listViolations(page)).toEqual([])
      await tap(dialog.getByRole('button', { name: 'Save' }))
      await dialog.waitFor({ state: 'detached' })
      // Saving the modifier did not save the product.
      await editor.getByText('Extras', { exact: true }).waitFor()
      await tap(editor.getByText('Allergens, diets and nutrition'))
      await tap(editor.getByRole('button', { name: 'Milk', exact: true }))
      await tap(editor.getByRole('button', { name: 'Soybeans' }))
      add(2)
      await editor.getByRole('combobox', { name: 'Add to a menu' }).selectOption({ label: 'Breakfast › Warm' })
      await tap(editor.getByRole('button', { name: 'Save' }))
      await waitForStatus(page, '“Latte” is created.')
    },
    { ...sizes.phone, bypassCSP: true },
  )
  console.log(`figure: taps for a dish with photo, allergens, sizes and extras, on a menu, ${count()}`)
  expect(count()).toBeLessThanOrEqual(maxTaps)
  const [latte] = await owner.get('/products?q=latte')
  expect([latte.images.length, latte.modifiers.length, latte.price]).toEqual([1, 2, 3])
  const { allergens, sizes: stored } = await owner.get(`/products/${latte.id}/details`)
  expect(allergens.map(({ code }: { code: string }) => code).sort()).toEqual(['milk', 'soybeans'])
  expect(Object.keys(stored.prices)).toHaveLength(3)
  const extras = await owner.get(`/modifiers/${latte.modifiers[1]}`)
  expect(
    extras.options.map((option: { label: string; additionalCost: number }) => [option.label, option.additionalCost]),
  ).toEqual([
    ['Oat milk', 0.6],
    ['Syrup', 0.4],
  ])
  const items = (await owner.get(`/menus/${menu.id}`)).sections.map((section: { items: string[] }) => section.items)
  expect(items).toEqual([[], [other.id, latte.id]])
})

test('a product is taken off a section and put on another, Undo reverts both, and a wrong modifier is marked', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Tea', price: 2 })
  const sections = [{ title: 'Cold' }, { title: 'Warm', items: [id] }]
  const menu = await owner.post('/menus', { title: 'Breakfast', sections })
  const read = async () =>
    (await owner.get(`/menus/${menu.id}`)).sections.map((section: { items: string[] }) => section.items)
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit product' })
    await editor.getByRole('button', { name: 'Remove Breakfast › Warm' }).click()
    await editor.getByText('It is on no menu.').waitFor()
    await editor.getByRole('combobox', { name: 'Add to a menu' }).selectOption({ label: 'Breakfast › Cold' })
    await editor.getByRole('button', { name: 'New modifier' }).click()
    const dialog = page.getByRole('dialog', { name: 'New modifier' })
    await dialog.getByRole('group', { name: 'Option 1' }).getByLabel('Additional cost').fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect(await dialog.locator('[aria-invalid=true]').count()).toBe(3)
    await page.keyboard.press('Escape')
    await editor.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Tea” is saved.')
    expect(await read()).toEqual([[id], []])
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, 'Undone.')
    expect(await read()).toEqual([[], [id]])
  })
  expect(await owner.get('/modifiers')).toEqual([])
})
