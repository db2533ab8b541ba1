import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (fields: object) => owner.post('/products', { title: 'Tea', price: 2.5, ...fields })
const read = (id: string) => owner.get(`/products/${id}`)
const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

test('a product is created, changed and deleted with the keyboard alone', async () => {
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByRole('button', { name: 'New product' }).waitFor()
    await page.keyboard.press('n')
    const editor = page.getByRole('dialog', { name: 'New product' })
    await editor.waitFor()
    await page.keyboard.type('Pastel de nata')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1.40')
    await page.keyboard.press('Enter')
    await status(page, '“Pastel de nata” is created.')
    expect(await editor.count()).toBe(0)
    const [product] = await owner.get('/products?q=nata')
    expect(product).toMatchObject({ title: 'Pastel de nata', price: 1.4, visible: true })

    const opener = page.getByRole('button', { name: 'Pastel de nata', exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    const open = page.getByRole('dialog', { name: 'Edit product' })
    await open.getByRole('textbox', { name: 'Description' }).fill('Warm, with cinnamon.')
    await open.getByRole('textbox', { name: 'Price' }).press('Enter')
    await status(page, '“Pastel de nata” is saved.')
    expect(await read(product.id)).toMatchObject({ description: 'Warm, with cinnamon.', price: 1.4 })
    // The focus is where the editor was opened.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Pastel de nata')

    await page.keyboard.press('Enter')
    await open.getByRole('button', { name: 'Delete' }).press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Delete “Pastel de nata”?' })
    await question.getByRole('button', { name: 'Delete' }).press('Enter')
    await status(page, '“Pastel de nata” is deleted.')
    expect((await read(product.id)).code).toBe('not_found')
  })
})

test('fields that are not valid are marked, the first has the focus, and nothing typed is lost', async () => {
  await visitConsole(browser, owner, '/products/new', async (page) => {
    const editor = page.getByRole('dialog', { name: 'New product' })
    const [title, price] = [
      editor.getByRole('textbox', { name: 'Title' }),
      editor.getByRole('textbox', { name: 'Price' }),
    ]
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('Fill this in.').first().waitFor()
    await expect.poll(() => title.and(page.locator(':focus')).count()).toBe(1)
    await title.fill('x'.repeat(256))
    await price.fill('1')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('Enter at most 255 characters.').waitFor()
    expect(await title.getAttribute('aria-invalid')).toBe('true')
    expect(await title.inputValue()).toHaveLength(256)
    await title.fill('Short')
    await editor.getByText('Tax and stock').click()
    await editor.getByLabel('Manage stock').check()
    const stock = editor.getByLabel('In stock', { exact: true })
    await stock.fill('1.000')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('without a separator for thousands').waitFor()
    await stock.fill('1.2340')
    await page.route('**/products', (route) => route.abort())
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    expect(await title.inputValue()).toBe('Short')
    await page.unroute('**/products')
    await editor.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Short” is created.')
    expect(await owner.get('/products?q=short')).toMatchObject([{ stockQuantity: 1.234 }])
    // Stored values can be saved again.
    await page.getByRole('button', { name: 'Short', exact: true }).click()
    const opened = page.getByRole('dialog', { name: 'Edit product' })
    await opened.getByRole('textbox', { name: 'Price' }).fill('2')
    await opened.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Short” is saved.')
    expect(await owner.get('/products?q=short')).toMatchObject([{ price: 2, stockQuantity: 1.234 }])
  })
})

test('when somebody else has changed the product, the person sees both versions and chooses', async () => {
  const { id } = await create({ title: 'Contested', price: 3 })
  await visitConsole(browser, owner, '/products', async (page) => {
    const price = page.getByRole('textbox', { name: 'Price of Contested' })
    await price.waitFor()
    await owner.post(`/products/${id}`, { price: 4 })
    await price.fill('5')
    await price.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Changed at the same time' })
    await dialog.getByRole('row', { name: 'Price €5.00 €4.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => price.inputValue()).toBe('4.00')
    expect(await read(id)).toMatchObject({ price: 4 })
    await owner.post(`/products/${id}`, { price: 6 })
    await price.fill('5')
    await price.press('Enter')
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await status(page, '“Contested” now costs €5.00.')
    expect(await read(id)).toMatchObject({ price: 5 })
  })
})

test('details are stored with the product, and a deletion is undone with them and the places on menus', async () => {
  const { id } = await create({ title: 'Walnut cake', price: 4 })
  const other = await create({ title: 'Other cake', price: 4 })
  const menu = await owner.post('/menus', { title: 'Cakes', sections: [{ items: [id, other.id] }] })
  await owner.post(`/menus/${menu.id}/details`, { prices: [{ product: id, price: 3.5 }] })
  const coupon = await owner.post('/coupons', {
    title: 'Off',
    code: 'CAKE',
    type: 'FIXED',
    value: 1,
    products: [other.id, id],
  })
  await owner.post(`/products/${id}`, { metadata: [{ key: 'till', value: '7' }] })
  await owner.post(`/products/${id}/external-id`, { externalId: 'cake-7' })
  await owner.post(`/products/${id}/availability`, { soldOut: true, until: 'further_notice' })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const editor = page.getByRole('dialog', { name: 'Edit product' })
    await editor.getByText('Allergens, diets and nutrition').click()
    await editor.getByRole('button', { name: 'Tree nuts', exact: true }).click()
    // The first tap makes the chip wider, so it may stand in the next line.
    await editor.getByRole('button', { name: 'Sesame' }).click()
    await editor.getByRole('button', { name: 'Sesame' }).click()
    await editor.getByLabel('Vegetarian').check()
    await editor.getByLabel('Values are for').selectOption('100 g')
    await editor.getByLabel('Energy (kcal)').fill('lots')
    await editor.getByText('Translations').click()
    await editor.getByLabel('Language').fill('FR')
    await page.keyboard.press('Enter')
    await editor.getByRole('group', { name: 'Translation: French' }).getByLabel('Title').fill('Gâteau aux noix')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText('Enter a number.').waitFor()
    await editor.getByLabel('Energy (kcal)').fill('410,5')
    await editor.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Walnut cake” is saved.')
    const details = {
      allergens: [
        { code: 'nuts', level: 'contains' },
        { code: 'sesame', level: 'may_contain' },
      ],
      diets: ['vegetarian'],
      nutrition: { basis: '100g', energyKcal: 410.5 },
      translations: { fr: { title: 'Gâteau aux noix' } },
    }
    expect(await owner.get(`/products/${id}/details`)).toEqual(details)
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, 'Undone.')
    expect(await owner.get(`/products/${id}/details`)).toEqual({})
    await owner.post(`/products/${id}/details`, details)

    await page.getByRole('button', { name: 'Walnut cake', exact: true }).click()
    await editor.getByRole('region', { name: 'As guests see it' }).getByText('Contains: Tree nuts').waitFor()
    await editor.getByRole('button', { name: 'Duplicate' }).click()
    await status(page, '“Walnut cake (copy)” is created.')
    await expect
      .poll(() => editor.getByRole('textbox', { name: 'Title' }).first().inputValue())
      .toBe('Walnut cake (copy)')
    const [copy] = await owner.get('/products?q=copy')
    expect(await owner.get(`/products/${copy.id}/details`)).toEqual(details)
    await owner.post(`/products/${copy.id}`, { title: 'Copied' })
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Walnut cake', exact: true }).click()
    await editor.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await status(page, '“Walnut cake” is deleted.')
    expect((await owner.get(`/menus/${menu.id}`)).sections[0].items).toEqual([other.id])
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, '“Walnut cake” is back.')
    const [restored] = await owner.get('/products?q=walnut')
    expect(await owner.get(`/products/${restored.id}/details`)).toEqual(details)
    expect((await owner.get(`/menus/${menu.id}`)).sections[0].items).toEqual([restored.id, other.id])
    expect((await owner.get(`/menus/${menu.id}/details`)).prices).toEqual([{ product: restored.id, price: 3.5 }])
    expect((await owner.get(`/coupons/${coupon.id}`)).products).toEqual([other.id, restored.id])
    expect(restored.metadata).toEqual([{ key: 'till', value: '7' }])
    expect((await owner.get(`/products/${restored.id}?include=externalId`)).externalId).toBe('cake-7')
    expect(await owner.get(`/products/${restored.id}/availability`)).toMatchObject({ until: 'further_notice' })
  })
})

test('a picture that is removed before another is uploaded stays removed', async () => {
  const images = ['a', 'b'].map((name) => ({ url: `https://images.example.com/${name}.png` }))
  const { id } = await create({ title: 'Tart', images })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    await page.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    )
    await page.getByRole('button', { name: 'Remove Picture 1' }).click()
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    await page
      .getByLabel('Add a picture')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
    await page.locator(`img[src^="${owner.origin}"]`).or(page.locator('img[src^="/"]')).first().waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Tart” is saved.')
  })
  const stored = (await read(id)).images.map(({ url }: { url: string }) => url)
  expect(stored).toEqual(['https://images.example.com/b.png', expect.stringContaining('/i/')])
})

test('a picture is uploaded in the editor', async () => {
  const { id } = await create({ title: 'Pictured' })
  await visitConsole(browser, owner, `/products/${id}`, async (page) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    const buffer = Buffer.from(pixel, 'base64')
    await page.getByLabel('Add a picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
  })
  expect((await read(id)).images).toHaveLength(1)
})

test('a new product is stored with its picture', async () => {
  await visitConsole(browser, owner, '/products/new', async (page) => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    const buffer = Buffer.from(pixel, 'base64')
    const editor = page.getByRole('dialog', { name: 'New product' })
    await editor.getByRole('textbox', { name: 'Title' }).fill('Photographed')
    await editor.getByRole('textbox', { name: 'Price' }).fill('3')
    await editor.getByLabel('Add a picture').setInputFiles({ name: 'dish.png', mimeType: 'image/png', buffer })
    const preview = editor.getByRole('img', { name: 'dish.png' })
    await expect.poll(() => preview.evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBe(1)
    await editor.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Photographed” is created.')
  })
  expect((await owner.get('/products?q=photographed'))[0].images).toHaveLength(1)
})
