import { expect, test } from 'vitest'
import { themes } from '../../src/platform/themes.ts'
import demo from '../../tools/cli/demo/demo-venue.json'
import { resolvePictures } from '../../tools/cli/loader/pictures.ts'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { takeShare } from './rounds.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()

const widths = takeShare(
  Array.from({ length: 65 }, (_, index) => 320 + 20 * index),
  8,
)
const menuBar = { actions: ['call', 'bill', 'share'] }

/** A page for a table whose texts are words of 80 letters, and the path to which its tag redirects. */
async function createLongTexts(letter: string, language: string): Promise<string> {
  const word = letter.repeat(80)
  const venue = await site.createVenue({ name: word, currency: 'EUR', language, menuBar, phone: '+49 30 123456' })
  const modifiers = [{ title: word, instructions: word, options: [{ label: word, additionalCost: 1 }] }]
  const products = [1, 2, 3].map(() => ({ title: word, description: word, price: 1114.5, modifiers: [0] }))
  const sections = [1, 2].map(() => ({ title: word, description: word, items: [0, 1, 2] }))
  const menus = [{ title: word, description: word, allDayMenu: true, showSectionNavigation: true, sections }]
  await load(venue.post, { modifiers, products, menus })
  const { body } = await venue.post('/tags', { metadata: [{ key: word.slice(0, 60), value: word }] })
  const scanned = await fetch(`${site.origin}${new URL(body.url).pathname}`, { redirect: 'manual' })
  return scanned.headers.get('location') ?? ''
}

/** Elements that are wider than the window or leave it, besides those that scroll sideways by design. */
const findWide = `[...document.querySelectorAll('body *')]
  .filter((element) => !element.closest('nav ul') && element.getClientRects().length > 0)
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    return left < -1 || right > document.documentElement.clientWidth + 1
  })
  .map((element) => element.tagName + '.' + element.className)`

test.each([
  ['from left to right', 'W', 'de'],
  ['from right to left', 'ש', 'he'],
])('words of 80 letters fit %s at every width, with text of 100 and 200 percent', async (_, letter, language) => {
  const path = await createLongTexts(letter, language)
  expect(path).toContain('&seat=')
  const wide: [number, number, string[]][] = []
  await visit(browser, `${site.origin}${path}&asked=call`, { bypassCSP: true }, async (page) => {
    expect(await page.locator('.acts button:visible').count()).toBe(2)
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
    for (const percent of [100, 200]) {
      await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        const found = await page.evaluate<string[]>(findWide)
        if (found.length > 0 || (await page.evaluate('document.documentElement.scrollWidth')) !== width)
          wide.push([percent, width, found])
      }
    }
  })
  expect(wide).toEqual([])
})

/** Words of headings and of dishes that are drawn on two lines. */
const findBrokenWords = `[...document.querySelectorAll('h1, h2, h3, .dish b')].flatMap((heading) => {
  const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
  const broken = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (range.getClientRects().length > 1) broken.push(word)
    }
  return broken
})`

test.each(themes)('in %s, no word of a menu is broken by text of 200 percent on a phone', async (theme) => {
  const venue = await site.createVenue({ name: 'Gasthaus Zum Löwen', currency: 'EUR', language: 'de', theme })
  const products = ['Käsespätzle', 'Apfelstrudel'].map((title) => ({ title, price: 14.5, modifiers: [] }))
  const sections = ['Hauptgerichte', 'Nachspeisen', 'Biere und Weine'].map((title) => ({ title, items: [0, 1] }))
  await load(venue.post, { modifiers: [], products, menus: [{ title: 'Spätabends', allDayMenu: true, sections }] })
  await visit(browser, venue.page, { bypassCSP: true }, async (page) => {
    for (const percent of [100, 200]) {
      await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
      for (const width of [320, 360, 390, 820]) {
        await page.setViewportSize({ width, height: 800 })
        const broken = await page.evaluate<string[]>(findBrokenWords)
        expect([percent, width, broken]).toEqual([percent, width, []])
      }
    }
  })
})

/** Collects shifts of the layout and the time of the largest paint, from before the page begins. */
const observe = `
  self.shift = 0; self.largest = 0
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) self.shift += value })
    .observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) self.largest = startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })`

test.each([
  ['without a banner', false],
  ['with a banner', true],
])('a menu %s does not move while it loads over a slow connection', async (name, hasBanner) => {
  const venue = await site.createVenue({ ...demo.merchant, menuBar })
  const loaded = resolvePictures(demo, site.origin)
  const menus = loaded.menus.map((menu) => (hasBanner ? menu : { ...menu, branding: {} }))
  await load(venue.post, { ...loaded, menus })
  // The first visit fills the cache of the service.
  await (await fetch(`${venue.page}?lang=en`)).text()
  await visit(
    browser,
    'about:blank',
    {},
    async (page) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      const bytesPerSecond = (400 * 1000) / 8
      const speed = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
      await session.send('Network.emulateNetworkConditions', { offline: false, latency: 400, ...speed })
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      await page.goto(`${venue.page}?lang=en`, { waitUntil: 'networkidle' })
      const [shift, largest, first] = await page.evaluate<[number, number, [string, boolean]]>(
        '[self.shift, self.largest, [document.querySelector("main img")?.getAttribute("loading") ?? "", Boolean(document.querySelector("main img"))]]',
      )
      console.log(`figure: menu ${name}, layout shift ${shift.toFixed(3)}, largest paint ${Math.round(largest)} ms`)
      expect(shift).toBeLessThanOrEqual(0.02)
      if (hasBanner) expect(first).toEqual(['', true])
    },
    observe,
  )
})
