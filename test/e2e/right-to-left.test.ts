import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()

const openAll = (page: Page) =>
  page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')

describe('a menu from right to left', () => {
  test.each([
    ['Arabic', 'ar', { name: 'مقهى الياسمين', currency: 'AED', timezone: 'Asia/Dubai' }, 'قهوة عربية', 'حليب'],
    ['Hebrew', 'he', { name: 'בית קפה השקד', currency: 'ILS', timezone: 'Asia/Jerusalem' }, 'קפה שחור', 'חלב'],
  ])('in %s has all titles on one side and all prices on the other', async (_, lang, merchant, title, label) => {
    const venue = await site.createVenue(merchant)
    await load(venue.post, {
      modifiers: [
        {
          title: label,
          options: [
            { label, additionalCost: 4 },
            { label: 'Oat', additionalCost: 2 },
          ],
        },
      ],
      products: [
        { title, price: 18, description: title, modifiers: [0] },
        { title: `Flat white ${title}`, price: 21.5, description: `Milk. ${title}` },
        { title: `${title} (XL)`, price: 33 },
      ],
      menus: [
        {
          title,
          sections: [
            { title, items: [0, 1] },
            { title: 'Cold', items: [2] },
          ],
        },
      ],
    })
    for (const language of [lang, 'de', 'en']) {
      await visit(
        browser,
        `${venue.page}?lang=${language}`,
        { viewport: { width: 360, height: 800 } },
        async (page) => {
          await openAll(page)
          const edges = await page.evaluate<{
            titles: number[]
            prices: number[]
            costs: number[]
            lang: string[]
          }>(`(() => {
          const edge = (selector, side) => [...new Set([...document.querySelectorAll(selector)].map((element) => {
            const range = document.createRange()
            range.selectNodeContents(element)
            return Math.round(range.getBoundingClientRect()[side])
          }))]
          return {
            titles: edge('h3 bdi, .dish > div > b > bdi, .dish p > bdi', 'right'),
            prices: edge('.dish > div > span', 'left'),
            costs: edge('dd b', 'left'),
            lang: [document.documentElement.lang, document.documentElement.dir],
          }
        })()`)
          expect(edges).toMatchObject({ lang: [lang, 'rtl'] })
          expect([edges.titles.length, edges.prices.length, edges.costs.length]).toEqual([1, 1, 1])
          expect(edges.prices[0]).toBeLessThan(40)
          expect(edges.titles[0]).toBeGreaterThan(320)
        },
      )
    }
  })
})
