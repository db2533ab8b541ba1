import { describe, expect, test } from 'vitest'
import { createClient } from '../../packages/client/src/client.ts'
import { createLoadFolder, flags, linesOf, load } from './load-command.ts'
import * as merchant from './merchant.ts'
import { type Account, countAll, readList } from './merchant.ts'
import { connectService } from './shared-service.ts'

const { writeFileOf } = await createLoadFolder()
const service = await connectService()
const createMerchant = (mode?: 'live' | 'test') => merchant.createMerchant(service.origin, mode, service.adminToken)

describe('--update', () => {
  const loadInto = async (account: Account, content: unknown, ...more: readonly string[]) =>
    load(await writeFileOf('catalogue.json', content), ...flags(account), ...more)
  const readTitles = async (account: Account) =>
    (await readList(account, 'products')).map(({ title, price }) => [title, price]).sort()

  test('changes the objects of changed rows and creates new ones; twice changes nothing', async () => {
    const account = await createMerchant()
    const catalogue = {
      modifiers: [{ externalId: 'MILK', title: 'Milk', instructions: '', options: [{ label: 'Oat' }] }],
      products: [
        { externalId: 'A1', title: 'Espresso', price: 1.6 },
        { title: 'Galão', price: 2.4, modifiers: [0] },
        { title: 'Galão', price: 2.6 },
      ],
      menus: [{ title: 'All day', sections: [{ title: 'Coffee', items: [0, 1, 2] }] }],
    }
    expect(linesOf((await loadInto(account, catalogue, '--update')).output)).toContain('products 3 0 0')
    const menusBefore = await readList(account, 'menus')
    expect(linesOf((await loadInto(account, catalogue, '--update')).output)).toContain('products 0 3 0')
    const [espresso, ...rest] = catalogue.products
    const changed = {
      ...catalogue,
      products: [{ ...espresso, title: 'Caffè', price: 1.8 }, ...rest, { title: 'Tea', price: 2 }],
    }
    expect(linesOf((await loadInto(account, changed, '--update')).output)).toContain('products 1 1 2 0')
    const expected = [
      ['Caffè', 1.8],
      ['Galão', 2.4],
      ['Galão', 2.6],
      ['Tea', 2],
    ]
    expect(await readTitles(account)).toEqual(expected.sort())
    expect(await readList(account, 'menus')).toEqual(menusBefore)
    expect(await countAll(account)).toMatchObject({ modifiers: 1, products: 4, menus: 1 })
  })

  test('adopts the objects of an earlier load without it', async () => {
    const account = await createMerchant()
    await loadInto(account, {
      products: [
        { title: 'Tea', price: 2 },
        { title: 'Cake', price: 3 },
      ],
    })
    const { output } = await loadInto(
      account,
      {
        products: [
          { title: 'Tea', price: 2.5 },
          { title: 'Cake', price: 3 },
        ],
      },
      '--update',
    )
    expect(linesOf(output)).toContain('products 0 2 0 0')
    expect(await readTitles(account)).toEqual([
      ['Cake', 3],
      ['Tea', 2.5],
    ])
    const again = await loadInto(
      account,
      {
        products: [
          { title: 'Tea', price: 2.5 },
          { title: 'Cake', price: 3 },
        ],
      },
      '--update',
    )
    expect(linesOf(again.output)).toContain('products 0 2 0')
  })

  test('without it, a row with a taken external id leaves its object as it is, and says so', async () => {
    const account = await createMerchant()
    await loadInto(account, { products: [{ externalId: 'A1', title: 'Tea', price: 2 }] })
    const same = await loadInto(account, { products: [{ externalId: 'A1', title: 'Tea', price: 2 }] })
    expect(linesOf(same.output)).toContain('products 0 1 0')
    const other = await loadInto(account, { products: [{ externalId: 'A1', title: 'Tea', price: 3 }] })
    expect(other).toMatchObject({ code: 0, output: expect.stringContaining('--update changes them') })
    expect(await readTitles(account)).toEqual([['Tea', 2]])
  })

  test('leaves what the service has counted since, and creates sold products no second time', async () => {
    const account = await createMerchant()
    const tea = { externalId: 'A1', title: 'Tea', price: 2, manageStock: true, stockQuantity: 10 }
    const catalogue = {
      products: [tea, { title: 'Cake', price: 3, manageStock: true, stockQuantity: 10 }],
      coupons: [{ externalId: 'C1', title: 'Ten', code: 'TEN', type: 'PERCENTAGE', value: 10 }],
    }
    await loadInto(account, catalogue)
    const client = createClient({ origin: account.url, merchantId: account.merchantId, key: account.key })
    const products = await readList(account, 'products')
    const changes = products.map(({ id }) => ({ product: id, delta: -8 }))
    await client.stock.adjust({ reference: 'order-1', reason: 'sale', changes })
    await client.redemptions.create({ code: 'TEN', order: 'order-1' })

    expect(linesOf((await loadInto(account, catalogue)).output)).toContain('products 0 2 0')
    const changed = { ...catalogue, products: [{ ...tea, price: 2.5 }, catalogue.products[1]] }
    const { output } = await loadInto(account, changed, '--update')
    expect(linesOf(output)).toEqual(expect.arrayContaining(['products 0 2 0 0', 'coupons 0 0 1 0']))
    const stored = await readList(account, 'products')
    expect(stored.map(({ title, price, stockQuantity }) => [title, price, stockQuantity]).sort()).toEqual([
      ['Cake', 3, 2],
      ['Tea', 2.5, 2],
    ])
    expect(await readList(account, 'coupons')).toMatchObject([{ timesRedeemed: 1 }])
  })
})
