import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { listViolations, sizes, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
beforeAll(async () => {})

/** A venue, and links that invite to it. */
async function createVenue(name = 'Three Otters') {
  const { adminToken, call } = await connectService()
  const { body: merchant } = await call('POST', '/admin/merchants', adminToken, { name, currency: 'EUR' })
  return {
    id: merchant.id as string,
    /** Titles of the products in a mode. */
    async listProducts(mode: 'live' | 'test'): Promise<string[]> {
      const { body: key } = await call('POST', `/admin/merchants/${merchant.id}/keys`, adminToken, { mode })
      const { body: products } = await call('GET', `/merchants/${merchant.id}/products`, key.key)
      return products.map(({ title }: { title: string }) => title)
    },
    async invite(role: string): Promise<string> {
      const path = `/admin/merchants/${merchant.id}/invitations`
      return (await call('POST', path, adminToken, { role })).body.url
    },
  }
}

/** Adds a device with passkeys to a page, which confirms every request. */
async function addAuthenticator(page: Page, transport: 'internal' | 'usb') {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const verifies = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const options = { protocol: 'ctap2', transport, hasResidentKey: true, ...verifies } as const
  await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return session
}

/** A page with a device. Anything that the browser complains about fails the visit. */
async function visit(options: BrowserContextOptions, act: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  try {
    const page = await context.newPage()
    const browserErrors: string[] = []
    page.on('pageerror', (error) => browserErrors.push(error.message))
    await addAuthenticator(page, 'internal')
    await act(page)
    expect(browserErrors).toEqual([])
  } finally {
    await context.close()
  }
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
async function join(page: Page, url: string, name: string) {
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
}
async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await title(page, 'Sign in')
}

test('an owner joins with a passkey, signs in with it, invites a person and removes them', async () => {
  const venue = await createVenue()
  const url = await venue.invite('owner')
  await visit(sizes.desk, async (page) => {
    await page.goto(url)
    await title(page, 'Join Three Otters')
    await page.reload()
    await join(page, url, 'Zoë')
    await title(page, 'Today')
    expect(page.url()).not.toContain('#')
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await title(page, 'Today')

    await page.getByRole('link', { name: 'Settings' }).click()
    const people = page.getByRole('table', { name: 'People' })
    await people.getByRole('row').filter({ hasText: 'Zoë' }).getByText('1 passkey').waitFor()
    await addAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await waitForStatus(page, 'The passkey is added.')
    await people.getByText('2 passkeys').waitFor()
    const passkeys = page.getByRole('table', { name: 'Your passkeys' })
    await expect.poll(() => passkeys.getByRole('textbox').count()).toBe(2)
    const newest = passkeys.getByRole('textbox').first()
    expect(await newest.inputValue()).toContain('Chrome')
    await newest.fill('Key ring')
    await newest.press('Enter')
    await waitForStatus(page, 'The passkey is now called “Key ring”.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => newest.inputValue()).toContain('Chrome')
    await newest.fill('Key ring')
    await newest.press('Enter')
    await page.reload()
    await passkeys.getByRole('button', { name: 'Delete Key ring' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await waitForStatus(page, '“Key ring” is deleted.')
    await people.getByText('1 passkey', { exact: false }).waitFor()
    await passkeys.getByRole('button', { name: /^Delete/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').getByText('The last passkey cannot be deleted').waitFor()

    await page.getByRole('combobox', { name: 'Role of Zoë' }).selectOption('Staff')
    await page.getByRole('alert').getByText('The last owner stays').waitFor()
    expect(await page.getByRole('combobox', { name: 'Role of Zoë' }).inputValue()).toBe('owner')

    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Staff')
    await page.getByRole('button', { name: 'Make link' }).click()
    const link = await page.getByRole('textbox', { name: 'Invitation link' }).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()
    await visit({ ...sizes.phone, locale: 'de-DE' }, async (phone) => {
      await phone.goto(link)
      await title(phone, 'Three Otters beitreten')
      await phone.getByRole('textbox', { name: 'Dein Name' }).fill('Bo')
      await phone.getByRole('button', { name: 'Passkey erstellen' }).click()
      await title(phone, 'Heute')
      await phone.getByRole('button', { name: 'Menü' }).click()
      const links = phone.getByRole('navigation', { name: 'Hauptmenü' }).or(phone.getByRole('navigation').first())
      expect(await links.getByRole('link', { name: 'Kunden' }).count()).toBe(0)
      expect(await links.getByRole('link', { name: 'Ausverkauft' }).count()).toBe(1)
      // Staff do not see the people, but what they sign in with.
      await links.getByRole('link', { name: 'Einstellungen' }).click()
      await phone.getByRole('table', { name: 'Deine Passkeys' }).getByRole('textbox').waitFor()
      expect(await phone.getByRole('table', { name: 'Personen' }).count()).toBe(0)
      expect(await widthOf(phone)).toBe(sizes.phone.viewport.width)
      await phone.goto(link)
      await phone.getByRole('alert').getByText('Diese Einladung wurde benutzt').waitFor()
    })

    await page.reload()
    await page.getByRole('combobox', { name: 'Role of Bo' }).selectOption('Manager')
    await waitForStatus(page, 'Bo now has the role Manager.')
    await page.getByRole('button', { name: 'Remove Bo' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await waitForStatus(page, 'Bo is removed.')
    await people.getByText('Bo').waitFor({ state: 'detached' })
  })
})

test('a person joins a second venue with the same passkey, and switches to test mode', async () => {
  const [first, second] = [await createVenue('First'), await createVenue('Second')]
  await visit(sizes.desk, async (page) => {
    await join(page, await first.invite('manager'), 'Ann')
    await title(page, 'Today')
    await page.goto(await second.invite('owner'))
    await title(page, 'Join Second')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('banner').getByText('Second').waitFor()
    await title(page, 'Today')
    const openVenue = async (name: string) => {
      await page.getByRole('button', { name: 'Account' }).click()
      const button = page.getByRole('group', { name: 'Other venues' }).getByRole('button', { name })
      await Promise.all([page.waitForEvent('load'), button.click()])
    }
    await openVenue('First')
    await page.getByRole('banner').getByText('First').waitFor()
    await title(page, 'Today')
    // A venue that is left keeps no session of this browser.
    await page.getByRole('link', { name: 'Settings' }).click()
    const sessions = page.getByRole('table', { name: 'Sessions' }).getByRole('row')
    await expect.poll(() => sessions.count()).toBe(2)
    await openVenue('Second')
    await page.getByRole('banner').getByText('Second').waitFor()
    await title(page, 'Today')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'Test' }).click()
    await page.getByText('Test mode').waitFor()
    await page.getByRole('link', { name: 'Products' }).click()
    await page.getByText('Test mode').waitFor()
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'Live' }).click()
    await page.getByText('Test mode').waitFor({ state: 'detached' })
  })
})

test('a tab stays in the mode that it shows when another tab changes its own', async () => {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    const chooseMode = async (tab: Page, mode: string) => {
      await tab.getByRole('button', { name: 'Account' }).click()
      await Promise.all([tab.waitForEvent('load'), tab.getByRole('radio', { name: mode }).click()])
      await title(tab, 'Today')
    }
    const createProduct = async (name: string) => {
      await page.getByRole('link', { name: 'Products' }).click()
      await page.getByRole('button', { name: 'New product' }).click()
      const form = page.getByRole('dialog', { name: 'New product' })
      await form.getByRole('textbox', { name: 'Title' }).fill(name)
      await form.getByRole('textbox', { name: 'Price' }).fill('4')
      await form.getByRole('button', { name: 'Save' }).click()
      await waitForStatus(page, `“${name}” is created.`)
    }
    const banner = page.getByText('Test mode')
    await chooseMode(page, 'Test')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await title(other, 'Today')
    await chooseMode(other, 'Live')
    expect(await banner.isVisible()).toBe(true)
    await createProduct('Trial cake')
    expect(await banner.isVisible()).toBe(true)
    expect(await venue.listProducts('live')).toEqual([])
    expect(await venue.listProducts('test')).toEqual(['Trial cake'])

    // A tab that is loaded opens in the mode that was chosen last.
    await page.reload()
    await title(page, 'Products')
    expect(await banner.count()).toBe(0)
    await chooseMode(other, 'Test')
    await createProduct('Real cake')
    expect(await banner.count()).toBe(0)
    expect(await venue.listProducts('live')).toEqual(['Real cake'])
  })
})

test('a person who is removed while they type is told so, and finds what they typed after a new invitation', async () => {
  const venue = await createVenue()
  await visit(sizes.desk, async (page) => {
    await join(page, await venue.invite('owner'), 'Zoë')
    await title(page, 'Today')
    await visit(sizes.phone, async (phone) => {
      await join(phone, await venue.invite('manager'), 'Bo')
      await title(phone, 'Today')
      await phone.goto(`${new URL(phone.url()).origin}/console/products/new`)
      const form = phone.getByRole('dialog', { name: 'New product' })
      await form.getByRole('textbox', { name: 'Title' }).fill('Walnut cake')
      await page.getByRole('link', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Remove Bo' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await waitForStatus(page, 'Bo is removed.')
      await form.getByRole('textbox', { name: 'Price' }).fill('4')
      await form.getByRole('button', { name: 'Save' }).click()
      await phone.getByText('Your session has ended').waitFor()
      await phone.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await phone.getByRole('alert').getByText('Ask the owner of the venue for a new invitation').waitFor()
      await phone.goto(await venue.invite('manager'))
      await title(phone, 'Join Three Otters')
      await join(phone, phone.url(), 'Bo')
      await title(phone, 'Today')
      await phone.goto(`${new URL(phone.url()).origin}/console/products/new`)
      await expect.poll(() => form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Walnut cake')
      expect(await form.getByRole('textbox', { name: 'Price' }).inputValue()).toBe('4')
    })
  })
})

test('a device without a passkey of the service says so', async () => {
  const venue = await createVenue()
  const url = new URL(await venue.invite('owner'))
  await visit(sizes.desk, async (page) => {
    await page.goto(`${url.origin}/console`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was used').waitFor()
    await page.goto(`${url.origin}/console/join#NOTHING`)
    await page.getByRole('alert').getByText('This invitation was used').waitFor()
  })
})

test('the invitation and the people are accessible in both themes and fit 320 px', async () => {
  const venue = await createVenue()
  const url = await venue.invite('owner')
  await visit({ viewport: { width: 320, height: 640 }, bypassCSP: true }, async (page) => {
    await page.goto(url)
    await title(page, 'Join Three Otters')
    expect(await widthOf(page)).toBe(320)
    expect(await listViolations(page)).toEqual([])
    await join(page, url, 'Zoë')
    await title(page, 'Today')
    await page.goto(`${new URL(url).origin}/console/settings`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Make link' }).click()
    await page.getByRole('textbox', { name: 'Invitation link' }).waitFor()
    expect(await listViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'People' }).getByText('Invitation').waitFor()
    expect(await widthOf(page)).toBe(320)
    expect(await listViolations(page)).toEqual([])
  })
})
