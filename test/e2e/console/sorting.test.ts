import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()

test('products are sorted by name and price, and a search stays after a reload', async () => {
  const owner = await createOwner()
  for (const [title, price] of [
    ['Menu 10', 7],
    ['Äpfel', 3],
    ['Menu 9', 12],
  ] as const)
    await owner.post('/products', { title, price })
  await visitConsole(browser, owner, '/products', async (page) => {
    const titles = () => page.getByRole('table', { name: 'Products' }).locator('.open').allTextContents()
    await expect.poll(titles).toEqual(['Menu 9', 'Äpfel', 'Menu 10'])
    const byTitle = page.getByRole('columnheader', { name: 'Title' })
    await byTitle.getByRole('button').click()
    expect(await titles()).toEqual(['Äpfel', 'Menu 9', 'Menu 10'])
    expect(await byTitle.getAttribute('aria-sort')).toBe('ascending')
    await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
    expect(await titles()).toEqual(['Äpfel', 'Menu 10', 'Menu 9'])
    await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
    expect(await titles()).toEqual(['Menu 9', 'Menu 10', 'Äpfel'])
    await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click()
    expect(await titles()).toEqual(['Menu 9', 'Äpfel', 'Menu 10'])
    await page.getByRole('searchbox', { name: 'Search products' }).fill('menu')
    await expect.poll(titles).toEqual(['Menu 9', 'Menu 10'])
    await page.reload()
    await expect.poll(titles).toEqual(['Menu 9', 'Menu 10'])
    expect(await page.getByRole('searchbox', { name: 'Search products' }).inputValue()).toBe('menu')
  })
})

test.each([
  [
    'modifiers',
    'Title',
    ['Äpfel', 'Size 9', 'Size 10'],
    ['Size 10', 'Äpfel', 'Size 9'].map((title) => ({ title, instructions: '', options: [{ label: 'A' }] })),
  ],
  [
    'coupons',
    'Discount',
    ['Percent 20', 'Three off', 'Ten off'],
    [
      { title: 'Ten off', code: 'TEN', type: 'FIXED', value: 10 },
      { title: 'Percent 20', code: 'PERCENT', type: 'PERCENTAGE', value: 20 },
      { title: 'Three off', code: 'THREE', type: 'FIXED', value: 3 },
    ],
  ],
  [
    'customers',
    'Name',
    ['Zoe Adler', 'Ana Öz', 'Bea Zeh'],
    [
      { firstName: 'Bea', lastName: 'Zeh' },
      { firstName: 'Zoe', lastName: 'Adler' },
      { firstName: 'Ana', lastName: 'Öz' },
    ],
  ],
] as const)('%s are sorted by a heading, one way and the other', async (resource, heading, expected, bodies) => {
  const owner = await createOwner()
  for (const body of bodies) await owner.post(`/${resource}`, body)
  await visitConsole(browser, owner, `/${resource}`, async (page) => {
    const titles = () => page.locator('.rows .open').allTextContents()
    await expect.poll(async () => (await titles()).length).toBe(3)
    const header = page.getByRole('columnheader', { name: heading })
    await header.getByRole('button').click()
    expect(await titles()).toEqual(expected)
    await header.getByRole('button').click()
    expect(await titles()).toEqual(expected.toReversed())
    expect(await header.getAttribute('aria-sort')).toBe('descending')
  })
})
