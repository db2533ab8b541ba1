import { expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()
const folder = process.env['CONSOLE_PICTURES']

const options = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large' },
]

test.each(Object.entries(sizes))(
  'on a %s, a set menu says in which size it offers a part, and shows what guests choose from',
  async (device, size) => {
    const modifier = await owner.post('/modifiers', { title: 'Cup', instructions: '', type: 'RADIO', options })
    const juice = await owner.post('/products', { title: 'Juice', price: 3, modifiers: [modifier.id] })
    const prices = { s: { price: 3 }, l: { price: 4 } }
    await owner.post(`/products/${juice.id}/details`, { sizes: { modifier: modifier.id, prices } })
    const soup = await owner.post('/products', { title: 'Soup', price: 5 })
    const lunch = await owner.post('/products', { title: 'Lunch', price: 9 })
    const items = [
      { product: juice.id, size: 's' },
      { product: juice.id, size: 'l', surcharge: 1 },
      { product: soup.id },
    ]
    const bundle = { groups: [{ id: 'g', title: 'Drink', min: 1, max: 2, items }] }
    await owner.post(`/products/${lunch.id}/details`, { bundle })
    await visitConsole(
      browser,
      owner,
      `/products/${lunch.id}`,
      async (page) => {
        const seen = page.getByRole('region', { name: 'As guests see it' })
        await seen.getByText('Drink (choose 1 to 2)').waitFor()
        await seen.getByText('Juice, Small · Juice, Large +€1.00 · Soup').waitFor()
        await page.getByText('Set menu', { exact: true }).click()
        const surcharge = page.getByLabel('Surcharge for Juice, Large')
        expect(await surcharge.inputValue()).toBe('1.00')
        await surcharge.fill('1,50')
        await seen.getByText('Juice, Large +€1.50').waitFor()
        const inAnySize = page.getByLabel('Size of Juice in the set menu').first()
        await inAnySize.selectOption('Any size')
        await seen.getByText('Juice · Juice, Large +€1.50 · Soup').waitFor()
        await inAnySize.selectOption('Small')
        await seen.getByText('Juice, Small · Juice, Large +€1.50 · Soup').waitFor()
        if (folder) await page.screenshot({ path: `${folder}/set-menu-${device}.png`, fullPage: true })
        expect(await widthOf(page)).toBeLessThanOrEqual(size.viewport.width)
        await page.getByRole('button', { name: 'Save' }).click()
        await waitForStatus(page, '“Lunch” is saved.')
      },
      size,
    )
    const stored = await owner.get(`/products/${lunch.id}/details`)
    expect(stored.bundle.groups[0].items).toEqual(items.with(1, { product: juice.id, size: 'l', surcharge: 1.5 }))
  },
)
