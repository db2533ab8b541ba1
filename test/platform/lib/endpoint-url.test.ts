import { describe, expect, test } from 'vitest'
import { getEndpointIssue } from '../../../src/platform/lib/endpoint-url.ts'
import { hostile } from '../../support/hostile.ts'

const production = { allowInsecureWebhooks: false, ownHosts: ['api.venue.com', 'menu.venue.com:8443'] }
const development = { allowInsecureWebhooks: true, ownHosts: ['localhost:8787'] }

describe.each(Object.entries(hostile))('%s', (_kind, addresses) => {
  test.each(addresses)('%j is rejected', (address) => {
    expect(getEndpointIssue(address, production)).toEqual(expect.any(String))
  })
})

test('the table of hostile addresses is long and has no duplicates', () => {
  const all = Object.values(hostile).flat()
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  'https://hooks.venue.com',
  'https://hooks.venue.com/in?a=b&c=%20d',
  'https://hooks.venue.com:8443/in',
  'HTTPS://Hooks.Venue.Com/in',
  'https://hooks.venue.com./in',
  'https://hooks.example.com/in',
  'https://xn--bcher-kva.ch/in',
  'https://bücher.ch/in',
  'https://localhost.venue.com/in',
  'https://my-local.venue.com/in',
  'https://10.venue.com/in',
  'https://api.venue.com.evil.com/in',
  'https://hooks.venue.com/@127.0.0.1/',
  'https://hooks.venue.com/?u=user:pass@host',
  'https://shop.venue.com/in',
])('%j is accepted', (address) => {
  expect(getEndpointIssue(address, production)).toBeUndefined()
})

describe('in local development', () => {
  test.each([
    'http://localhost:9000/in',
    'http://127.0.0.1:9000/in',
    'http://[::1]:9000/in',
    'https://hooks.venue.com/in',
  ])('%j is accepted', (address) => {
    expect(getEndpointIssue(address, development)).toBeUndefined()
  })

  test.each([
    'http://localhost:8787/merchants',
    'http://hooks.venue.com/in',
    'http://10.0.0.1/in',
    'http://0.0.0.0:9000/in',
    'http://169.254.169.254/in',
    'https://192.168.1.1/in',
    'http://user:pass@localhost:9000/in',
    'https://localhost:9000/in',
    'http://localhost:9000/a b',
    'http://till:9000/in',
  ])('%j is rejected too', (address) => {
    expect(getEndpointIssue(address, development)).toEqual(expect.any(String))
  })
})
