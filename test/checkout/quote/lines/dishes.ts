import { expect } from 'vitest'
import { createQuoteVenue } from '../quote-venue.ts'

/** A venue with functions that create products, modifiers and their details. */
export async function createDishVenue() {
  const base = await createQuoteVenue()
  const setDetails = async (path: string, body: object) => {
    const { status, body: answer } = await base.venue.post(`${path}/details`, body)
    expect([status, answer]).toEqual([200, expect.anything()])
  }
  /** Options are ids, or ids with their additional cost. */
  const createModifier = async (
    options: readonly (string | readonly [id: string, cost: number])[],
    fields: object = {},
    details?: object,
  ) => {
    const id = await base.create('/modifiers', {
      title: 'Choice',
      instructions: '',
      options: options.map((option) =>
        typeof option === 'string' ? { id: option } : { id: option[0], additionalCost: option[1] },
      ),
      ...fields,
    })
    if (details) await setDetails(`/modifiers/${id}`, details)
    return id
  }
  const createDish = async (fields: object = {}, details?: object) => {
    const id = await base.createProduct(fields)
    if (details) await setDetails(`/products/${id}`, details)
    return id
  }
  /** A product of 9.00 in the sizes S (3.00), M (3.50) and L (4.20). Its modifier adds 1.00 to each option, which never counts. */
  const createSized = async (modifiers: readonly string[] = [], fields: object = {}, details: object = {}) => {
    const size = await createModifier(
      [
        ['s', 1],
        ['m', 1],
        ['l', 1],
      ],
      { type: 'RADIO' },
    )
    const prices = { s: { price: 3 }, m: { price: 3.5 }, l: { price: 4.2 } }
    const product = await createDish(
      { price: 9, modifiers: [size, ...modifiers], ...fields },
      { sizes: { modifier: size, prices }, ...details },
    )
    return { product, size }
  }
  return { ...base, setDetails, createModifier, createDish, createSized }
}
