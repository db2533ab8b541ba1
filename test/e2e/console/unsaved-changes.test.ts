import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

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
