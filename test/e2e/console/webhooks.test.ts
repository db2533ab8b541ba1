import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, type Receiver } from '../../support/receiver.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, type Owner, visitConsole } from './console-page.ts'

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

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

test('an endpoint is made, tested, mended and sent what it missed', async () => {
  let isBroken = true
  receiver.paths['/till'] = (response) => response.writeHead(isBroken ? 410 : 200).end(isBroken ? 'closed' : 'thanks')
  await visitConsole(browser, owner, '/webhooks', async (page) => {
    await page.getByText('No webhooks yet').waitFor()
    await page.keyboard.press('n')
    const made = page.getByRole('dialog', { name: 'New webhook' })
    await made.getByRole('textbox', { name: 'Title' }).fill('Till')
    await made.getByRole('textbox', { name: 'Address' }).fill('ftp://till')
    await page.keyboard.press('Enter')
    await made.locator('[aria-invalid=true]').waitFor()
    await made.getByRole('textbox', { name: 'Address' }).fill(receiver.at('/till'))
    const warning = made.getByText('Nothing is sent:')
    expect(await warning.count()).toBe(0)
    await made.getByRole('checkbox', { name: 'All events' }).uncheck()
    await warning.waitFor()
    await made.getByRole('checkbox', { name: 'product.created' }).check()
    expect(await warning.count()).toBe(0)
    await made.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Till” is created.')

    await page.getByRole('button', { name: 'Till', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
    await dialog.getByRole('button', { name: 'Send test' }).click()
    const sent = dialog.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'webhook.test' })
    await sent.getByText('Failed').waitFor()
    await sent.getByText('1 attempt').click()
    await sent.getByText('closed').waitFor()
    // An endpoint that is gone is switched off, though not by a test: it is switched on again first.
    const [webhook] = await owner.get('/webhooks')
    await owner.post('/products', { title: 'Bica', price: 1 })
    await expect.poll(async () => (await owner.get(`/webhooks/${webhook.id}`)).active, { timeout: 15_000 }).toBe(false)
    isBroken = false
    await sent.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByText('Switched off: ').waitFor()
    expect(await sent.getByRole('button', { name: 'Retry' }).isDisabled()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'Active' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await status(page, '“Till” is saved.')
    await page.getByRole('button', { name: 'Till', exact: true }).click()
    await sent.getByRole('button', { name: 'Retry' }).click()
    await status(page, 'The delivery is sent again.')
    await sent.getByText('Delivered').waitFor()
    await dialog.getByRole('button', { name: 'Recover' }).click()
    await status(page, '1 delivery is sent again.')
    await dialog.getByRole('button', { name: 'Recover' }).click()
    await status(page, 'No delivery has failed permanently in this time.')

    await dialog.getByRole('button', { name: 'Show secret' }).click()
    const secret = page.getByRole('textbox', { name: 'Secret' })
    const before = await secret.inputValue()
    expect(before).toMatch(/^whsec_/)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click()
    expect(await secret.inputValue()).not.toBe(before)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Rotate token' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click()
    await page.getByRole('dialog', { name: 'Token' }).getByRole('textbox', { name: 'Token' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('table', { name: 'Webhooks' }).getByText('Delivers').waitFor()
  })
})

test('the list says that an endpoint delivers again', async () => {
  const venue = await createOwner()
  let status = 500
  receiver.paths['/mended'] = (response) => response.writeHead(status).end()
  const webhook = await venue.post('/webhooks', { title: 'Mended', url: receiver.at('/mended') })
  await venue.post(`/webhooks/${webhook.id}/test`, {})
  const readDelivery = async () => (await venue.get(`/webhooks/${webhook.id}/deliveries`))[0]
  await expect.poll(async () => (await readDelivery()).attempts.length).toBe(1)
  await visitConsole(browser, venue, '/webhooks', async (page) => {
    await page.getByText('Deliveries fail').waitFor()
    status = 200
    await venue.post(`/webhooks/${webhook.id}/deliveries/${(await readDelivery()).eventId}/retry`, undefined)
    await page.getByText('Delivers').waitFor()
  })
})

test('of two attempts in one second, the later one counts', async () => {
  const venue = await createOwner()
  await venue.post('/webhooks', { title: 'Quick', url: receiver.at('/quick') })
  const attempt = { at: 1_795_475_955, durationMs: 20 }
  const delivery = {
    ...{ eventId: 'evt_1', type: 'webhook.test', state: 'delivered', createdAt: attempt.at },
    attempts: [
      { ...attempt, number: 1, status: 500 },
      { ...attempt, number: 2, status: 204 },
    ],
  }
  await visitConsole(browser, venue, '/today', async (page) => {
    await page.route('**/deliveries?limit=5', (route) => route.fulfill({ json: [delivery] }))
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('Delivers').waitFor()
  })
})

test('the event log says what changed, and reads on until it finds an event', async () => {
  const { id } = await owner.post('/products', { title: 'Galão', price: 2 })
  await owner.post(`/products/${id}`, { price: 2.5 })
  await visitConsole(browser, owner, '/webhooks', async (page) => {
    await page.getByRole('button', { name: 'Events' }).click()
    await page.getByRole('combobox', { name: 'Type' }).selectOption('product.updated')
    const log = page.getByRole('table', { name: 'Events' })
    // Events of other types have changes too, and are listed until the response comes.
    await expect.poll(() => log.getByText('Changed').count()).toBe(1)
    await log.getByText('Changed').click()
    await log.getByRole('row', { name: 'price 2 2.5' }).waitFor()
    // The service returns empty pages of a type that did not happen.
    await page.getByRole('combobox', { name: 'Type' }).selectOption('menu.deleted')
    await page.getByText('No events in the last 30 days.').waitFor()
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  const { id } = await owner.post('/products', { title: 'Galão', price: 2 })
  await owner.post(`/products/${id}`, { description: 'https://images.example.com/'.padEnd(200, 'x') })
  await visitConsole(
    browser,
    owner,
    '/webhooks',
    async (page) => {
      await page.getByRole('button', { name: 'Events' }).click()
      await page.getByRole('table', { name: 'Events' }).getByText('Changed').first().click()
      await page.getByRole('row', { name: 'description' }).waitFor()
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Till', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
      await dialog.getByRole('checkbox', { name: 'All events' }).check()
      await dialog.getByText('2 attempts').first().click()
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
