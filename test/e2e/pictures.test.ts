import { beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/client.ts'
import { pictures, smallPicture } from '../support/pictures.ts'
import { getBrowser, listAxeViolations, visit } from './browser.ts'
import { createVenueService, type VenueService } from './venue-service.ts'

let site: VenueService
const browser = await getBrowser()

beforeAll(async () => {
  site = await createVenueService()
})

async function createMenu(images: Readonly<Record<string, readonly Uint8Array<ArrayBuffer>[]>>) {
  const venue = await site.createVenue({ name: 'Bar', currency: 'EUR' })
  const client = createClient({ origin: site.origin, merchantId: venue.id, key: venue.key })
  const items: string[] = []
  for (const [title, files] of Object.entries(images)) {
    const { id } = await client.products.create({ title, price: 4, description: 'Leeks, potatoes and cream.' })
    for (const file of files) await client.products.addImage(id, new Blob([file]))
    items.push(id)
  }
  await client.menus.create({ title: 'All day', sections: [{ title: 'Soups', items }] })
  return venue.page
}

describe('uploaded pictures', () => {
  test('are shown upright in every format', async () => {
    const page = await createMenu(Object.fromEntries(Object.entries(pictures).map(([name, file]) => [name, [file]])))
    await visit(browser, page, {}, async (tab) => {
      const sizes = () =>
        tab.evaluate<number[][]>(
          '[...document.querySelectorAll("summary>img")].map((image) => [image.naturalWidth, image.naturalHeight])',
        )
      const upright = Array(Object.keys(pictures).length).fill([20, 40])
      await expect.poll(sizes, { timeout: 10_000 }).toEqual(upright)
    })
  })

  test('open in full width on tap, all of a dish, without a script', async () => {
    const page = await createMenu({ Soup: [pictures.png, smallPicture], Salad: [pictures.webp] })
    await visit(browser, page, { bypassCSP: true }, async (tab) => {
      const widths = () =>
        tab.evaluate<number[]>('[...document.querySelectorAll(".dish figure>img")].map((image) => image.offsetWidth)')
      await tab.locator('.pics>summary').first().click()
      const full = await tab.evaluate<number>('document.querySelector(".dish").clientWidth')
      await expect.poll(async () => (await widths()).slice(0, 2)).toEqual([full, full])
      expect(await listAxeViolations(tab)).toEqual([])
      await tab.locator('.pics>summary').first().click()
      expect(await tab.locator('.pics[open]').count()).toBe(0)
    })
  })
})
