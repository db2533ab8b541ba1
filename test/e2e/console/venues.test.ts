import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReceiver, type Receiver } from '../../support/receiver.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, listViolations, type Owner, sizes } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
let adminToken: string
let receiver: Receiver
beforeAll(async () => {
  owner = await createOwner()
  adminToken = (await connectService()).adminToken
  receiver = await createReceiver()
})
afterAll(async () => {
  receiver?.close()
})

const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

async function visit(options: object, act: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  try {
    const page = await context.newPage()
    // A screen that the operator does not have gives way to the first one.
    await page.goto(`${owner.origin}/console/products`)
    await page.getByRole('button', { name: 'Operator' }).click()
    const field = page.getByLabel('Operator token')
    await field.fill('wrong')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('not valid').waitFor()
    await field.fill(adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await act(page)
  } finally {
    await context.close()
  }
}

test('the operator finds a venue, reads its usage, suspends it, and backs it up', async () => {
  await owner.post('/products', { title: 'Tea', price: 1 })
  await visit(sizes.desk, async (page) => {
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual([
      'Venues',
      'Operators',
    ])
    await page.getByRole('button', { name: 'New venue' }).waitFor()
    await page.keyboard.press('n')
    const name = `Two Otters ${owner.id.slice(-6)}`
    await page.getByRole('dialog', { name: 'New venue' }).getByRole('textbox', { name: 'Name' }).fill(name)
    await page.keyboard.press('Enter')
    await status(page, `“${name}” is created.`)
    const created = page.getByRole('dialog', { name })
    await created.getByRole('button', { name: 'Invite' }).click()
    const invitation = page.getByRole('dialog', { name: 'Invite' })
    expect(await invitation.getByRole('combobox', { name: 'Role' }).inputValue()).toBe('owner')
    await invitation.getByRole('button', { name: 'Make link' }).click()
    const link = invitation.getByRole('textbox', { name: 'Invitation link' })
    expect(await link.inputValue()).toMatch(/\/console\/join#\w+$/)
    await invitation.getByRole('button', { name: 'Done' }).click()
    await created.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name, exact: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Search venues' }).fill(owner.id)
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' })
    const row = page.getByRole('table', { name: 'Venues' }).getByRole('row').filter({ hasText: owner.id })
    await row.getByRole('button').focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: 'Three Otters' })
    await sheet.getByRole('table', { name: 'Usage' }).getByRole('row', { name: 'Products 1 0' }).waitFor()
    await sheet.getByRole('button', { name: 'Back up now' }).click()
    await status(page, 'The backup is stored.')
    const download = page.waitForEvent('download')
    await sheet.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.gz$/)

    await sheet.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await status(page, '“Three Otters” is suspended.')
    await sheet.getByRole('button', { name: 'Resume' }).click()
    await status(page, '“Three Otters” is active again.')
    // A move ends later than the test: every isolate has to learn of it first.
    await sheet.getByRole('button', { name: 'Move to: Database of its own' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Move' }).click()
    await sheet.getByRole('status').getByText('moving: rows are copied').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('checkbox', { name: 'Failing webhooks' }).check()
    await page.getByText('All webhooks work.').waitFor()
    await page.getByRole('checkbox', { name: 'Failing webhooks' }).uncheck()
    await row.waitFor()

    // The session is kept, and signing out ends it.
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).toEqual([])
  })
})

test('the operator sees why a webhook of a venue fails, and opens the venue', async () => {
  receiver.paths['/gone'] = (response) => response.writeHead(410).end()
  const { id } = await owner.post('/webhooks', {
    title: 'Till',
    url: receiver.at('/gone'),
    events: ['product.created'],
  })
  await owner.post('/products', { title: 'Bica', price: 1 })
  await expect.poll(async () => (await owner.get(`/webhooks/${id}`)).active, { timeout: 10_000 }).toBe(false)
  await visit(sizes.phone, async (page) => {
    await page.getByRole('searchbox', { name: 'Search venues' }).fill(owner.id)
    await page.getByRole('checkbox', { name: 'Failing webhooks' }).check()
    const row = page.getByRole('table', { name: 'Failing webhooks' }).getByRole('row').filter({ hasText: owner.id })
    await row.getByText('Till').waitFor()
    await row.getByText('The service has turned it off.').waitFor()
    expect(await widthOf(page)).toBe(sizes.phone.viewport.width)
    await row.getByRole('button').tap()
    await page.getByRole('dialog', { name: 'Three Otters' }).getByRole('table', { name: 'Usage' }).waitFor()
  })
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  await visit({ viewport: { width: 320, height: 640 }, bypassCSP: true }, async (page) => {
    await page.getByRole('searchbox', { name: 'Search venues' }).fill(owner.id)
    const row = page.getByRole('table', { name: 'Venues' }).getByRole('row').filter({ hasText: owner.id })
    await expect.poll(() => page.getByRole('table', { name: 'Venues' }).getByRole('row').count()).toBe(2)
    expect(await widthOf(page)).toBe(320)
    expect(await listViolations(page)).toEqual([])
    await row.getByRole('button').click()
    await page.getByRole('dialog').getByRole('table', { name: 'Usage' }).waitFor()
    expect(await listViolations(page)).toEqual([])
  })
})
