import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'))
let axeAddress: Promise<string> | undefined
/** Serves axe to the browser: half a megabyte for each document takes long through the connection that controls it. */
async function serveAxe(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=3600' }).end(axe)
  })
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}/axe.js`
}

/** Pictures of dishes, since the real ones are not to be had: a plate with something on it, each another. */
function picture(address: string): string {
  const [hash] = [...address].reduce(([sum = 7], letter) => [(sum * 31 + letter.charCodeAt(0)) % 997], [7])
  const hue = 14 + ((hash ?? 0) % 24)
  const wide = address.includes('banner')
  const food = Array.from({ length: wide ? 26 : 7 }, (_, index) => {
    const [x, y] = wide
      ? [((index * 137) % 600) + 20, ((index * 61) % 210) + 20]
      : [60 + ((index * 53) % 80), 60 + ((index * 37) % 80)]
    return `<circle cx="${x}" cy="${y}" r="${wide ? 18 + ((index * 13) % 34) : 12 + ((index * 5) % 16)}" fill="hsl(${(hue + 340 + ((index * 17) % 50)) % 360} 58% ${36 + ((index * 11) % 36)}%)" opacity=".85"/>`
  }).join('')
  const plate = wide
    ? ''
    : '<circle cx="100" cy="100" r="84" fill="#fbf7f0"/><circle cx="100" cy="100" r="68" fill="#efe7da"/>'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide ? '640 256' : '200 200'}" preserveAspectRatio="xMidYMid slice"><rect width="640" height="256" fill="hsl(${hue} 42% ${wide ? 26 : 72}%)"/>${plate}${food}</svg>`
}

/** Rules of axe whose results depend on colours: all that differ between the light and the dark theme of a page. */
const colourRules = ['color-contrast', 'link-in-text-block']

async function runAxe(page: Page, options: object): Promise<string[]> {
  // Once for each document: a browser takes 0.1 s of CPU time to read it.
  axeAddress ??= serveAxe()
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ url: await axeAddress })
  const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}

/** Violations that axe finds, its best practices included. */
export const listAxeViolations = (page: Page) => runAxe(page, {})

/** Checks only the rules about colours, for the other theme of a page that all rules have examined. */
export const listColourViolations = (page: Page) => runAxe(page, { runOnly: { type: 'rule', values: colourRules } })

export const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth')

/** Readings in a row, 100 ms apart, that must be equal. */
const equalReadings = 3
/** Time after which a reading does not wait for responses, in milliseconds: those to requests of a page that was left never come. */
const maxResponseMs = 5_000
/**
 * Returns a reading once it stays the same and the page has its responses. Late responses move what is shown, so compare places only
 * at rest. Await a place that the page must reach with `expect.poll`.
 */
export async function readAtRest<Reading>(page: Page, read: () => Promise<Reading>): Promise<Reading> {
  const started = Date.now()
  let last = await read()
  for (let equal = 1; equal < equalReadings; ) {
    await page.waitForTimeout(100)
    const [next, requests] = [await read(), await page.requests()]
    const hasResponses = requests.every((request) => request.existingResponse() ?? request.failure())
    equal = (hasResponses || Date.now() - started > maxResponseMs) && isDeepStrictEqual(next, last) ? equal + 1 : 1
    last = next
  }
  return last
}

/** Parts of Chromium's own window that load pages: more than half of the CPU time of a visit. */
const windowParts = [
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
]
/** Features that Playwright disables, as far as they concern pages. Chromium reads only the last of several lists. */
const disabledByPlaywright = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BlockOriginHeaderModificationOnRedirect',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
]

/** The engine without a window takes a third of the CPU time of a visit. It draws the same pictures. */
const executables = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const chromiumPath = executables.find((file) => existsSync(file)) ?? 'chromium'

export const launch = (args: readonly string[] = []) =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      `--disable-features=${[...disabledByPlaywright, ...windowParts].join()}`,
      ...args,
    ],
  })

let shared: Promise<Browser> | undefined
/** Returns the browser that the test files of a process share. It ends with the process. */
export const getBrowser = () => (shared ??= launch())

/** Opens a page in a new browser context, and closes it afterwards. `browserErrors` and `requests` list errors and requests that pages must not cause. */
export async function visit<Result>(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  visitPage: (page: Page, seen: { browserErrors: string[]; requests: string[] }) => Promise<Result>,
  prepare: string = '',
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options })
  try {
    const page = await context.newPage()
    await page.addInitScript(prepare)
    const seen = { browserErrors: [] as string[], requests: [] as string[] }
    await page.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: picture(route.request().url()) }),
    )
    page.on('console', (message) => seen.browserErrors.push(message.text()))
    page.on('pageerror', (error) => seen.browserErrors.push(error.message))
    page.on('dialog', (dialog) => {
      seen.browserErrors.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      seen.requests.push(`${request.resourceType()} ${url.protocol === 'data:' ? 'data:' : url.host}`)
    })
    await page.goto(address)
    return await visitPage(page, seen)
  } finally {
    await context.close()
  }
}
