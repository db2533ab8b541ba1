import { expect, test } from 'vitest'
import { themes } from '../../src/platform/themes.ts'
import demo from '../../tools/cli/demo/demo-venue.json'
import { resolvePictures } from '../../tools/cli/loader/pictures.ts'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { sizes } from './console/console-page.ts'
import { listPageFaults } from './page-faults.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()
const reducedMotion = 'reduce'
const moment = '&at=2026-11-21T10:00:00Z'

/** The demo venue at whose tables guests can call, and the address to which the code of a table leads. */
async function createTable(theme: (typeof themes)[number] = 'cafe') {
  const menuBar = { actions: ['call', 'bill'] }
  const venue = await site.createVenue({ ...demo.merchant, theme, menuBar })
  await load(venue.post, resolvePictures(demo, site.origin))
  const { body } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
  const scanned = await fetch(`${site.origin}${new URL(body.url).pathname}`, { redirect: 'manual' })
  return { page: venue.page, address: new URL(scanned.headers.get('location') ?? '', site.origin).href }
}

test('a guest who calls stays at the section that they read', async () => {
  const { address } = await createTable()
  await visit(browser, `${address}${moment}`, { ...sizes.phone, reducedMotion }, async (page) => {
    await page.evaluate(`[...document.querySelectorAll('section')].at(3).scrollIntoView()`)
    const readPlace = () => page.evaluate<string>(`document.querySelector('.bar [aria-current]')?.textContent`)
    await page.mouse.wheel(0, 40)
    await expect.poll(readPlace).toBeTruthy()
    const before = await readPlace()
    const call = page.locator('.acts button').first()
    await call.tap()
    await page.locator('.acts p').first().waitFor()
    await expect.poll(readPlace).toBe(before)
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500)
  })
})

test('the bar for gestures of a phone covers no button, and its camera no text', async () => {
  const { address } = await createTable()
  await visit(browser, address, { ...sizes.phone, reducedMotion }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } })
    const bottoms = () =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('.acts button:not([hidden])')].map((each) => innerHeight - each.getBoundingClientRect().bottom)`,
      )
    await expect.poll(async () => Math.min(...(await bottoms()))).toBeGreaterThanOrEqual(34)
    await page.setViewportSize({ width: 844, height: 390 })
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 59, right: 59 } })
    const edges = () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('h1, h2, h3, b, p, .acts button')]
        .filter((each) => each.getClientRects().length > 0 && (each.getBoundingClientRect().left < 59 || each.getBoundingClientRect().right > innerWidth - 59))
        .map((each) => each.textContent)`)
    await expect.poll(edges).toEqual([])
  })
})

test.each(themes)('on the sheet of allergens in %s, the legend begins where the list begins', async (theme) => {
  const { page: address } = await createTable(theme)
  for (const width of [390, 820, 1440])
    await visit(browser, `${address}/allergens`, { viewport: { width, height: 800 } }, async (page) => {
      const lefts = await page.evaluate<number[]>(`['.about p', 'tbody th'].map((selector) => {
        const range = document.createRange()
        range.selectNodeContents(document.querySelector('.sheet ' + selector))
        return range.getBoundingClientRect().left
      })`)
      expect(Math.abs((lefts[0] ?? 0) - (lefts[1] ?? 0))).toBeLessThanOrEqual(8)
    })
})

test('a guest who comes back to the menu later sees the present allergens, and keeps the page without a network', async () => {
  const venue = await site.createVenue({ name: 'Café', language: 'en' })
  const menus = [{ title: 'All', sections: [{ title: 'Food', items: [0, 1] }] }]
  const products = [{ title: 'Cake' }, { title: 'Soup' }].map((product) => ({ ...product, price: 4 }))
  const [cake, soup] = await load(venue.post, { modifiers: [], products, menus })
  const state = async (id: string | undefined, allergens: object[]) =>
    expect((await venue.post(`/products/${id}/details`, { allergens })).status).toBe(200)
  await state(cake, [])
  await state(soup, [{ code: 'celery', level: 'contains' }])
  await visit(browser, `${venue.page}?lang=en`, { ...sizes.phone, reducedMotion }, async (page) => {
    const contents = page.locator('.dish', { hasText: 'Cake' }).locator('.food')
    const comeBack = (minutes: number) =>
      page.evaluate(`(() => {
        const now = Date.now() + ${minutes} * 60_000
        Date.now = () => now
        document.dispatchEvent(new Event('visibilitychange'))
      })()`)
    expect(await contents.innerText()).toBe('No allergens')
    await state(cake, [{ code: 'nuts', level: 'contains' }])
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.method()))
    await comeBack(9)
    await page.context().setOffline(true)
    await comeBack(2)
    await expect.poll(() => requested).toEqual(['HEAD'])
    expect(await contents.innerText()).toBe('No allergens')
    await page.context().setOffline(false)
    await comeBack(0)
    await expect.poll(() => contents.innerText()).toBe('Contains: tree nuts')
  })
})

test('browsers that do not know `:target-current`, such as Safari and Firefox, show the section in sight in the bar', async () => {
  const { address } = await createTable()
  await visit(browser, `${address}${moment}`, { ...sizes.phone, reducedMotion, bypassCSP: true }, async (page) => {
    await page.evaluate(`{
      const style = document.querySelector('style')
      style.textContent = style.textContent.replaceAll(':target-current', ':of-another-browser')
    }`)
    await page.evaluate(`[...document.querySelectorAll('section')].at(3).scrollIntoView()`)
    await page.mouse.wheel(0, 40)
    const borders = () =>
      page.evaluate<string[]>(
        `['.bar [aria-current]', '.bar a:not([aria-current])'].map((each) => getComputedStyle(document.querySelector(each)).borderBottomColor)`,
      )
    await page.locator('.bar [aria-current]').waitFor()
    const [current, other] = await borders()
    expect(current).not.toBe(other)
    expect(other).toBe('rgba(0, 0, 0, 0)')
  })
})

test('on a phone of 320 px whose text is twice as large, the buttons at the lower edge leave most of the window to the menu', async () => {
  const { address } = await createTable()
  const viewport = { width: 320, height: 568 }
  await visit(browser, 'about:blank', { ...sizes.phone, viewport, reducedMotion, locale: 'de-DE' }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.goto(address)
    expect(await page.evaluate(`getComputedStyle(document.body).fontSize`)).toBe('32px')
    const box = await page.locator('.acts').boundingBox()
    expect(box?.height).toBeLessThanOrEqual(viewport.height / 4)
    for (const button of await page.locator('.acts button:visible').all()) {
      const { x = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {}
      expect(x + width).toBeLessThanOrEqual(viewport.width)
      expect(height).toBeGreaterThanOrEqual(44)
    }
    // Calls that are drawn side by side break no word.
    const widest =
      await page.evaluate<number>(`Math.max(...[...document.querySelectorAll('.acts button')].map((each) => {
      each.style.overflowWrap = 'normal'
      return each.scrollWidth - each.clientWidth
    }))`)
    expect(widest).toBeLessThanOrEqual(0)
  })
})

test.each([
  ['that asks for a code', '/t'],
  ['about an unknown code', '/t/0000-0000-0000-0000'],
])('the page %s keeps its texts and its field away from the edges of a phone', async (_, path) => {
  for (const fontSize of [16, 32])
    await visit(browser, 'about:blank', { ...sizes.phone, viewport: { width: 320, height: 568 } }, async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Page.setFontSizes', { fontSizes: { standard: fontSize } })
      await page.goto(`${site.origin}${path}`)
      const edges = await page.evaluate<[number, number]>(`(() => {
        const boxes = [...document.querySelectorAll('h1, main p, input, button')].map((each) => each.getBoundingClientRect())
        return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))]
      })()`)
      expect(edges[0]).toBeGreaterThanOrEqual(12)
      expect(edges[1]).toBeLessThanOrEqual(308)
    })
})

test.each([
  { name: 'a phone in German', locale: 'de-DE', isPhone: true, options: sizes.phone },
  { name: 'a phone in Arabic', locale: 'ar-AE', isPhone: true, options: sizes.phone },
  { name: 'a desk', locale: 'en-GB', isPhone: false, options: sizes.desk },
])('on $name, no part of a page for guests is cut or covered, and fingers find all controls', async (each) => {
  const { page: menu, address } = await createTable()
  const { origin } = new URL(menu)
  const pages = [
    address,
    `${menu}?without=nuts${moment}`,
    `${menu}/allergens`,
    `${origin}/t`,
    `${origin}/t/0000-0000-0000-0000`,
  ]
  // Phone number and website stand below each other, as lines of an address.
  const faults: string[] = []
  for (const shown of pages)
    await visit(browser, shown, { ...each.options, locale: each.locale, reducedMotion }, async (page) => {
      const height = await page.evaluate<number>('document.documentElement.scrollHeight')
      for (let top = 0; top < Math.min(height, 3_000); top += 600) {
        await page.evaluate(`scrollTo({ top: ${top}, behavior: 'instant' })`)
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
        for (const fault of await listPageFaults(page, each.isPhone, 'footer a'))
          faults.push(`${shown} at ${top}: ${fault}`)
      }
    })
  expect(faults).toEqual([])
})
