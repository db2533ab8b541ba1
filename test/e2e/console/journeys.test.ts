import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, type Receiver } from '../../support/receiver.ts'
import { getBrowser } from '../browser.ts'
import { createOwner, type Owner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
let receiver: Receiver
beforeAll(async () => {
  owner = await createOwner()
  receiver = await createReceiver()
})
afterAll(async () => {
  receiver?.close()
})

/** Counts the keys and taps that the browser gets from now on. */
const startCount = (page: Page) =>
  page.evaluate(`
    window.inputs = 0
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, (event) => { window.inputs += event.isTrusted ? 1 : 0 }, true)
  `)
const readCount = async (page: Page) => Number(await page.evaluate('window.inputs'))

test('the palette opens screens, objects and new objects with the keyboard, and by a button', async () => {
  const { id } = await owner.post('/products', { title: 'Walnut cake', price: 4 })
  await owner.post('/customers', { firstName: 'Ana', lastName: 'Walnut' })
  await owner.post('/tags', { metadata: [{ key: 'room', value: 'Walnut' }] })
  await visitConsole(browser, owner, '/today', async (page) => {
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to' })
    await palette.getByRole('option', { name: 'Sold out' }).waitFor()
    await page.keyboard.type('walnut')
    await palette.getByRole('option', { name: 'Walnut cake Products' }).waitFor()
    await palette.getByRole('option', { name: 'Ana Walnut Customers' }).waitFor()
    await palette.getByRole('option', { name: 'Room Walnut Tables' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor()
    expect(page.url()).toContain(`/console/products/${id}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Go to' }).click()
    await palette.locator(':focus').waitFor()
    await page.keyboard.type('new men')
    await palette.getByRole('option', { name: 'New menu Action' }).waitFor()
    await expect.poll(() => palette.getByRole('option').count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'New menu' }).waitFor()
    await page.keyboard.press('Control+k')
    await palette.locator(':focus').waitFor()
    await page.keyboard.type('zzz')
    await palette.getByText('Nothing found.').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  })
})

test('a price is changed with 5 inputs: a tap, three digits and Enter', async () => {
  const { id } = await owner.post('/products', { title: 'Galão', price: 2.5 })
  await visitConsole(browser, owner, '/products', async (page) => {
    const price = page.getByRole('textbox', { name: 'Price of Galão' })
    await price.waitFor()
    await startCount(page)
    await price.click()
    await page.keyboard.type('2.8')
    await page.keyboard.press('Enter')
    await waitForStatus(page, '“Galão” now costs €2.80.')
    expect(await readCount(page)).toBe(5)
  })
  expect(await owner.get(`/products/${id}`)).toMatchObject({ price: 2.8 })
})

test('a product is sold out until tomorrow with one tap', async () => {
  const { id } = await owner.post('/products', { title: 'Bolo', price: 3 })
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      const sold = page.getByRole('switch', { name: 'Bolo' })
      await sold.waitFor()
      await startCount(page)
      await sold.tap()
      await waitForStatus(page, '“Bolo” is sold out until')
      expect(await readCount(page)).toBe(1)
    },
    sizes.phone,
  )
  expect(await owner.get(`/products/${id}/availability`)).toMatchObject({ soldOut: true, until: expect.any(Number) })
})

test('tables 1–12 are made and printed with 7 inputs', async () => {
  const venue = await createOwner()
  await visitConsole(browser, venue, '/tables', async (page) => {
    await page.getByText('No tables yet').waitFor()
    await startCount(page)
    await page.getByRole('button', { name: 'Make tables' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make tables' })
    await dialog.getByRole('textbox', { name: 'To' }).dblclick()
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await waitForStatus(page, '12 tables are made.')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Print selected' }).click()
    await (await opened).waitForURL('**/sheet/**')
    expect(await readCount(page)).toBeLessThanOrEqual(7)
  })
})

test('a person is exported with 2 taps, and a key is made with 2 and its title', async () => {
  const venue = await createOwner()
  await venue.post('/customers', { firstName: 'Ana', lastName: 'Silva' })
  await visitConsole(browser, venue, '/customers', async (page) => {
    const person = page.getByRole('button', { name: 'Ana Silva' })
    await person.waitFor()
    await startCount(page)
    await person.click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await download
    expect(await readCount(page)).toBe(2)
  })
  await visitConsole(browser, venue, '/settings', async (page) => {
    const create = page.getByRole('button', { name: 'New key' })
    await create.waitFor()
    await startCount(page)
    await create.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Till')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Key', exact: true }).waitFor()
    expect(await readCount(page)).toBe(2 + 'Till'.length)
  })
})

test('a failed delivery is found and sent again with 2 taps', async () => {
  let isBroken = true
  receiver.paths['/till'] = (response) => response.writeHead(isBroken ? 500 : 200).end('')
  const venue = await createOwner()
  await venue.post('/webhooks', { title: 'Till', url: receiver.at('/till'), events: ['product.created'] })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await expect.poll(async () => receiver.received.length).toBeGreaterThan(0)
  isBroken = false
  await visitConsole(browser, venue, '/webhooks', async (page) => {
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('button', { name: 'Till' })
    await row.waitFor()
    await startCount(page)
    await row.click()
    const sent = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'product.created' })
    await sent.getByRole('button', { name: 'Retry' }).click()
    await sent.getByText('Delivered').waitFor()
    expect(await readCount(page)).toBe(2)
  })
})
