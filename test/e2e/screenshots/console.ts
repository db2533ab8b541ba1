/** `node test/e2e/screenshots/console.ts`: makes the pictures of all screens of the console in `docs/`. It needs Chromium. */
import { join, resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { closeAtEnd, createService, type Service } from '../../support/service.ts'
import { launch } from '../browser.ts'
import { consoleScreens, createConsoleVenue, signInOperator } from './console-venue.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
const desk: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' }
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
}

/** Names of the people who join, one for each picture. */
const names = ['Zoë', 'Rui']
/** Joins a venue with a passkey of a virtual device, and shows the people. */
async function showPeople(page: Page, { call, adminToken }: Service) {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const verifies = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, ...verifies } as const
  await device.send('WebAuthn.addVirtualAuthenticator', { options })
  const [merchant] = (await call('GET', '/admin/merchants', adminToken)).body
  const { body } = await call('POST', `/admin/merchants/${merchant.id}/invitations`, adminToken, { role: 'owner' })
  await page.goto(body.url)
  await page.getByLabel('Your name').fill(names.shift() ?? '')
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  // The passkey and its session are bound to the host of the link.
  await page.goto(new URL('/console/settings', body.url).href)
  await page.getByRole('table', { name: 'Your passkeys' }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('#people').evaluate((section) => section.scrollIntoView())
}

/** Pictures of a screen on a desk in light, and on a phone in dark, side by side. */
async function takeScreen(browser: Browser, name: string, show: (page: Page) => Promise<unknown>) {
  const images = []
  for (const options of [desk, phone]) {
    const context = await browser.newContext({ locale: 'en-GB', ...options })
    const page = await context.newPage()
    await show(page)
    await page.waitForLoadState('networkidle')
    await page.getByText('Loading').filter({ visible: true }).first().waitFor({ state: 'detached' })
    const data = (await page.screenshot({ animations: 'disabled' })).toString('base64')
    images.push(`<img height="560" src="data:image/png;base64,${data}">`)
    await context.close()
  }
  const context = await browser.newContext({ viewport: { width: 1_236, height: 600 } })
  const page = await context.newPage()
  await page.setContent(
    `<style>body{margin:0;padding:20px;display:flex;gap:20px;background:#d9d3ca}img{border-radius:10px}</style>${images.join('')}`,
  )
  await page.screenshot({ path: join(docs, `console-${name}.jpg`), type: 'jpeg', quality: 80 })
  await context.close()
}

const service = await createService()
closeAtEnd(service)
const browser = await launch()
try {
  const key = await createConsoleVenue(service)
  await takeScreen(browser, 'sign-in', (page) => page.goto(`${service.origin}/console`))
  for (const { path, open } of consoleScreens) {
    await takeScreen(browser, path, async (page) => {
      await page.goto(`${service.origin}/console/${path}#key=${key}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await open?.(page).catch(() => undefined)
    })
  }
  await takeScreen(browser, 'people', (page) => showPeople(page, service))
  await takeScreen(browser, 'venues', async (page) => {
    await signInOperator(page, service)
    await page.getByRole('table', { name: 'Venues' }).locator('.open').first().click()
    await page.getByRole('table', { name: 'Usage' }).waitFor()
  })
} finally {
  await browser.close()
  await service.close()
}
