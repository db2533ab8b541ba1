import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()

/** Counts the taps of a person: every pointer that goes down. */
const countTaps = (page: Page) =>
  page.evaluate(`
    window.taps = 0
    addEventListener('pointerdown', () => { window.taps++ }, true)
  `)
const readTaps = async (page: Page) => Number(await page.evaluate('window.taps'))

test('a fresh venue has printed codes after at most 10 taps on one screen', async () => {
  const owner = await createOwner()
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      const list = page.getByRole('region', { name: 'To the first scan' })
      await list.waitFor()
      // Cards without content are not shown.
      expect(await page.getByText('Nobody has scanned a table').count()).toBe(0)
      await countTaps(page)
      await list.getByLabel('Name of the dish').tap()
      await page.keyboard.type('Kürbiscremesuppe')
      await list.getByLabel('Price').tap()
      await page.keyboard.type('6.50')
      await list.getByRole('button', { name: 'Add', exact: true }).tap()
      await list.getByText('The menu “Menu” is there').waitFor()
      await list.getByRole('button', { name: 'Make', exact: true }).tap()
      const print = list.getByRole('button', { name: 'Print 10 codes' })
      const [sheet] = await Promise.all([page.waitForEvent('popup'), print.tap()])
      await expect.poll(() => sheet.url()).toContain('/sheet/')
      await sheet.getByText('Mesa 10').first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/console/today')
      const taps = await readTaps(page)
      console.log(`figure: taps from a fresh venue to a printed code: ${taps}`)
      expect(taps).toBeLessThanOrEqual(10)
      const [menu] = await owner.get('/menus')
      const [soup] = await owner.get('/products')
      expect(menu.sections).toMatchObject([{ title: 'Dishes', items: [soup.id] }])
      // A second dish joins the section, another one gets its own.
      for (const [title, section] of [
        ['Bretzel', 'Dishes'],
        ['Riesling', 'Wines'],
      ] as const) {
        await list.getByLabel('Name of the dish').fill(title)
        await list.getByLabel('Price').fill('4')
        await list.getByLabel('Section').fill(section)
        await list.getByRole('button', { name: 'Add', exact: true }).tap()
        await page.getByRole('status').getByText(`“${title}” is on the menu.`).waitFor()
      }
      const [after] = await owner.get('/menus')
      expect(
        after.sections.map(({ title, items }: { title: string; items: string[] }) => [title, items.length]),
      ).toEqual([
        ['Dishes', 2],
        ['Wines', 1],
      ])
      // The last step ticks itself.
      const [tag] = await owner.get('/tags')
      await fetch(`${owner.origin}/t/${tag.id}`, {
        redirect: 'manual',
        headers: { 'user-agent': 'Mozilla/5.0 Chrome' },
      })
      await list.waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'Scans' }).waitFor()
    },
    sizes.phone,
  )
})

test('the days of a menu are beside its hours: breakfast on weekdays in at most 12 taps', async () => {
  const owner = await createOwner()
  await visitConsole(
    browser,
    owner,
    '/menus/new',
    async (page) => {
      await page.getByLabel('Title', { exact: true }).fill('Breakfast')
      await countTaps(page)
      await page.getByRole('checkbox', { name: 'All day' }).tap()
      await page.getByLabel('From', { exact: true }).fill('07:00')
      await page.getByLabel('Until', { exact: true }).fill('11:30')
      for (const day of ['Sat', 'Sun']) await page.getByRole('checkbox', { name: day }).tap()
      await page.getByRole('button', { name: 'Save' }).tap()
      await page.getByRole('status').filter({ hasText: 'Breakfast' }).first().waitFor()
      const taps = await readTaps(page)
      console.log(`figure: taps for breakfast on weekdays: ${taps}`)
      expect(taps).toBeLessThanOrEqual(12)
      const [menu] = await owner.get('/menus?include=details')
      expect([menu.begin, menu.end, menu.details.days]).toEqual(['0700', '1130', ['mon', 'tue', 'wed', 'thu', 'fri']])
    },
    sizes.phone,
  )
})

test('languages, countries, currencies and time zones are chosen by their names, the color from a picker', async () => {
  const owner = await createOwner()
  await visitConsole(
    browser,
    owner,
    '/settings',
    async (page) => {
      await page.getByRole('combobox', { name: 'Zeitzone' }).selectOption({ label: 'Berlin' })
      await page.getByText('Mitteleuropäische Zeit').waitFor()
      await page.getByRole('combobox', { name: 'Währung' }).selectOption({ label: 'Schweizer Franken' })
      await page.getByRole('combobox', { name: 'Land' }).selectOption({ label: 'Schweiz' })
      await page.locator('input[type=color]').fill('#ffee00')
      await page.getByRole('textbox', { name: 'Bestelladresse', exact: true }).fill('https://otter.example/order')
      await page.getByRole('button', { name: 'Nummer des Tisches anhängen' }).click()
      await page.getByRole('button', { name: 'Speichern' }).first().click()
      const orderingUrl = 'https://otter.example/order?table={metadata.table}'
      const isStored = {
        orderingUrl,
        timezone: 'Europe/Berlin',
        currency: 'CHF',
        color: '#ffee00',
        address: { country: 'CH' },
      }
      const { merchant } = createClient({ origin: owner.origin, merchantId: owner.id, key: owner.key })
      await expect.poll(() => merchant.retrieve()).toMatchObject(isStored)
    },
    { ...sizes.phone, locale: 'de-DE' },
  )
})
