import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (title: string, price: number) => owner.post('/products', { title, price })
const read = (id: string) => owner.get(`/products/${id}`)
const isVisible = async (id: string) => (await read(id)).visible

test('what is counted as selected is what changes: products that a search leaves out stay as they are', async () => {
  const [rye, oat] = [await create('Rye roll', 2), await create('Oat roll', 2)]
  const visible = () => Promise.all([isVisible(rye.id), isVisible(oat.id)])
  await visitConsole(browser, owner, '/products', async (page) => {
    const search = page.getByRole('searchbox', { name: 'Search products' })
    const bar = (name: string) => page.getByRole('region', { name, exact: true })
    await page.getByRole('checkbox', { name: 'Select Rye roll' }).check()
    await page.getByRole('checkbox', { name: 'Select Oat roll' }).check()
    await search.fill('oat roll')
    await bar('1 selected. 1 more is not in this list and stays as it is.')
      .getByRole('button', { name: 'Hide' })
      .click()
    await waitForStatus(page, '“Oat roll” is hidden.')
    expect(await visible()).toEqual([true, false])
    await search.fill('no such roll')
    const empty = bar('0 selected. 2 more are not in this list and stay as they are.')
    await empty.waitFor()
    for (const name of ['Hide', 'Show', 'Change prices'])
      expect(await empty.getByRole('button', { name }).isDisabled()).toBe(true)
    await search.fill('roll')
    await bar('2 selected').getByRole('button', { name: 'Hide' }).click()
    await waitForStatus(page, '“Rye roll” is hidden.')
    expect(await visible()).toEqual([false, false])
  })
})

test('prices of many products change by percent, with a preview', async () => {
  const products = [await create('Cake A', 3.2), await create('Cake B', 4.55)]
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByRole('searchbox', { name: 'Search products' }).fill('cake')
    await page.getByRole('status').getByText('2 products').waitFor()
    await page.getByRole('checkbox', { name: 'Select all shown' }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change prices' })
    await dialog.getByLabel('Amount').check()
    await dialog.getByRole('textbox').fill('1,200')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByText('Enter a number such as 12.50, without a separator for thousands.').waitFor()
    await dialog.getByLabel('Percent').check()
    await dialog.getByRole('textbox').fill('10')
    await dialog.getByRole('row', { name: 'Cake A €3.20 €3.52' }).waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await waitForStatus(page, '2 prices are changed.')
  })
  const prices = await Promise.all(products.map(async ({ id }) => (await read(id)).price))
  expect(prices).toEqual([3.52, 5.01])
})

test('what others changed or deleted since the list was loaded is left alone, also by Undo', async () => {
  const [plum, pear, quince] = [
    await create('Plum tart', 10),
    await create('Pear tart', 4),
    await create('Quince tart', 5),
  ]
  const prices = async () => [(await read(plum.id)).price, (await read(pear.id)).price]
  await visitConsole(browser, owner, '/products', async (page) => {
    const leftAlone = (count: string) =>
      page.getByRole('alert').getByText(`Somebody else has changed or deleted ${count} left alone.`).waitFor()
    await page.getByRole('searchbox', { name: 'Search products' }).fill('tart')
    await page.getByRole('status').getByText('3 products').waitFor()
    await page.getByRole('checkbox', { name: 'Select all shown' }).check()
    await owner.post(`/products/${plum.id}`, { price: 15 })
    await owner.delete(`/products/${quince.id}`)
    await page.getByRole('button', { name: 'Change prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change prices' })
    await dialog.getByRole('textbox').fill('10')
    await dialog.getByRole('row', { name: 'Plum tart €10.00 €11.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await leftAlone('2 products: they were')
    await page
      .getByRole('alert')
      .getByText(/^1 price is changed\. /)
      .waitFor()
    // No success stands beside a failure.
    expect(await page.locator('.toast.status').count()).toBe(0)
    expect(await prices()).toEqual([15, 4.4])

    // The remaining products show their current state, and can be changed.
    await dialog.getByRole('row', { name: 'Plum tart €15.00 €16.50' }).waitFor()
    expect(await dialog.getByRole('row').count()).toBe(2)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await prices()).toEqual([16.5, 4.4])

    await owner.post(`/products/${plum.id}`, { price: 99 })
    await page.getByRole('button', { name: 'Undo' }).click()
    // The set of both changes is undone where nobody has changed anything since.
    await page.getByRole('alert').getByText('Product “Plum tart” (Price): changed by somebody since.').waitFor()
    expect(await prices()).toEqual([99, 4.4])
  })
})

test('a product that is visible already is not shown again', async () => {
  await create('Visible bun', 2)
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByRole('checkbox', { name: 'Select Visible bun' }).check()
    await page.getByRole('region', { name: '1 selected' }).getByRole('button', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    expect(await page.getByRole('status').getByText('products are visible').count()).toBe(0)
    expect(requests.filter((request) => request.endsWith('/batch'))).toEqual([])
  })
})

test('a price that the service rejects is said to be wrong, and the product stays selected', async () => {
  await create('Dear bun', 2)
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByRole('checkbox', { name: 'Select Dear bun' }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change prices' })
    await dialog.getByLabel('Amount').check()
    await dialog.getByRole('textbox').fill('2000000000')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').getByText('Some values are not valid.').waitFor()
    await dialog.getByRole('row', { name: 'Dear bun' }).waitFor()
    expect(await page.getByRole('status').getByText('prices are changed').count()).toBe(0)
  })
})
