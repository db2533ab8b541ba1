import { delimiter, join, relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type ListName, lists, readCatalogueFile } from '../../tools/cli/loader/catalogue-file.ts'
import { loadCatalogue } from '../../tools/cli/loader/load-catalogue.ts'
import { resolvePictures } from '../../tools/cli/loader/pictures.ts'
import { countRows, isComplete } from '../../tools/cli/loader/report.ts'
import { freePort } from '../support/receiver.ts'
import { startCommand } from './command.ts'
import { expectedObject, writableOf } from './expected-objects.ts'
import { createLoadFolder, flags, linesOf, load } from './load-command.ts'
import * as merchant from './merchant.ts'
import { countAll, readList } from './merchant.ts'
import { takeShare } from './rounds.ts'
import { connectService } from './shared-service.ts'

const { folder, writeFileOf } = await createLoadFolder()
const service = await connectService()
const createMerchant = (mode?: 'live' | 'test') => merchant.createMerchant(service.origin, mode, service.adminToken)

test('an interrupted load continues without loading anything twice', async () => {
  const account = await createMerchant()
  // Each row has the same values as the others in every field.
  const count = 5_000
  const products = Array.from({ length: count }, (_, index) => ({ title: `Dish ${index % 100}`, price: 5 }))
  const menus = [{ title: 'All', sections: [{ title: 'All', items: products.map((_, index) => index) }] }]
  const file = await writeFileOf('many.json', { products, menus })

  const first = startCommand('.', process.execPath, 'tools/cli/load.ts', file, ...flags(account))
  while ((await readList(account, 'products')).length < 30) await setTimeout(20)
  const { code, output } = await first.interrupt()
  expect(code).toBe(1)
  expect(output).toContain('Run the same command again to continue')
  const begun = (await readList(account, 'products')).length
  expect(begun).toBeLessThan(count)
  expect(linesOf(output)).toContainEqual(expect.stringMatching(`^products ${begun} 0 0 ${count - begun}$`))

  expect(linesOf((await load(file, ...flags(account))).output)).toContain(`products ${count - begun} ${begun} 0`)
  expect(await countAll(account)).toMatchObject({ products: count, menus: 1 })
  expect(await load(file, ...flags(account))).toMatchObject({
    code: 0,
    output: expect.stringMatching(`products +0 +${count} +0`),
  })
  expect(await countAll(account)).toMatchObject({ products: count, menus: 1 })
})

test("every rejected row is listed with the API's reasons, and the rest is loaded", async () => {
  const account = await createMerchant()
  const file = await writeFileOf('invalid.json', {
    source: {},
    extra: [],
    modifiers: [{ title: 'Size' }, { title: 'Milk', type: 'SWITCH', instructions: '' }],
    products: [
      { title: 'Tea', price: 3, modifiers: [0, 1], sku: ' ' },
      { title: ' ', price: -1 },
      { title: 'Soup', price: 4, modifiers: [7] },
    ],
    menus: [{ title: 'Day', sections: [{ items: [1, 0] }] }],
    coupons: [
      { title: 'None', code: 'NONE', type: 'FIXED', value: 5, products: [1] },
      { title: 'Again', code: 'none', type: 'FIXED', value: 5 },
      { title: '10% off…  Ｓ', type: 'PERCENTAGE', value: '10' },
      { title: '%', type: 'PERCENTAGE', value: '10' },
    ],
    customers: [{ firstName: 'Ada', lastName: 'King', phone: 'none' }],
  })
  const { code, output } = await load(file, ...flags(account))
  expect(code).toBe(1)
  const report = [
    'created existing rejected',
    'modifiers 1 0 1',
    'products 1 0 2',
    'menus 1 0 0',
    'coupons 2 0 2',
    'customers 0 0 1',
    '',
    'Rejected:',
    'modifiers[1] "Milk"',
    expect.stringMatching('^/type .+'),
    'products[1] " "',
    expect.stringMatching('^/title .+'),
    expect.stringMatching('^/price .+'),
    'products[2] "Soup"',
    '/modifiers/0 7 is not an index of modifiers in the file',
    'coupons[1] "Again"',
    expect.stringMatching('^/code .+'),
    'coupons[3] "%"',
    '/code must be given',
    'customers[0] "Ada King"',
    expect.stringMatching('^/phone .+'),
    '',
    'Notes:',
    '"extra" is not a list of the API and was not loaded.',
    '1 modifier had no instructions; loaded with an empty value.',
    '1 product had an empty sku; loaded without it.',
    'products[0] "Tea" was loaded without modifiers[1], rejected above.',
    'menus[0] "Day" was loaded without products[1], rejected above.',
    'coupons[2] "10% off… Ｓ" had no code; loaded with 10-OFF-S, derived from its title.',
    'coupons[0] "None" was loaded without products[1], rejected above.',
    '',
  ]
  const printed = linesOf(output)
  expect(printed.slice(printed.indexOf('created existing rejected'))).toEqual(report)
  // A coupon for rejected products applies to no product, not to all.
  expect(await readList(account, 'coupons')).toMatchObject([
    { code: 'NONE', products: [], applyToAllProducts: false },
    { code: '10-OFF-S', value: 10, applyToAllProducts: true },
  ])

  expect(linesOf((await load(file, ...flags(account))).output)).toEqual(
    expect.arrayContaining(['modifiers 0 1 1', 'products 0 1 2', 'menus 0 1 0', 'coupons 0 2 2', 'customers 0 0 1']),
  )
})

test('equal rows are created as often as the file contains them, whichever one references name', async () => {
  const account = await createMerchant()
  const modifier = { title: 'Milk', instructions: '', options: [{ label: 'Oat' }, { label: 'Soy' }] }
  const catalogue = {
    modifiers: [modifier, modifier, { ...modifier, options: [{ id: 'oat', label: 'Oat' }, { label: 'Soy' }] }],
    products: [0, 1, 2, 1].map((index) => ({ title: 'Tea', price: 3, modifiers: [index] })),
    menus: [
      { title: 'Day', sections: [{ items: [0, 1, 2] }] },
      { title: 'Day', sections: [{ items: [3, 1, 2] }] },
    ],
    tags: [{}, {}],
  }
  const outcomes = async () => {
    const result = await loadCatalogue({ ...account, catalogue })
    return lists.map((list) => countRows(result, list)).filter(({ created, existing }) => created + existing > 0)
  }
  const sizes = [3, 4, 2, 2]
  const none = { created: 0, updated: 0, existing: 0, rejected: 0, 'not tried': 0 }
  expect(await outcomes()).toEqual(sizes.map((created) => ({ ...none, created })))
  expect(await outcomes()).toEqual(sizes.map((existing) => ({ ...none, existing })))
  expect(await countAll(account)).toMatchObject({ modifiers: 3, products: 4, menus: 2, tags: 2 })
})

test('a test key loads into test mode', async () => {
  const account = await createMerchant('test')
  const file = await writeFileOf('tags.json', { tags: [{ metadata: [{ key: 'table', value: '1' }] }] })
  expect((await load(file, ...flags(account))).code).toBe(0)
  expect((await load(file, ...flags(account))).output).toMatch(/tags +0 +1 +0/)
  expect(await readList(account, 'tags')).toMatchObject([{ testMode: true }])
})

test('a file that cannot be loaded is reported in one sentence', async () => {
  const good = await writeFileOf('good.json', { products: [{ title: 'Tea', price: 3 }] })
  const account = await createMerchant()
  const cases: [string, number, string[]][] = [
    ['missing.json does not exist', 2, [join(folder, 'missing.json')]],
    ['is not JSON', 2, [await writeFileOf('text.json', 'products: []')]],
    ['is not a catalogue file: its content is not an object', 2, [await writeFileOf('list.json', [])]],
    ['is not a catalogue file: products is not a list', 2, [await writeFileOf('object.json', { products: {} })]],
    ['is not a catalogue file: tags[1] is not an object', 2, [await writeFileOf('row.json', { tags: [{}, 1] })]],
    [
      'is not a catalogue file: it must contain at least one of the lists',
      2,
      [await writeFileOf('other.json', { dishes: [] })],
    ],
    ['cannot be read', 2, [folder]],
    ['ftp://localhost is not an http or https address', 2, [good, ...flags({ ...account, url: 'ftp://localhost' })]],
    ['--merchant requires --key', 2, [good, '--merchant', account.merchantId]],
    ['The service rejected the file: ', 1, [good, ...flags({ ...account, key: 'sk_live_nonsense' })]],
    ['does not respond', 1, [good, ...flags({ ...account, url: `http://localhost:${await freePort()}` })]],
  ]
  const taken = takeShare(cases, 3)
  const responses = await Promise.all(taken.map(([, , args]) => load(...args)))
  for (const [index, [sentence, code]] of taken.entries()) {
    expect.soft(responses[index]).toMatchObject({ code, output: expect.stringContaining(sentence) })
    expect.soft(responses[index]?.output).not.toMatch(/^ +at /m)
  }
})

/** The demo venue, and catalogue files that the environment names: `CATALOGUES=a.json:b.json`. */
const files = [
  resolve(import.meta.dirname, '../../tools/cli/demo/demo-venue.json'),
  ...(process.env['CATALOGUES']?.split(delimiter) ?? []),
]

/** The ids of the objects of rows, in the order of the rows, by list. */
async function findIds(
  account: merchant.Account,
  rows: readonly { list: ListName; externalId?: string | undefined }[],
) {
  const ids = new Map<ListName, (string | undefined)[]>()
  for (const [list, own] of Map.groupBy(rows, (row) => row.list)) {
    const objects = await readList(account, list, '&include=externalId')
    const byKey = new Map(objects.map(({ id, externalId }) => [externalId, id]))
    ids.set(
      list,
      own.map(({ externalId }) => byKey.get(externalId)),
    )
  }
  return ids
}

/** A file with 5,000 products takes 20 seconds on two idle cores. */
const fileTimeoutMs = 300_000

describe.each(files.map((file) => [relative(process.cwd(), file), file]))('%s', (_name, file) => {
  test('is stored row for row and not loaded twice', { timeout: fileTimeoutMs }, async () => {
    const catalogue = resolvePictures(await readCatalogueFile(file), service.origin)
    const account = await createMerchant()
    const names = lists.filter((name) => (catalogue[name] ?? []).length > 0)
    const first = await load(file, ...flags(account))
    expect(first.code).toBe(0)
    const before = await countAll(account)
    // An update gives every object an external id, which tells its row.
    const second = await loadCatalogue({ ...account, catalogue, update: true })
    expect(isComplete(second)).toBe(true)
    expect(await countAll(account)).toEqual(before)
    const ids = await findIds(account, second.rows)
    const idsOf = (name: ListName) => ids.get(name) ?? []
    for (const name of names) {
      const catalogueRows = catalogue[name] ?? []
      const objects = new Map((await readList(account, name)).map((object) => [object.id, object]))
      const loaded = catalogueRows.map((row, index) => ({ row, id: idsOf(name)[index] }))
      expect(objects.size).toBe(loaded.length)
      expect(new Set(loaded.map(({ id }) => id)).size).toBe(loaded.length)
      for (const { row, id } of loaded) {
        const found = objects.get(id ?? '')
        expect(found && writableOf(name, found)).toEqual(expectedObject(name, row, idsOf))
      }
    }
    const third = await loadCatalogue({ ...account, catalogue })
    expect(lists.map((list) => countRows(third, list).created)).toEqual(lists.map(() => 0))
    expect(third.current?.notices).toEqual([])
  })
})
