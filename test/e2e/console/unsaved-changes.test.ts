import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, holdRequest, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (fields: object) => owner.post('/products', { title: 'Tea', price: 2.5, ...fields })
const read = (id: string) => owner.get(`/products/${id}`)

test('unsaved changes are not lost by Escape or a link', async () => {
  const { id } = await owner.post('/products', { title: 'Draft', price: 3 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit product' })
    await editor.getByRole('textbox', { name: 'Title' }).fill('Changed')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    expect(await editor.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Changed')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await editor.waitFor({ state: 'detached' })
    expect(await owner.get(`/products/${id}`)).toMatchObject({ title: 'Draft' })
  })
})

test('Escape pressed again and again shows the question and the editor in turn, and what is typed', async () => {
  const { id } = await create({ title: 'Insistent' })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const title = page.getByRole('dialog', { name: 'Edit product' }).getByRole('textbox', { name: 'Title' })
    const keep = page
      .getByRole('alertdialog', { name: 'Discard your changes?' })
      .getByRole('button', { name: 'Keep editing' })
    await title.fill('Typed')
    // Unprevented, Escape closes dialogs whatever the page says: all those that were opened without another action between.
    for (let round = 0; round < 4; round++) {
      await page.keyboard.press('Escape')
      await keep.waitFor()
      await page.keyboard.press('Escape')
      await keep.waitFor({ state: 'detached' })
    }
    // The topmost element can be clicked.
    await title.click()
    expect(await title.inputValue()).toBe('Typed')
  })
})

test('Back asks before it discards what is typed, and Forward leads to the product again', async () => {
  await owner.post('/products', { title: 'Returned', price: 3 })
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search products' }).fill('Returned')
      await page.getByRole('button', { name: 'Returned', exact: true }).click()
      const editor = page.getByRole('dialog', { name: 'Edit product' })
      const description = editor.getByRole('textbox', { name: 'Description' })
      await description.fill('Typed')
      const address = page.url()
      await page.goBack()
      const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
      await question.getByRole('button', { name: 'Keep editing' }).click()
      expect(await description.inputValue()).toBe('Typed')
      expect(page.url()).toBe(address)
      await page.reload()
      await expect.poll(() => description.inputValue()).toBe('Typed')

      await page.goBack()
      await question.getByRole('button', { name: 'Discard' }).click()
      await editor.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/console/products')
      await page.goForward()
      await description.waitFor()
      expect(page.url()).toBe(address)
      expect(await description.inputValue()).toBe('')
      await page.goBack()
      await editor.waitFor({ state: 'detached' })
    },
    sizes.phone,
  )
})

test('typed text is back after a closed tab; changes by others stay', async () => {
  const { id } = await create({ title: 'Kept', price: 4 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const fields = (of: Page) => of.getByRole('dialog', { name: 'Edit product' })
    await fields(page).getByRole('textbox', { name: 'Description' }).fill('Half a sentence')
    // Drafts are stored after the next frame.
    const drafts = () => page.evaluate('Object.values(localStorage).join()')
    await expect.poll(drafts).toContain('Half a sentence')
    await page.close()
    await owner.post(`/products/${id}`, { price: 5 })
    const next = await page.context().newPage()
    await next.goto(`${owner.origin}/console/products/${id}`)
    await waitForStatus(next, 'Your unsaved changes are back.')
    await fields(next).getByRole('button', { name: 'Save' }).click()
    await waitForStatus(next, '“Kept” is saved.')
    expect(await read(id)).toMatchObject({ description: 'Half a sentence', price: 5 })
    expect(await next.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('Half a sentence')
  })
})

test('text typed before a closed tab, in fields that others have changed, is saved only if the person says so', async () => {
  const { id } = await create({ title: 'Contested', price: 4 })
  await owner.post(`/products/${id}/details`, { ageLimit: 12 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const open = async (tab: Page) => {
      await tab.goto(`${owner.origin}/console/products/${id}`)
      await waitForStatus(tab, 'Your unsaved changes are back.')
    }
    await page.getByRole('textbox', { name: 'Price', exact: true }).fill('5')
    await page.getByText('Allergens, diets and nutrition').click()
    await page.getByRole('textbox', { name: 'Minimum age' }).fill('16')
    const drafts = () => page.evaluate('Object.values(localStorage).join()')
    await expect.poll(drafts).toContain('"16"')
    await page.close()
    await owner.post(`/products/${id}`, { price: 3, sku: 'C-1' })
    await owner.post(`/products/${id}/details`, { ageLimit: 18 })
    // It is contested still when a second tab is closed too.
    const [second, third] = [await page.context().newPage(), await page.context().newPage()]
    await open(second)
    await second.close()
    await open(third)
    await third.getByRole('button', { name: 'Save' }).click()
    const question = third.getByRole('alertdialog', { name: 'Changed at the same time' })
    await question.getByRole('row', { name: 'Price €5.00 €3.00' }).waitFor()
    await question.getByRole('button', { name: 'Use theirs' }).click()
    await question.getByRole('row', { name: 'Minimum age 16 18' }).waitFor()
    await question.getByRole('button', { name: 'Keep mine' }).click()
    await third.getByRole('dialog').waitFor({ state: 'detached' })
  })
  expect(await read(id)).toMatchObject({ price: 3, sku: 'C-1' })
  expect(await owner.get(`/products/${id}/details`)).toMatchObject({ ageLimit: 16 })
})

test('what others change after a draft came back stays when it comes back again', async () => {
  const { id } = await create({ title: 'Contested twice', price: 4 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
    for (const changes of [{ title: 'Theirs', price: 5 }, { price: 9 }]) {
      await owner.post(`/products/${id}`, changes)
      await page.reload()
      await waitForStatus(page, 'Your unsaved changes are back.')
    }
    expect(await page.getByRole('textbox', { name: 'Price', exact: true }).inputValue()).toBe('9.00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alertdialog').getByRole('row', { name: 'Title Mine Theirs' }).waitFor()
    expect(await page.getByRole('row', { name: /^Price/ }).count()).toBe(0)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
  expect(await read(id)).toMatchObject({ title: 'Mine', price: 9 })
})

test('details that cannot be read cannot be changed, and a deletion is undone with them', async () => {
  const { id } = await create({ title: 'Brownie' })
  const allergens = [
    { code: 'gluten', level: 'contains' },
    { code: 'nuts', level: 'contains' },
  ]
  await owner.post(`/products/${id}/details`, { allergens })
  await visitConsole(browser, owner, '/products', async (page) => {
    let isDown = true
    await page.route('**/details', (route) => (isDown ? route.fulfill({ status: 500 }) : route.continue()))
    await page.getByRole('button', { name: 'Brownie', exact: true }).click()
    await page.getByRole('alert').getByText('service').waitFor()
    await page.getByText('Allergens, diets and nutrition').click()
    expect(await page.getByLabel('Allergens are stated').isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Description' }).fill('With nuts.')
    await page.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Brownie” is saved.')
    expect((await owner.get(`/products/${id}/details`)).allergens).toMatchObject(allergens)

    await page.getByRole('button', { name: 'Brownie', exact: true }).click()
    await page.getByRole('alert').getByText('service').waitFor()
    isDown = false
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Brownie” is deleted.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, '“Brownie” is back')
  })
  const [restored] = await owner.get('/products?q=brownie')
  expect((await owner.get(`/products/${restored.id}/details`)).allergens).toMatchObject(allergens)
})

test('what is typed while a product is saved stays, to be saved too', async () => {
  const { id } = await create({ title: 'Scone' })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const [title, description] = ['Title', 'Description'].map((name) => page.getByRole('textbox', { name }))
    await title?.fill('Fruit scone')
    const held = await holdRequest(page, `**/products/${id}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await held.sent
    await description?.fill('Typed meanwhile.')
    held.release()
    await waitForStatus(page, '“Fruit scone” is saved.')
    expect(await description?.inputValue()).toBe('Typed meanwhile.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
  })
  expect(await read(id)).toMatchObject({ title: 'Fruit scone', description: 'Typed meanwhile.' })
})

test('what a save stored before one of its parts failed is taken back when the rest is discarded', async () => {
  const { id } = await create({ title: 'Muffin' })
  await visitConsole(browser, owner, '/products', async (page) => {
    let isDown = true
    await page.route('**/details', (route) =>
      isDown && route.request().method() !== 'GET' ? route.fulfill({ status: 500 }) : route.continue(),
    )
    const editor = page.getByRole('dialog')
    const failToSave = async (title: string) => {
      await editor.getByRole('textbox', { name: 'Title' }).fill(title)
      await page.getByText('Allergens, diets and nutrition').click()
      await editor.getByLabel('Allergens are stated').check()
      await editor.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').getByText('service').waitFor()
    }
    const discard = async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
      await editor.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Muffin', exact: true }).click()
    await failToSave('Big muffin')
    expect(await read(id)).toMatchObject({ title: 'Big muffin' })
    await discard()
    expect(await read(id)).toMatchObject({ title: 'Muffin' })

    await page.getByRole('button', { name: 'New product' }).click()
    await editor.getByRole('textbox', { name: 'Price' }).fill('3')
    await failToSave('Crumpet')
    expect(await owner.get('/products?q=crumpet')).toHaveLength(1)
    await discard()
    expect(await owner.get('/products?q=crumpet')).toEqual([])

    await page.getByRole('button', { name: 'New product' }).click()
    await editor.getByRole('textbox', { name: 'Price' }).fill('3')
    await failToSave('Bagel')
    isDown = false
    await editor.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Bagel” is created.')
    expect(await owner.get('/products?q=bagel')).toHaveLength(1)
  })
})
