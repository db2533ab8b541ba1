import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()

const titles = (page: Page) => page.locator('.rows .open').allTextContents()
const search = (page: Page, text: string) => page.getByRole('searchbox').first().fill(text)
const check = (page: Page, name: string) => page.getByRole('checkbox', { name }).check()
const sort = (page: Page, name: string) => page.getByRole('columnheader', { name }).getByRole('button').click()
const choose = (page: Page, name: string, value: string) => page.getByRole('combobox', { name }).selectOption(value)
const table = (value: string, area: string) => ({
  metadata: [
    { key: 'table', value },
    { key: 'area', value: area },
  ],
})

test('products show the same search, filters and order after a reload, and with Back', async () => {
  const owner = await createOwner()
  const ids: string[] = []
  for (const title of ['Lemon cake', 'Apple cake', 'Plum cake', 'Apple tart'])
    ids.push((await owner.post('/products', { title, price: 4 })).id)
  const [lemon, apple, plum, tart] = ids
  const sections = [
    { title: 'Cold', items: [tart] },
    { title: 'Sweet', items: [lemon, apple, plum, tart] },
  ]
  const menu = await owner.post('/menus', { title: 'Lunch', sections })
  for (const id of [lemon, apple, tart]) await owner.post(`/products/${id}/availability`, { soldOut: true })
  await visitConsole(browser, owner, '/products', async (page) => {
    const shows = (...wanted: string[]) => expect.poll(() => titles(page)).toEqual(wanted)
    const visit = async () => {
      await shows('Apple cake', 'Lemon cake')
      expect(await page.getByRole('searchbox').first().inputValue()).toBe('cake')
      await expect.poll(() => page.locator('.tools option:checked').allTextContents()).toEqual(['Lunch', 'Sweet'])
      expect(await page.getByRole('checkbox', { name: 'Only sold out' }).isChecked()).toBe(true)
    }
    await choose(page, 'All menus', 'Lunch')
    await choose(page, 'All sections', 'Sweet')
    await check(page, 'Only sold out')
    await search(page, 'cake')
    await sort(page, 'Title')
    await visit()
    await page.reload()
    await visit()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.goBack()
    await visit()
    // A mark by others changes what is shown.
    await owner.post(`/products/${plum}/availability`, { soldOut: true })
    await shows('Apple cake', 'Lemon cake', 'Plum cake')
    // A menu that is deleted filters nothing.
    await owner.delete(`/menus/${menu.id}`)
    await page.reload()
    await search(page, '')
    await shows('Apple cake', 'Apple tart', 'Lemon cake', 'Plum cake')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const kept = 'Object.keys(sessionStorage).filter((name) => name.startsWith("console.list"))'
    expect(await page.evaluate(kept)).toEqual([])
  })
})

test('products stay as they were asked for last when an earlier answer arrives', async () => {
  const owner = await createOwner()
  await owner.post('/products', { title: 'Tea', price: 4 })
  await visitConsole(browser, owner, '/products', async (page) => {
    await check(page, 'Only sold out')
    await expect.poll(() => titles(page)).toEqual([])
    const held = Promise.withResolvers<void>()
    await page.route(/\/stock\b/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.reload()
    await page.getByRole('checkbox', { name: 'Only sold out' }).uncheck()
    await expect.poll(() => titles(page)).toEqual(['Tea'])
    const answer = page.waitForResponse(/\/stock\b/)
    held.resolve()
    await (await answer).finished()
    await wait(300)
    expect(await titles(page)).toEqual(['Tea'])
  })
})

test.each([
  {
    path: 'modifiers',
    bodies: ['Size 9', 'Milk', 'Size 10'].map((title) => ({ title, instructions: '', options: [{ label: 'A' }] })),
    set: async (page: Page) => {
      await search(page, 'size')
      await sort(page, 'Title')
    },
    expected: ['Size 9', 'Size 10'],
  },
  {
    path: 'menus',
    bodies: ['Lunch', 'Dinner'].map((title) => ({ title, sections: [] })),
    set: (page: Page) => search(page, 'lun'),
    expected: ['Lunch'],
  },
  {
    path: 'coupons',
    bodies: [
      { title: 'Two off', code: 'TWO', type: 'FIXED', value: 2 },
      { title: 'One off', code: 'ONE', type: 'FIXED', value: 1 },
      { title: 'Old off', code: 'OLD', type: 'FIXED', value: 1, active: false },
    ],
    set: async (page: Page) => {
      await check(page, 'Only active')
      await sort(page, 'Discount')
    },
    expected: ['One off', 'Two off'],
  },
  {
    path: 'customers',
    bodies: [
      { firstName: 'Bea', lastName: 'Zeh' },
      { firstName: 'Bea', lastName: 'Adler' },
      { firstName: 'Ana', lastName: 'Öz' },
    ],
    set: async (page: Page) => {
      await search(page, 'bea')
      await sort(page, 'Name')
    },
    expected: ['Bea Adler', 'Bea Zeh'],
  },
  {
    path: 'tags',
    screen: 'tables',
    bodies: [table('1', 'Bar'), table('2', 'Bar'), table('12', 'Bar'), table('1', 'Garden')],
    set: async (page: Page) => {
      await choose(page, 'Area', 'Bar')
      await search(page, '1')
      await sort(page, '7 days')
    },
    expected: ['Table 1, Bar', 'Table 12'],
  },
])('$path show the same rows after a reload, and with Back', async ({ path, screen = path, bodies, set, expected }) => {
  const owner = await createOwner()
  for (const body of bodies) await owner.post(`/${path}`, body)
  await visitConsole(
    browser,
    owner,
    `/${screen}`,
    async (page) => {
      await expect.poll(async () => (await titles(page)).length).toBe(bodies.length)
      await set(page)
      const state = async () => ({
        titles: await titles(page),
        sorted: await page.locator('th[aria-sort]:not([aria-sort=none])').count(),
      })
      const wanted = { titles: expected, sorted: screen === 'menus' ? 0 : 1 }
      await expect.poll(state).toEqual(wanted)
      await page.reload()
      await expect.poll(state).toEqual(wanted)
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      await page.goBack()
      await expect.poll(state).toEqual(wanted)
    },
    sizes.desk,
  )
})

test('tables are found from within a word, without accents and with a typing error; quiet ones by a filter', async () => {
  const owner = await createOwner()
  for (const area of ['Dachterrasse', 'Café Øst', 'Garden']) await owner.post('/tags', table('7', area))
  await owner.post('/tags', { metadata: [{ key: 'room', value: 'Müller-Stüberl' }] })
  const { id } = await owner.post('/tags', table('8', 'Garden'))
  await visitConsole(browser, owner, '/tables', async (page) => {
    const finds = async (text: string, ...wanted: string[]) => {
      await search(page, text)
      await expect.poll(() => titles(page), { message: text }).toEqual(wanted)
    }
    const roof = 'Table 7, Dachterrasse'
    await finds('terrasse', roof)
    await finds('TERASSE', roof)
    await finds('dachterrsase 7', roof)
    await finds('teresse')
    await finds('cafe ost', 'Table 7, Café Øst')
    await finds('stuberl', 'Room Müller-Stüberl')
    await finds('gardne', 'Table 7, Garden', 'Table 8')
    await finds('.*')
    await page.getByRole('button', { name: 'Go to' }).click()
    await page.keyboard.type('cutsomers')
    await page.getByRole('option', { name: 'Customers' }).first().waitFor()
    await page.keyboard.press('Escape')
    // Two weeks and a day later, only one table has had a scan.
    const later = Date.now() + 15 * 86_400_000
    await page.route('**/scans?*', (route) =>
      route.fulfill({ json: [{ tag: id, count: 1 }], headers: { 'content-type': 'application/json' } }),
    )
    await page.clock.install({ time: later })
    await page.reload()
    await search(page, 'garden')
    await check(page, 'Only without a scan')
    await expect.poll(() => titles(page)).toEqual(['Table 7, Garden'])
    await page.reload()
    await expect.poll(() => titles(page)).toEqual(['Table 7, Garden'])
  })
})
