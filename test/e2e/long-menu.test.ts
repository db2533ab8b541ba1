import { expect, test } from 'vitest'
import { load } from '../support/catalogue.ts'
import { getBrowser, visit } from './browser.ts'
import { sizes } from './console/console-page.ts'
import { createVenueService } from './venue-service.ts'

const browser = await getBrowser()
const site = await createVenueService()

/** A title of 80 letters that only its end tells from others. */
const longTitle = (number: number) =>
  `Maultaschen mit Zwiebelschmelze, Kartoffelsalat und Bergkäse aus der Region, ${number}`.slice(0, 80)

/** A venue with 300 sections on two menus. */
async function createLongMenus() {
  const venue = await site.createVenue({ name: 'Gasthaus Zum Löwen', currency: 'EUR', language: 'de' })
  const products = [1, 2].map((price) => ({ title: longTitle(price), description: longTitle(3), price }))
  const menus = ['Mittag', 'Abend'].map((title, menu) => ({
    ...{ title, allDayMenu: true, showSectionNavigation: true },
    sections: Array.from({ length: 150 }, (_, index) => ({
      title: longTitle(100 + 150 * menu + index),
      items: [0, 1],
    })),
  }))
  await load(venue.post, { modifiers: [], products, menus })
  return venue
}

test('on a slow phone, a link of a menu with 300 sections leads to its section, and the bar marks it', async () => {
  const { page: address } = await createLongMenus()
  await visit(browser, address, { ...sizes.phone, reducedMotion: 'no-preference', bypassCSP: true }, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const links = page.locator('.bar li a')
    expect(await links.count()).toBe(302)
    for (const index of [40, 149, 290]) {
      await page.locator('.jump summary').tap()
      const link = links.nth(index)
      // Titles that begin alike are shown to their end.
      expect(await link.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
      await link.tap()
      const place = () =>
        page.evaluate<[number, number]>(`(() => {
          const links = [...document.querySelectorAll('.bar li a')]
          const { top } = document.getElementById(links[${index}].hash.slice(1)).getBoundingClientRect()
          return [Math.round(top / 200), links.findIndex((each) => each.hasAttribute('aria-current'))]
        })()`)
      await expect.poll(place).toEqual([0, index])
    }
  })
})

test('while a guest types, what is found takes the place of the links', async () => {
  const { page: address } = await createLongMenus()
  await visit(browser, address, { ...sizes.phone, reducedMotion: 'reduce' }, async (page) => {
    await page.locator('.jump summary').tap()
    await page.getByRole('searchbox').fill(longTitle(2))
    const dish = page.locator('.dish:visible').first()
    // Half of the window is for the keyboard.
    await expect.poll(async () => ((await dish.boundingBox())?.y ?? 900) < 844 / 2).toBe(true)
    await page.getByRole('searchbox').fill('')
    await page.locator('.bar li a').nth(3).waitFor()
  })
})
