import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { type ApiResponse, createVenue } from '../../support/api.ts'
import { createContract } from '../../support/openapi-contract.ts'
import { document } from './openapi-document.ts'

const contract = createContract(document)

/** The differences between a response and the document. */
const findDeviation = (method: string, path: string, { status, headers, body }: ApiResponse) =>
  contract({
    method,
    path: path.replace(/\?.*/, ''),
    status,
    headers,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('the contract', () => {
  test('rejects responses with an unknown field or without a required one', async () => {
    const venue = await createVenue()
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 4 })
    const response = await venue.get(`/products/${product.id}`)
    const path = venue.path(`/products/${product.id}`)
    const { price: _, ...incomplete } = response.body
    const { colour, ...anonymous } = { ...response, colour: 'red', headers: new Headers(response.headers) }
    anonymous.headers.delete('request-id')
    expect(findDeviation('GET', path, response)).toBeUndefined()
    expect(findDeviation('GET', path, { ...response, body: incomplete })).toMatch(/price/)
    expect(findDeviation('GET', path, { ...response, body: { ...response.body, colour } })).toMatch(/colour/)
    expect(findDeviation('GET', path, { ...response, body: '' })).toBe('no body')
    expect(findDeviation('GET', path, { ...response, status: 418 })).toBe('is not documented')
    expect(findDeviation('GET', path, anonymous)).toBe('no Request-Id')
    expect(findDeviation('HEAD', path, response)).toBe('a body')
    expect(findDeviation('PUT', path, response)).toBe('is not documented')
    expect(findDeviation('PUT', path, { ...response, status: 405 })).toBe('no Allow')
    expect(findDeviation('GET', '/nowhere', { ...response, status: 404 })).toBe('application/json instead of a problem')
    expect(
      findDeviation('GET', path, {
        ...response,
        headers: new Headers({ ...Object.fromEntries(response.headers), 'content-type': 'text/html' }),
      }),
    ).toBe('text/html is not documented')
  })

  test('is checked in every test', async () => {
    const fetch = async () => new Response('<p>', { headers: { 'content-type': 'text/html', etag: '"1"' } })
    const ASSETS = Object.assign(Object.create(null), { fetch })
    await expect(app.request('/openapi.json', {}, { ...env, ASSETS })).rejects.toThrow('text/html is not documented')
  })
})
