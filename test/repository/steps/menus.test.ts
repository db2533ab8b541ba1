import { describe, expect, test, vi } from 'vitest'
import { countSteps, requireLinear } from '../../support/count-steps.ts'

const { toPublicMenu } = await import('../../../src/storefront/menu/open-menus.ts')
const { toMenuData } = await import('../../../src/storefront/menu/menu-data.ts')
const { renderMenuPage } = await import('../../../src/storefront/menu/page/menu-page.ts')
const { detectMenuLocale } = await import('../../../src/storefront/menu/menu-locale.ts')
const { filterMenu, getStatedFood } = await import('../../../src/storefront/menu/food.ts')
const { createSymbol } = await import('../../../src/storefront/qr/symbol.ts')
const { toPng, toSvg } = await import('../../../src/storefront/qr/drawing.ts')
const { renderNfcPage } = await import('../../../src/storefront/tags/nfc/nfc-page.ts')

type Catalogue = Parameters<typeof toPublicMenu>[0]
const at = 1_790_000_000

interface Size {
  menus?: number
  sections?: number
  products?: number
  modifiers?: number
  options?: number
  prices?: number
  letters?: number
}

/** A catalogue with as many of some things as wanted. Each menu shows one product, the first one all of them. */
function createCatalogue(size: Size): Catalogue {
  const { menus = 1, sections = 1, products = 1, modifiers = 1, options = 1, prices = 0, letters = 5 } = size
  const list = <Item>(count: number, create: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => create(index))
  const product = (index: number) => ({
    ...{ id: `p${index}`, title: '<é'.repeat(letters), description: 'x&y '.repeat(letters), price: index, images: [] },
    ...{
      modifiers: list(modifiers, (each) => `m${each}`),
      soldOut: false,
      deposit: { amount: 1 },
      allergens: ['milk'],
      diets: ['vegetarian'],
    },
  })
  const modifier = (index: number) => ({
    ...{ id: `m${index}`, title: 'Milk', type: 'CHECKBOX', rules: {}, metadata: [] },
    options: list(options, (each) => ({ id: `o${each}`, label: 'Oat', additionalCost: 1 })),
  })
  const menu = (index: number) => ({
    ...{ id: `n${index}`, title: `Menu ${index}`, description: '', allDayMenu: true, branding: {}, metadata: [] },
    showSectionNavigation: true,
    details: { prices: list(prices, (each) => ({ product: `p${each}`, price: 2 })) },
    sections: list(index === 0 ? sections : 1, (each) => ({
      ...{ id: `s${each}`, title: `Section ${each}`, description: '' },
      items: index === 0 && each === 0 ? list(products, (item) => `p${item}`) : ['p0'],
    })),
  })
  const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))
  return {
    ...{ readAtMs: 0, testMode: false, language: undefined, languages: [], suspended: false },
    ...{ truncated: false, menus: list(menus, menu) },
    venue: { id: 'v', name: 'Café', timezone: 'Europe/Berlin', currency: 'EUR', language: 'en' },
    products: byId(list(products, product)),
    parts: new Map(),
    modifiers: byId(list(modifiers, modifier)),
    charges: [{ id: 'c', title: 'Box', kind: 'packaging', type: 'FIXED', value: 1, per: 'item', taxable: true }],
  } as never
}

const open = (catalogue: Catalogue) => toPublicMenu(catalogue, undefined, at)
type Menu = ReturnType<typeof open>

/** The page with its JSON-LD, as text. */
function renderPage(menu: Menu): string {
  const { head, body } = renderMenuPage(menu, detectMenuLocale(menu, undefined), {
    ...{
      language: 'en',
      from: 0,
      toUrl: String,
      toLanguageUrl: String,
      orderUrl: undefined,
      requestedLanguage: undefined,
    },
    ...{ origin: 'https://menu.example', publicOrigin: 'https://menu.example', resizesPictures: true },
  })
  return `${head}${body}`
}

describe('the steps of a hosted menu, its page with JSON-LD, and its data grow with the catalogue', () => {
  test.each<[string, (count: number) => Size]>([
    ['menus', (menus) => ({ menus })],
    ['sections', (sections) => ({ sections })],
    ['products', (products) => ({ products })],
    ['modifiers', (modifiers) => ({ modifiers })],
    ['options', (options) => ({ options })],
    ['letters', (letters) => ({ letters })],
  ])('in %s', async (_, toSize) => {
    const create = (count: number) => createCatalogue(toSize(count))
    const [page, data] = [renderPage(open(create(3))), JSON.stringify(toMenuData(open(create(3)), 0))]
    for (const text of [page, data]) expect(text).toContain('Oat')
    expect(page).toContain('application/ld+json')
    await requireLinear(
      create,
      (catalogue) => {
        const menu = open(catalogue)
        getStatedFood(menu)
        filterMenu(menu, { diets: ['vegetarian'], without: ['eggs'] })
        renderPage(menu)
        toMenuData(menu, 0)
      },
      40,
    )
  })

  test('not with the product of menus that have prices and of products: products are looked up, not copied', () => {
    const catalogue = createCatalogue({ menus: 3, products: 3, prices: 1 })
    const products = new Map(catalogue.products)
    const copies = vi.fn(() => products.entries())
    products[Symbol.iterator] = copies
    const { menus } = open({ ...catalogue, products })
    expect(copies).not.toHaveBeenCalled()
    expect(menus.map(({ sections: [section] }) => section?.products.map(({ price }) => price))).toEqual([
      [2, 1, 2],
      [2],
      [2],
    ])
  })
})

describe('the steps of a page or picture of a tag grow with its text', () => {
  test('of a QR symbol, in its modules', async () => {
    const draw = async (text: string) => {
      const symbol = createSymbol(text, 'L')
      return [toSvg(symbol, { scale: 4, margin: 4 }), await toPng(symbol, { scale: 4, margin: 4 })]
    }
    await requireLinear((count) => 'x'.repeat(count), draw, 400)
  })

  test('of the page that writes a chip, in letters', async () => {
    const texts = new Proxy({}, { get: (_, name) => String(name) })
    const create = (count: number) => 'a<b'.repeat(count)
    const render = (label: string) => {
      const venueName = label
      const page = { language: 'en' as const, messages: texts as never, label, code: 'AAAABBBB', url: label, venueName }
      return `${renderNfcPage(page).body}`
    }
    const [one, four] = [render(create(100)).length, render(create(400)).length]
    expect(four).toBeLessThan(4 * one)
    const steps = async (count: number) => countSteps(() => render(create(count)))
    await steps(1)
    expect(await steps(4_000)).toBeLessThan(1.5 * (await steps(1_000)) + 100)
  })
})
