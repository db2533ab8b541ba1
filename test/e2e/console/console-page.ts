import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { listAxeViolations, listColourViolations, widthOf } from '../browser.ts'
import { isLong, takeShare } from '../rounds.ts'
import { connectService } from '../shared-service.ts'

export const sizes = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

/** In CI dialogs and switches move. Otherwise they don't: drawing them takes a tenth of the time. */
const reducedMotion = isLong ? 'no-preference' : 'reduce'

/** A venue whose owner signs in to the console. */
export async function createOwner(
  options: {
    mode?: 'live' | 'test'
    scopes?: readonly string[]
    venue?: { name?: string; currency?: string; timezone?: string; menuBar?: object }
  } = {},
) {
  const { origin, adminToken, call } = await connectService()
  const venue = { name: 'Three Otters', currency: 'EUR', timezone: 'Europe/Lisbon', ...options.venue }
  const { body: merchant } = await call('POST', '/admin/merchants', adminToken, venue)
  const id: string = merchant.id
  const createKey = async (fields: object): Promise<string> =>
    (await call('POST', `/admin/merchants/${id}/keys`, adminToken, fields)).body.key
  /** Calls the service as an integrator. A refusal fails the test, which would otherwise go on without what it prepares. */
  const send = async (method: string, path: string, json?: unknown) => {
    const { status, body } = await call(method, `/merchants/${id}${path}`, integrator, json)
    if (status >= 400 && method !== 'GET') throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }
  const key = await createKey({ mode: options.mode ?? 'live', scopes: options.scopes ?? scopes })
  const integrator = await createKey({ mode: options.mode ?? 'live' })
  return {
    id,
    key,
    origin,
    get: (path: string) => send('GET', path),
    delete: (path: string) => send('DELETE', path),
    post: (path: string, json: unknown) => send('POST', path, json),
  }
}
export type Owner = Awaited<ReturnType<typeof createOwner>>

/** Messages of the browser that are no errors: a response that is not a success, and a page that sets the focus before `autofocus` does. */
const expectedMessages = /Failed to load resource|^Autofocus processing was blocked/

/** Opens a screen of the console, signed in. Anything that the browser complains about fails the visit. */
export async function visitConsole(
  browser: Browser,
  owner: Owner,
  path: string,
  act: (page: Page, seen: { browserErrors: string[]; requests: string[] }) => Promise<void>,
  options: BrowserContextOptions = sizes.desk,
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion, ...options })
  try {
    const page = await context.newPage()
    const seen = { browserErrors: [] as string[], requests: [] as string[] }
    page.on('pageerror', (error) => seen.browserErrors.push(error.message))
    page.on('console', (message) => {
      if (!expectedMessages.test(message.text())) seen.browserErrors.push(message.text())
    })
    page.on('request', (request) => seen.requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.goto(`${owner.origin}/console${path}#key=${owner.key}`)
    await page.locator('#navigation').waitFor({ state: 'attached' })
    await act(page, seen)
    if (seen.browserErrors.length > 0) throw new Error(`the browser complains: ${seen.browserErrors.join('\n')}`)
  } finally {
    await context.close()
  }
}

/**
 * Violations in light, and those of the colours in dark. The checks need scripts that the policy of the console forbids: open the page
 * with `bypassCSP`.
 */
export async function listViolations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await listAxeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await listColourViolations(page)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light.map((text) => `light ${text}`), ...dark.map((text) => `dark ${text}`)]
}

/** Names of what can be tapped and is smaller than 24 px (WCAG 2.5.8). Links in sentences may be. A label is part of its field. */
const listSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(`
    [...document.querySelectorAll('button, select, textarea, input:not([type=hidden]), summary, nav a, td a')].flatMap((each) => {
      const { width, height } = (each.closest('label') ?? each).getBoundingClientRect()
      return width === 0 || (width >= 24 && height >= 24) ? [] : [each.outerHTML.slice(0, 120)]
    })
  `)

/** Waits until the console says that something is done. */
export const waitForStatus = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

/** Holds the next request to an address until `release` is called. `sent` resolves once it was sent. */
export async function holdRequest(page: Page, url: string | RegExp) {
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  await page.route(url, async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    sent.resolve()
    await released.promise
    await route.continue()
  })
  return { sent: sent.promise, release: released.resolve }
}

/**
 * Checks that a screen and its editor are accessible in both themes and fit 320 px. `CONSOLE_PICTURES` names a folder for pictures
 * of them.
 */
export async function checkLook(
  browser: Browser,
  owner: Owner,
  path: string,
  name: string,
  show: (page: Page) => Promise<(() => Promise<void>) | undefined>,
): Promise<void> {
  const folder = process.env['CONSOLE_PICTURES']
  await visitConsole(
    browser,
    owner,
    path,
    async (page) => {
      const check = async (part: string) => {
        for (const width of takeShare([320, 1280], 2)) {
          await page.setViewportSize({ width, height: 800 })
          // The console chooses the layout of phones when the browser tells it the new size.
          await expect.poll(() => widthOf(page)).toBe(width)
          if (folder) await page.screenshot({ path: `${folder}/${name}-${part}-${width}.png`, animations: 'disabled' })
          expect(await listViolations(page)).toEqual([])
          expect(await listSmallTargets(page)).toEqual([])
        }
      }
      const open = await show(page)
      await check('list')
      await page.setViewportSize(sizes.desk.viewport)
      await open?.()
      if (!open) return
      await page.getByRole('button', { name: 'Save' }).waitFor()
      await page.getByText('Loading').waitFor({ state: 'detached' })
      await check('editor')
    },
    { ...sizes.desk, bypassCSP: true },
  )
}
