import { expect, test } from 'vitest'
import { getBrowser, readAtRest } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()

test.each([
  { currency: 'EUR', price: 12_345.5, text: '12345.50' },
  { currency: 'CHF', price: 12_345.5, text: '12345.50' },
  { currency: 'VND', price: 1_250_000, text: '1250000' },
  { currency: 'IDR', price: 1_250_000, text: '1250000' },
])('a phone shows all digits of $text $currency in the list of products', async ({ currency, price, text }) => {
  const owner = await createOwner({ venue: { currency } })
  await owner.post('/products', { title: 'Caviar', price })
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      const field = page.getByRole('textbox', { name: 'Price of Caviar' })
      await field.waitFor()
      expect(await field.inputValue()).toBe(text)
      for (const [width, percent] of [390, 320].flatMap((each) => [100, 200].map((size) => [each, size] as const))) {
        await page.setViewportSize({ width, height: 844 })
        await page.evaluate(`document.documentElement.style.fontSize = "${percent}%"`)
        const read = () =>
          page.evaluate(`(() => {
            const field = document.querySelector('.price input')
            const [cell, row] = ['td', 'tr'].map((each) => field.closest(each).getBoundingClientRect())
            const { left, right } = field.parentElement.getBoundingClientRect()
            const [title, toggle] = ['.open', '.switch'].map((each) => document.querySelector(each).getBoundingClientRect())
            const isBeside = title.bottom > cell.top
            return {
              isCut: field.scrollWidth > field.clientWidth,
              isOverTitle: isBeside && left < title.right,
              isOverSwitch: right > toggle.left,
              rowHeight: row.height,
            }
          })()`)
        expect([width, percent, await readAtRest(page, read)]).toEqual([
          width,
          percent,
          { isCut: false, isOverTitle: false, isOverSwitch: false, rowHeight: 0.84 * percent },
        ])
      }
    },
    sizes.phone,
  )
})
