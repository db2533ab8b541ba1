import { expect, test } from 'vitest'
import { getBrowser } from '../browser.ts'
import { createOwner, visitConsole } from './console-page.ts'

const browser = await getBrowser()
const screens = [
  ...['today', 'products/new', 'modifiers/new', 'menus/new', 'coupons/new', 'customers/new', 'tables'],
  ...['sold-out', 'webhooks', 'import-export', 'settings'],
]
/** Widths in pixels, and sizes of texts in percent. */
const sizes = [320, 390, 820, 1280].flatMap((width) => [[width, 100] as const, [width, 200] as const])

/** Pairs of labels and pictures that lie over each other, and those that leave the window. Of open dialogs, only the last one is seen. */
const findOverlaps = `(() => {
  const shown = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main')
  const labels = [...shown.querySelectorAll('label, legend, label > svg')].filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1)
  const boxes = labels.map((each) => each.getBoundingClientRect())
  const name = (each) => each.tagName + ' ' + each.textContent.trim().slice(0, 40)
  return labels.flatMap((label, index) => {
    const box = boxes[index]
    const others = labels.slice(index + 1).filter((other, place) => {
      if (label.contains(other) || other.contains(label)) return false
      const { left, right, top, bottom } = boxes[index + 1 + place]
      return Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 1
    })
    return [...others.map((other) => name(label) + ' | ' + name(other)), ...(box.right > innerWidth + 1 ? [name(label)] : [])]
  })
})()`

/** Whether the page scrolls sideways. */
const findWide = `document.documentElement.scrollWidth > innerWidth ? ['wide: ' + document.documentElement.scrollWidth] : []`

/** Words of headings, labels and buttons that are drawn on two lines. */
const findBroken = `[...document.querySelectorAll('button, h1, h2, h3, label, legend')].filter((each) => each.checkVisibility()).flatMap((button) => {
  const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
  const broken = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const { 0: word, index } of node.data.matchAll(/(?<!\\p{L})\\p{L}{2,13}(?!\\p{L})/gu)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      if (range.getClientRects().length > 1) broken.push('broken: ' + word)
    }
  return broken
})`

test('in German, no labels of a form lie over each other or leave the window, and no word is broken, with text of 100 and 200 percent', async () => {
  const owner = await createOwner()
  await owner.post('/modifiers', { title: 'Milch', instructions: '', options: [{ label: 'Hafer' }] })
  await owner.post('/menus', { title: 'Mittag', sections: [{ title: 'Warm', items: [] }] })
  const found: unknown[] = []
  await visitConsole(
    browser,
    owner,
    '/today',
    async (page) => {
      for (const screen of screens) {
        await page.goto(`${owner.origin}/console/${screen}`)
        await page.locator('[aria-busy=true], .hint:text-is("Lädt")').first().waitFor({ state: 'detached' })
        await page.waitForLoadState('networkidle')
        for (const [width, percent] of sizes) {
          await page.setViewportSize({ width, height: 800 })
          await page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`)
          await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
          const faults = [findOverlaps, findWide, findBroken].map((script) => page.evaluate<string[]>(script))
          const listed = (await Promise.all(faults)).flat()
          if (listed.length > 0) found.push([screen, width, percent, listed])
        }
      }
    },
    { locale: 'de-DE' },
  )
  expect(found).toEqual([])
})
