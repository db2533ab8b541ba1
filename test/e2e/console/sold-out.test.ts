import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, widthOf } from '../browser.ts'
import { savePicture } from '../save-picture.ts'
import { createOwner, listViolations, type Owner, sizes, visitConsole } from './console-page.ts'

let browser: Browser
let owner: Owner
const ids = new Map<string, string>()
beforeAll(async () => {
  browser = await launch()
  owner = await createOwner({ scopes: ['products:read', 'stock:write'] })
  for (const title of ['Espresso', 'Galão', 'Pastel de nata', 'Mint lemonade', 'Petisco board', 'Otter burger']) {
    ids.set(title, (await owner.post('/products', { title, price: 3 })).id)
  }
})
afterAll(() => browser?.close())

const availability = (title: string) => owner.get(`/products/${ids.get(title)}/availability`)
const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

test('one tap marks a product as sold out until tomorrow, another one makes it available', async () => {
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      const galao = page.getByRole('switch', { name: 'Galão' })
      await galao.tap()
      await status(page, '“Galão” is sold out until')
      expect(await galao.getAttribute('aria-checked')).toBe('true')
      expect(await availability('Galão')).toEqual({ soldOut: true, until: expect.any(Number) })
      await page.getByText('Sold out now: 1').waitFor()
      await page.getByRole('button', { name: 'Undo' }).tap()
      await status(page, '“Galão” is available again.')
      expect(await availability('Galão')).toEqual({ soldOut: false })

      await page.getByRole('radio', { name: 'Further notice' }).check()
      await page.getByRole('searchbox', { name: 'Search' }).fill('nata')
      await page.getByRole('switch', { name: 'Espresso' }).waitFor({ state: 'detached' })
      await page.getByRole('switch', { name: 'Pastel de nata' }).tap()
      await status(page, '“Pastel de nata” is sold out until further notice.')
      expect(await availability('Pastel de nata')).toEqual({ soldOut: true, until: 'further_notice' })

      await page.reload()
      const rows = page.getByRole('table', { name: 'Sold out' }).getByRole('row')
      await rows.first().waitFor()
      // What is sold out comes first.
      expect(await rows.first().getByRole('switch').getAttribute('aria-label')).toBe('Pastel de nata')
      const picture = await page.screenshot({ animations: 'disabled' })
      await savePicture('console-sold-out', picture)
      await page.getByRole('switch', { name: 'Pastel de nata' }).tap()
      await status(page, '“Pastel de nata” is available again.')
    },
    sizes.phone,
  )
})

test('the keyboard is sufficient', async () => {
  await visitConsole(browser, owner, '/sold-out', async (page) => {
    await page.getByRole('switch', { name: 'Espresso' }).focus()
    await page.keyboard.press('Space')
    await status(page, '“Espresso” is sold out until')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Espresso')
    await page.keyboard.press('Space')
    await status(page, '“Espresso” is available again.')
  })
})

test('a failure takes the mark back and says so', async () => {
  await visitConsole(browser, owner, '/sold-out', async (page) => {
    const burger = page.getByRole('switch', { name: 'Otter burger' })
    await burger.waitFor()
    await page.route('**/availability', (route) => route.abort())
    await burger.click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    expect(await burger.getAttribute('aria-checked')).toBe('false')
  })
})

test('the screen is accessible in both themes and fits 320 px', async () => {
  await visitConsole(
    browser,
    owner,
    '/sold-out',
    async (page) => {
      await page.getByRole('switch', { name: 'Mint lemonade' }).click()
      await status(page, '“Mint lemonade” is sold out')
      expect(await widthOf(page)).toBe(320)
      expect(await listViolations(page)).toEqual([])
    },
    { viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
