/**
 * `npm run figures console`: prints the table of screens in `docs/console.md`; with names of screens, only these. It needs Chromium;
 * Lighthouse's scores also `npm ci --prefix test/foreign`.
 */
import { type Browser, chromium, type Page } from 'playwright-core'
import { freePort } from '../../support/receiver.ts'
import { closeAtEnd, createService } from '../../support/service.ts'
import { launch, listAxeViolations } from '../browser.ts'
import { consoleScreens, createConsoleVenue, signInOperator } from './console-venue.ts'
import { runLighthouse } from './measure.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-GB',
  bypassCSP: true,
}
/** Search engines do not see the console. */
const only = ['performance', 'accessibility', 'best-practices'] as const

/** Requests and bytes of a screen, headers included, without those of the sign-in; and what axe finds in both themes. */
async function measureScreen(browser: Browser, address: string, signIn?: (page: Page) => Promise<void>) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  await signIn?.(page)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  const received = new Map<string, number>()
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    received.set(requestId, encodedDataLength),
  )
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const bytes = [...received.values()].reduce((sum, size) => sum + size, 0)
  let issues = 0
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    issues += (await listAxeViolations(page)).length
  }
  const nodes = Number(await page.evaluate('document.querySelectorAll("*").length'))
  await context.close()
  return { bytes, requests: received.size, issues, nodes }
}

const signedIn: Browser[] = []
/** Starts a browser whose default profile is signed in. Returns the port at which Lighthouse finds it. */
async function startSignedIn(signIn: (page: Page) => Promise<void>): Promise<number> {
  const port = await freePort()
  signedIn.push(await launch([`--remote-debugging-port=${port}`]))
  const controlled = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  signedIn.unshift(controlled)
  const page = await controlled.contexts()[0]?.newPage()
  if (!page) throw new Error('the browser has no default profile')
  await signIn(page)
  return port
}

const service = await createService()
closeAtEnd(service)
const browser = await launch()
try {
  const key = await createConsoleVenue(service)
  console.log('| Screen | Requests | KB | DOM nodes | Lighthouse, phone | Lighthouse, desk | axe |')
  console.log('| --- | ---: | ---: | ---: | --- | --- | ---: |')
  const signIn = (page: Page) => signInOperator(page, service)
  const port = await startSignedIn(signIn)
  const wanted = process.argv.slice(3)
  for (const path of ['', ...consoleScreens.map((screen) => screen.path), 'venues']) {
    const name = path === '' ? 'Sign in' : toName(path)
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const isOperator = path === 'venues'
    const address = `${service.origin}/console${path && (isOperator ? `/${path}` : `/${path}#key=${key}`)}`
    const { bytes, requests, issues, nodes } = await measureScreen(browser, address, isOperator ? signIn : undefined)
    const options = { only, ...(isOperator && { port }) }
    const onPhone = await runLighthouse(address, options)
    const onDesk = await runLighthouse(address, { ...options, isDesk: true })
    console.log(
      `| ${name} | ${requests} | ${(bytes / 1_000).toFixed(1)} | ${nodes} | ${onPhone} | ${onDesk} | ${issues} |`,
    )
  }
} finally {
  for (const each of [browser, ...signedIn]) await each.close()
  await service.close()
}

/** The name of a screen, from its path. */
function toName(path: string) {
  const [first = '', ...rest] = path.replaceAll('-', ' ')
  return first.toUpperCase() + rest.join('')
}
