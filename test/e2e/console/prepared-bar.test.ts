import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, readAtRest } from '../browser.ts'
import { connectService } from '../shared-service.ts'
import { createOwner, type Owner, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const bar = (page: Page) => page.getByRole('region', { name: /^Being prepared: / })

/** A venue with a list that is longer than a screen, and a release of some of its prices. */
async function createVenue() {
  const owner = await createOwner()
  const operations = Array.from({ length: 24 }, (_, n) => ({
    ...{ op: 'create', resource: 'products', ref: `#${n}`, body: { title: `Dish ${n}`, price: 3 } },
  }))
  const items = operations.map(({ ref }) => ref)
  const menu = { op: 'create', resource: 'menus', body: { title: 'Day', sections: [{ title: 'Warm', items }] } }
  const { results } = await owner.post('/batch', { operations: [...operations, menu] })
  const first = results[0].id
  await owner.post('/releases', {
    title: 'Autumn menu',
    operations: [{ op: 'update', resource: 'products', id: first, body: { price: 4.5 } }],
  })
  return owner
}

async function resume(page: Page, owner: Owner, screen: string) {
  await page.getByRole('button', { name: 'Continue Autumn menu' }).click()
  await bar(page).waitFor()
  await page.goto(`${owner.origin}/console${screen}`)
  await bar(page).waitFor()
}

/** How far the bar covers the element that has the focus, in pixels. Elements of the bar are not covered. */
const coveredBy = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const [bar, focused] = [document.querySelector('.prepared'), document.activeElement]
    if (bar.contains(focused) || !document.querySelector('main table').contains(focused)) return 0
    return bar.getBoundingClientRect().bottom - focused.getBoundingClientRect().top
  })()`)

test.each([
  { name: 'a desk', options: sizes.desk },
  { name: 'a tablet', options: { ...sizes.phone, viewport: { width: 820, height: 1180 } } },
  { name: 'a phone', options: sizes.phone },
  { name: 'a small phone', options: { ...sizes.phone, viewport: { width: 320, height: 640 } } },
  { name: 'a phone that is turned', options: { ...sizes.phone, viewport: { width: 844, height: 390 } } },
])('the bar stays in sight on $name, and covers nothing that has the focus', async ({ options }) => {
  const owner = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      await resume(page, owner, '/products')
      const prices = page.getByRole('textbox', { name: /^Price of / })
      await prices.first().waitFor()
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      const seen = await readAtRest(page, () =>
        page.evaluate<{ top: number; bottom: number; height: number }>(`(() => {
          const { top, bottom } = document.querySelector('.prepared').getBoundingClientRect()
          return { top, bottom, height: innerHeight }
        })()`),
      )
      expect(seen.top).toBeGreaterThanOrEqual(0)
      expect(seen.bottom - seen.top).toBeLessThan(seen.height / 3)
      // Backwards from the last row, each of them comes from behind the bar.
      await prices.last().focus()
      const covered: number[] = []
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Shift+Tab')
        covered.push(await coveredBy(page))
      }
      expect(Math.max(...covered)).toBeLessThanOrEqual(0)
    },
    options,
  )
})

test.each([390, 320])('on a phone of %s px with selected rows, a message leaves both bars free', async (width) => {
  const owner = await createVenue()
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      await resume(page, owner, '/products')
      await page.getByRole('checkbox', { name: 'Select Dish 22' }).check()
      await page.getByRole('switch', { name: /Dish 23/ }).click()
      await waitForStatus(page, '“Dish 23” will be hidden.')
      const [prepared, message, selection] = await readAtRest(page, () =>
        Promise.all(['.prepared', '.toast', '.selection'].map((selector) => page.locator(selector).boundingBox())),
      )
      expect(message?.y).toBeGreaterThanOrEqual((prepared?.y ?? 0) + (prepared?.height ?? 0))
      expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThanOrEqual(selection?.y ?? 0)
    },
    { ...sizes.phone, viewport: { width, height: 740 } },
  )
})

test('messages say that changes will be made, and the preview of the menus shows them', async () => {
  const owner = await createVenue()
  await visitConsole(browser, owner, '/today', async (page) => {
    await resume(page, owner, '/menus')
    const preview = page.frameLocator('iframe[title=Preview]')
    await page.getByRole('button', { name: 'Day', exact: true }).click()
    await preview.getByText('4.50').first().waitFor()
    // The preview shows the release and what is typed after it.
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Evening')
    await preview.getByRole('heading', { name: 'Evening' }).waitFor()
    await preview.getByText('4.50').first().waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto(`${owner.origin}/console/products`)
    const price = page.getByRole('textbox', { name: 'Price of Dish 23', exact: true })
    await price.fill('5.20')
    await price.press('Enter')
    await waitForStatus(page, '“Dish 23” will cost €5.20.')
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await waitForStatus(page, '“Dish 23” will cost €3.00.')
    await page.getByRole('switch', { name: /Dish 22/ }).click()
    await waitForStatus(page, '“Dish 22” will be hidden.')
    for (const title of ['Dish 20', 'Dish 21']) await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change prices' })
    await dialog.getByRole('textbox').first().fill('10')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await waitForStatus(page, '2 prices are prepared.')
  })
  const products: { price: number; visible: boolean }[] = await owner.get('/products?limit=100')
  expect(products.every(({ price, visible }) => price === 3 && visible)).toBe(true)
})

test('Today says that a release could not be published at its time, and leads to the reasons', async () => {
  const owner = await createOwner()
  const service = await connectService()
  const { id } = await owner.post('/products', { title: 'Latte', price: 3 })
  const publishAt = Math.floor(Date.now() / 1000) + 3
  const operations = [{ op: 'update', resource: 'products', id, body: { price: 4 } }]
  const release = await owner.post('/releases', { title: 'Breakfast', publishAt, operations })
  await owner.post(`/products/${id}`, { price: 3.5 })
  await setTimeout(Math.max(0, publishAt * 1000 - Date.now()) + 1_000)
  await service.runScheduled()
  await expect.poll(async () => (await owner.get(`/releases/${release.id}`)).state).toBe('failed')
  await visitConsole(browser, owner, '/today', async (page) => {
    const card = page.getByRole('region', { name: 'Prepared changes' })
    await card.getByText('Could not be published. Continue to see why.').waitFor()
    await card.getByRole('button', { name: 'Continue Breakfast' }).click()
    await bar(page).getByRole('button', { name: '1 change', exact: true }).click()
    await page.getByText('Latte, Price: yours €4.00, now €3.50').waitFor()
  })
})
