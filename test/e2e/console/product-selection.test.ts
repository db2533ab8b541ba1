import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const isVisible = async (id: string) => (await owner.get(`/products/${id}`)).visible

test('what is counted as selected is what changes: products that a search leaves out stay as they are', async () => {
  const [rye, oat] = [
    await owner.post('/products', { title: 'Rye roll', price: 2 }),
    await owner.post('/products', { title: 'Oat roll', price: 2 }),
  ]
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
