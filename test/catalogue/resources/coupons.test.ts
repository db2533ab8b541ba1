import { describe, expect, test } from 'vitest'
import { createKey, createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const coupon = (fields: object) => ({ title: 'Spring', code: crypto.randomUUID(), type: 'FIXED', value: 1, ...fields })
const create = async (fields: object = {}) => (await venue.post('/coupons', coupon(fields))).body
const createProduct = async (): Promise<string> => (await venue.post('/products', { title: 'Tea', price: 1 })).body.id
const product = await createProduct()

describe('the value of a coupon', () => {
  test.each<[string, unknown, string?]>([
    ['PERCENTAGE', 0.0001],
    ['PERCENTAGE', '12.5'],
    ['PERCENTAGE', 100],
    ['PERCENTAGE', '100.0000'],
    ['PERCENTAGE', 100.0001, 'too_large'],
    ['PERCENTAGE', '101', 'too_large'],
    ['PERCENTAGE', 1_000_000_000, 'too_large'],
    ['PERCENTAGE', 0, 'too_small'],
    ['PERCENTAGE', '0.00', 'too_small'],
    ['PERCENTAGE', -1, 'too_small'],
    ['PERCENTAGE', 0.00001, 'too_precise'],
    ['FIXED', 0.0001],
    ['FIXED', 100.0001],
    ['FIXED', '1000000000'],
    ['FIXED', 0, 'too_small'],
    ['FIXED', '-0', 'too_small'],
    ['FIXED', 1_000_000_000.0001, 'too_large'],
  ])('%s %j', async (type, value, issue) => {
    const response = await venue.post('/coupons', coupon({ type, value }))
    if (issue) expect(toIssues(response)).toEqual([`/value ${issue}`])
    else expect(response).toMatchObject({ status: 201, body: { type, value: Number(value) } })
    const { id } = await create({ type: 'FIXED', value: 50 })
    const updated = await venue.post(`/coupons/${id}`, { type, value })
    if (issue) expect(toIssues(updated)).toEqual([`/value ${issue}`])
    else expect(updated).toMatchObject({ status: 200, body: { type, value: Number(value) } })
  })

  test('is judged by the type the coupon would have', async () => {
    const fixed = await create({ type: 'FIXED', value: 120 })
    expect(toIssues(await venue.post(`/coupons/${fixed.id}`, { type: 'PERCENTAGE' }))).toEqual(['/value too_large'])
    expect((await venue.get(`/coupons/${fixed.id}`)).body).toEqual(fixed)
    expect((await venue.post(`/coupons/${fixed.id}`, { type: 'PERCENTAGE', value: 20 })).status).toBe(200)
    expect(toIssues(await venue.post(`/coupons/${fixed.id}`, { value: 120 }))).toEqual(['/value too_large'])
    expect((await venue.post(`/coupons/${fixed.id}`, { value: 120, type: 'FIXED' })).status).toBe(200)
  })
})

test('two updates at once that only together break a rule do not both happen', async () => {
  for (let race = 0; race < 10; race++) {
    const { id } = await create({ type: 'FIXED', value: 50 })
    const changes = [{ type: 'PERCENTAGE' }, { value: 500 }]
    const responses = await Promise.all(changes.map((change) => venue.post(`/coupons/${id}`, change)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
    const { body } = await venue.get(`/coupons/${id}`)
    expect([
      ['PERCENTAGE', 50],
      ['FIXED', 500],
    ]).toContainEqual([body.type, body.value])
  }
})

describe('what a coupon applies to', () => {
  test.each<[object, boolean]>([
    [{}, true],
    [{ products: [] }, true],
    [{ products: null }, true],
    [{ products: [product] }, false],
    [{ products: [product], applyToAllProducts: null }, false],
    [{ products: [product], applyToAllProducts: true }, true],
    [{ products: [product], applyToAllProducts: 1 }, true],
    [{ products: [], applyToAllProducts: false }, false],
    [{ applyToAllProducts: false }, false],
    [{ applyToAllProducts: 0 }, false],
  ])('on create %j: everything is %s', async (body, everything) => {
    expect((await create(body)).applyToAllProducts).toBe(everything)
  })

  const all = { applyToAllProducts: true }
  const some = { products: [product] }
  const none = { applyToAllProducts: false }
  test.each<[object, object, boolean]>([
    [all, { products: [product] }, false],
    [all, { products: [] }, true],
    [all, { products: null }, true],
    [all, { products: [product], applyToAllProducts: true }, true],
    [all, { products: [product], applyToAllProducts: null }, false],
    [some, { products: [] }, false],
    [some, { products: null }, false],
    [some, { title: 'Summer' }, false],
    [some, { applyToAllProducts: true }, true],
    [some, { applyToAllProducts: null }, false],
    [some, { products: [], applyToAllProducts: null }, true],
    [none, { products: [] }, false],
    [none, { products: [product] }, false],
    [none, { applyToAllProducts: null }, true],
    [{ ...some, ...all }, { title: 'Summer' }, true],
    [{ ...some, ...all }, { products: [] }, true],
    [{ ...some, ...all }, { products: [product] }, false],
  ])('%j updated by %j: everything is %s', async (before, change, everything) => {
    const { id } = await create(before)
    const updated = await venue.post(`/coupons/${id}`, change)
    expect(updated).toMatchObject({ status: 200, body: { applyToAllProducts: everything } })
    expect((await venue.get(`/coupons/${id}`)).body).toEqual(updated.body)
  })

  test('is nothing, and never everything, once its last product is deleted', async () => {
    const doomed = await createProduct()
    const coupon = await create({ products: [doomed] })
    await venue.remove(`/products/${doomed}`)
    const pruned = (await venue.get(`/coupons/${coupon.id}`)).body
    expect(pruned).toEqual({ ...coupon, products: [], updatedAt: pruned.updatedAt })
    const edited = await venue.post(`/coupons/${coupon.id}`, { title: 'Summer', active: false, products: [] })
    expect(edited.body).toMatchObject({ products: [], applyToAllProducts: false })
  })
})

describe('the code of a coupon', () => {
  const taken = async (code: string) => venue.post('/coupons', coupon({ code }))

  test('has 1 to 64 code points without the blanks around it', async () => {
    const most = '🍵'.repeat(64)
    expect((await taken(`\u3000 ${most}\n`)).body.code).toBe(most)
    const { id } = await create()
    for (const [code, issue] of [
      ['', 'too_short'],
      [' \n', 'too_short'],
      ['a'.repeat(65), 'too_long'],
      ['🍵'.repeat(65), 'too_long'],
      ['a\0b', 'invalid_character'],
      ['\ud800', 'invalid_character'],
      [5, 'invalid_type'],
    ] as const) {
      expect(toIssues(await venue.post('/coupons', coupon({ code })))).toEqual([`/code ${issue}`])
      expect(toIssues(await venue.post(`/coupons/${id}`, { code }))).toEqual([`/code ${issue}`])
    }
    expect((await venue.post(`/coupons/${id}`, { code: ' b  c ' })).body.code).toBe('b  c')
  })

  test.each([
    ['Summer 10', 'SUMMER 10'],
    ['summer-20', ' Summer-20 '],
    ['ＷＩＤＥ', 'wide'],
    ['ｶﾌｪ', 'カフェ'],
    ['é-composed', 'e\u0301-COMPOSED'],
    ['ÄÖÜ', 'äöü'],
    ['ΟΔΟΣ', 'οδος'],
    ['①', '1'],
    ['ﬁve', 'FIVE'],
  ])('%s is taken for %s too', async (first, second) => {
    const created = await taken(first)
    expect(created).toMatchObject({ status: 201, body: { code: first.trim() } })
    const refused = await taken(second)
    expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const other = await create()
    expect((await venue.post(`/coupons/${other.id}`, { code: second })).status).toBe(409)
    expect((await venue.get(`/coupons/${other.id}`)).body).toEqual(other)
    // Another spelling of its own code is not a conflict.
    const respelled = await venue.post(`/coupons/${created.body.id}`, { code: second })
    expect(respelled).toMatchObject({ status: 200, body: { code: second.trim() } })
    expect((await taken(first)).status).toBe(409)
  })

  test('is compared with its inner blanks and its accents', async () => {
    for (const code of ['tea time', 'teatime', 'tea-time', 'téa time', 'tea  time'])
      expect((await taken(code)).status).toBe(201)
  })

  test('is free again once its coupon is deleted or renamed', async () => {
    const { body } = await taken('again')
    await venue.post(`/coupons/${body.id}`, { code: 'renamed' })
    const second = await taken('Again')
    expect(second.status).toBe(201)
    await venue.remove(`/coupons/${second.body.id}`)
    expect((await taken('AGAIN')).status).toBe(201)
  })

  test('is unique for one merchant in one mode only', async () => {
    const [test, other] = [await createKey(venue.id, { mode: 'test' }), await createVenue()]
    const body = coupon({ code: 'everywhere' })
    for (const { post } of [venue, test, other]) {
      expect((await post('/coupons', body)).status).toBe(201)
      expect((await post('/coupons', body)).status).toBe(409)
    }
  })

  test('is given to one of twenty that ask for it at once', async () => {
    const code = crypto.randomUUID()
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => taken(n % 2 ? code : code.toUpperCase())))
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect((await venue.get(`/coupons?code=${code}`)).body).toHaveLength(1)
    const others = await Promise.all(Array.from({ length: 20 }, () => create()))
    const renamed = await Promise.all(others.map(({ id }) => venue.post(`/coupons/${id}`, { code: `${code}-2` })))
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})
