import { describe, expect, test } from 'vitest'
import { createDishVenue } from './dishes.ts'

const { venue, codes, createModifier, createDish, createSized } = await createDishVenue()
type Chosen = readonly [modifier: string, option: string, quantity?: number, options?: object[]]
const order = (product: string, ...options: Chosen[]) => ({
  items: [
    {
      product,
      quantity: 2,
      options: options.map(([modifier, option, quantity, nested]) => ({ modifier, option, quantity, options: nested })),
    },
  ],
})

describe('an option that is sold out', () => {
  const sellOut = async (modifier: string, marks: Record<string, object>) => {
    const { status, body } = await venue.post(`/modifiers/${modifier}/availability`, { options: marks })
    expect([status, body]).toEqual([200, expect.anything()])
  }

  test('is an issue until the second at which it is back', async () => {
    const modifier = await createModifier(['oat', 'soy'])
    const product = await createDish({ modifiers: [modifier] })
    const until = Math.floor(Date.now() / 1000) + 3600
    await sellOut(modifier, { oat: { soldOut: true, until } })
    const oat = order(product, [modifier, 'oat'])
    expect(await codes(oat)).toEqual(['/items/0/options/0/option option_sold_out'])
    expect(await codes({ ...oat, at: until - 1 })).toEqual(['/items/0/options/0/option option_sold_out'])
    expect(await codes({ ...oat, at: until })).toEqual([])
    expect(await codes(order(product, [modifier, 'soy']))).toEqual([])
    await sellOut(modifier, { oat: { soldOut: false } })
    expect(await codes(oat)).toEqual([])
  })

  test('makes the product sold out if too few options are left', async () => {
    const modifier = await createModifier(['oat', 'soy'], { rules: { required: true } })
    const product = await createDish({ modifiers: [modifier] })
    await sellOut(modifier, { oat: { soldOut: true } })
    expect(await codes(order(product, [modifier, 'soy']))).toEqual([])
    await sellOut(modifier, { soy: { soldOut: true } })
    expect(await codes(order(product, [modifier, 'soy']))).toEqual([
      '/items/0/product sold_out',
      '/items/0/options/0/option option_sold_out',
    ])
  })

  test('makes the option sold out that requires it', async () => {
    const sauce = await createModifier(['hot'], {}, { min: 1 })
    const dip = await createModifier(['dips', 'none'], {}, { options: { dips: { modifiers: [sauce] } } })
    const product = await createDish({ modifiers: [dip] })
    await sellOut(sauce, { hot: { soldOut: true } })
    const hot = [{ modifier: sauce, option: 'hot' }]
    expect(await codes(order(product, [dip, 'dips', 1, hot]))).toEqual([
      '/items/0/options/0/option option_sold_out',
      '/items/0/options/0/options/0/option option_sold_out',
    ])
    expect(await codes(order(product, [dip, 'none']))).toEqual([])
  })

  test('can be a size; without any size left, the product is sold out', async () => {
    const { product, size } = await createSized()
    const small: Chosen = [size, 's']
    await sellOut(size, { s: { soldOut: true }, m: { soldOut: true } })
    expect(await codes(order(product, small))).toEqual(['/items/0/options/0/option option_sold_out'])
    expect(await codes(order(product, [size, 'l']))).toEqual([])
    await sellOut(size, { l: { soldOut: true } })
    expect(await codes(order(product, small))).toEqual([
      '/items/0/product sold_out',
      '/items/0/options/0/option option_sold_out',
    ])
  })
})
