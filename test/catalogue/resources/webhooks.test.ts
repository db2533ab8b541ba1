import { describe, expect, test } from 'vitest'
import { createVenue, toIssues } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const venue = await createVenue()
const create = (url: unknown, rest: object = {}) => venue.post('/webhooks', { title: 'Till', url, ...rest })
/** The settings of a deployed service: the bindings of the tests allow webhooks to this machine. */
const bindings = { ALLOW_INSECURE_WEBHOOKS: undefined, PUBLIC_BASE_URL: 'https://orders.example.com' }
const createDeployed = (url: unknown) =>
  observe('POST', venue.path('/webhooks'), { key: venue.key, json: { title: 'Till', url }, bindings })
const existing = (await create('https://hooks.example.com/till')).body

const hostile: Record<string, string[]> = {
  'not an address': [
    'till',
    'hooks.example.com',
    '/till',
    '//hooks.example.com/',
    'https:',
    'https://',
    'https:hooks.example.com',
    'https:/hooks.example.com',
    'https:///hooks.example.com',
    'https://:443',
    'https://hooks.example.com:99999/',
    'https://hooks.example.com:x/',
    'https://ho%00oks.example.com/',
    'https://ho%2foks.example.com/',
    'https://xn--/',
    'https://[::1/',
  ],
  'another protocol': [
    'http://hooks.example.com/',
    'HTTP://hooks.example.com/',
    'ftp://hooks.example.com/',
    'ws://hooks.example.com/',
    'wss://hooks.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'blob:https://hooks.example.com/x',
    'view-source:https://hooks.example.com/',
    'httpss://hooks.example.com/',
  ],
  'an IP address': [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1.:443/',
    'https://127.0.0.1../',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1:8443/x',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://255.255.255.255/',
    'https://8.8.8.8/',
    'https://１２７.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[2606:4700:4700::1111]/',
  ],
  'a local name, or one without a dot': [
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://localhost./',
    'https://localhost../',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://a.localhost/',
    'https://till.local/',
    'https://till.local./',
    'https://till.LAN/',
    'https://till.home.arpa/',
    'https://metadata.google.internal/',
    'https://host.docker.internal/',
    'https://localhost.localdomain/',
    'https://wiki.intranet/',
    'https://till.corp/',
    'https://1.0.0.127.in-addr.arpa/',
    'https://x.onion/',
    'https://x.test/',
    'https://x.invalid/',
    'https://x.example/',
    'https://till/',
    'https://com/',
    'https://com./',
    'https://xn--bcher-kva/',
  ],
  'our own host': [
    'https://api.test/',
    'https://API.TEST/merchants',
    'https://orders.example.com/',
    'https://ORDERS.example.com:443/x',
    'https://orders%2eexample.com/',
    'https://orders.example.com./',
    'https://orders。example.com/',
  ],
  credentials: [
    'https://user:secret@hooks.example.com/',
    'https://user@hooks.example.com/',
    'https://:secret@hooks.example.com/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://us%65r@hooks.example.com/',
  ],
  'blanks, control characters and backslashes': [
    ' https://hooks.example.com/',
    'https://hooks.example.com/ ',
    'https://hooks.example.com/\n',
    'https://hooks.exa\tmple.com/',
    'ht\ntps://hooks.example.com/',
    'https://hooks.example.com/a b',
    'https://hooks.example.com/a\r\nHost: x',
    'https://hooks.example.com/\u0001',
    'https://hooks.example.com/\u007f',
    'https://hooks.example.com/\u0085',
    'https://hooks.example.com/\u00a0',
    '\ufeffhttps://hooks.example.com/',
    '\u3000https://hooks.example.com/',
    'https://hooks.example.com\\@evil.example.com/',
    'https:\\\\hooks.example.com/',
    'https://hooks.example.com\\till',
  ],
}

describe.each(Object.entries(hostile))('a webhook is not sent to %s', (_, urls) => {
  test.each(urls)('%j', async (url) => {
    expect(toIssues(await createDeployed(url))).toEqual(['/url invalid_value'])
    const path = venue.path(`/webhooks/${existing.id}`)
    expect(toIssues(await observe('POST', path, { key: venue.key, json: { url }, bindings }))).toEqual([
      '/url invalid_value',
    ])
  })
})

test('nor is it to something that is not a text, empty, too long or broken', async () => {
  const most = `https://hooks.example.com/${'é'.repeat(2_048 - 26)}`
  expect((await create(most)).body.url).toBe(most)
  expect(toIssues(await create(`${most}é`))).toEqual(['/url too_long'])
  expect(toIssues(await create(''))).toEqual(['/url too_short'])
  expect(toIssues(await create('https://hooks.example.com/\0'))).toEqual(['/url invalid_character'])
  expect(toIssues(await create('https://hooks.example.com/\ud800'))).toEqual(['/url invalid_character'])
  for (const url of [5, true, {}, ['https://hooks.example.com/']]) {
    expect(toIssues(await create(url))).toEqual(['/url invalid_type'])
  }
  const { secret: _secret, ...kept } = existing
  expect((await venue.get(`/webhooks/${existing.id}`)).body).toEqual(kept)
})

test.each([
  'https://hooks.example.com',
  'https://hooks.example.com:8443/a/b?c=d&e=%20#f',
  'HTTPS://Hooks.Example.COM/',
  'https://a.b.c.d.example.co.uk/',
  'https://bücher.example.com/ä?ö=ü',
  'https://xn--bcher-kva.example.com/',
  'https://localhost.example.com/',
  'https://127.0.0.1.example.com/',
  'https://internal-tools.example.com/',
  'https://hooks.example.com/https://127.0.0.1/',
  'https://hooks.example.com/?to=user@host',
  'https://hooks.example.com/@user',
  'https://1e100.net/',
])('a webhook is sent to %s, kept as it was given', async (url) => {
  expect(await createDeployed(url)).toMatchObject({ status: 201, body: { url } })
})

test.each(['http://localhost:8788/till', 'http://LOCALHOST/', 'http://127.0.0.1:8788/', 'http://[::1]:8788/'])(
  'only in development is a webhook sent to %s',
  async (url) => {
    expect(await create(url)).toMatchObject({ status: 201, body: { url } })
    expect(toIssues(await createDeployed(url))).toEqual(['/url invalid_value'])
  },
)

test.each([
  'http://hooks.example.com/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://169.254.169.254/',
  'http://[fd00::1]/',
  'http://till.local/',
  'http://till/',
  'http://user@localhost:8788/',
  'http://localhost.example.com/',
  'http://127.0.0.1.example.com/',
  'https://api.test/',
  'https://menu.example/',
])('not even in development is a webhook sent to %s', async (url) => {
  expect(toIssues(await create(url))).toEqual(['/url invalid_value'])
})

test('the bearer token is shown on create and retrieve, and nowhere else', async () => {
  const { body: made } = await create('https://hooks.example.com/secret', { active: false, events: ['*'] })
  expect(made.bearerToken).toMatch(/^\S{20,}$/)
  expect((await venue.get(`/webhooks/${made.id}`)).body.bearerToken).toBe(made.bearerToken)
  const responses = [
    await venue.get('/webhooks'),
    await venue.get(`/webhooks?ids=${made.id}`),
    await venue.post(`/webhooks/${made.id}`, { title: 'Other' }),
    await venue.post(`/webhooks/${made.id}`, { title: 'Other' }),
    await venue.remove(`/webhooks/${made.id}`),
  ]
  expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200))
  for (const { body } of responses) {
    expect(JSON.stringify(body)).not.toContain('bearerToken')
    expect(JSON.stringify(body)).not.toContain(made.bearerToken)
  }
  expect((await create('https://hooks.example.com/secret')).body.bearerToken).not.toBe(made.bearerToken)
})
