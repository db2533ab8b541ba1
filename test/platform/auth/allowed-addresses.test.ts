import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { formatRange, isWithin, parseRange } from '../../../src/platform/auth/allowed-addresses.ts'
import { scopes } from '../../../src/platform/auth/api-keys.ts'
import { clearCredentialCaches } from '../../../src/platform/auth/sessions.ts'
import { createSession, sameOrigin, signIn } from '../../admin/account/session-requests.ts'
import { adminToken, call, createKey, createVenue, send, toIssues } from '../../support/api.ts'

const canonical = (text: string) => {
  const range = parseRange(text)
  return range && formatRange(range)
}

describe('a range of addresses', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['198.51.100.1/0', '0.0.0.0/0'],
    ['0.0.0.0/32', '0.0.0.0/32'],
    ['2001:DB8:0:0:1::1', '2001:db8::1:0:0:1/128'],
    ['2001:db8:40:1::/48', '2001:db8:40::/48'],
    ['2001:db8::1/0', '::/0'],
    ['::', '::/128'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:cb00:7107/120', '203.0.113.0/24'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
    ['1:2:3:4:5:6:7:8/127', '1:2:3:4:5:6:7:8/127'],
  ])('%s is stored as %s', (text, stored) => {
    expect(canonical(text)).toBe(stored)
    expect(canonical(stored)).toBe(stored)
  })

  test.each([
    ...[
      '',
      ' ',
      '/',
      '/24',
      '203.0.113',
      '203.0.113.256',
      '203.0.113.07',
      '0xcb.0.113.7',
      '3405803783',
      '203.0.113.7/33',
    ],
    ...['203.0.113.7/', '203.0.113.7/-1', '203.0.113.7/024', '203.0.113.7/24/24', '203.0.113.7:80', 'localhost', '*'],
    ...[
      '2001:db8::/129',
      '2001:db8:::1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      'fe80::1%eth0',
      '[::1]',
      '::ffff:203.0.113.256',
    ],
    ...['203.0.113.7 ', '２０３.0.113.7', '203.0.113.7\n', 'g::1'],
  ])('is not %j', (text) => expect(parseRange(text)).toBeUndefined())

  test('contains exactly the addresses that share its first bits', () => {
    const inside = (range: string, ...addresses: string[]) => addresses.map((address) => isWithin([range], address))
    expect(inside('203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0')).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(inside('203.0.113.6/31', '203.0.113.5', '203.0.113.6', '203.0.113.7', '203.0.113.8')).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(inside('203.0.113.7/32', '203.0.113.6', '203.0.113.7', '203.0.113.8')).toEqual([false, true, false])
    expect(inside('0.0.0.0/0', '0.0.0.0', '255.255.255.255', '::1', '::', '::ffff:1.2.3.4')).toEqual([
      true,
      true,
      false,
      false,
      true,
    ])
    expect(inside('::/0', '::', 'ffff::', '203.0.113.7', '::ffff:203.0.113.7')).toEqual([true, true, false, false])
    expect(inside('2001:db8::/33', '2001:db8:7fff::', '2001:db8:8000::')).toEqual([true, false])
    expect(inside('2001:db8::1/128', '2001:db8::1', '2001:db8::2', '2001:0DB8:0::0:1')).toEqual([true, false, true])
    expect(inside('::ffff:203.0.113.7/128', '203.0.113.7', '::ffff:cb00:7107', '::cb00:7107')).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('a key with allowedIps', () => {
  const from = (key: string, address?: string) =>
    call('GET', `/merchants/${owner.id}`, key, undefined, address === undefined ? {} : { 'cf-connecting-ip': address })
  let owner = { id: '' }
  const openVenue = async () => {
    const venue = await createVenue()
    owner = venue
    return venue
  }
  const all = ['merchant:read', 'keys:read', 'keys:write', 'members:read', 'members:write']
  const allowedIps = ['203.0.113.0/24', '2001:db8:40::/48']

  test('is accepted only from these addresses, also when an isolate knows it', async () => {
    const venue = await openVenue()
    const created = await call('POST', `/admin/merchants/${venue.id}/keys`, adminToken, {
      mode: 'live',
      scopes: all,
      allowedIps: ['203.0.113.9/24', '2001:db8:40:7::/48'],
    })
    expect([created.status, created.body.allowedIps]).toEqual([201, allowedIps])
    const { key } = created.body
    for (let round = 0; round < 2; round++) {
      for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8:40:ffff::1'])
        expect([address, (await from(key, address)).status]).toEqual([address, 200])
      for (const address of ['203.0.112.1', '2001:db8:41::1', '203.0.113.0/24', 'unknown', '', undefined]) {
        const { status, body } = await from(key, address)
        expect([address, status, body.code]).toEqual([address, 403, 'address_not_allowed'])
      }
      clearCredentialCaches()
    }
    const listed = (await call('GET', `/admin/merchants/${venue.id}/keys`, adminToken)).body
    expect(listed.find(({ id }: { id: string }) => id === created.body.id).allowedIps).toEqual(allowedIps)
  })

  test('has sessions that are accepted only from these addresses', async () => {
    const venue = await openVenue()
    const limited = await createKey(venue.id, { mode: 'live', scopes: all, allowedIps })
    const elsewhere = await signIn(limited.key)
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'address_not_allowed'])
    const here = { 'cf-connecting-ip': '203.0.113.1' }
    const { cookie } = await createSession(limited.key, here)
    const read = async (headers: Record<string, string>) => {
      const { status, body } = await send(`/merchants/${venue.id}`, { headers: { ...sameOrigin, cookie, ...headers } })
      return [status, body.code]
    }
    for (let round = 0; round < 2; round++) {
      expect(await read(here)).toEqual([200, undefined])
      expect(await read({ 'cf-connecting-ip': '198.51.100.1' })).toEqual([403, 'address_not_allowed'])
      expect(await read({})).toEqual([403, 'address_not_allowed'])
      clearCredentialCaches()
    }
    expect((await send('/console/session', { headers: { ...sameOrigin, cookie } })).status).toBe(403)
  })

  test('gives no key or person access from elsewhere', async () => {
    const venue = await openVenue()
    const limited = await createKey(venue.id, { mode: 'live', scopes: [...scopes], allowedIps })
    const wide = await createKey(venue.id, { mode: 'test', scopes: ['merchant:read'] })
    const post = (path: string, json: unknown) =>
      call('POST', `/merchants/${venue.id}${path}`, limited.key, json, { 'cf-connecting-ip': '203.0.113.1' })
    const fields = { mode: 'test', scopes: ['merchant:read'] }
    expect((await post('/keys', fields)).body.allowedIps).toEqual(allowedIps)
    expect((await post('/keys', { ...fields, allowedIps: ['203.0.113.64/26'] })).body.allowedIps).toEqual([
      '203.0.113.64/26',
    ])
    expect(toIssues(await post('/keys', { ...fields, allowedIps: ['203.0.113.0/25', '203.0.112.0/23'] }))).toEqual([
      '/allowedIps/1 invalid_value',
    ])
    expect((await post(`/keys/${wide.keyId}/roll`, {})).body.code).toBe('forbidden')
    const { status, body } = await post('/invitations', { role: 'owner' })
    expect([status, body.detail]).toEqual([403, expect.stringContaining('limited to addresses')])
    const rolled = await post(`/keys/${limited.keyId}/roll`, {})
    expect([rolled.status, rolled.body.allowedIps]).toEqual([201, allowedIps])
    expect((await from(rolled.body.key, '198.51.100.1')).body.code).toBe('address_not_allowed')
  })

  test('names 1 to 20 ranges', async () => {
    const venue = await openVenue()
    const of = async (ips: unknown) =>
      toIssues(await call('POST', `/admin/merchants/${venue.id}/keys`, adminToken, { mode: 'live', allowedIps: ips }))
    expect(await of([])).toEqual(['/allowedIps too_short'])
    expect(await of(Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`))).toEqual(['/allowedIps too_many'])
    expect(await of(['203.0.113.7', 'localhost'])).toEqual(['/allowedIps/1 invalid_format'])
    expect(await of('203.0.113.7')).toEqual(['/allowedIps invalid_type'])
    expect(await of(Array.from({ length: 20 }, (_, n) => `203.0.113.${n}`))).toEqual(['201 undefined'])
  })

  test('is not accepted if its list is damaged', async () => {
    const venue = await openVenue()
    const { key } = await createKey(venue.id, { mode: 'live', scopes: all, allowedIps })
    await env.DB.prepare(`update keys set allowed_ips = '[7]' where merchant_id = ? and last4 = ?`)
      .bind(venue.id, key.slice(-4))
      .run()
    clearCredentialCaches()
    expect((await from(key, '203.0.113.1')).status).toBe(401)
  })
})
