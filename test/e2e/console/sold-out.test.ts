import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getBrowser, readAtRest, widthOf } from '../browser.ts'
import { savePicture } from '../save-picture.ts'
import { createOwner, listViolations, type Owner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
let owner: Owner
const ids = new Map<string, string>()
beforeAll(async () => {
  owner = await createOwner({ scopes: ['products:read', 'stock:write'] })
  for (const title of ['Espresso', 'Galão', 'Pastel de nata', 'Mint lemonade', 'Petisco board', 'Otter burger']) {
    ids.set(title, (await owner.post('/products', { title, price: 3 })).id)
  }
})

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
      // Sold-out products come first.
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
    let failed = 0
    await page.route('**/availability', (route) => route.abort().then(() => failed++))
    await burger.click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    expect(await burger.getAttribute('aria-checked')).toBe('false')
    await burger.dblclick()
    // Each request is sent again once.
    await expect.poll(() => failed).toBe(6)
    await page.getByRole('alert').getByText('No connection').waitFor()
    await expect.poll(() => burger.getAttribute('aria-checked')).toBe('false')
  })
})

test('the last of two taps counts, however late the response to the first one is', async () => {
  await visitConsole(browser, owner, '/sold-out', async (page) => {
    let answered = 0
    await page.route('**/availability', async (route) => {
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
      const response = await route.fetch({ headers })
      if (route.request().postDataJSON().soldOut) await page.waitForTimeout(1_500)
      await route.fulfill({ response })
      answered++
    })
    const board = page.getByRole('switch', { name: 'Petisco board' })
    await board.click()
    await expect.poll(() => board.getAttribute('aria-checked')).toBe('true')
    await board.click()
    await expect.poll(() => board.getAttribute('aria-checked')).toBe('false')
    await expect.poll(() => answered).toBe(2)
    await status(page, '“Petisco board” is available again.')
    expect(await board.getAttribute('aria-checked')).toBe('false')
    expect(await availability('Petisco board')).toEqual({ soldOut: false })
  })
})

test('long titles can be told apart, and their message fits a phone', async () => {
  const venue = await createOwner()
  const word = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'
  await venue.post('/products', { title: `Schnitzel with ${word} and potatoes`, price: 3 })
  await visitConsole(
    browser,
    venue,
    '/sold-out',
    async (page) => {
      await page.getByRole('switch').tap()
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      const { x = 0, width = 0 } = (await readAtRest(page, () => undo.boundingBox())) ?? {}
      expect(x + width).toBeLessThan(sizes.phone.viewport.width)
      expect(await page.locator('.title').evaluate((title) => title.clientHeight / 21.25)).toBeCloseTo(2, 1)
      // The button disappears: the focus stays in the document's content.
      await undo.press('Enter')
      await status(page, 'is available again.')
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    },
    sizes.phone,
  )
})

test('a list that cannot be loaded is loaded again', async () => {
  await visitConsole(browser, owner, '/today', async (page) => {
    const isStock = (url: URL) => url.pathname.endsWith('/stock') || url.pathname.endsWith('/products')
    await page.route(isStock, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sold out' }).click()
    await page.getByRole('alert').getByText('No connection').waitFor()
    await page.unroute(isStock)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('switch', { name: 'Espresso' }).waitFor()

    // A search that was typed offline shows its results as soon as the phone is online again.
    await page.context().setOffline(true)
    await page.getByRole('searchbox', { name: 'Search' }).fill('burger')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByRole('switch', { name: 'Otter burger' }).waitFor()
    expect(await page.getByRole('switch').count()).toBe(1)
    expect(await page.getByRole('alert').getByText('No connection').count()).toBe(0)
  })
  await visitConsole(browser, await createOwner(), '/sold-out', (page) => page.getByText('No products yet').waitFor())
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

test('options of modifiers are marked by one tap, with Undo, and found by their modifier', async () => {
  const staff = await createOwner({ scopes: ['products:read', 'modifiers:read', 'stock:write'] })
  const create = (title: string, ...labels: string[]) =>
    staff.post('/modifiers', { title, instructions: '', options: labels.map((label) => ({ label })) })
  const milk = await create('Milk', 'Oat', 'Whole')
  await create('Sugar', 'Brown')
  const oat = milk.options[0].id
  const read = async () => (await staff.get(`/modifiers/${milk.id}/availability`)).options[oat]
  await visitConsole(
    browser,
    staff,
    '/sold-out',
    async (page) => {
      await page.getByRole('radio', { name: 'Options' }).check()
      await page.getByRole('searchbox', { name: 'Search options' }).fill('milk')
      await expect.poll(() => page.getByRole('switch').count()).toBe(2)
      await page.getByRole('switch', { name: 'Milk: Oat' }).tap()
      await status(page, '“Milk: Oat” is sold out until')
      expect(await read()).toEqual({ soldOut: true, until: expect.any(Number) })
      await page.getByRole('button', { name: 'Undo' }).tap()
      await status(page, '“Milk: Oat” is available again.')
      expect(await read()).toEqual({ soldOut: false })
      expect([await widthOf(page), await listViolations(page)]).toEqual([320, []])
    },
    { ...sizes.phone, viewport: { width: 320, height: 640 }, bypassCSP: true },
  )
})
