import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { defaultScopes, scopes } from '../../../../src/platform/auth/api-keys.ts'
import { createKey, createVenue } from '../../../support/api.ts'
import { createAuthenticator } from '../../../support/authenticator.ts'
import { type Holder, holders } from './holders.ts'

let rows = 0
/** A member without a session. */
async function insertMember(merchantId: string, role: string): Promise<string> {
  const id = `usr_matrix${++rows}`
  const values = [id, merchantId, `PERSON-${id}`, role, 'Bo', 1]
  await env.DB.prepare('insert into users (id, merchant_id, person, role, name, created_at) values (?, ?, ?, ?, ?, ?)')
    .bind(...values)
    .run()
  return id
}

/** A further passkey of a member. */
async function insertPasskey(userId: string): Promise<string> {
  const id = `passkey${++rows}`
  await env.DB.prepare(
    `insert into passkeys (id, person, public_key, algorithm, counter, transports, created_at)
     select ?, person, 'MFkw', -7, 0, '[]', 1 from users where id = ?`,
  )
    .bind(id, userId)
    .run()
  return id
}

/** Status of a request that succeeded, or the code of its problem. */
const outcome = ({ status, body }: { status: number; body?: { code?: string } }) =>
  status < 300 ? 'yes' : (body?.code ?? String(status))

/** Credentials by name, and how a holder creates them. Undefined: the holder has no route for it. */
const made: Readonly<Record<string, (holder: Holder, merchantId: string) => Promise<string | undefined>>> = {
  'key, default scopes': async ({ send, base }) =>
    outcome(await send('POST', `${base}/keys`, { mode: 'live', scopes: defaultScopes })),
  'key, all scopes': async ({ send, base }) => outcome(await send('POST', `${base}/keys`, { mode: 'live', scopes })),
  'key without an end': async ({ send, base }) => {
    const { status, body } = await send('POST', `${base}/keys`, { mode: 'test', scopes: ['webhooks:read'] })
    return status === 201 && body.expiresAt !== undefined ? 'with an end' : outcome({ status, body })
  },
  'rolled key, default scopes': async ({ send, base }, merchantId) => {
    const { keyId } = await createKey(merchantId, { mode: 'live' })
    return outcome(await send('POST', `${base}/keys/${keyId}/roll`, {}))
  },
  'invitation, owner': async ({ send, base }) => outcome(await send('POST', `${base}/invitations`, { role: 'owner' })),
  'invitation, staff': async ({ send, base }) => outcome(await send('POST', `${base}/invitations`, { role: 'staff' })),
  'another role': async ({ send, base }, merchantId) => {
    if (base.startsWith('/admin')) return undefined
    const id = await insertMember(merchantId, 'staff')
    return outcome(await send('POST', `${base}/members/${id}`, { role: 'manager' }))
  },
  'member removed': async ({ send, base }, merchantId) => {
    if (base.startsWith('/admin')) return undefined
    const id = await insertMember(merchantId, 'staff')
    return outcome(await send('DELETE', `${base}/members/${id}`))
  },
  'options of a passkey': async ({ send }) => outcome(await send('POST', '/console/passkeys/registration', {})),
  passkey: async ({ send }) => {
    const authenticator = await createAuthenticator()
    const { body: challenged } = await send('POST', '/console/passkeys/options', {}, { authorization: '' })
    const credential = await authenticator.register({ ...challenged, user: { id: 'AAAA' } })
    return outcome(await send('POST', '/console/passkeys', { credential }))
  },
  'passkey removed': async ({ send, userId }) => {
    const id = await insertPasskey(userId ?? '')
    return outcome(await send('DELETE', `/console/passkeys/${userId === undefined ? 'none' : id}`))
  },
  'passkey named': async ({ send, userId }) => {
    const id = await insertPasskey(userId ?? '')
    return outcome(await send('POST', `/console/passkeys/${userId === undefined ? 'none' : id}`, { title: 'Phone' }))
  },
}

const [ask, no, un] = ['assertion_required', 'forbidden', 'unauthenticated']
const yes = 'yes'
const noPasskeys = [un, un, un, un]
const operator = [undefined, undefined, ...noPasskeys]
const everyPasskey = [yes, yes, yes, yes]
/** An old assertion: a passkey is named, and nothing else. */
const onlyNamed = [ask, ask, ask, yes]

/** By credential, in the order of `made`. */
const expected: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'operator: token': [yes, yes, yes, yes, yes, yes, ...operator],
  'operator: session by token, new': [yes, yes, yes, yes, yes, yes, ...operator],
  'operator: session by token, old': [ask, ask, ask, ask, ask, ask, ...operator],
  'operator: session by Access': [ask, ask, ask, ask, ask, ask, ...operator],
  'operator: admin, new assertion': [yes, yes, yes, yes, yes, yes, ...operator],
  'operator: admin, old assertion': [ask, ask, ask, ask, ask, ask, ...operator],
  'operator: support, new assertion': [no, no, no, no, no, no, ...operator],
  'operator: support, old assertion': [no, no, no, no, no, no, ...operator],
  'key: all scopes': [yes, yes, yes, yes, yes, yes, yes, yes, ...noPasskeys],
  // Credentials that it creates have its expiry. A member has no expiry.
  'key: all scopes, with an end': [yes, yes, 'with an end', no, no, no, no, yes, ...noPasskeys],
  'key: all scopes, test mode': [no, no, yes, no, no, no, no, no, ...noPasskeys],
  'key: default scopes': [no, no, no, no, no, no, no, no, ...noPasskeys],
  'session of a key: all scopes': [yes, yes, yes, yes, yes, yes, yes, yes, ...noPasskeys],
  'session of a key: all scopes, with an end': [yes, yes, 'with an end', no, no, no, no, yes, ...noPasskeys],
  'session of a key: default scopes': [no, no, no, no, no, no, no, no, ...noPasskeys],
  'owner: new assertion': [yes, yes, yes, yes, yes, yes, yes, yes, ...everyPasskey],
  'owner: old assertion': [ask, ask, ask, ask, ask, ask, ask, ask, ...onlyNamed],
  'manager: new assertion': [no, no, no, no, no, no, no, no, ...everyPasskey],
  'manager: old assertion': [no, no, no, no, no, no, no, no, ...onlyNamed],
  'staff: new assertion': [no, no, no, no, no, no, no, no, ...everyPasskey],
  'staff: old assertion': [no, no, no, no, no, no, no, no, ...onlyNamed],
  'developer: new assertion': [no, no, yes, no, no, no, no, no, ...everyPasskey],
  'developer: old assertion': [ask, ask, ask, ask, no, no, no, no, ...onlyNamed],
  'support: read': [no, no, no, no, no, no, no, no, ...noPasskeys],
  'support: write': [no, no, no, no, no, no, no, no, ...noPasskeys],
  nobody: [un, un, un, un, un, un, un, un, ...noPasskeys],
}

test('the matrix has every credential', () => expect(Object.keys(expected)).toEqual(Object.keys(holders)))

test.each(Object.entries(holders))('%s makes what it may, and nothing stronger', async (name, create) => {
  const { id } = await createVenue()
  const outcomes: Record<string, string | undefined> = {}
  for (const [what, make] of Object.entries(made)) outcomes[what] = await make(await create(id), id)
  const wanted = Object.keys(made).map((what, index) => [what, expected[name]?.[index]] as const)
  expect(outcomes).toEqual(Object.fromEntries(wanted))
})
