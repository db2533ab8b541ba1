import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allergenCodes } from '../../src/catalogue/resources/details/food-codes.ts'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
let page: string
let plain: string

beforeAll(async () => {
  const site = await createVenueService()
  const profile = { name: 'Löwen', currency: 'EUR', language: 'de', timezone: 'Europe/Berlin', phone: '+49 30 123456' }
  const venue = await site.createVenue(profile)
  const menu = (branding: object) => ({ title: 'Karte', branding, showSectionNavigation: true })
  const sections = ['Vorspeisen', 'Hauptgerichte', 'Nachspeisen'].map((title) => ({ title, items: [0, 1] }))
  const products = ['Käsespätzle', 'Donaudampfschifffahrtsgesellschaftssuppe'].map((title) => ({
    title,
    price: 1114.5,
    modifiers: [0],
  }))
  const modifiers = [{ title: 'Beilage', options: [{ label: 'Kartoffelsalat', additionalCost: 1 }] }]
  // The picture file does not exist.
  const branding = { banner: `${site.origin}/i/none.png` }
  const ids = await load(venue.post, { modifiers, products, menus: [{ ...menu(branding), sections }] })
  const allergens = allergenCodes.map((code) => ({ code, level: 'contains' }))
  for (const id of ids) await venue.post(`/products/${id}/details`, { allergens, diets: ['lactose_free'] })
  page = venue.page
  const other = await site.createVenue(profile)
  await load(other.post, { modifiers, products, menus: [{ ...menu({}), sections }] })
  plain = other.page
})

/** Elements that scroll sideways. Bars of sections do by design. */
const findScrolling = `[...document.querySelectorAll('body *')]
  .filter((element) => !element.closest('nav ul') && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.tagName + '.' + element.className)`

test.each([
  [320, ''],
  [768, ''],
  [1024, ''],
  [768, '/allergens'],
  [1024, '/allergens'],
])('at %i pixels, nothing of the menu%s scrolls sideways with text of twice the size', async (width, path) => {
  await visit(
    browser,
    `${page}${path}?lang=de`,
    { viewport: { width, height: 900 }, bypassCSP: true },
    async (shown: Page) => {
      await shown.addStyleTag({ content: 'html{font-size:200%}' })
      await shown.evaluate('for (const details of document.querySelectorAll("details")) details.open = true')
      expect(await shown.evaluate(findScrolling)).toEqual([])
      expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(width)
    },
  )
})

/** From the beginning of the menu to its title. */
const findDistance = `(() => {
  const [about, title] = ['.about', 'h2'].map((name) => document.querySelector(name).getBoundingClientRect().top)
  return title - about
})()`

test('a banner that cannot be loaded leaves no gap', async () => {
  const topOf = async (address: string) => {
    let top = 0
    await visit(browser, address, { viewport: { width: 390, height: 844 } }, async (shown: Page) => {
      await shown.waitForLoadState('networkidle')
      top = Number(await shown.evaluate(findDistance))
    })
    return top
  }
  expect(await topOf(page)).toBe(await topOf(plain))
})
