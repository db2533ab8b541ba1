import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getBrowser, readAtRest } from '../browser.ts'
import { createOwner, type Owner, visitConsole } from './console-page.ts'

/** A word of 80 letters, and titles in scripts whose lines break elsewhere. */
const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenknopfmachereibedarfsgroßhandel'
const titles = [
  word,
  `${word} ${word}`.slice(0, 120),
  'كفتة مشوية مع أرز بالشعيرية وسلطة الطحينة والمخللات البلدية المشكلة',
  'ข้าวผัดปูใส่ไข่ดาวกรอบพร้อมน้ำปลาพริกและแตงกวาสดจากสวนของเราเอง',
  '季節の野菜と鶏肉の炊き込みご飯と味噌汁とお漬物のセットランチ定食',
]
const screens = [
  'today',
  'products',
  'modifiers',
  'menus',
  'coupons',
  'customers',
  'tables',
  'sold-out',
  'webhooks',
  'import-export',
  'settings',
]
const widths = Array.from({ length: 65 }, (_, index) => 320 + 20 * index)
const browser = await getBrowser()
let owner: Owner

beforeAll(async () => {
  owner = await createOwner({ venue: { name: word } })
  for (const [index, title] of titles.entries()) {
    const product = await owner.post('/products', { title, price: 1_200.5, sku: `SKU-${index}` })
    if (index % 2 === 0)
      await owner.post(`/products/${product.id}/availability`, { soldOut: true, until: 'further_notice' })
    await owner.post('/menus', { title, sections: [{ title, items: [product.id] }] })
    await owner.post('/modifiers', { title, instructions: title, options: [{ label: title, additionalCost: 1 }] })
    await owner.post('/coupons', { title, code: `A${index}`.padEnd(30, 'B'), type: 'PERCENTAGE', value: 12.25 })
    await owner.post('/customers', {
      firstName: title.slice(0, 80),
      lastName: word,
      email: `${'a'.repeat(40)}@b${index}.example`,
    })
    await owner.post('/tags', {
      metadata: [
        { key: 'table', value: title.slice(0, 80) },
        { key: 'area', value: word },
      ],
    })
    await owner.post('/webhooks', {
      title: title.slice(0, 80),
      url: `https://example.com/${index}/${word}`,
      events: ['*'],
    })
  }
})

/** Faults of the layout at the current width: sideways scrolling, titles without room, and small fields. */
const listFaults = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = []
    const width = document.documentElement.scrollWidth
    if (width > innerWidth) found.push('scrolls sideways: ' + width)
    const isShown = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 1
    const titles = document.querySelectorAll('.rows .open, .rows .title, .plain-rows tbody th, .plain-rows .open')
    for (const title of titles) {
      if (!isShown(title)) continue
      const box = title.getBoundingClientRect()
      const row = title.closest('tr')
      const isAlone = ![...row.querySelectorAll('button, input, a, small, td:not(:has(*))')].some((each) => {
        if (each.contains(title) || title.contains(each) || !isShown(each)) return false
        const other = each.getBoundingClientRect()
        return other.top < box.bottom - 1 && other.bottom > box.top + 1
      })
      // A short title that is shown completely needs no more room.
      const isComplete = title.scrollWidth <= title.clientWidth && title.scrollHeight <= title.clientHeight + 1
      if (box.width < 120 && !isAlone && !isComplete) found.push('title of ' + Math.round(box.width) + ' px: ' + title.textContent.slice(0, 12))
    }
    for (const field of document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=file]), select, textarea'))
      if (isShown(field) && parseFloat(getComputedStyle(field).fontSize) < 16)
        found.push('field of ' + getComputedStyle(field).fontSize + ': ' + (field.ariaLabel ?? field.id))
    return [...new Set(found)]
  })()`)

test.each(['en-GB', 'de-DE'])(
  'every list keeps its titles at every width and text size (%s)',
  async (locale) => {
    const faults: string[] = []
    const path = `/${screens[0]}`
    await visitConsole(
      browser,
      owner,
      path,
      async (page) => {
        for (const screen of screens) {
          await page.evaluate(
            `history.pushState(null, '', '/console/${screen}'); dispatchEvent(new PopStateEvent('popstate'))`,
          )
          await readAtRest(page, () => page.evaluate(`document.body.innerHTML.length`))
          for (const size of ['100%', '200%']) {
            await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
            for (const width of widths) {
              await page.setViewportSize({ width, height: 900 })
              // Rows are laid out again in the frame after the observer has run.
              await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
              for (const fault of await listFaults(page)) faults.push(`${screen} ${width} ${size}: ${fault}`)
            }
          }
        }
      },
      { locale, viewport: { width: 320, height: 900 }, reducedMotion: 'reduce' },
    )
    expect(faults).toEqual([])
  },
  240_000,
)
