import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()

test('an owner adds charges, is warned about service, and removes them', async () => {
  const venue = await createOwner()
  const client = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await client.merchant.update({ currency: 'EUR', address: { country: 'DE' } })
  await visitConsole(
    browser,
    venue,
    '/settings',
    async (page) => {
      const section = page.locator('section', { has: page.getByRole('heading', { name: 'Charges' }) })
      const save = section.getByRole('button', { name: 'Save' })
      await section.getByRole('button', { name: 'Add a charge' }).click()
      const first = section.getByRole('group', { name: 'Charge 1', exact: true })
      await first.getByText('usually have to include service').waitFor()
      await save.click()
      await first.locator('input:focus[aria-invalid=true]').waitFor()
      await first.getByLabel('Title').fill('Boxes')
      await first.getByLabel('For', { exact: true }).selectOption({ label: 'Packaging' })
      expect(await first.getByText('usually have to include service').count()).toBe(0)
      await first.getByLabel('Amount').selectOption({ label: 'Fixed amount' })
      await first.getByLabel('Value').fill('0.305')
      await first.getByText('Guests see it so, and totals are rounded to €0.01.').waitFor()
      await first.getByLabel('Value').fill('0.30')
      await first.getByLabel('Charged').selectOption({ label: 'for each item' })
      await first.getByRole('checkbox', { name: 'Eat in' }).uncheck()
      await save.click()
      await waitForStatus(page, 'The settings are saved.')
      const box = { title: 'Boxes', kind: 'packaging', type: 'FIXED', value: 0.3, per: 'item' }
      expect((await client.charges.list()).charges).toMatchObject([{ ...box, orderTypes: ['takeaway', 'delivery'] }])
      expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
      expect(await listViolations(page)).toEqual([])
      await section.getByRole('button', { name: 'Remove Charge 1' }).click()
      await save.click()
      await expect.poll(async () => (await client.charges.list()).charges).toEqual([])
    },
    { ...sizes.phone, bypassCSP: true },
  )
})

test('products and sizes have deposits with a name and a tax rate, and a price finer than the currency is named', async () => {
  const venue = await createOwner()
  const client = createClient({ origin: venue.origin, merchantId: venue.id, key: venue.key })
  await client.merchant.update({ currency: 'EUR' })
  const options = [
    { id: 's', label: 'Small' },
    { id: 'l', label: 'Large' },
  ]
  const modifier = await client.modifiers.create({ title: 'Size', instructions: '', type: 'RADIO', options })
  const { id } = await client.products.create({ title: 'Beer', price: 4, modifiers: [modifier.id] })
  const prices = { s: { price: 4, deposit: { amount: 0.15, title: 'Glass' } }, l: { price: 6 } }
  await client.products.updateDetails(id, { sizes: { modifier: modifier.id, prices } })
  await visitConsole(
    browser,
    venue,
    `/products/${id}`,
    async (page) => {
      await page.getByText('Deposits of sizes').click()
      const group = page.locator('details', { has: page.locator('summary', { hasText: 'Deposits of sizes' }) })
      const sized = (name: string) => group.getByLabel(name, { exact: true })
      expect(await sized('Small').inputValue()).toBe('0.15')
      expect(await sized('Name of the deposit, Small').inputValue()).toBe('Glass')
      await sized('Name of the deposit, Small').fill('Mug')
      await sized('Tax rate of the deposit, Small').fill('7')
      await sized('Large').fill('0.505')
      await group.getByText('Guests see it so, and totals are rounded to €0.01.').waitFor()
      await sized('Large').fill('0.50')
      await page.getByText('Sale and labels').click()
      const own = (name: string) => page.getByLabel(name, { exact: true })
      await own('Deposit').fill('0.25')
      await own('Name of the deposit').fill('Bottle')
      await own('Tax rate of the deposit').fill('19')
      await page.getByRole('button', { name: 'Save' }).click()
      const read = async () => (await client.products.details(id)).sizes?.prices
      const small = { price: 4, deposit: { amount: 0.15, title: 'Mug', taxRate: 7 } }
      await expect.poll(read).toEqual({ s: small, l: { price: 6, deposit: { amount: 0.5 } } })
      expect((await client.products.details(id)).deposit).toEqual({ amount: 0.25, title: 'Bottle', taxRate: 19 })
    },
    { ...sizes.phone, bypassCSP: true },
  )
})
