/**
 * `npm run figures console`: prints the table of screens in `docs/console.md`. It needs Chromium; Lighthouse's scores also
 * `npm ci --prefix test/foreign`.
 */
import type { Browser } from 'playwright-core'
import { closeAtEnd, createService } from '../../support/service.ts'
import { launch, listAxeViolations } from '../browser.ts'
import { consoleScreens, createConsoleVenue } from './console-venue.ts'
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
async function measureScreen(browser: Browser, address: string) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
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

const service = await createService()
closeAtEnd(service)
const browser = await launch()
try {
  const key = await createConsoleVenue(service)
  console.log('| Screen | Requests | KB | DOM nodes | Lighthouse, phone | Lighthouse, desk | axe |')
  console.log('| --- | ---: | ---: | ---: | --- | --- | ---: |')
  for (const path of ['', ...consoleScreens.map((screen) => screen.path)]) {
    const address = `${service.origin}/console${path && `/${path}#key=${key}`}`
    const { bytes, requests, issues, nodes } = await measureScreen(browser, address)
    const onPhone = await runLighthouse(address, { only })
    const onDesk = await runLighthouse(address, { only, isDesk: true })
    const name = path === '' ? 'Sign in' : toName(path)
    console.log(
      `| ${name} | ${requests} | ${(bytes / 1_000).toFixed(1)} | ${nodes} | ${onPhone} | ${onDesk} | ${issues} |`,
    )
  }
} finally {
  await browser.close()
  await service.close()
}

/** The name of a screen, from its path. */
function toName(path: string) {
  const [first = '', ...rest] = path.replaceAll('-', ' ')
  return first.toUpperCase() + rest.join('')
}
