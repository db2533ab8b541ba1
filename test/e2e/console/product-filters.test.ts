import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { getBrowser, widthOf } from '../browser.ts'
import { createOwner, listViolations, sizes, visitConsole } from './console-page.ts'

const browser = await getBrowser()

/** Titles of the products in the list, sorted. */
const titles = async (page: Page) =>
  (await page.getByRole('table', { name: 'Products' }).locator('button.open').allTextContents()).toSorted()

describe.each(Object.entries(sizes))('on a %s', (_, size) => {
  test('products are filtered by menu, section and sold out, and found from within a word and with a typing error', async () => {
    const owner = await createOwner()
    const create = async (title: string): Promise<string> => (await owner.post('/products', { title, price: 2.5 })).id
    const soup = await create('Kürbiscremesuppe')
    const [cake, tea] = [await create('Zwiebelkuchen'), await create('Pfefferminztee')]
    const sections = [
      { title: 'Warm', items: [soup] },
      { title: 'Sweet', items: [cake] },
    ]
    await owner.post('/menus', { title: 'Lunch', sections })
    for (const id of [cake, tea]) await owner.post(`/products/${id}/availability`, { soldOut: true })
    const act = async (page: Page) => {
      const shows = (...wanted: string[]) => expect.poll(() => titles(page)).toEqual(wanted)
      await shows('Kürbiscremesuppe', 'Pfefferminztee', 'Zwiebelkuchen')
      const [menu, section] = ['All menus', 'All sections'].map((name) => page.getByRole('combobox', { name }))
      await menu?.selectOption('Lunch')
      await shows('Kürbiscremesuppe', 'Zwiebelkuchen')
      await section?.selectOption('Sweet')
      await shows('Zwiebelkuchen')
      expect(await widthOf(page)).toBeLessThanOrEqual(size.viewport.width)
      expect(await listViolations(page)).toEqual([])
      const out = page.getByRole('checkbox', { name: 'Only sold out' })
      await section?.selectOption('Warm')
      await shows('Kürbiscremesuppe')
      await out.check()
      await page.getByText('No product matches.').waitFor()
      await menu?.selectOption('All menus')
      await shows('Pfefferminztee', 'Zwiebelkuchen')
      await out.uncheck()
      const search = page.getByRole('searchbox', { name: 'Search products' })
      await search.fill('suppe')
      await shows('Kürbiscremesuppe')
      await search.fill('kuhcen')
      await shows('Zwiebelkuchen')
    }
    await visitConsole(browser, owner, '/products', act, { ...size, bypassCSP: true })
  })
})

test('in German, the search, the filters and the buttons of products are on one line of a desk', async () => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Kürbiscremesuppe', price: 2.5 })
  await owner.post('/menus', { title: 'Mittagskarte', sections: [{ title: 'Suppen', items: [id] }] })
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await page.getByText('1 Produkt', { exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Alle Karten' }).waitFor()
      const edges = await page.evaluate<[number, number]>(`(() => {
        const boxes = [...document.querySelectorAll('.tools > *')].map((each) => each.getBoundingClientRect())
        return [Math.max(...boxes.map(({ top }) => top)), Math.min(...boxes.map(({ bottom }) => bottom))]
      })()`)
      expect(edges[0]).toBeLessThan(edges[1])
    },
    { ...sizes.desk, locale: 'de-DE' },
  )
})

test.each([360, 768, 1280])('in German, fields above products show their texts, %i px wide', async (width) => {
  const owner = await createOwner()
  const { id } = await owner.post('/products', { title: 'Kürbiscremesuppe', price: 2.5 })
  await owner.post(`/products/${id}/details`, { labels: ['Neu'] })
  await owner.post('/menus', { title: 'Mittagskarte', sections: [{ title: 'Suppen', items: [id] }] })
  await visitConsole(
    browser,
    owner,
    '/products',
    async (page) => {
      await page.getByRole('combobox', { name: 'Alle Karten' }).waitFor()
      await page.getByPlaceholder('Etikett').waitFor()
      const cut = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('.tools input[placeholder], .tools select')].flatMap((field) => {
        const text = field.placeholder ?? field.selectedOptions[0].text
        const { font, paddingLeft, paddingRight } = getComputedStyle(field)
        const context = document.createElement('canvas').getContext('2d')
        context.font = font
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
        // The arrow of a choice takes 18 px.
        return context.measureText(text).width + (field.placeholder ? 0 : 18) > room ? [text] : []
      })`)
      expect(cut).toEqual([])
    },
    { viewport: { width, height: 800 }, locale: 'de-DE' },
  )
})
