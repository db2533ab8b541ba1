import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole, waitForStatus } from './console-page.ts'

const browser = await getBrowser()
const folder = process.env['CONSOLE_PICTURES']
const size = (page: Page, number: number) => page.getByRole('group', { name: `Size ${number}`, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save' })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Changed at the same time' })
const closed = (page: Page) => page.getByRole('dialog', { name: 'Edit product' }).waitFor({ state: 'detached' })

/** A venue with two products in three sizes and one without. */
async function createSizedVenue() {
  const owner = await createOwner()
  const options = ['s', 'm', 'l'].map((id) => ({ id, label: id.toUpperCase() }))
  const { id: cup } = await owner.post('/modifiers', { title: 'Cup', instructions: '', type: 'RADIO', options })
  const createSized = async (title: string) => {
    const { id } = await owner.post('/products', { title, price: 3, modifiers: [cup] })
    const prices = { s: { price: 3 }, m: { price: 3.5 }, l: { price: 4.2, sku: 'L-1' } }
    await owner.post(`/products/${id}/details`, { sizes: { modifier: cup, prices }, labels: ['hot'] })
    return String(id)
  }
  const ids = [await createSized('Latte'), await createSized('Mocha')]
  const { id: cake } = await owner.post('/products', { title: 'Cake', price: 4 })
  /** The price of a product and those of its sizes. */
  const pricesOf = async (id: string) => {
    const [{ price }, { sizes: own }] = [await owner.get(`/products/${id}`), await owner.get(`/products/${id}/details`)]
    return [price, ...Object.values<{ price: number }>(own?.prices ?? {}).map((each) => each.price)]
  }
  return { owner, cup: String(cup), latte: String(ids[0]), mocha: String(ids[1]), cake: String(cake), pricesOf }
}

describe.each(Object.entries(sizes))('on a %s', (device, options) => {
  test('the list shows the prices of sizes, and a change of many prices changes them', async () => {
    const { owner, latte, mocha, cake, pricesOf } = await createSizedVenue()
    await visitConsole(
      browser,
      owner,
      '/products',
      async (page) => {
        const sized = page.getByRole('button', { name: 'Sizes of Latte: €3.00 – €4.20' })
        await sized.waitFor()
        expect(await page.getByRole('textbox', { name: 'Price of Latte' }).count()).toBe(0)
        expect(await widthOf(page)).toBe(options.viewport.width)
        expect(await listViolations(page)).toEqual([])
        if (folder) await page.screenshot({ path: `${folder}/size-prices-${device}.png` })
        await page.getByRole('checkbox', { name: 'Select all shown' }).check()
        await page.getByRole('button', { name: 'Change prices' }).click()
        // Somebody else changes the price of a size of the mocha.
        await owner.post(`/products/${mocha}/details`, { sizes: { prices: { m: { price: 3.9 } } } })
        const dialog = page.getByRole('dialog', { name: 'Change prices' })
        await dialog.getByRole('textbox').fill('10')
        await dialog.getByRole('row', { name: 'Latte €3.00 – €4.20 €3.30 – €4.62' }).waitFor()
        if (folder) await page.screenshot({ path: `${folder}/change-sizes-${device}.png` })
        await dialog.getByRole('button', { name: 'Apply' }).click()
        await page.getByRole('alert').getByText('2 prices are changed.').waitFor()
        expect([await pricesOf(latte), await pricesOf(mocha), await pricesOf(cake)]).toEqual([
          [3.3, 3.3, 3.85, 4.62],
          [3, 3, 3.9, 4.2],
          [4.4],
        ])
        expect(await owner.get(`/products/${latte}/details`)).toMatchObject({
          labels: ['hot'],
          sizes: { prices: { l: { sku: 'L-1' } } },
        })
        await page.getByRole('button', { name: 'Undo' }).click()
        await waitForStatus(page, 'Undone.')
        expect([await pricesOf(latte), await pricesOf(cake)]).toEqual([[3, 3, 3.5, 4.2], [4]])
        await page.keyboard.press('Escape')
        // The list follows the editor.
        await page.getByRole('button', { name: 'Sizes of Latte: €3.00 – €4.20' }).click()
        await size(page, 3).getByLabel('Price of the size').fill('5')
        await save(page).click()
        await closed(page)
        await page.getByRole('button', { name: 'Sizes of Latte: €3.00 – €5.00' }).waitFor()
      },
      { ...options, bypassCSP: true },
    )
  })
})

describe('while somebody else edits', () => {
  test.each([
    ['Keep mine', [3.2, 3.2, 3.5, 5]],
    ['Use theirs', [3.1, 3.1, 3.5, 5]],
  ])(
    'the sizes of the same product, the person chooses a version (%s) and nothing else is lost',
    async (choice, expected) => {
      const { owner, latte, pricesOf } = await createSizedVenue()
      await visitConsole(browser, owner, `/products/${latte}`, async (page) => {
        await size(page, 1).getByLabel('Price of the size').fill('3.2')
        await owner.post(`/products/${latte}/details`, {
          sizes: { prices: { s: { price: 3.1 }, l: { price: 5 } } },
          ageLimit: 18,
        })
        await save(page).click()
        const dialog = question(page)
        await dialog.getByText('3.20').first().waitFor()
        await dialog.getByText('3.10').first().waitFor()
        await dialog.getByRole('button', { name: choice }).click()
        await closed(page)
      })
      expect(await pricesOf(latte)).toEqual(expected)
      expect(await owner.get(`/products/${latte}/details`)).toMatchObject({ ageLimit: 18, labels: ['hot'] })
    },
  )

  test('a size of an open draft is deleted or added: the person is asked, and the sizes are those that there are', async () => {
    const { owner, cup, latte, mocha, pricesOf } = await createSizedVenue()
    const { options } = await owner.get(`/modifiers/${cup}`)
    await visitConsole(browser, owner, `/products/${latte}`, async (page) => {
      await size(page, 1).getByLabel('Price of the size').fill('2.8')
      await owner.post(`/modifiers/${cup}`, { options: options.slice(0, 2) })
      await save(page).click()
      await question(page).getByRole('button', { name: 'Keep mine' }).click()
      await closed(page)
    })
    expect([await pricesOf(latte), await pricesOf(mocha)]).toEqual([
      [2.8, 2.8, 3.5],
      [3, 3, 3.5],
    ])
    await visitConsole(browser, owner, `/products/${latte}`, async (page) => {
      await size(page, 2).getByLabel('Price of the size').fill('3.6')
      await owner.post(`/modifiers/${cup}`, { options: [...options.slice(0, 2), { id: 'xl', label: 'XL' }] })
      await save(page).click()
      // The new size has no price yet.
      await size(page, 3).getByLabel('Price of the size').fill('6')
      await save(page).click()
      await closed(page)
    })
    expect(await pricesOf(latte)).toEqual([2.8, 2.8, 3.6, 6])
    const after = (await owner.get(`/modifiers/${cup}`)).options
    expect(after.map(({ label }: { label: string }) => label)).toEqual(['S', 'M', 'XL'])
  })

  test('the modifier of the sizes of an open draft is deleted: the person chooses, and what was typed stays', async () => {
    const { owner, cup, latte, mocha, pricesOf } = await createSizedVenue()
    await visitConsole(browser, owner, `/products/${mocha}`, async (page) => {
      await page.getByLabel('Title', { exact: true }).fill('Mocha deluxe')
      await owner.delete(`/modifiers/${cup}`)
      await save(page).click()
      await question(page).getByRole('button', { name: 'Keep mine' }).click()
      await closed(page)
    })
    const { title, modifiers } = await owner.get(`/products/${mocha}`)
    expect([title, modifiers, (await owner.get(`/products/${mocha}/details`)).sizes]).toEqual([
      'Mocha deluxe',
      [],
      undefined,
    ])
    const { id: again } = await owner.post('/modifiers', {
      ...{ title: 'Cup', instructions: '', type: 'RADIO' },
      options: [
        { id: 's', label: 'S' },
        { id: 'm', label: 'M' },
      ],
    })
    await owner.post(`/products/${latte}`, { modifiers: [again] })
    await owner.post(`/products/${latte}/details`, {
      sizes: { modifier: again, prices: { s: { price: 3 }, m: { price: 4 } } },
    })
    await visitConsole(browser, owner, `/products/${latte}`, async (page) => {
      await size(page, 1).getByLabel('Price of the size').fill('2.5')
      await owner.delete(`/modifiers/${again}`)
      await save(page).click()
      await question(page).getByRole('button', { name: 'Keep mine' }).click()
      await closed(page)
    })
    // The sizes that the person sees are those of the product, with a new modifier.
    expect(await pricesOf(latte)).toEqual([2.5, 2.5, 4])
  })
})
