import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { connectService } from '../shared-service.ts'

/** A venue, and links that invite to it. */
export async function createVenue(name = 'Three Otters') {
  const { adminToken, call } = await connectService()
  const { body: merchant } = await call('POST', '/admin/merchants', adminToken, { name, currency: 'EUR' })
  return {
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

/** Adds a device with passkeys to a page, which confirms every request until it is unplugged. */
export async function addAuthenticator(page: Page, transport: 'internal' | 'usb') {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const verifies = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const options = { protocol: 'ctap2', transport, hasResidentKey: true, ...verifies } as const
  const device = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return { unplug: () => session.send('WebAuthn.removeVirtualAuthenticator', device) }
}

/** Opens a page with a device. Anything that the browser complains about fails the visit. */
export const createVisit =
  (browser: Browser) => async (options: BrowserContextOptions, act: (page: Page) => Promise<void>) => {
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

/** Waits for the title of a screen. */
export const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Accepts an invitation. */
export async function join(page: Page, url: string, name: string) {
  await page.goto(url)
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
}
