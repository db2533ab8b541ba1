import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../../support/api.ts'
import { full, useVenue } from './detailed-objects.ts'

useVenue()

describe('include=details', () => {
  test('adds them to lists and retrievals', async () => {
    const shop = await createVenue()
    const { id } = (await shop.post('/products', { title: 'Tea', price: 1 })).body
    const plain = (await shop.post('/products', { title: 'Water', price: 1 })).body
    await shop.post(`/products/${id}/details`, full)
    await shop.post(`/products/${id}/external-id`, { externalId: 'T/1' })
    const shown = async (path: string) => (await shop.get(path)).body
    expect((await shown(`/products/${id}?include=details`)).details).toEqual(full)
    expect((await shown(`/products/${id}`)).details).toBeUndefined()
    expect(await shown('/products/external/T%2F1?include=details,version')).toMatchObject({ details: full, version: 2 })
    const listed = await shown('/products?include=details,externalId&order=asc')
    expect(listed.map(({ details, externalId }: Record<string, unknown>) => [externalId, details])).toEqual([
      ['T/1', full],
      [undefined, {}],
    ])
    expect((await shown(`/products/${plain.id}?include=details`)).details).toEqual({})
    expect(toIssues(await shop.get('/coupons?include=details'))).toEqual(['include invalid_value'])
    expect(toIssues(await shop.get('/customers/none?include=details'))).toEqual(['include invalid_value'])
    expect(toIssues(await shop.post('/products', { title: 'x', price: 1, details: {} }))).toEqual([
      '/details read_only_field',
    ])
  })

  test('keeps pages within their budget, and reads large details whole', async () => {
    const shop = await createVenue()
    const long = { description: 'ß'.repeat(5_000) }
    const ids: string[] = []
    for (let index = 0; index < 3; index++) {
      const { id } = (await shop.post('/products', { title: `${index}`, price: 1 })).body
      ids.push(id)
      for (const names of [['de', 'fr', 'it', 'es', 'pt', 'pl', 'cs', 'da', 'sv', 'fi']]) {
        await shop.post(`/products/${id}/details`, {
          translations: Object.fromEntries(names.map((name) => [name, long])),
        })
      }
    }
    const { body } = await shop.get('/products?include=details&order=asc&limit=100')
    expect(
      body.map(({ id, details }: { id: string; details: { translations: object } }) => [
        id,
        Object.keys(details.translations).length,
      ]),
    ).toEqual(ids.map((id) => [id, 10]))
  })

  test('exports carry them beside the object', async () => {
    const shop = await createVenue()
    const { id } = (await shop.post('/products', { title: 'Tea', price: 1 })).body
    await shop.post('/products', { title: 'Water', price: 1 })
    await shop.post(`/products/${id}/details`, full)
    const lines = String((await shop.get('/export?resources=products')).body)
      .trim()
      .split('\n')
    const objects = lines.map((line) => JSON.parse(line)).filter(({ resource }) => resource === 'products')
    expect(objects.map(({ object, details }) => [object.title, details])).toEqual([
      ['Tea', full],
      ['Water', undefined],
    ])
  })
})
