import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** Elements that cover a marked field with the focus: at its centre, and at its upper and lower edge. */
const listCovers = (page: Page): Promise<string[]> =>
  page.evaluate(`
    (() => {
      const field = document.activeElement
      if (!field.matches('[aria-invalid=true]')) return ['the field does not have the focus']
      const { left, top, width, height } = field.getBoundingClientRect()
      return [top + 3, top + height / 2, top + height - 3].flatMap((y) => {
        const found = document.elementFromPoint(left + width / 2, y)
        return field.contains(found) ? [] : [(found ?? document.documentElement).outerHTML.slice(0, 80)]
      })
    })()
  `)

/** Scrolls a field to the lower or the upper edge of what scrolls: the window, or the body of a sheet. */
const scrollToEdge = (page: Page, label: string, edge: 'lower' | 'upper') =>
  page.getByLabel(label, { exact: true }).evaluate((field, isLower) => {
    const sheet = field.closest('.sheet .dialog-body')
    const root = field.ownerDocument.documentElement
    const { top, bottom } = sheet?.getBoundingClientRect() ?? { top: 0, bottom: root.clientHeight }
    const place = field.getBoundingClientRect()
    const distance = isLower ? place.bottom - bottom : place.top - top
    ;(sheet ?? root).scrollBy({ top: distance, behavior: 'instant' })
  }, edge === 'lower')

interface Editor {
  screen: string
  /** Values of the other fields, which the service accepts. */
  fields: Readonly<Record<string, string>>
  field: string
  wrong: string
  /** The part that has the field. */
  part?: string
}
const editors: readonly Editor[] = [
  // The service rejects it, with a message.
  {
    screen: 'products',
    fields: { Title: 'Tea', Price: '3' },
    field: 'SKU',
    wrong: 'x'.repeat(300),
    part: 'Tax and stock',
  },
  {
    screen: 'products',
    fields: { Title: 'Tea', Price: '3' },
    field: 'Minimum age',
    wrong: 'ten',
    part: 'Allergens, diets and nutrition',
  },
  {
    screen: 'coupons',
    fields: { Title: 'Ten', Code: 'TEN', Value: '10' },
    field: 'Maximum discount per order',
    wrong: '3,,5',
  },
  {
    screen: 'webhooks',
    fields: { Title: 'Till', Address: 'https://till.example' },
    field: 'Address',
    wrong: 'ftp://a',
  },
  {
    screen: 'menus',
    fields: { Title: 'Lunch' },
    field: 'Position',
    wrong: 'first',
    part: 'Dates, order types and prices',
  },
]

test.each(editors)('on a phone, no message or button covers $field of $screen after an error', async (editor) => {
  const { screen, fields, field, wrong, part } = editor
  await visitConsole(
    browser,
    owner,
    `/${screen}/new`,
    async (page) => {
      const save = page.getByRole('button', { name: 'Save' })
      const submit = () => save.evaluate((button: { click: () => void }) => button.click())
      await save.waitFor()
      for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
      await page.route(`**/${screen}`, (route) => route.abort())
      await submit()
      await page.getByRole('alert').getByText('No connection').waitFor()
      await page.unroute(`**/${screen}`)
      if (part) await page.getByText(part, { exact: true }).click()
      for (const viewport of [sizes.phone.viewport, { width: 320, height: 480 }]) {
        await page.setViewportSize(viewport)
        for (const edge of ['lower', 'upper'] as const) {
          await page.getByLabel(field, { exact: true }).fill(wrong)
          await save.evaluate((button: { focus: (options: object) => void }) => button.focus({ preventScroll: true }))
          await scrollToEdge(page, field, edge)
          await submit()
          await expect
            .poll(async () => [viewport.width, edge, ...(await listCovers(page))], { timeout: 3_000 })
            .toEqual([viewport.width, edge])
          expect(await page.getByRole('alert').locator('.toast').count()).toBe(1)
        }
      }
    },
    sizes.phone,
  )
})

test('in a low window the form has all the room: its buttons come behind it, and an error is in sight', async () => {
  await visitConsole(
    browser,
    owner,
    '/products/new',
    async (page) => {
      const editor = page.getByRole('dialog', { name: 'New product' })
      const save = editor.getByRole('button', { name: 'Save' })
      const isInSight = (target: Locator) =>
        target.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight
        })
      await editor.getByRole('textbox', { name: 'Title' }).waitFor()
      expect(await isInSight(save)).toBe(false)
      await editor.getByRole('textbox', { name: 'Title' }).fill('Tea')
      await editor.getByRole('textbox', { name: 'Price' }).fill('1')
      await page.route('**/products', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await editor.getByRole('textbox', { name: 'Price' }).press('Enter')
      const alert = page.getByRole('alert').first()
      await alert.waitFor()
      await expect.poll(() => isInSight(alert)).toBe(true)
      await save.scrollIntoViewIfNeeded()
      await expect.poll(() => isInSight(save)).toBe(true)
    },
    { ...sizes.phone, viewport: { width: 568, height: 320 } },
  )
})
