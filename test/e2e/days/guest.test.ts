import { expect, test } from 'vitest'
import { getBrowser, visit } from '../browser.ts'
import { sizes } from '../console/console-page.ts'
import { createDay, createLunch } from './day.ts'

const browser = await getBrowser()

test("a guest's meal, on a phone that speaks German", async () => {
  const { owner, scan, products } = await createLunch()
  await owner.post(`/products/${products.tart}/availability`, { soldOut: true, until: 'tomorrow' })
  const { tap, type, step, end } = createDay('guest')
  const address = await scan(1)
  await visit(browser, address, { ...sizes.phone, locale: 'de-DE' }, async (page, { browserErrors }) => {
    const dish = (name: string) => page.locator('.dish', { hasText: name })
    await step('scans, and sees the table and the first dish', 0, async () => {
      await page.locator('header').getByText('Tisch 2').waitFor()
      const first = await dish('Kürbiscremesuppe').getByText('6,50').boundingBox()
      expect((first?.y ?? 844) + (first?.height ?? 0)).toBeLessThan(780)
    })
    await step('finds the soup by a part of its name', 2, async () => {
      await tap(page.locator('.jump summary'))
      await type(page.getByRole('searchbox', { name: 'Suchen' }), 'suppe')
      await dish('Zwiebelkuchen').waitFor({ state: 'hidden' })
      await dish('Kürbiscremesuppe').waitFor()
    })
    await page.getByRole('searchbox', { name: 'Suchen' }).fill('')
    await step('goes to a section', 1, () => tap(page.getByRole('link', { name: 'Drinks' })))
    await step('reads what a drink can have', 1, async () => {
      await tap(dish('Latte').locator('summary'))
      await dish('Latte').getByText('Oat milk').waitFor()
    })
    await step('sees when a dish is back', 0, async () => {
      expect(await dish('Apple tart').textContent()).toMatch(/Ausverkauft.*wieder/)
    })
    await step('sees only what is vegan', 2, async () => {
      await tap(page.locator('.filter summary'))
      await tap(page.locator('.filter').getByRole('link', { name: 'Vegan' }))
      await dish('Zwiebelkuchen').waitFor({ state: 'detached' })
      await dish('Kürbiscremesuppe').waitFor()
    })
    await step('calls the staff', 1, async () => {
      await tap(page.getByRole('button', { name: 'Personal rufen' }))
      await page.getByText('Wir kommen gleich an Ihren Tisch.').waitFor()
    })
    await step('asks for the bill', 1, async () => {
      await tap(page.getByRole('button', { name: 'Rechnung, bitte' }))
      await page.getByText('Die Rechnung kommt gleich.').waitFor()
    })
    expect(browserErrors).toEqual([])
  })
  end()
  const { requests } = await owner.get('/requests')
  expect(requests.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['bill', 'call'])
})
