import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { takeShare } from '../rounds.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** Bytes of all scripts, of all styles, and of the texts of one language, compressed. */
const budgets = { js: 110_000, css: 15_000, texts: 20_000 }

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

const open = (page: Page, screen: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click()

/** Names of the files of the console that a page loads, without their hashes. */
const toNames = (requests: readonly string[]) =>
  requests.flatMap((each) => /\/console\/(\w[\w-]*)-\w{8}\.(?:js|json)$/.exec(each)?.[1] ?? []).sort()

test('scripts, styles and texts stay within their budgets', async () => {
  const folder = resolve(import.meta.dirname, '../../../public/console')
  const files = new Map<string, Buffer>()
  // Files of earlier builds may lie beside: what counts is what the page leads to.
  const names = await readdir(folder)
  const collect = async (text: string) => {
    for (const name of names) {
      if (!text.includes(name) || files.has(name)) continue
      const content = await readFile(join(folder, name))
      files.set(name, content)
      await collect(content.toString())
    }
  }
  await collect(await readFile(join(folder, 'index.html'), 'utf8'))
  const sizes = (ending: string) =>
    [...files].filter(([name]) => name.endsWith(ending)).map(([, file]) => gzipSync(file).length)
  const sum = (ending: string) => sizes(ending).reduce((bytes, size) => bytes + size, 0)
  expect(sum('.js')).toBeGreaterThan(10_000)
  expect(sum('.js')).toBeLessThanOrEqual(budgets.js)
  expect(sum('.css')).toBeLessThanOrEqual(budgets.css)
  expect(sizes('.json')).toHaveLength(2)
  expect(Math.max(...sizes('.json'))).toBeLessThanOrEqual(budgets.texts)
})

/**
 * Bytes that the browser receives, headers included, until a heading is shown. Fonts are left out: the browser asks for them when it draws text, and
 * draws it with a font of the device until they arrive.
 */
async function measure(address: string, title: string, locale: string) {
  const context = await browser.newContext({ ...sizes.phone, locale })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const received = new Map<string, number>()
  const requests: string[] = []
  const fonts = new Set<string>()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/fonts/')) fonts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!fonts.has(requestId)) received.set(requestId, encodedDataLength)
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(address)
  await heading(page, title)
  await context.close()
  return { bytes: [...received.values()].reduce((sum, size) => sum + size, 0), requests }
}

test.each([
  ['en-GB', 'Sign in'],
  ['de-DE', 'Anmelden'],
])(
  'in %s, the first screen takes 2 round trips and bytes for less than 1.5 s at 400 kbps and 400 ms',
  async (locale, title) => {
    const { bytes, requests } = await measure(`${owner.origin}/console`, title, locale)
    console.log(`figure: KB of the first screen in ${locale}, without fonts: ${(bytes / 1_000).toFixed(1)}`)
    // Every file that the page names is loaded with the page's other files, and nothing is loaded after them.
    const waits = 2 * 0.4
    // Fonts are shown when they arrive: a font of the device of the same width is there before.
    expect(requests.filter((url) => !/^data:|\/fonts\//.test(url))).toHaveLength(4)
    expect(bytes).toBeGreaterThan(15_000)
    expect(waits + (8 * bytes) / 400_000).toBeLessThan(1.5)
  },
)

test('a screen loads its own file, and the files that all screens share once', async () => {
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    expect(toNames(requests)).toEqual(['chunk', 'chunk', 'console', 'editors', 'en', 'frame', 'lists'])
    const before = requests.length
    await open(page, 'Coupons')
    await page.getByText('No coupons yet').waitFor()
    expect(toNames(requests.slice(before))).toEqual([])
    await open(page, 'Webhooks')
    await page.getByText('No webhooks yet').waitFor()
    expect(toNames(requests.slice(before))).toEqual(['office'])
  })
})

test('the files of a screen are loaded together, beside the session', async () => {
  const context = await browser.newContext({ ...sizes.desk, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${owner.origin}/console/products#key=${owner.key}`)
  await heading(page, 'Products')
  // The editors are loaded after the list.
  await page.waitForLoadState('networkidle')
  // The response of the session is delayed until everything else is loaded.
  let response = () => {}
  const held = new Promise<void>((resolve) => {
    response = resolve
  })
  await page.route('**/console/session', async (route) => {
    await held
    await route.continue()
  })
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.reload()
  await expect.poll(() => toNames(requests)).toEqual(['chunk', 'chunk', 'console', 'en', 'frame', 'lists'])
  response()
  await heading(page, 'Products')
  await context.close()
})

/** A file that a deployment has deleted, and one whose request breaks off while the service responds. */
const failures: [string, (route: Route) => Promise<void>][] = [
  ['is gone after a deployment', (route) => route.fulfill({ status: 404 })],
  ['breaks off', (route) => route.abort('connectionreset')],
]

test.each(failures)('a screen whose file %s loads the page again, once', async (_, fail) => {
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    await page.route('**/console/office-*.js', fail)
    const loads = () => requests.filter((each) => each === 'GET /console/webhooks').length
    await open(page, 'Webhooks')
    await expect.poll(loads).toBe(1)
    // The new page lacks this file too: it shows an error instead of reloading endlessly.
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    expect(loads()).toBe(1)
    await page.unroute('**/console/office-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })
})

test.each(failures)('a start at which the file of the frame %s loads the page again, once', async (_, fail) => {
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    await page.route('**/console/frame-*.js', fail)
    const before = requests.length
    const loads = () => requests.slice(before).filter((each) => each === 'GET /console/products').length
    await page.reload()
    await expect.poll(loads).toBe(2)
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    expect(loads()).toBe(2)
    await page.unroute('**/console/frame-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No products yet').waitFor()
  })
})

test('a screen that is opened without a connection appears when there is one again', async () => {
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    await page.context().setOffline(true)
    await open(page, 'Webhooks')
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No webhooks yet').waitFor()
    expect(requests).not.toContain('GET /console/webhooks')
  })
})

test('a service that is busy at the start does not sign anybody out', async () => {
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByText('No products yet').waitFor()
    await page.route('**/console/session', (route) => route.fulfill({ status: 503 }))
    await page.reload()
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.unroute('**/console/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No products yet').waitFor()
  })
})

test('another language is loaded when it is chosen', async () => {
  await visitConsole(browser, owner, '/products', async (page, { requests }) => {
    await page.getByText('No products yet').waitFor()
    expect(toNames(requests)).not.toContain('de')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('radio', { name: 'Deutsch' }).click()
    await heading(page, 'Produkte')
    expect(toNames(requests)).toContain('de')
  })
})

/** The sum of the browser's layout shifts: how much of the window moved, and how far, as parts of the window. */
const sumShifts = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    let sum = 0
    const add = (list) => { for (const { value } of list.getEntries()) sum += value }
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(sum), 200)
  })`)

test.each(takeShare(['/today', '/products', '/menus', '/settings'], 2))(
  'nothing of %s jumps when data arrives late',
  async (path) => {
    await visitConsole(
      browser,
      owner,
      path,
      async (page) => {
        let count = 0
        await page.route('**/merchants/**', async (route) => {
          count++
          await new Promise((resolve) => setTimeout(resolve, 100 * count))
          await route.continue()
        })
        await page.reload()
        await page.waitForLoadState('networkidle')
        expect(count).toBeGreaterThan(0)
        expect(await sumShifts(page)).toBeLessThan(0.02)
      },
      sizes.phone,
    )
  },
)
