import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CatalogueRow, readCatalogueFile } from '../../tools/cli/loader/catalogue-file.ts'
import { loadCatalogue } from '../../tools/cli/loader/load-catalogue.ts'
import { isComplete } from '../../tools/cli/loader/report.ts'
import { convertSizes } from '../../tools/cli/loader/size-modifiers.ts'
import { createLoadFolder, flags, linesOf, load } from './load-command.ts'
import { type Account, createMerchant as createMerchantAt, readList } from './merchant.ts'
import { connectService } from './shared-service.ts'

const { writeFileOf } = await createLoadFolder()
const service = await connectService()
const createMerchant = () => createMerchantAt(service.origin, 'live', service.adminToken)
const dishes = resolve(import.meta.dirname, 'dishes.json')

/** Details by title, with titles instead of ids. */
async function readDetails(account: Account) {
  const lists = ['modifiers', 'products', 'menus']
  const objects = (await Promise.all(lists.map((list) => readList(account, list, '&include=details')))).flat()
  const titles = new Map(objects.map((object) => [object.id, object['title']]))
  const name = (value: unknown): unknown => {
    if (typeof value === 'string') return titles.get(value) ?? value
    if (Array.isArray(value)) return value.map(name)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, name(inner)]))
  }
  return Object.fromEntries(objects.map((object) => [object['title'], name(object['details'])]))
}

/** Details of a catalogue file by title, with titles instead of indexes. */
async function expectedDetails(file: string) {
  const { modifiers, products, menus } = JSON.parse(await readFile(file, 'utf8'))
  const titleOf = (list: { title: string }[], value: unknown) => list[Number(value)]?.title
  const name = (value: unknown, key = ''): unknown => {
    if (key === 'modifiers' && Array.isArray(value)) return value.map((index) => titleOf(modifiers, index))
    if (Array.isArray(value)) return value.map((inner) => name(inner))
    if (typeof value === 'number' && key === 'modifier') return titleOf(modifiers, value)
    if (typeof value === 'number' && key === 'product') return titleOf(products, value)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, name(each, inner)]))
  }
  return Object.fromEntries(
    [...modifiers, ...products, ...menus].map(({ title, details = {} }) => [title, name(details)]),
  )
}

test('a catalogue file says sizes, costs by size, rules, bundles, weight and contents of options', async () => {
  const account = await createMerchant()
  expect(await load(dishes, ...flags(account))).toMatchObject({ code: 0 })
  const expected = await expectedDetails(dishes)
  expect(await readDetails(account)).toEqual(expected)
  // A bundle may name a product that stands behind it, and nothing changes the second time.
  expect(await load(dishes, '--update', ...flags(account))).toMatchObject({ code: 0 })
  expect(await readDetails(account)).toEqual(expected)
})

test('details that name no row, or a rejected one, are told before anything is written', async () => {
  const account = await createMerchant()
  const file = await writeFileOf('wrong.json', {
    modifiers: [
      { title: 'Size', type: 'RADIO', options: [{ id: 's', label: 'S' }] },
      { title: 'Milk', type: 'SWITCH' },
    ],
    products: [
      { title: 'Tea', price: 3, modifiers: [0], details: { sizes: { modifier: 4, prices: { s: { price: 1 } } } } },
      { title: 'Juice', price: 3, modifiers: [0], details: { sizes: { modifier: 0, prices: { s: { price: -1 } } } } },
      {
        title: 'Water',
        price: 1,
        modifiers: [0, 1],
        details: { modifierRules: [{ modifier: 0, max: 1 }, { modifier: 1 }] },
      },
    ],
  })
  const { code, output } = await load(file, ...flags(account))
  const printed = linesOf(output)
  expect(code).toBe(1)
  expect(printed.slice(printed.indexOf('Rejected:'))).toEqual([
    'Rejected:',
    'modifiers[1] "Milk"',
    expect.stringMatching('^/type .+'),
    'products[0] "Tea"',
    '/details/sizes/modifier 4 is not an index of modifiers in the file',
    'products[1] "Juice"',
    expect.stringMatching('^/details/sizes/prices/s/price .+'),
    '',
    'Notes:',
    '1 modifier had no instructions; loaded with an empty value.',
    'products[2] "Water" was loaded without modifiers[1], rejected above.',
    '',
  ])
  expect(await readDetails(account)).toEqual({ Size: {}, Water: { modifierRules: [{ modifier: 'Size', max: 1 }] } })
})

test('--sizes turns modifiers with a title into sizes with full prices', async () => {
  const account = await createMerchant()
  const single = { required: true, selectRestriction: 1 }
  const options = [{ label: 'Small' }, { label: 'Extra large', additionalCost: 1.1 }]
  const file = await writeFileOf('sizes.json', {
    modifiers: [
      { title: 'Size', rules: single, options },
      { title: 'SIZE', rules: { allowedMultiple: true }, options },
      { title: ' size ', type: 'RADIO', options },
    ],
    products: [
      { title: 'Tea', price: 2.2, modifiers: [0] },
      { title: 'Soup', price: 5, modifiers: [0, 2] },
      { title: 'Salad', price: 5, modifiers: [1] },
    ],
  })
  const { code, output } = await load(file, '--sizes', 'Size', ...flags(account))
  expect([code, linesOf(output)]).toEqual([
    0,
    expect.arrayContaining(['2 products have sizes of modifiers with this title.']),
  ])
  const sized = (small: number, large: number) => ({
    sizes: { modifier: 'Size', prices: { small: { price: small }, 'extra-large': { price: large } } },
  })
  expect(await readDetails(account)).toEqual({
    Size: {},
    SIZE: {},
    size: {},
    Tea: sized(2.2, 3.3),
    Soup: sized(5, 6.1),
    Salad: {},
  })
  // A choice keeps its costs; sizes have prices.
  const costs = (await readList(account, 'modifiers')).map(({ title, type, options: list }) => [title, type, list])
  const plain = [
    { id: 'small', label: 'Small' },
    { id: 'extra-large', label: 'Extra large' },
  ]
  expect(costs).toMatchObject([
    ['Size', 'RADIO', plain],
    ['SIZE', 'CHECKBOX', [{ label: 'Small' }, { label: 'Extra large', additionalCost: 1.1 }]],
    ['size', 'RADIO', [{ label: 'Small' }, { label: 'Extra large', additionalCost: 1.1 }]],
  ])
  expect(costs[0]?.[2]).toEqual(plain)
})

/** Menus of real places, where they are on this machine. */
const real = globSync(resolve(import.meta.dirname, '../../../shared/data/*.json')).toSorted()

describe.each(real.map((file) => [basename(file), file]))('%s', (_name, file) => {
  test('has a price for every size, and no costs that nobody stated', { timeout: 300_000 }, async () => {
    const original = await readCatalogueFile(file)
    const { catalogue, sized } = convertSizes(original, 'Size')
    const account = await createMerchant()
    const result = await loadCatalogue({ ...account, catalogue })
    expect([isComplete(result), result.rows.flatMap(({ reasons }) => reasons)]).toEqual([true, []])
    const products = await readList(account, 'products', '&include=details')
    const modifiers = await readList(account, 'modifiers')
    const isSize = (row: CatalogueRow | undefined) => row?.['title'] === 'Size'
    expect(
      modifiers
        .filter(isSize)
        .map(({ options }) => JSON.stringify(options))
        .join(),
    ).not.toContain('additionalCost')
    // The price of a size is the price and the additional cost in the file.
    const stated = (original.products ?? []).flatMap(({ title, price, modifiers: own }) => {
      const [size] = (Array.isArray(own) ? own : []).map((index) => original.modifiers?.[index]).filter(isSize)
      const options = Array.isArray(size?.['options']) ? size['options'] : []
      const prices = options.map(({ additionalCost = 0 }) => Number((Number(price) + additionalCost).toFixed(2)))
      return prices.length > 0 ? [[title, ...prices]] : []
    })
    const shown = products.flatMap(({ title, details }) => {
      const { sizes } = JSON.parse(JSON.stringify(details))
      const prices = Object.values<{ price: number }>(sizes?.prices ?? {}).map(({ price }) => price)
      return prices.length > 0 ? [[title, ...prices]] : []
    })
    expect(shown).toEqual(stated)
    expect(shown).toHaveLength(sized)
  })
})
