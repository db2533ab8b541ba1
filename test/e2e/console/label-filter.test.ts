import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (fields: object) => owner.post('/products', { title: 'Tea', price: 2.5, ...fields })
const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe.each(Object.entries(sizes))('on a %s', (_, size) => {
  test('products with a label are listed, and their prices changed together', async () => {
    const label = `Déjeuner ${size.viewport.width}`
    const made = [await create({ title: 'Crêpe' }), await create({ title: 'Soupe' }), await create({ title: 'Other' })]
    for (const { id } of made.slice(0, 2)) await owner.post(`/products/${id}/details`, { labels: [label] })
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        const open = (title: string) => page.getByRole('button', { name: title, exact: true })
        await open('Other').first().waitFor()
        const filter = page.getByRole('combobox', { name: 'Label' })
        await filter.fill(label.toUpperCase())
        await open('Other').first().waitFor({ state: 'detached' })
        await status(page, '2 products')
        await page.getByRole('checkbox', { name: 'Select all shown' }).check()
        await page.getByText('2 selected').waitFor()
        await filter.fill('no such label')
        await page.getByText('2 selected').waitFor()
        await filter.press('Enter')
        await page.getByText('No product matches.').waitFor()
        await filter.fill('')
        await open('Other').first().waitFor()
      },
      size,
    )
  })
})
