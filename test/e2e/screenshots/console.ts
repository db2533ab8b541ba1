/** `node test/e2e/screenshots/console.ts`: makes the pictures of all screens of the console in `docs/`. It needs Chromium. */
import { join, resolve } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { scopes } from '../../../src/auth/api-keys.ts'
import demo from '../../../src/cli/demo/demo-venue.json' with { type: 'json' }
import { resolvePictures } from '../../../src/cli/loader/pictures.ts'
import { load } from '../../support/catalogue.ts'
import { closeAtEnd, createService, type Service } from '../../support/service.ts'
import { launch } from '../browser.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
const desk: BrowserContextOptions = { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' }
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
}

/** Screens by their paths; `open` shows more than the list. */
const screens: readonly { path: string; open?: (page: Page) => Promise<unknown> }[] = [
  { path: 'today' },
  { path: 'products' },
  { path: 'modifiers', open: (page) => page.getByRole('button', { name: 'Milk' }).first().click({ timeout: 2_000 }) },
  { path: 'menus', open: (page) => page.getByRole('table', { name: 'Menus' }).locator('.open').first().click() },
  { path: 'coupons' },
  { path: 'customers' },
  { path: 'tables' },
  { path: 'sold-out' },
  { path: 'webhooks' },
  { path: 'import-export' },
  { path: 'settings' },
]

/** Creates the demo venue with tables, a customer, a coupon and a webhook. Returns a key for the console. */
async function createVenue({ call, adminToken, origin }: Service) {
  const { body: merchant } = await call('POST', '/admin/merchants', adminToken, demo.merchant)
  const { body } = await call('POST', `/admin/merchants/${merchant.id}/keys`, adminToken, {
    mode: 'live',
    title: 'Console',
    scopes,
  })
  const post = (path: string, json: unknown) => call('POST', `/merchants/${merchant.id}${path}`, body.key, json)
  const products = await load(post, resolvePictures(demo, origin))
  for (const product of products.slice(4, 6))
    await post(`/products/${product}/availability`, { soldOut: true, until: 'further_notice' })
  for (const area of ['Bar', 'Terrace'])
    await post('/batch', {
      operations: Array.from({ length: 8 }, (_, index) => ({
        ...{ op: 'create', resource: 'tags' },
        body: {
          metadata: [
            { key: 'table', value: `${index + (area === 'Bar' ? 1 : 9)}` },
            { key: 'area', value: area },
          ],
        },
      })),
    })
  await post('/customers', { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com' })
  await post('/coupons', { title: 'Ten percent off', code: 'TEN', type: 'PERCENTAGE', value: 10 })
  await post('/webhooks', { title: 'Till', url: 'http://127.0.0.1:9/till', events: ['product.updated'] })
  await post('/products', { title: 'Soup of the day', price: 6.5 })
  return String(body.key)
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
  const key = await createVenue(service)
  await takeScreen(browser, 'sign-in', (page) => page.goto(`${service.origin}/console`))
  for (const { path, open } of screens) {
    await takeScreen(browser, path, async (page) => {
      await page.goto(`${service.origin}/console/${path}#key=${key}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await open?.(page).catch(() => undefined)
    })
  }
  await takeScreen(browser, 'venues', async (page) => {
    await page.goto(`${service.origin}/console`)
    await page.getByRole('button', { name: 'Operator' }).click()
    await page.getByLabel('Operator token').fill(service.adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Venues' }).locator('.open').first().click()
    await page.getByRole('table', { name: 'Usage' }).waitFor()
  })
} finally {
  await browser.close()
  await service.close()
}
