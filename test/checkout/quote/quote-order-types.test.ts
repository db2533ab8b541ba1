import { expect, test } from 'vitest'
import { adminToken, call, createVenue, toIssues, type Venue } from '../../support/api.ts'

const update = (venue: Venue, body: object) => call('POST', `/admin/merchants/${venue.id}`, adminToken, body)
const create = async (venue: Venue, path: string, body: object): Promise<string> =>
  (await venue.post(path, body)).body.id
const types = [undefined, 'dine_in', 'takeaway', 'delivery']

async function createDish(venue: Venue, fields: object, details: object) {
  const id = await create(venue, '/products', { title: 'Dish', price: 10, ...fields })
  expect((await venue.post(`/products/${id}/details`, details)).status).toBe(200)
  return id
}

/** The tax rates of a product by order type. */
async function readRates(venue: Venue, product: string) {
  const rates: number[] = []
  for (const orderType of types) {
    const { status, body } = await venue.post('/quotes', { items: [{ product, quantity: 1 }], orderType })
    expect(status).toBe(200)
    rates.push(body.items[0].taxRate)
  }
  return rates
}

test('tax rates: of the product for the type, its own, of the merchant for the type, of the merchant', async () => {
  const venue = await createVenue({ taxRate: 19, taxRates: { takeaway: 7 } })
  const custom = { useCustomTaxRate: true, taxRate: 5 }
  const cases: [object, object, number[]][] = [
    [{}, {}, [19, 19, 7, 7]],
    [custom, {}, [5, 5, 5, 5]],
    [custom, { taxRates: { takeaway: 3 } }, [5, 5, 3, 3]],
    [{}, { taxRates: { delivery: 2 } }, [19, 19, 7, 2]],
    [{}, { taxRates: { takeaway: 0, delivery: 1.25 } }, [19, 19, 0, 1.25]],
    [{ taxable: false }, { taxRates: { takeaway: 3 } }, [0, 0, 0, 0]],
  ]
  for (const [fields, details, expected] of cases) {
    const product = await createDish(venue, fields, details)
    expect(await readRates(venue, product)).toEqual(expected)
    if (expected[0] !== 19 || Object.keys(details).length > 0) continue
    // The merchant's own rate for delivery.
    const other = await createVenue({ taxRate: 19, taxRates: { takeaway: 7, delivery: 8 } })
    expect(await readRates(other, await createDish(other, {}, {}))).toEqual([19, 19, 7, 8])
  }
})

test('the parts of a bundle have their rates for the type', async () => {
  const venue = await createVenue({ taxRate: 19, taxRates: { takeaway: 7 } })
  const drink = await createDish(venue, {}, { taxRates: { takeaway: 19 } })
  const dish = await createDish(venue, {}, {})
  const groups = [{ id: 'g', title: 'G', min: 2, max: 2, items: [{ product: drink }, { product: dish }] }]
  const product = await createDish(venue, { price: 12 }, { bundle: { groups, splitTax: true } })
  const choices = [drink, dish].map((each) => ({ group: 'g', product: each }))
  const quote = async (orderType: string) =>
    (await venue.post('/quotes', { items: [{ product, quantity: 1, choices }], orderType })).body.taxes
  expect(await quote('dine_in')).toMatchObject([{ rate: 19, base: 12 }])
  expect(await quote('takeaway')).toMatchObject([
    { rate: 7, base: 6 },
    { rate: 19, base: 6 },
  ])
})

test('a menu of other types is an issue, and its prices do not count', async () => {
  const venue = await createVenue()
  const product = await createDish(venue, {}, {})
  const menu = await create(venue, '/menus', { title: 'To go', allDayMenu: true, sections: [] })
  const details = { orderTypes: ['takeaway', 'delivery'], prices: [{ product, price: 8 }] }
  expect((await venue.post(`/menus/${menu}/details`, details)).status).toBe(200)
  const quote = async (orderType?: string) => {
    const { body } = await venue.post('/quotes', { items: [{ product, quantity: 1 }], menu, orderType })
    return { total: body.total, issues: body.issues }
  }
  const message = 'The menu is not served for this type of order.'
  const wrong = { total: 10, issues: [{ pointer: '/menu', code: 'wrong_order_type', message }] }
  expect(await quote('dine_in')).toEqual(wrong)
  expect(await quote()).toEqual(wrong)
  expect(await quote('takeaway')).toEqual({ total: 8, issues: [] })
  expect(await quote('delivery')).toEqual({ total: 8, issues: [] })
  await venue.post(`/menus/${menu}/details`, { orderTypes: null })
  expect(await quote()).toEqual({ total: 8, issues: [] })
})

test('what is no order type or no rate is refused', async () => {
  const venue = await createVenue()
  const product = await createDish(venue, {}, {})
  const menu = await create(venue, '/menus', { title: 'Menu', allDayMenu: true, sections: [] })
  const refused: [string, object, string][] = [
    ['/quotes', { items: [{ product, quantity: 1 }], orderType: 'eat_in' }, '/orderType invalid_value'],
    [`/menus/${menu}/details`, { orderTypes: [] }, '/orderTypes too_short'],
    [`/menus/${menu}/details`, { orderTypes: ['delivery', 'delivery'] }, '/orderTypes/1 duplicate'],
    [`/products/${product}/details`, { taxRates: { dine_in: 5 } }, '/taxRates/dine_in unknown_field'],
    [`/products/${product}/details`, { taxRates: { takeaway: 100.5 } }, '/taxRates/takeaway too_large'],
    ['', { taxRates: { delivery: 0.00001 } }, '/taxRates/delivery too_precise'],
  ]
  for (const [path, body, issue] of refused) {
    expect(toIssues(path === '' ? await update(venue, body) : await venue.post(path, body))).toEqual([issue])
  }
})

test('a total in cash is a multiple of the step, half up, and changes nothing else', async () => {
  const venue = await createVenue({ currency: 'CHF', cashRounding: 0.05 })
  const product = await create(venue, '/products', { title: 'Dish', price: 0.01 })
  const quote = async (quantity: number) => (await venue.post('/quotes', { items: [{ product, quantity }] })).body
  const totals: number[][] = []
  for (const quantity of [1, 2, 3, 7, 8, 10]) {
    const { total, cashTotal } = await quote(quantity)
    totals.push([total, cashTotal])
  }
  expect(totals).toEqual([
    [0.01, 0],
    [0.02, 0],
    [0.03, 0.05],
    [0.07, 0.05],
    [0.08, 0.1],
    [0.1, 0.1],
  ])
  const { cashTotal: _, ...rounded } = await quote(3)
  await update(venue, { cashRounding: null })
  expect({ ...(await quote(3)), at: rounded.at }).toEqual(rounded)
})

test.each([
  ['JPY', 10, [0.5, 1.5]],
  ['KWD', 0.005, [0.0005]],
  ['EUR', 0.5, [0.001]],
])('the step of cash in %s is a multiple of its smallest unit', async (currency, accepted, refused) => {
  const venue = await createVenue({ currency })
  expect(await update(venue, { cashRounding: accepted })).toMatchObject({
    status: 200,
    body: { cashRounding: accepted },
  })
  for (const cashRounding of [...refused, 0, -1, 1_000.5]) {
    expect(toIssues(await update(venue, { cashRounding }))).toEqual([expect.stringMatching('^/cashRounding too_')])
  }
  // A currency in which the stored step is too fine.
  if (accepted < 1) expect((await update(venue, { currency: 'JPY' })).status).toBe(422)
})
