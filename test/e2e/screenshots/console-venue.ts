import type { Page } from 'playwright-core'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import demo from '../../../tools/cli/demo/demo-venue.json' with { type: 'json' }
import { resolvePictures } from '../../../tools/cli/loader/pictures.ts'
import { load } from '../../support/catalogue.ts'
import type { Service } from '../../support/service.ts'

/** Screens by their paths; `open` shows more than the list. */
export const consoleScreens: readonly { path: string; open?: (page: Page) => Promise<unknown> }[] = [
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

/** Signs in as an operator. */
export async function signInOperator(page: Page, { origin, adminToken }: Service) {
  await page.goto(`${origin}/console`)
  await page.getByRole('button', { name: 'Operator' }).click()
  await page.getByLabel('Operator token').fill(adminToken)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
}

/** Creates the demo venue with tables, a customer, a coupon and a webhook. Returns a key for the console. */
export async function createConsoleVenue({ call, adminToken, origin }: Service) {
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
