import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../../packages/client/src/client.ts'
import demo from '../../../tools/cli/demo/demo-venue.json'
import { resolvePictures } from '../../../tools/cli/loader/pictures.ts'
import { load } from '../../support/catalogue.ts'
import { getBrowser, widthOf } from '../browser.ts'
import { isLong, takeShare } from '../rounds.ts'
import { savePicture } from '../save-picture.ts'
import { createOwner, listViolations, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

const create = (fields: object) => owner.post('/products', { title: 'Tea', price: 2.5, ...fields })
const read = (id: string) => owner.get(`/products/${id}`)
const status = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor()

describe.each(Object.entries(sizes))('on a %s', (_, size) => {
  test('a price is changed in the list, and changed back', async () => {
    const { id } = await create({ title: 'Galão' })
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        const price = page.getByRole('textbox', { name: 'Price of Galão' }).first()
        await price.fill('2,80')
        await price.press('Enter')
        await status(page, '“Galão” now costs €2.80.')
        expect(await read(id)).toMatchObject({ price: 2.8 })
        await page.getByRole('button', { name: 'Undo' }).click()
        await status(page, '“Galão” now costs €2.50.')
        expect(await read(id)).toMatchObject({ price: 2.5 })
        expect(await price.inputValue()).toBe('2.50')
        await price.fill('9')
        await price.press('Escape')
        expect(await price.inputValue()).toBe('2.50')
        await price.fill('much')
        await price.press('Enter')
        await page.getByRole('alert').getByText('Enter a number').waitFor()
        await price.fill('1,200')
        await price.press('Enter')
        await page.getByRole('alert').getByText('without a separator for thousands').waitFor()
        expect(await read(id)).toMatchObject({ price: 2.5 })
        await price.fill('-1')
        await price.press('Enter')
        await page.getByRole('alert').getByText('Enter at least 0.').waitFor()
        expect(await price.inputValue()).toBe('-1')
        expect(await read(id)).toMatchObject({ price: 2.5 })
      },
      size,
    )
  })

  test('products are hidden one by one and together', async () => {
    const products = [
      await create({ title: 'Alpha' }),
      await create({ title: 'Beta' }),
      await create({ title: 'Gamma' }),
    ]
    const visible = async () => (await Promise.all(products.map(({ id }) => read(id)))).map((each) => each.visible)
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        await page.getByRole('switch', { name: 'Alpha visible' }).first().click()
        await status(page, '“Alpha” is hidden.')
        expect(await visible()).toEqual([false, true, true])
        await page.getByRole('checkbox', { name: 'Select Beta' }).first().check()
        await page.getByRole('checkbox', { name: 'Select Gamma' }).first().check()
        await page.getByRole('button', { name: 'Hide', exact: true }).click()
        await status(page, '2 products are hidden.')
        expect(await visible()).toEqual([false, false, false])
        await page.getByRole('button', { name: 'Undo' }).click()
        await status(page, 'Undone.')
        expect(await visible()).toEqual([false, true, true])
        await page.getByRole('checkbox', { name: 'Only hidden' }).check()
        await page.getByRole('row', { name: 'Beta' }).first().waitFor({ state: 'detached' })
        expect(await page.getByRole('row', { name: 'Alpha' }).count()).toBe(1)
        await page.getByRole('button', { name: 'Clear selection' }).click()
        await page.getByRole('checkbox', { name: 'Select Alpha' }).check()
        await page.getByRole('button', { name: 'Show', exact: true }).click()
        await status(page, '“Alpha” is visible.')
        expect(await visible()).toEqual([true, true, true])
      },
      size,
    )
    for (const { id } of products) await owner.post(`/products/${id}`, { title: `${id} done` })
  })
})

test('prices change once, even if it is asked for twice, or one of several batches fails', async () => {
  const many = await createOwner()
  for (const count of [500, 10]) {
    const operations = Array.from({ length: count }, (_, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Dish ${index}`, price: 10 },
    }))
    await many.post('/batch', { operations })
  }
  const client = createClient({ origin: many.origin, merchantId: many.id, key: many.key })
  const countPrices = async () => {
    const counts: Record<string, number> = {}
    for await (const { price } of client.products.list({ limit: 100 })) counts[price] = (counts[price] ?? 0) + 1
    return counts
  }
  await visitConsole(browser, many, '/products', async (page) => {
    const isLoaded = () => page.getByText('510 products').isVisible()
    while (!(await isLoaded())) await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('checkbox', { name: 'Select all shown' }).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    let batches = 0
    const askedTwice = Promise.withResolvers<void>()
    await page.route('**/batch', async (route) => {
      batches++
      await askedTwice.promise
      if (batches !== 2) return route.continue()
      return route.fulfill({ status: 400 })
    })
    const dialog = page.getByRole('dialog', { name: 'Change prices' })
    const field = dialog.getByRole('textbox')
    await field.fill('10')
    await field.press('Enter')
    await field.press('Enter')
    askedTwice.resolve()
    await dialog
      .getByRole('alert')
      .getByText(/^500 prices are changed\. That did not work\./)
      .waitFor()
    expect([await countPrices(), batches]).toEqual([{ 10: 10, 11: 500 }, 2])
    await dialog.getByRole('button', { name: 'Apply' }).dblclick()
    await status(page, '10 prices are changed.')
    expect([await countPrices(), batches]).toEqual([{ 11: 510 }, 3])
    await page.getByRole('button', { name: 'Undo' }).click()
    await status(page, 'Undone.')
    expect(await countPrices()).toEqual({ 10: 10, 11: 500 })
  })
})

const manyProducts = isLong ? 5_000 : 1_000
const toTitle = (number: number) => `Dish ${String(number).padStart(4, '0')}`

test(`${manyProducts} products: a screen of rows, pages as they are needed, and a search by the service`, async () => {
  const many = await createOwner()
  for (let start = 0; start < manyProducts; start += 500) {
    const operations = Array.from({ length: 500 }, (_, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: toTitle(start + index + 1), price: 5 },
    }))
    await many.post('/batch', { mode: 'atomic', operations })
  }
  await visitConsole(browser, many, '/products', async (page, { requests }) => {
    await page.getByRole('button', { name: toTitle(manyProducts), exact: true }).waitFor()
    const nodes = () => page.evaluate('document.querySelectorAll("*").length').then(Number)
    expect(await nodes()).toBeLessThan(1_500)
    const lists = () => requests.filter((request) => request.endsWith('/products')).length
    for (let loaded = 0; loaded < manyProducts * 0.8; ) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      const before = loaded
      await expect
        .poll(async () => Number(/\d+/.exec((await page.locator('.count').textContent()) ?? '')?.[0]))
        .toBeGreaterThan(before)
      loaded = Number(/\d+/.exec((await page.locator('.count').textContent()) ?? '')?.[0])
    }
    expect(await nodes()).toBeLessThan(1_500)
    expect(lists()).toBeLessThanOrEqual(manyProducts / 100 + 5)
    const before = lists()
    // From a key to the next frame, in steps of 8 ms (Event Timing, W3C).
    await page.evaluate(`slowest = 16
      new PerformanceObserver((list) => {
        for (const { name, duration } of list.getEntries()) if (name.startsWith('key')) slowest = Math.max(slowest, duration)
      }).observe({ type: 'event', durationThreshold: 16 })`)
    await page.getByRole('searchbox', { name: 'Search products' }).pressSequentially('dish 0321', { delay: 60 })
    await page.getByRole('button', { name: toTitle(321), exact: true }).waitFor()
    console.log(
      `figure: slowest keystroke in a search of ${manyProducts} products, ${await page.evaluate('slowest')} ms`,
    )
    // The last letter of the search leaves one of ten dishes.
    await expect.poll(() => page.getByRole('table', { name: 'Products' }).getByRole('row').count()).toBe(2)
    expect(lists() - before).toBeLessThanOrEqual(9)
  })
})

test('the row with the focus stays when it is scrolled out of view', async () => {
  const many = await createOwner()
  await many.post('/batch', {
    operations: Array.from({ length: 300 }, (_, index) => ({
      op: 'create',
      resource: 'products',
      body: { title: `Row ${index}`, price: 1 },
    })),
  })
  await visitConsole(browser, many, '/products', async (page) => {
    const price = page.getByRole('textbox', { name: 'Price of Row 299' })
    await price.fill('2')
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('button', { name: 'Row 210', exact: true }).waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Price of Row 299')
    await page.keyboard.press('Enter')
    await status(page, '“Row 299” now costs €2.00.')
  })
})

test('the screen is accessible in both themes, fits 320 px, and works with text of 200 %', async () => {
  const otter = await createOwner()
  const post = async (path: string, json: unknown) => ({ status: 201, body: await otter.post(path, json) })
  await load(post, resolvePictures(demo, otter.origin))
  for (const options of takeShare([{ viewport: { width: 320, height: 640 } }, sizes.desk], 2)) {
    await visitConsole(
      browser,
      otter,
      '/products',
      async (page) => {
        await page.getByRole('button', { name: 'Nojito', exact: true }).waitFor()
        expect(await widthOf(page)).toBe(options.viewport.width)
        expect(await listViolations(page)).toEqual([])
        await page.getByRole('checkbox', { name: 'Select Nojito' }).check()
        await page.getByRole('button', { name: 'Espresso martini', exact: true }).click()
        await page.getByRole('dialog', { name: 'Edit product' }).getByText('Modifiers').waitFor()
        expect(await listViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        expect(await page.getByRole('textbox', { name: 'Price of Nojito' }).isVisible()).toBe(true)
      },
      { ...options, bypassCSP: true },
    )
  }
  await visitConsole(browser, otter, '/products', async (page) => {
    await page.getByRole('img', { includeHidden: true }).first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Nojito', exact: true }).waitFor()
    const picture = await page.screenshot({ animations: 'disabled' })
    await savePicture('console-products', picture)
  })
})
