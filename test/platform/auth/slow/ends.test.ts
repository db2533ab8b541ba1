import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test } from 'vitest'
import { call, createVenue } from '../../../support/api.ts'
import { credentials, outdateChecks, restoreChecks, runElsewhere, startReading } from './slow-requests.ts'

afterEach(restoreChecks)

type Name = keyof typeof credentials
/** How a credential ends: the statement of another isolate, what it names, and the problem of the next request. */
type End = readonly [sql: string, names: 'owner' | 'session' | 'merchant', code: string]

const ofMerchant: Readonly<Record<string, End>> = {
  'the merchant is suspended': ['update merchants set suspended_at = 1 where id = ?', 'merchant', 'merchant_suspended'],
  'the merchant is closed': ['update merchants set closed_at = 1 where id = ?', 'merchant', 'merchant_suspended'],
}
const endsOfKey = (table: 'keys' | 'platform_keys'): Readonly<Record<string, End>> => ({
  'the key is revoked': [`delete from ${table} where id = ?`, 'owner', 'unauthenticated'],
  'the key expires': [`update ${table} set expires_at = 1 where id = ?`, 'owner', 'unauthenticated'],
  'the address is forbidden': [
    `update ${table} set allowed_ips = '["203.0.113.0/24"]' where id = ?`,
    'owner',
    'address_not_allowed',
  ],
})
const ofKey = { ...endsOfKey('keys'), ...ofMerchant }
const ofSession: Readonly<Record<string, End>> = {
  'the session is ended': ['delete from sessions where id = ?', 'session', 'unauthenticated'],
  'the session expires': ['update sessions set created_at = 1 where id = ?', 'session', 'unauthenticated'],
}
const ofMember: Readonly<Record<string, End>> = {
  'the member is removed': ['delete from users where id = ?', 'owner', 'unauthenticated'],
  'the member is demoted': [`update users set role = 'staff' where id = ?`, 'owner', 'forbidden'],
  ...ofSession,
  ...ofMerchant,
}
const ofOperator: Readonly<Record<string, End>> = {
  'the operator is removed': [
    'update operators set removed_at = 1, email = null, person = null where id = ?',
    'owner',
    'unauthenticated',
  ],
  'the operator is demoted': [`update operators set role = 'support' where id = ?`, 'owner', 'forbidden'],
  'the session is ended': ['delete from operator_sessions where id = ?', 'session', 'unauthenticated'],
  'the session expires': ['update operator_sessions set created_at = 1 where id = ?', 'session', 'unauthenticated'],
}
const isStale = (table: string): End => [
  `update ${table} set asserted_at = 1 where id = ?`,
  'session',
  'assertion_required',
]

/** Requests that succeed unless the credential ends: path below the merchant, or from the root, and body. */
const dish = ['/products', { title: 'Soup', price: 6 }] as const
const invitation = ['/invitations', { role: 'owner' }] as const
const newKey = ['/keys', { mode: 'test', scopes: ['webhooks:read'] }] as const
const newOperator = ['/admin/operators', { role: 'admin', name: 'Bo' }] as const
const settings = ['/admin/merchants/:id', { name: 'Renamed' }] as const

const cases: readonly (readonly [Name, readonly [string, object], Readonly<Record<string, End>>])[] = [
  ['key', dish, ofKey],
  ['key', invitation, ofKey],
  ['session of a key', dish, { ...ofKey, ...ofSession }],
  ['owner', dish, ofSession],
  ['owner', invitation, { ...ofMember, 'the assertion is old': isStale('sessions') }],
  ['manager', dish, ofMember],
  ['developer', newKey, { ...ofMember, 'the assertion is old': isStale('sessions') }],
  [
    'support',
    dish,
    {
      'the hour ends': [
        'update sessions set created_at = created_at - 3600 where id = ?',
        'session',
        'unauthenticated',
      ],
      'the hour is ended': ['delete from sessions where id = ?', 'session', 'unauthenticated'],
      'support is turned off': [
        `update merchants set support_access = 'off' where id = ?`,
        'merchant',
        'unauthenticated',
      ],
      'support may only read': [`update merchants set support_access = 'read' where id = ?`, 'merchant', 'forbidden'],
      'the operator is removed': ['update operators set removed_at = 1 where id = ?', 'owner', 'unauthenticated'],
      ...ofMerchant,
    },
  ],
  ['admin operator', settings, ofOperator],
  ['admin operator', newOperator, { ...ofOperator, 'the assertion is old': isStale('operator_sessions') }],
  ['session of the token', settings, { 'the session is ended': ofOperator['the session is ended'] ?? isStale('') }],
  ['platform key', settings, endsOfKey('platform_keys')],
]
const all = cases.flatMap(([name, request, ends]) =>
  Object.entries(ends).map(([what, end]) => ({ name, request, end, title: `${name}: ${request[0]}, ${what}` })),
)

describe.each(['d1', 'object'])('at home %s', (home) => {
  test.each(all)('$title', async ({ name, request: [path, body], end: [sql, names, code] }) => {
    const venue = await createVenue({ home })
    const { headers, owner, ending } = await credentials[name](venue.id)
    const filled = path.startsWith('/admin') ? path.replace(':id', venue.id) : `/merchants/${venue.id}${path}`
    const text = JSON.stringify(body)
    const start = () => startReading('POST', filled, headers, text)
    const [kept, lost] = [await start(), await start()]
    outdateChecks()
    const { status, body: problem } = await kept()
    expect([200, 201], JSON.stringify(problem)).toContain(status)
    await runElsewhere(sql, { owner: owner[1], session: ending[1], merchant: venue.id }[names])
    expect((await lost()).body.code).toBe(code)
    // The checks have replaced what this isolate had cached.
    restoreChecks()
    expect((await call('POST', filled, undefined, body, headers)).body.code).toBe(code)
  })
})

test('a check that is repeated reads what another isolate has written, though this one caches the key', async () => {
  const venue = await createVenue()
  const { headers } = await credentials.key(venue.id)
  const finish = await startReading('POST', venue.path('/products'), headers, JSON.stringify(dish[1]))
  await env.DB.prepare(`update keys set scopes = '["products:read"]' where merchant_id = ?`).bind(venue.id).run()
  outdateChecks()
  expect((await finish()).body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('products:write') })
})
