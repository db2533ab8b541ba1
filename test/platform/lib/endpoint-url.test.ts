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

describe('with private addresses that webhooks may reach', () => {
  const endpoints = { ALLOW_PRIVATE_WEBHOOKS: '192.168.1.0/24,127.0.0.0/8,fd00:1::/32', OWN_PORT: '8080' }
  const rules = { ...production, endpoints, ownHosts: ['menu.venue.com'] }

  test.each([
    'http://192.168.1.7/in',
    'https://192.168.1.7:9000/in',
    'http://192.168.1.255/in',
    'http://till.lan/in',
    'http://till:9000/in',
    'http://127.0.0.1:9000/in',
    'http://localhost:9000/in',
    'https://hooks.venue.com/in',
  ])('%j is accepted', (address) => expect(getEndpointIssue(address, rules)).toBeUndefined())

  test.each([
    ['http://192.168.2.7/in', 'must be an https address'],
    ['https://192.168.2.7/in', 'must use a host name, not an IP address'],
    ['http://192.168.0.255/in', 'must be an https address'],
    ['http://[fd00:1::7]/in', 'must be an https address'],
    ['http://169.254.169.254/in', 'must be an https address'],
    ['https://[::1]/in', 'must use a host name, not an IP address'],
    ['http://hooks.venue.com/in', 'must be an https address'],
    ['http://127.0.0.1:8080/in', 'must be an https address'],
    ['http://localhost:8080/in', 'must be an https address'],
    ['http://till.lan:8080/in', 'must be an https address'],
    ['http://menu.venue.com/in', 'must not be an address of this service'],
  ])('%j is rejected', (address, issue) => expect(getEndpointIssue(address, rules)).toBe(issue))

  test('without a list, none is accepted', () => {
    const none = { ...production, endpoints: { ALLOW_PRIVATE_WEBHOOKS: '' } }
    for (const address of ['http://192.168.1.7/in', 'http://till.lan/in', 'https://till.lan/in'])
      expect(getEndpointIssue(address, none)).toEqual(expect.any(String))
  })
})
