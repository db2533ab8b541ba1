import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (fields: object) => owner.post('/products', { title: 'Tea', price: 2.5, ...fields })

test('a price that is restored by Escape leaves no alert behind', async () => {
  await create({ title: 'Shortbread', price: 3 })
  await visitConsole(browser, owner, '/products', async (page) => {
    const price = page.getByRole('textbox', { name: 'Price of Shortbread' })
    const alert = page.getByRole('alert').getByText('Enter a number such as 12.50')
    for (const mend of [() => price.press('Escape'), () => price.fill('3').then(() => price.press('Enter'))]) {
      await price.fill('3,,5')
      await price.press('Enter')
      await alert.waitFor()
      await mend()
      await alert.waitFor({ state: 'detached' })
      expect(await price.inputValue()).toMatch(/^3/)
    }
  })
})

test('a picture that was picked for a new product by mistake is taken back', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  const buffer = Buffer.from(pixel, 'base64')
  await visitConsole(
    browser,
    owner,
    '/products/new',
    async (page) => {
      const form = page.getByRole('dialog', { name: 'New product' })
      await form.getByRole('textbox', { name: 'Title' }).fill('Plain')
      await form.getByRole('textbox', { name: 'Price' }).fill('3')
      await form.getByLabel('Add a picture').setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer })
      await form.getByRole('button', { name: 'Remove cat.png' }).click()
      expect(await form.getByText('cat.png').count()).toBe(0)
      await expect.poll(() => page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true)
      await form.getByRole('button', { name: 'Save' }).click()
      await waitForStatus(page, '“Plain” is created.')
    },
    sizes.phone,
  )
  expect((await owner.get('/products?q=plain'))[0].images).toEqual([])
})

test('the button that dismisses a message can be seen under the pointer', async () => {
  await create({ title: 'Hovered' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        await page.getByRole('switch', { name: 'Hovered visible' }).click()
        const dismiss = page.getByRole('status').getByRole('button', { name: 'Dismiss' })
        await dismiss.hover()
        await expect.poll(() => dismiss.evaluate((button) => button.matches(':hover'))).toBe(true)
        const [sign, behind]: string[] = await page.evaluate(`
          (({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('.toast .quiet')))
        `)
        const channels = (text = '') => (text.match(/[\d.]+/g) ?? []).map(Number)
        const [[red = 0] = [], [shade = 0, , , alpha = 1] = []] = [channels(sign), channels(behind)]
        // The background is translucent, or far from the colour of the sign.
        expect(alpha < 0.5 || Math.abs(red - shade) > 100).toBe(true)
      },
      { ...sizes.desk, colorScheme, reducedMotion: 'reduce' },
    )
  }
})

test('a price with three decimals is not guessed: one that exists is kept, and a new one is refused', async () => {
  const { id } = await owner.post('/products', { title: 'Saffron', price: 1.234 })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const form = page.getByRole('dialog')
    const price = form.getByRole('textbox', { name: 'Price', exact: true })
    await price.fill('1.500')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Enter a number such as 12.50, without a separator for thousands.').waitFor()
    await price.fill('1.2340')
    await form.getByRole('textbox', { name: 'Title' }).fill('Saffron threads')
    await form.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Saffron threads” is saved.')
    await page.goto(`${owner.origin}/console/products/${id}`)
    expect(await price.inputValue()).toBe('1.2340')
  })
  expect(await owner.get(`/products/${id}`)).toMatchObject({ title: 'Saffron threads', price: 1.234 })
})

test('a wrong value in a field that is no longer shown does not prevent saving', async () => {
  await visitConsole(browser, owner, '/products/new', async (page) => {
    const form = page.getByRole('dialog', { name: 'New product' })
    await form.getByRole('textbox', { name: 'Title' }).fill('Hidden mistakes')
    await form.getByRole('textbox', { name: 'Price' }).fill('3')
    await form.getByText('Tax and stock').click()
    for (const [part, field] of [
      ['Own tax rate', 'Tax rate (%)'],
      ['Manage stock', 'In stock'],
    ] as const) {
      await form.getByLabel(part).check()
      await form.getByLabel(field, { exact: true }).fill('abc')
      await form.getByLabel(part).uncheck()
    }
    await form.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Hidden mistakes” is created.')
  })
  const [product] = await owner.get('/products?q=mistakes')
  expect([product.taxRate, product.stockQuantity]).toEqual([undefined, undefined])
})

test('a product whose stock is managed needs its number', async () => {
  const { id } = await create({ title: 'Counted' })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const form = page.getByRole('dialog')
    await form.getByText('Tax and stock').click()
    await form.getByLabel('Manage stock').check()
    await form.getByRole('button', { name: 'Save' }).click()
    const stock = form.getByLabel('In stock', { exact: true })
    await form.getByText('Fill this in.').waitFor()
    await expect.poll(() => stock.and(page.locator(':focus')).count()).toBe(1)
    await stock.fill('0')
    await form.getByRole('button', { name: 'Save' }).click()
    await waitForStatus(page, '“Counted” is saved.')
  })
  expect(await owner.get(`/products/${id}`)).toMatchObject({ manageStock: true, stockQuantity: 0 })
})
