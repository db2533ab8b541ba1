import { expect } from 'vitest'
import { createVenue } from '../../support/api.ts'

/** A venue with functions that create objects and request quotes. */
export async function createQuoteVenue() {
  const venue = await createVenue()
  const create = async (path: string, body: object): Promise<string> => (await venue.post(path, body)).body.id
  const createProduct = (fields: object = {}) => create('/products', { title: 'Tea', price: 2, ...fields })
  const quote = async (body: object) => {
    const { status, body: response } = await venue.post('/quotes', body)
    expect([status, response]).toEqual([200, expect.anything()])
    return response
  }
  const codes = async (body: object) =>
    (await quote(body)).issues.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)
  return { venue, create, createProduct, quote, codes }
}
