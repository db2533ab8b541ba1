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
