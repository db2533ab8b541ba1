import { describe, expect, test } from 'vitest'
import demo from '../../../tools/cli/demo/demo-venue.json'
import { createVenue, type Venue } from '../../support/api.ts'
import { check, importFile, listIssues, settle, toCounts, toJsonLines, upload } from '../../support/imports.ts'

const text = { 'content-type': 'text/plain' }
const auto = 'mapping=auto'

/** A catalogue whose rows refer to each other by index, in bodies and details. */
const catalogue = {
  source: { licence: 'CC0' },
  modifiers: [
    {
      title: 'Size',
      type: 'RADIO',
      options: [
        { id: 's', label: 'S' },
        { id: 'l', label: 'L' },
      ],
    },
    { title: 'Milk', options: [{ id: 'oat', label: 'Oat' }], details: { sizedCosts: { oat: { s: 0.3, l: 0.5 } } } },
  ],
  products: [
    { title: 'Cake', price: 4 },
    {
      ...{ title: 'Latte', price: 3, modifiers: [0, 1] },
      details: {
        sizes: { modifier: 0, prices: { s: { price: 3 }, l: { price: 3.8 } } },
        modifierRules: [{ modifier: 1, max: 1 }],
      },
    },
  ],
  menus: [
    {
      ...{ title: 'All day', sections: [{ title: 'All', items: [1, 0] }] },
      details: { prices: [{ product: 1, sizes: { l: 3.5 } }] },
    },
  ],
  coupons: [{ title: '10% Off', type: 'PERCENTAGE', value: 10, products: [0] }],
}
const list = async (venue: Venue, name: string) => (await venue.get(`/${name}?include=details&order=asc`)).body

describe('a catalogue file', () => {
  test('gets in with its references, details and filled fields; the second time nothing changes', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, JSON.stringify(catalogue, null, 2), text)
    expect([done.reading.kind, await listIssues(venue, done.id)]).toEqual(['catalogue', []])
    expect(toCounts(done)).toEqual({ rows: 6, checked: 6, applied: 6, created: 6 })
    const [size, milk] = await list(venue, 'modifiers')
    const [cake, latte] = await list(venue, 'products')
    expect([size.instructions, milk.details]).toEqual(['', { sizedCosts: { oat: { s: 0.3, l: 0.5 } } }])
    expect([latte.modifiers, latte.details]).toEqual([
      [size.id, milk.id],
      {
        sizes: { modifier: size.id, prices: { s: { price: 3 }, l: { price: 3.8 } } },
        modifierRules: [{ modifier: milk.id, max: 1 }],
      },
    ])
    const [menu] = await list(venue, 'menus')
    expect([menu.sections[0].items, menu.details]).toEqual([
      [latte.id, cake.id],
      { prices: [{ product: latte.id, sizes: { l: 3.5 } }] },
    ])
    const [coupon] = (await venue.get('/coupons')).body
    expect([coupon.code, coupon.products, coupon.applyToAllProducts]).toEqual(['10-OFF', [cake.id], false])
    expect(toCounts(await importFile(venue, auto, JSON.stringify(catalogue), text))).toEqual({
      ...{ rows: 6, checked: 6, applied: 6, unchanged: 6 },
    })
  })

  test('loses references to rows with issues, and nothing more', async () => {
    const venue = await createVenue()
    const [cake, latte] = catalogue.products
    const file = { ...catalogue, products: [{ ...cake, price: 'much' }, latte] }
    const done = await importFile(venue, auto, JSON.stringify(file), text)
    expect(await listIssues(venue, done.id)).toEqual(['1 /price invalid_format'])
    const [product] = await list(venue, 'products')
    const [menu] = await list(venue, 'menus')
    expect(menu.sections[0].items).toEqual([product.id])
    const [coupon] = (await venue.get('/coupons')).body
    expect([coupon.products, coupon.applyToAllProducts]).toEqual([[], false])
  })

  test('has issues for indexes that do not exist, and names members that are no list', async () => {
    const venue = await createVenue()
    const file = {
      products: [
        { title: 'Tea', price: 3, modifiers: [4] },
        { title: 'Pie', price: 3 },
      ],
      prodcts: [{}],
    }
    const ready = await check(venue, auto, JSON.stringify(file), text)
    expect(await listIssues(venue, ready.id)).toEqual(['1 /modifiers/0 invalid_type'])
    expect(ready.reading.notices).toEqual([
      { code: 'part_left_out', count: 1, message: '"prodcts" is no list of a catalogue file' },
    ])
  })

  test('of the demo venue gets in whole, and again without a change', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, auto, JSON.stringify(demo), text)
    expect(await listIssues(venue, done.id)).toEqual([])
    const rows = demo.products.length + demo.modifiers.length + demo.menus.length
    expect(done.created).toBe(done.rows)
    expect(done.rows).toBeGreaterThanOrEqual(rows)
    const again = await importFile(venue, auto, JSON.stringify(demo), text)
    expect(toCounts(again)).toMatchObject({ unchanged: again.rows })
  })

  test('is told from lists of other systems', async () => {
    const venue = await createVenue()
    const shop = { products: [{ id: 1, title: 'Tea', body_html: '<p>Hot</p>', price: '3.00', vendor: 'x' }] }
    expect((await check(venue, auto, JSON.stringify(shop), text)).reading.kind).toBe('json')
  })
})

describe('a file with one object', () => {
  test.each([
    ['of our own', { resource: 'menus', title: 'Day', sections: [{ title: 'Hot', items: [] }] }, 'menus'],
    ['with fields of a product', { name: 'Tea', price: 3 }, 'products'],
  ])('%s is read as one row', async (_, object, resource) => {
    const venue = await createVenue()
    for (const file of [JSON.stringify(object), JSON.stringify(object, null, 2)]) {
      const ready = await check(venue, auto, file, text)
      expect([ready.resource, ready.rows, await listIssues(venue, ready.id)]).toEqual([resource, 1, []])
    }
  })

  test('of another kind is rejected', async () => {
    const venue = await createVenue()
    const { body } = await upload(venue, auto, JSON.stringify({ name: 'x', dependencies: { a: '1' } }), text)
    expect(body.code).toBe('unsupported_file')
  })
})

describe('lines of our own with mapping=auto', () => {
  test('say the whole object, and find modifiers by their title', async () => {
    const venue = await createVenue()
    const lines = (items: string[], modifiers: string[]) =>
      toJsonLines([
        { resource: 'modifiers', id: 'M', title: 'Milk', instructions: '', options: [{ label: 'Oat' }] },
        ...['A', 'B'].map((id) => ({ resource: 'products', externalId: id, title: id, price: 3, modifiers })),
        { resource: 'menus', title: 'Day', sections: [{ title: 'Hot', items }] },
      ])
    await importFile(venue, auto, lines(['A', 'B'], ['M']), text)
    const again = await importFile(venue, auto, lines(['A', 'B'], ['M']), text)
    expect(toCounts(again)).toMatchObject({ unchanged: 4 })
    const changed = await importFile(venue, auto, lines(['B'], []), text)
    expect(toCounts(changed)).toMatchObject({ updated: 3, unchanged: 1 })
    const [menu] = await list(venue, 'menus')
    expect([menu.sections[0].items.length, (await list(venue, 'products'))[0].modifiers]).toEqual([1, []])
    expect(await list(venue, 'modifiers')).toHaveLength(1)
  })

  test('with one title twice are ambiguous if an object has it, and are created otherwise', async () => {
    const venue = await createVenue()
    const twice = toJsonLines(
      ['a', 'b'].map((label) => ({
        ...{ resource: 'modifiers', title: 'Milk', instructions: '', options: [{ label }] },
      })),
    )
    const first = await upload(venue, `${auto}&apply=true`, twice, text)
    expect(toCounts(await settle(venue, first.body.id))).toMatchObject({ created: 2 })
    const { id } = await check(venue, auto, twice, text)
    expect(await listIssues(venue, id)).toEqual(['1 /title ambiguous', '2 /title ambiguous'])
  })
})
