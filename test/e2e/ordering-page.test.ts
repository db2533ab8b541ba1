import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, freePort } from '../support/receiver.ts'
import type { Calls } from '../support/service.ts'
import { getBrowser, listAxeViolations, visit, widthOf } from './browser.ts'
import { startCommand } from './command.ts'
import { connectService } from './shared-service.ts'

const browser = await getBrowser()
let service: Calls
let kitchen: Awaited<ReturnType<typeof createReceiver>>
let address: string
let scanned: string
let server: ReturnType<typeof startCommand>
const ids: Record<string, string> = {}
let post: (path: string, json: unknown) => Promise<{ status: number; body: Record<string, string> }>
let get: (path: string) => ReturnType<Calls['call']>

/** The orders that the kitchen got. */
const listOrders = () =>
  kitchen.received.map(({ text }) => JSON.parse(text)).filter(({ type }) => type === 'order.created')
const readStock = async (name: string) => (await get(`/products/${ids[name]}`)).body.stockQuantity

beforeAll(async () => {
  service = await connectService()
  kitchen = await createReceiver()
  const { id, key } = await service.createAccount()
  post = (path, json) => service.call('POST', `/merchants/${id}${path}`, key, json)
  get = (path) => service.call('GET', `/merchants/${id}${path}`, key)
  const make = async (name: string, path: string, json: unknown) => {
    const { status, body } = await post(path, json)
    expect([name, status, body['errors']]).toEqual([name, 201, undefined])
    ids[name] = body['id'] ?? ''
    return body
  }
  const options = (...names: string[]) => names.map((name) => ({ id: name.toLowerCase(), label: name }))
  await make('cup', '/modifiers', { title: 'Cup', instructions: '', type: 'RADIO', options: options('Small', 'Large') })
  await make('milk', '/modifiers', {
    title: 'Milk',
    instructions: '',
    type: 'RADIO',
    rules: { required: true },
    options: options('Cow', 'Oat'),
  })
  const { cup, milk } = ids
  const contents = { cow: { allergens: [{ code: 'milk', level: 'contains' }] } }
  await post(`/modifiers/${milk}/details`, { options: contents })
  await make('latte', '/products', { title: 'Latte', price: 3, modifiers: [cup, milk] })
  await post(`/products/${ids['latte']}/details`, {
    sizes: { modifier: cup, prices: { small: { price: 3 }, large: { price: 4 } } },
  })
  await make('nuts', '/products', { title: 'Nut cake', price: 5, manageStock: true, stockQuantity: 2 })
  await post(`/products/${ids['nuts']}/details`, {
    allergens: [{ code: 'nuts', level: 'contains', names: ['walnuts'] }],
  })
  await make('soup', '/products', { title: 'Soup', price: 6 })
  await make('deal', '/products', { title: 'Coffee and cake', price: 7 })
  const groups = [
    { id: 'drink', title: 'Drink', min: 1, max: 1, items: [{ product: ids['latte'], size: 'large', surcharge: 1 }] },
    { id: 'cake', title: 'Cake', min: 1, max: 1, items: [{ product: ids['nuts'] }] },
  ]
  await post(`/products/${ids['deal']}/details`, { bundle: { groups } })
  await make('coupon', '/coupons', {
    title: 'Ten',
    code: `TEN${id.slice(-6)}`,
    type: 'PERCENTAGE',
    value: 10,
    applyToAllProducts: true,
  })
  const items = ['latte', 'nuts', 'soup', 'deal'].map((name) => ids[name])
  await make('menu', '/menus', { title: 'Day', visible: true, allDayMenu: true, sections: [{ title: 'All', items }] })
  await make('hook', '/webhooks', { title: 'Kitchen', url: kitchen.at('/'), events: ['order.created'] })
  const port = await freePort()
  address = `http://localhost:${port}/`
  const account = [`API_URL=${service.origin}`, `MERCHANT_ID=${id}`, `API_KEY=${key}`]
  server = startCommand('.', 'env', ...account, process.execPath, 'examples/ordering-page/server.ts', String(port))
  await server.printed('Guests order at')
  const { url } = await make('tag', '/tags', { metadata: [{ key: 'table', value: '4', visible: true }] })
  scanned = `${address}?tag=${ids['tag']}`
  expect(url).toContain('/t/')
})
afterAll(async () => {
  server.kill()
  await kitchen.close()
})

const choose = (page: Page, name: string) => page.getByRole('button', { name: `${name}: ` }).click()
const status = (page: Page) => page.locator('dialog [role=status]')
const add = async (page: Page, name: string) => {
  await page.getByRole('button', { name }).click()
  await page.locator('dialog').waitFor({ state: 'hidden' })
}
const order = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a guest at a table orders with sizes, choices, a bundle and a coupon; the kitchen gets it once', async () => {
  await visit(browser, scanned, { bypassCSP: true }, async (page, { browserErrors }) => {
    await page.getByText('Table 4').waitFor()
    expect(await page.getByText('Contains walnuts.').count()).toBe(1)
    expect(await page.getByText('Allergens: not stated. Please ask.').count()).toBe(3)
    await choose(page, 'Latte')
    await expect.poll(() => status(page).innerText()).toContain('Cup')
    expect(await page.getByRole('button', { name: 'Add' }).isDisabled()).toBe(true)
    const notes = page.locator('dialog .part small')
    expect(await notes.allInnerTexts()).toEqual(['', '', 'Contains milk.', 'Allergens not stated'])
    expect(await listAxeViolations(page)).toEqual([])
    await page.getByText('Large').click()
    await page.getByText('Oat').click()
    await add(page, 'Add · €4.00')
    await choose(page, 'Coffee and cake')
    await page.getByLabel('Latte, Large').check()
    await page.getByText('Cow').click()
    await page.locator('dialog').getByLabel('Nut cake').check()
    await add(page, 'Add · €8.00')
    await page.getByRole('button', { name: 'One Latte more' }).click()
    await page.getByLabel('Code').fill(String((await get(`/coupons/${ids['coupon']}`)).body.code))
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Order · €14.40', exact: true }).waitFor()
    expect(await widthOf(page)).toBe(390)
    expect(await listAxeViolations(page)).toEqual([])
    // The first answer is lost, so that the guest presses again.
    await page.route('**/order', (route) => route.fetch().then(() => route.abort()), { times: 1 })
    await order(page, 'Order · €14.40')
    await page.getByText('No connection. Press Order again.').waitFor()
    await order(page, 'Order · €14.40')
    await page.getByText(/^Thank you/).waitFor()
    expect(await page.locator('#basket').isVisible()).toBe(false)
    expect(browserErrors.filter((error) => !error.includes('net::ERR_FAILED'))).toEqual([])
  })
  await expect.poll(listOrders).toHaveLength(1)
  const [{ data }] = listOrders()
  expect(data).toMatchObject({ tag: ids['tag'], total: 14.4, items: [{ quantity: 2, size: 'large' }, { quantity: 1 }] })
  expect(await readStock('nuts')).toBe(1)
  expect((await get(`/coupons/${ids['coupon']}`)).body.timesRedeemed).toBe(1)
})

test('a dish that another guest takes while one chooses, and a new price, are shown before the order', async () => {
  await visit(browser, scanned, {}, async (page) => {
    for (const name of ['Nut cake', 'Soup']) {
      await choose(page, name)
      await add(page, name === 'Soup' ? 'Add · €6.00' : 'Add · €5.00')
    }
    await page.getByRole('button', { name: 'Order · €11.00', exact: true }).waitFor()
    await post('/stock', {
      reference: crypto.randomUUID(),
      reason: 'count',
      changes: [{ product: ids['nuts'], set: 0 }],
    })
    await post(`/products/${ids['soup']}`, { price: 6.5 })
    await order(page, 'Order · €11.00')
    await page.getByText('Something has changed. Please look at your order again.').waitFor()
    await page.locator('#lines em').waitFor()
    expect(await page.locator('#lines em').count()).toBe(1)
    await page.getByRole('button', { name: 'One Nut cake less' }).click()
    await order(page, 'Order · €6.50')
    await page.getByText(/^Thank you/).waitFor()
    await page.reload()
    await expect.poll(() => page.getByText('Sold out').count()).toBe(2)
    expect(await page.getByRole('button', { name: 'Nut cake: ' }).count()).toBe(0)
  })
  await expect.poll(listOrders).toHaveLength(2)
  expect(await readStock('nuts')).toBe(0)
})
