import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()

/** The characters of an element in the order in which they are shown, from left to right. */
async function readShown(page: Page, selector: string): Promise<string> {
  await page.locator(selector).waitFor()
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('${selector}'), NodeFilter.SHOW_TEXT)
    const shown = []
    while (walker.nextNode()) {
      for (let index = 0; index < walker.currentNode.length; index++) {
        const range = new Range()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + 1)
        shown.push([range.getBoundingClientRect().left, String(range)])
      }
    }
    return shown.sort(([a], [b]) => a - b).map(([, character]) => character).join('')
  })()`)
}

test('an Arabic title keeps its order in messages, questions, offers and lists', async () => {
  const owner = await createOwner()
  // In Arabic, the percent sign is to the left of its number. The words around the title are in the order of English.
  const title = 'شاي 50%'
  const { id } = await owner.post('/products', { title, price: 3, visible: false })
  const modifier = await owner.post('/modifiers', { title, instructions: '', options: [{ label: title }] })
  await owner.post(`/products/${id}`, { modifiers: [modifier.id] })
  const menu = await owner.post('/menus', { title, sections: [{ title, items: [id] }] })
  await visitConsole(browser, owner, `/menus/${menu.id}`, async (page) => {
    expect(await readShown(page, '.ordered span:has(small)')).toMatch(/^%50 .* · /)
    await page.getByRole('button', { name: 'Add product' }).click()
    await expect.poll(() => readShown(page, '[role=option]')).toMatch(/^%50 .*€3.00$/)
    const input = 'document.querySelector(".section-head input")'
    expect(await page.evaluate(`getComputedStyle(${input}).direction`)).toBe('rtl')

    await page.goto(`${owner.origin}/console/products`)
    await page.getByRole('switch', { name: `${title} visible` }).click()
    await page.getByRole('status').getByText(`“${title}” is visible.`).waitFor()
    await expect.poll(() => readShown(page, '.toast > span')).toMatch(/^“%50 .*” is visible\.$/)
    await page.getByRole('button', { name: title, exact: true }).click()
    await expect.poll(() => readShown(page, 'ol.ordered span:not(.with-unit)')).toMatch(/^%50 /)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: `Delete “${title}”?` }).waitFor()
    await expect.poll(() => readShown(page, '.alert h2')).toMatch(/^Delete “%50 .*”\?$/)
  })
})
