import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import demo from '../../tools/cli/demo/demo-venue.json'
import { resolvePictures } from '../../tools/cli/loader/pictures.ts'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit, widthOf } from './browser.ts'
import { createVenueService, type VenueService } from './venue-service.ts'

const morning = 'at=2026-11-21T10:00:00Z'
const reducedMotion = 'reduce'

let site: VenueService
const browser = await getBrowser()
let otter: Awaited<ReturnType<VenueService['createVenue']>>

beforeAll(async () => {
  site = await createVenueService()
  otter = await site.createVenue(demo.merchant)
  await load(otter.post, resolvePictures(demo, site.origin))
})

const openAll = (page: Page) =>
  page.evaluate('for (const details of document.querySelectorAll("details:not(.jump)")) details.open = true')

/** Links whose heading is hidden, outside the window or covered by a bar; and the height of the largest bar. */
const followLinks = `(() => {
  const hidden = [], bars = [...document.querySelectorAll('nav')]
  for (const link of document.querySelectorAll('nav a')) {
    link.click()
    const heading = document.querySelector(link.hash + ' :is(h2, h3)').getBoundingClientRect()
    const isCovered = bars.map((bar) => bar.getBoundingClientRect()).some((bar) => bar.top <= heading.top && bar.bottom > heading.top)
    if (isCovered || heading.top < 0 || heading.bottom > innerHeight) hidden.push(link.textContent)
  }
  return { hidden, links: document.querySelectorAll('nav a').length, tallest: Math.max(...bars.map((bar) => bar.offsetHeight)) }
})()`

describe('links on the menu', () => {
  test.each([
    [320, 568],
    [390, 844],
    [568, 320],
    [736, 414],
    [844, 390],
    [1024, 768],
    [1280, 800],
    [1600, 900],
  ])('lead to headings that are visible, below a bar of one line, in a window of %i × %i', async (width, height) => {
    await visit(browser, `${otter.page}?${morning}`, { viewport: { width, height }, reducedMotion }, async (page) => {
      await openAll(page)
      const { hidden, links, tallest } = await page.evaluate<{ hidden: string[]; links: number; tallest: number }>(
        followLinks,
      )
      expect([hidden, links]).toEqual([[], 12])
      expect(tallest).toBeLessThan(70)
    })
  })

  test('are inside the window when the Tab key reaches them', async () => {
    await visit(browser, `${otter.page}?${morning}`, { reducedMotion }, async (page) => {
      const focused = `(() => {
        const { left, right } = document.activeElement.getBoundingClientRect()
        return { isLink: document.activeElement.matches('nav a'), left, right }
      })()`
      // The button that shows all links comes first.
      await page.keyboard.press('Tab')
      for (let links = 0; ; links++) {
        await page.keyboard.press('Tab')
        const { isLink, left, right } = await page.evaluate<{ isLink: boolean; left: number; right: number }>(focused)
        if (!isLink) {
          expect(links).toBe(12)
          return
        }
        expect([links, left >= 0, right <= 390]).toEqual([links, true, true])
      }
    })
  })
})

test('text of twice the size breaks no word of a title and needs no scrolling sideways', async () => {
  const website = 'https://gasthaus-zum-goldenen-loewen-am-marktplatz.example/'
  const profile = { name: 'Löwen', currency: 'EUR', language: 'de', timezone: 'Europe/Berlin', website }
  const venue = await site.createVenue(profile)
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(4)
  await load(venue.post, {
    modifiers: [],
    products: ['Käsespätzle', 'Flädlesuppe', long].map((title) => ({ title, price: 1114.5 })),
    menus: [{ title: 'Karte', sections: [{ title: 'Alles', items: [0, 1, 2] }] }],
  })
  await visit(browser, venue.page, { viewport: { width: 320, height: 700 }, bypassCSP: true }, async (page) => {
    const countLines = () =>
      page.evaluate<number[]>(`[...document.querySelectorAll('.dish > div > b > bdi')].map((title) => {
        const range = document.createRange()
        range.selectNodeContents(title)
        return range.getClientRects().length
      })`)
    const [first, second] = await countLines()
    expect([first, second]).toEqual([1, 1])
    await page.addStyleTag({ content: 'html{font-size:200%}' })
    const [large, other, longest] = await countLines()
    expect([large, other]).toEqual([1, 1])
    expect(longest).toBeGreaterThan(1)
    expect(await widthOf(page)).toBe(320)
  })
})

describe('a menu of many products', () => {
  const amount = 240
  const perSection = 30
  let page: string
  beforeAll(async () => {
    const venue = await site.createVenue({ name: 'Hall', currency: 'EUR' })
    const products = Array.from({ length: amount }, (_, index) => ({
      ...{ op: 'create', resource: 'products', ref: `#p${index}` },
      body: { title: `Dish${index}`, price: 9, description: 'Cooked over fire. '.repeat(index % 4) },
    }))
    const sections = Array.from({ length: amount / perSection }, (_, index) => ({
      title: `Section ${index + 1}`,
      items: Array.from({ length: perSection }, (_, item) => `#p${index * perSection + item}`),
    }))
    const menu = { op: 'create', resource: 'menus', body: { title: 'All', showSectionNavigation: true, sections } }
    expect((await venue.post('/batch', { operations: [...products, menu] })).status).toBe(200)
    page = venue.page
  })

  test.each([
    [320, 568],
    [844, 390],
    [1280, 800],
  ])(
    'is laid out only near the screen, and its links lead to headings, in a window of %i × %i',
    async (width, height) => {
      await visit(browser, page, { viewport: { width, height }, reducedMotion }, async (page) => {
        const shown = await page.evaluate<number>(
          '[...document.querySelectorAll(".dish > div > b")].filter((title) => title.checkVisibility({ contentVisibilityAuto: true })).length',
        )
        expect(shown).toBeLessThan(amount / 4)
        const { hidden, links } = await page.evaluate<{ hidden: string[]; links: number }>(followLinks)
        expect([hidden, links]).toEqual([[], amount / perSection])
      })
    },
  )

  test('is printed completely', async () => {
    await visit(browser, page, {}, async (page) => {
      const text = execFileSync('pdftotext', ['-', '-'], { input: await page.pdf({ format: 'A4' }), encoding: 'utf8' })
      expect(new Set(text.match(/Dish\d+/g)).size).toBe(amount)
    })
  })
})

describe('pictures', () => {
  test('of the demo venue are served by the service', async () => {
    await visit(browser, `${otter.page}?${morning}`, { viewport: { width: 390, height: 20_000 } }, async (page) => {
      await openAll(page)
      const sizes = () => page.evaluate<number[]>('[...document.images].map((image) => image.naturalWidth)')
      await expect.poll(async () => (await sizes()).every((width) => width > 0), { timeout: 15_000 }).toBe(true)
      expect((await sizes()).length).toBeGreaterThan(7)
    })
  })

  test('that cannot be loaded, or are http:, take no space', async () => {
    const venue = await site.createVenue({ name: 'Bar', currency: 'EUR' })
    const product = { title: 'Soup', price: 4, description: 'Leeks, potatoes and cream. '.repeat(4) }
    await load(venue.post, {
      modifiers: [],
      products: [
        product,
        { ...product, images: [{ url: 'https://broken.example/soup.jpg' }] },
        { ...product, images: [{ url: 'http://images.example.com/soup.jpg' }] },
        { ...product, images: [{ url: 'https://images.example.com/soup.jpg' }] },
      ],
      menus: [
        {
          title: 'All day',
          branding: { banner: 'https://broken.example/banner.jpg', icon: 'https://broken.example/icon.jpg' },
          sections: [{ title: 'Soups', items: [0, 1, 2, 3] }],
        },
      ],
    })
    await visit(browser, 'about:blank', {}, async (page) => {
      await page.route('https://broken.example/**', (route) => route.abort())
      await page.goto(venue.page)
      const measure = () =>
        page.evaluate<{ dishes: number[]; figures: number[]; large: number[] }>(`(() => {
          const heights = (selector) => [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().height)
          return { dishes: heights('.dish:not(:last-child)'), figures: heights('figure:not(.pics *),.pics'), large: heights('.pics figure') }
        })()`)
      await expect.poll(async () => (await measure()).figures).toEqual([0, 0, 0, 104])
      const { dishes } = await measure()
      expect(new Set(dishes).size).toBe(1)
      await openAll(page)
      await expect.poll(async () => (await measure()).large[0]).toBe(0)
      await expect.poll(async () => (await measure()).large[1]).toBeGreaterThan(200)
    })
  })
})

describe.each(['A4', 'Letter'])('a print on %s', (format) => {
  test('has two columns, no heading at the end of one, and each choice once', async () => {
    const venue = await site.createVenue({ name: 'Inn', currency: 'EUR' })
    const amount = 60
    await load(venue.post, {
      modifiers: [{ title: 'Side', options: [{ label: 'Dumplings' }, { label: 'Salad' }] }],
      products: Array.from({ length: amount }, (_, index) => ({
        title: `Dish ${index}`,
        price: 9,
        description: 'Cooked over fire, served when it is ready. '.repeat(1 + (index % 3)),
        modifiers: [0],
      })),
      menus: [
        {
          title: 'Supper',
          begin: '0000',
          end: '0001',
          sections: Array.from({ length: 20 }, (_, index) => ({
            title: `Heading${index}`,
            items: [0, 1, 2].map((item) => index * 3 + item),
          })),
        },
      ],
    })
    await visit(browser, `${venue.page}?${morning}`, {}, async (page) => {
      const pdf = await page.pdf({ format, margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' } })
      const layout = execFileSync('pdftotext', ['-bbox', '-', '-'], { input: pdf, encoding: 'utf8' })
      const pages = layout.split('<page ').slice(1)
      expect(pages.length).toBeLessThanOrEqual(4)
      expect(layout.match(/>Dumplings</g)).toHaveLength(1)
      const headings: string[] = []
      for (const each of pages) {
        const words = Array.from(
          each.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(.*?)</g),
          ([, x, top, bottom, word = '']) => ({
            isRight: Number(x) > 300,
            top: Number(top),
            bottom: Number(bottom),
            word,
          }),
        )
        expect(words.some(({ isRight }) => isRight)).toBe(true)
        for (const { isRight, bottom, word } of words.filter(({ word }) => word.startsWith('Heading'))) {
          headings.push(word)
          expect([word, words.some((other) => other.isRight === isRight && other.top > bottom)]).toEqual([word, true])
        }
      }
      expect(headings).toHaveLength(20)
    })
  })
})
