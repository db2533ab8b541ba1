import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
/** The longest time after which a change by others is shown, in milliseconds, and what a busy machine adds. */
const within = { timeout: 15_000 }

test('Sold out, Products and Today follow changes by another device without a reload', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Otter burger', price: 9 })
  await owner.post('/menus', { title: 'Lunch', sections: [{ title: 'Mains', items: [id] }] })
  const mark = (soldOut: boolean) =>
    owner.post(`/products/${id}/availability`, { soldOut, ...(soldOut && { until: 'further_notice' }) })
  const loads: string[] = []
  await visitConsole(browser, owner, '/sold-out', async (page, { requests }) => {
    page.on('load', () => loads.push(page.url()))
    const tap = page.getByRole('switch', { name: 'Otter burger' })
    await tap.waitFor()
    await page.waitForLoadState('networkidle')
    await mark(true)
    await tap.and(page.locator('[aria-checked=true]')).waitFor(within)
    await page.getByText('Sold out now: 1').waitFor()
    // While nothing changes, only the pulse is asked for.
    const before = requests.length
    await page.waitForResponse(/\/pulse\?after=/)
    await page.waitForResponse(/\/pulse\?after=/)
    expect(requests.slice(before).filter((request) => !request.endsWith('/pulse'))).toEqual([])
  })
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'Otter burger' })
      await row.getByText('Sold out until further notice').waitFor()
      await mark(false)
      await row.getByText('Sold out until further notice').waitFor({ state: 'detached', ...within })
      await owner.post(`/products/${id}`, { price: 11.5, visible: false })
      await row.getByText('Hidden').waitFor(within)
      expect(await row.getByRole('textbox').inputValue()).toBe('11.50')
    },
    sizes.phone,
  )
  await visitConsole(browser, owner, '/today', async (page) => {
    await page.getByText('Everything is available.').waitFor()
    await mark(true)
    await page.getByRole('region', { name: 'Sold out' }).getByText('Otter burger').waitFor(within)
    await owner.post('/service', { paused: true })
    await page.getByText('Orders are paused.').waitFor(within)
  })
  expect(loads).toEqual([])
})

test('a price that is being typed stays when another device changes it, and saving asks', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Galão', price: 2 })
  await visitConsole(browser, owner, '/products', async (page) => {
    const price = page.getByRole('textbox', { name: 'Price of Galão' })
    await price.fill('2.50')
    await owner.post(`/products/${id}`, { price: 3 })
    await page.waitForResponse(/\/pulse/)
    await page.waitForResponse(/\/pulse/)
    expect(await price.inputValue()).toBe('2.50')
    await price.press('Enter')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await expect.poll(() => price.inputValue()).toBe('3.00')
  })
})
