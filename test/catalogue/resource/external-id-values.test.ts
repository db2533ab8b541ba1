import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'

const venue = await createVenue()
const body = { title: 'Tea', price: 1 }
const at = (externalId: string) => `/products/external/${encodeURIComponent(externalId)}`
const put = (externalId: string) => venue.request('PUT', at(externalId), body)
const { body: product } = await venue.post('/products', body)
const set = (externalId: unknown) => venue.post(`/products/${product.id}/external-id`, { externalId })

test.each([
  'A',
  '0',
  'x'.repeat(128),
  '😀'.repeat(128),
  'external',
  'external-id',
  'a/b',
  '..%2F',
  '...',
  'a b',
  '%',
  '%41',
  '\'"\\',
  '\u00e9',
  'e\u0301',
  'SKU',
  'sku',
  '12345678901234567890',
  '1.0',
  '{"a":1}',
])('%j is stored exactly', async (externalId) => {
  const created = await put(externalId)
  expect([created.status, created.headers.get('external-id')]).toEqual([201, encodeURIComponent(externalId)])
  const { body: found } = await venue.get(`${at(externalId)}?include=externalId`)
  expect(found).toMatchObject({ id: created.body.id, externalId })
  const listed = await venue.get(`/products?externalIds=${encodeURIComponent(encodeURIComponent(externalId))}`)
  expect(listed.body).toMatchObject([{ id: created.body.id }])
  expect(await set(externalId)).toMatchObject({ status: 409 })
  expect((await venue.remove(at(externalId))).status).toBe(200)
  expect(await set(externalId)).toMatchObject({ status: 200, body: { externalId } })
})

test.each([
  ['x'.repeat(129), 'too_long'],
  ['😀'.repeat(129), 'too_long'],
  [' a', 'invalid_format'],
  ['a\u3000', 'invalid_format'],
  ['a\tb', 'invalid_format'],
  ['a\u0085b', 'invalid_format'],
  ['a\0b', 'invalid_character'],
])('%j is rejected', async (externalId, code) => {
  const response = await put(externalId)
  expect(toIssues(response)).toEqual([`externalId ${code}`])
  expect(toIssues(await set(externalId))).toEqual([`/externalId ${code}`])
  expect((await venue.get(at(externalId))).status).toBe(404)
  expect((await venue.remove(at(externalId))).status).toBe(404)
  const list = encodeURIComponent(encodeURIComponent(externalId))
  expect(toIssues(await venue.get(`/products?externalIds=${list}`))).toEqual(['externalIds invalid_format'])
})

test.each([
  ['', 'too_short'],
  ['.', 'invalid_format'],
  ['..', 'invalid_format'],
  ['\ud800', 'invalid_character'],
  [7, 'invalid_type'],
])('%j is rejected in a body', async (externalId, code) =>
  expect(toIssues(await set(externalId))).toEqual([`/externalId ${code}`]),
)

test('an impossible external id and the issues of the body are reported together', async () => {
  const response = await venue.request('PUT', at(' a'), { price: -1 })
  expect(toIssues(response)).toEqual(['/price too_small', '/title required', 'externalId invalid_format'])
})

describe('the parameter externalIds', () => {
  const list = (count: number) => Array.from({ length: count }, (_, n) => `none${n}`).join()

  test('takes 100 external ids', async () => {
    expect((await venue.get(`/products?externalIds=${list(100)}`)).body).toEqual([])
    expect(toIssues(await venue.get(`/products?externalIds=${list(101)}`))).toEqual(['externalIds too_many'])
  })

  test.each(['', 'a,', 'a,,b', '%25', 'a,%25zz', '%25ff'])('rejects %j', async (value) =>
    expect(toIssues(await venue.get(`/products?externalIds=${value}`))).toEqual(['externalIds invalid_format']),
  )

  test('combines with every other parameter', async () => {
    const { body: created } = await venue.request('PUT', at('combined'), { ...body, sku: 'S', title: 'Combined' })
    const rest = `sku=S&visible=true&updatedSince=0&q=combined&ids=${created.id}&order=asc&limit=1&include=version`
    expect((await venue.get(`/products?externalIds=combined&${rest}`)).body).toEqual([{ ...created, version: 1 }])
    expect((await venue.get('/products?externalIds=combined&sku=other')).body).toEqual([])
    expect((await venue.get('/products?externalIds=combined&updatedSince=99999999999')).body).toEqual([])
  })
})

test.each(['/products', `/products/${product.id}`, at('any')])(
  'an unknown field cannot be included: %s',
  async (path) => {
    expect(toIssues(await venue.get(`${path}?include=version,colour`))).toEqual(['include invalid_value'])
    expect(toIssues(await venue.get(`${path}?include=`))).toEqual(['include invalid_value'])
  },
)
