import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser, readAtRest } from '../browser.ts'
import { createOwner, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const owner = await createOwner()

/** The parts of a window that the camera and the bar for gestures of a phone cover. */
async function coverEdges(page: Page, insets: { bottom?: number; left?: number; right?: number }) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets })
}

/** Distance of an element from the lower edge of the window. */
const getRoomBelow = (element: Locator) =>
  element.evaluate((each) => {
    const { defaultView } = each.ownerDocument
    return (defaultView?.innerHeight ?? 0) - each.getBoundingClientRect().bottom
  })

/** Turns the wheel in the middle of an element. */
async function scrollOver(page: Page, element: Locator) {
  const box = await element.boundingBox()
  await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + (box?.height ?? 0) / 2)
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, 800)
}
const readScroll = (page: Page) => readAtRest(page, () => page.evaluate<number>('scrollY'))

test('the bar for gestures of a phone covers no button at the lower edge', async () => {
  const { id } = await owner.post('/menus', { title: 'Lunch', sections: [{ title: 'Warm', items: [] }] })
  const { id: tea } = await owner.post('/products', { title: 'Tea', price: 2 })
  await visitConsole(
    browser,
    owner,
    `/menus/${id}`,
    async (page) => {
      await coverEdges(page, { bottom: 34 })
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const isAbove = (name: string) => expect.poll(() => getRoomBelow(button(name))).toBeGreaterThanOrEqual(34)
      await isAbove('Save')
      await page.goto(`${owner.origin}/console/products/${tea}`)
      await page.getByRole('dialog').waitFor()
      await isAbove('Save')
      await page.goto(`${owner.origin}/console/products`)
      await page.getByRole('checkbox', { name: 'Select Tea' }).check()
      await isAbove('Change prices')
      await page.goto(`${owner.origin}/console/menus`)
      await isAbove('Preview')
    },
    sizes.phone,
  )
})

test('the camera of a phone on its side covers nothing', async () => {
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search products' }).waitFor()
      await coverEdges(page, { left: 59, right: 59 })
      const edges = () =>
        page.evaluate<number[]>(`[...document.querySelectorAll('button, input, h1, nav a, .rows')]
          .map((each) => each.getBoundingClientRect())
          .filter(({ width, left, right }) => width > 1 && (left < 59 || right > innerWidth - 59))
          .map(({ left }) => left)`)
      await expect.poll(edges).toEqual([])
    },
    { ...sizes.phone, viewport: { width: 844, height: 390 } },
  )
})

test('at the end of a dialog, and beside it, the page behind does not scroll', async () => {
  for (let n = 0; n < 30; n++) await owner.post('/products', { title: `Dish ${n}`, price: 3 })
  await visitConsole(browser, owner, '/products', async (page) => {
    await page.getByRole('button', { name: 'Dish 29', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).waitFor()
    const before = await readScroll(page)
    await scrollOver(page, dialog)
    await scrollOver(page, page.getByRole('heading', { level: 1, includeHidden: true }))
    expect(await readScroll(page)).toBe(before)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await scrollOver(page, page.locator('.rows'))
    await expect.poll(() => readScroll(page)).toBeGreaterThan(before)
  })
})

test('quick taps on buttons do not zoom, and two fingers do', async () => {
  await visitConsole(
    browser,
    owner,
    '/products/new',
    async (page) => {
      await page.getByRole('button', { name: 'Save' }).waitFor()
      const actions = await page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('button:not(.handle), label, summary')].map((each) => getComputedStyle(each).touchAction))]`,
      )
      expect(actions).toEqual(['manipulation'])
      expect(await page.locator('meta[name=viewport]').getAttribute('content')).not.toMatch(/scalable|maximum-scale/)
    },
    sizes.phone,
  )
})

test('after a row is removed, the focus is on the same control of the row that takes its place', async () => {
  await visitConsole(browser, owner, '/modifiers/new', async (page) => {
    const label = (number: number) =>
      page.getByRole('group', { name: `Option ${number}` }).getByRole('textbox', { name: 'Label' })
    const remove = (number: number) =>
      page.getByRole('group', { name: `Option ${number}` }).getByRole('button', { name: 'Remove' })
    for (const [index, name] of ['Oat', 'Soy', 'Cow'].entries()) {
      await page.getByRole('button', { name: 'Add option' }).click()
      await label(index + 1).fill(name)
    }
    const focused = () => page.evaluate<string>('document.activeElement.closest("[role=group], fieldset")?.ariaLabel')
    await remove(2).press('Enter')
    await expect.poll(() => label(2).inputValue()).toBe('Cow')
    await expect.poll(() => remove(2).evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true)
    await remove(2).press('Enter')
    await expect.poll(focused).toBe('Option 1')
  })
})
