import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sqlName } from '../../../../src/platform/db/sql-name.ts'
import { adminToken, call, createKey, createVenue } from '../../../support/api.ts'
import { createAuthenticator, createMember, invite, signIn } from '../../../support/authenticator.ts'
import { tables } from '../../../support/tables.ts'
import { operations } from '../../../tools/openapi/parsed-document.ts'
import { createOperatorSession, type Holder, makeStale } from './holders.ts'

/** Columns that decide who gets in, in all tables of the schema: a new table counts without being named here. */
const deciding =
  /^(?:hash|invitationHash|email|publicKey|person|role|scopes|secret|token|assertedAt|expiresAt|testMode)$/
const identifying = /^(?:hash|publicKey|role|scopes|secret|token)$/
/** Tables with an expiry column that give no access: idempotent responses, and data that expires by itself. */
const harmless: ReadonlySet<string> = new Set(['idempotency_keys', 'imports'])
const credentialTables = tables
  .filter((table) => Object.keys(getTableColumns(table)).some((key) => identifying.test(key)))
  .filter((table) => !harmless.has(getTableName(table)))

/** Each row that decides about access, as text. */
async function readCredentials(): Promise<ReadonlySet<string>> {
  const found: string[] = []
  for (const table of credentialTables) {
    const columns = Object.keys(getTableColumns(table)).filter((key) => deciding.test(key))
    const list = columns.map((key) => `"${sqlName(key)}"`).join(', ')
    const { results } = await env.DB.prepare(`select id, ${list} from "${getTableName(table)}"`).all()
    found.push(...results.map((row) => `${getTableName(table)} ${JSON.stringify(row)}`))
  }
  return new Set(found)
}

/** Objects that operations can name. */
async function prepare(merchantId: string) {
  const { key, keyId } = await createKey(merchantId, { mode: 'live' })
  const other = await createMember(merchantId, 'staff')
  const venue = (path: string, json: unknown) => call('POST', `/merchants/${merchantId}${path}`, key, json)
  const admin = `/admin/merchants/${merchantId}/invitations`
  const invitation = await call('POST', admin, adminToken, { role: 'staff' })
  const product = await venue('/products', { title: 'Tea', price: 1 })
  const webhook = await venue('/webhooks', {
    title: 'Till',
    url: 'https://till.example/hook',
    events: ['product.created'],
  })
  return {
    merchantId,
    keyId,
    memberId: other.userId,
    passkeyId: other.authenticator.id,
    invitationId: invitation.body.id,
    productId: product.body.id,
    webhookId: webhook.body.id,
  }
}

/** Bodies with which operations that make credentials succeed; the others get the example of the document. */
const bodies: Readonly<Record<string, object>> = {
  updateMember: { role: 'manager' },
  createOwnInvitation: { role: 'staff' },
  createInvitation: { role: 'staff' },
}

/** Sends every operation that writes. Returns how many succeeded, and those after which a credential was there that was not before. */
async function findMakers({ send }: Pick<Holder, 'send'>, prefix: string, ids: Readonly<Record<string, string>>) {
  const makers: string[] = []
  let succeeded = 0
  const writes = operations.filter(({ method, path }) => method !== 'get' && path.startsWith(prefix))
  for (const { method, path, operation } of writes) {
    // These operations end what the others need.
    if (/^(?:close|suspend|endSession|delete|restore|move|recover)/i.test(operation.operationId)) continue
    const content = operation.requestBody?.content['application/json']
    const example =
      bodies[operation.operationId] ?? content?.example ?? Object.values(content?.examples ?? {})[0]?.value
    const before = await readCredentials()
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none')
    const { status } = await send(method.toUpperCase(), target, example ?? {})
    if (status < 300) succeeded++
    const after = await readCredentials()
    if ([...after].some((row) => !before.has(row))) makers.push(operation.operationId)
  }
  return { makers, succeeded }
}

test('the tables that decide who gets in are found by their columns', () => {
  expect(credentialTables.map(getTableName).sort()).toEqual([
    'invitations',
    'keys',
    'operator_sessions',
    'operators',
    'passkeys',
    'platform_keys',
    'sessions',
    'users',
  ])
})

test('no operation makes a credential with a session that was not confirmed', async () => {
  const venue = await createVenue()
  const owner = await createMember(venue.id)
  const ids = await prepare(venue.id)
  await makeStale(owner.cookie)
  const inVenue = await findMakers({ send: owner.request }, '/merchants/', ids)
  expect(inVenue.makers).toEqual([])
  expect(inVenue.succeeded).toBeGreaterThan(10)
  const inConsole = await findMakers({ send: owner.request }, '/console/', ids)
  expect(inConsole.makers).toEqual([])
})

test('no operation makes a credential with a session of the operator that was not confirmed', async () => {
  const session = await createOperatorSession()
  const ids = await prepare((await createVenue()).id)
  await makeStale(session.cookie)
  const { makers, succeeded } = await findMakers(session, '/admin/', ids)
  expect(makers).toEqual([])
  expect(succeeded).toBeGreaterThan(2)
})

test('no operation brings back the keys of a backup with a session of the operator that was not confirmed', async () => {
  const { id } = await createVenue()
  const session = await createOperatorSession()
  const requests = [
    ['PUT', `/admin/merchants/${id}/backups/100`],
    ['POST', `/admin/merchants/${id}/restore`],
    ['POST', `/admin/merchants/${id}/restore/continue`],
  ] as const
  const ask = async () => {
    const responses = requests.map(
      async ([method, path]) => (await session.send(method, path, { takenAt: 100 })).body.code,
    )
    return Promise.all(responses)
  }
  expect(await ask()).toEqual(Array(requests.length).fill('not_found'))
  await makeStale(session.cookie)
  expect(await ask()).toEqual(Array(requests.length).fill('assertion_required'))
})

test('the same operations make credentials with a session that was confirmed', async () => {
  const venue = await createVenue()
  const owner = await createMember(venue.id)
  const { makers } = await findMakers({ send: owner.request }, '/merchants/', await prepare(venue.id))
  expect(makers).toEqual(expect.arrayContaining(['createOwnKey', 'rollOwnKey', 'createOwnInvitation', 'updateMember']))
  const { authenticator } = await createMember(venue.id, 'staff')
  const before = await readCredentials()
  await signIn(authenticator, {}, { token: await invite((await createVenue()).id) })
  await signIn(await createAuthenticator())
  expect([...(await readCredentials())].filter((row) => !before.has(row)).length).toBeGreaterThan(1)
})
