import { env } from 'cloudflare:workers'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { samples } from '../../support/samples.ts'
import { admin, createWebhook, newKey, nextNumber, post, postToVenue, venue } from './idempotent-requests.ts'
import { ofPlatform } from './platform-operations.ts'
import { ofTheTill } from './till-operations.ts'

/** An operation with POST: its path, a body and another one; its token, unless it is the venue's key. */
export interface Operation {
  name: string
  status: number
  prepare(): Promise<{ path: string; json?: unknown; other?: unknown; token?: string }>
}

const ofRestore = (name: string, collection: string, body: (text: string) => object): Operation => ({
  name: `the restore of a ${name}`,
  status: 200,
  async prepare() {
    const { id } = (await postToVenue(`/${collection}`, body(crypto.randomUUID().slice(0, 8)))).body
    const path = venue.path(`/${collection}/${id}`)
    await call('DELETE', path, venue.key)
    return { path: `${path}/restore`, json: {}, other: { other: true } }
  },
})

export const ofResources = samples.flatMap(({ name, collection, body, change }): Operation[] => [
  {
    name: `the creation of a ${name}`,
    status: 201,
    prepare: async () => ({ path: venue.path(`/${collection}`), json: body('a'), other: body('b') }),
  },
  {
    name: `the update of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await postToVenue(`/${collection}`, body('a'))).body
      return { path: venue.path(`/${collection}/${id}`), json: change, other: {} }
    },
  },
  {
    name: `the external id of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await postToVenue(`/${collection}`, body('a'))).body
      const path = venue.path(`/${collection}/${id}/external-id`)
      return { path, json: { externalId: `A ${id}` }, other: { externalId: `B ${id}` } }
    },
  },
  ...(name === 'webhook' ? [] : [ofRestore(name, collection, body)]),
  {
    name: `an update that changes nothing of a ${name}`,
    status: 200,
    async prepare() {
      const { id } = (await postToVenue(`/${collection}`, body('a'))).body
      return { path: venue.path(`/${collection}/${id}`), json: {}, other: change }
    },
  },
])

/** Another body of a request for a webhook. */
const toOther = (json: object | undefined) => {
  if (!json) return { other: true }
  return 'since' in json ? { since: Number(json.since) + 1 } : { thin: false }
}

const ofWebhooks = (
  [
    ['secret/rotate', 200],
    ['token/rotate', 200],
    ['test', 202],
    ['filter', 200, { thin: true }],
    ['recover', 202, { since: Math.floor(Date.now() / 1000) - 60 }],
    ['deliveries/EVENT/retry', 202],
  ] as const
).map(
  ([rest, status, json]): Operation => ({
    name: `POST /webhooks/…/${rest}`,
    status,
    async prepare() {
      const { id } = await createWebhook()
      const { body: event } = await postToVenue('/events', { type: 'order.created', data: {} })
      await env.DB.prepare(`update deliveries set state = 'failed' where event = ?`).bind(event.id).run()
      const path = venue.path(`/webhooks/${id}/${rest.replace('EVENT', event.id)}`)
      return { path, json, other: toOther(json) }
    },
  }),
)
const ofOperator = (
  [
    ['a merchant', 201, '', { name: 'A' }, { name: 'B' }],
    ['the update of a merchant', 200, '/MERCHANT', { name: 'C' }, { name: 'D' }],
    ['the update of nothing of a merchant', 200, '/MERCHANT', {}, { name: 'D' }],
    ['a key', 201, '/MERCHANT/keys', { mode: 'live' }, { mode: 'test' }],
    ['an invitation', 201, '/MERCHANT/invitations', { role: 'owner' }, { role: 'staff' }],
    ['a key that is rolled', 201, '/MERCHANT/keys/KEY/roll', { overlap: 1 }, { overlap: 2 }],
    ['a tag of an earlier system', 201, '/MERCHANT/tags', { alias: ['T-4'] }, {}],
  ] as const
).map(
  ([name, status, path, json, other]): Operation => ({
    name: `the operator's ${name}`,
    status,
    async prepare() {
      const { id, keyId } = await createVenue()
      const alias = 'alias' in json ? { alias: [`T-${nextNumber()}`] } : {}
      return {
        path: `${admin}${path.replace('MERCHANT', id).replace('KEY', keyId)}`,
        json: { ...json, ...alias },
        other,
        token: adminToken,
      }
    },
  }),
)

/** Operators and their keys: they belong to no merchant. */
const createOperator = async () =>
  (await post('/admin/operators', { name: 'A', role: 'support' }, newKey(), adminToken)).body.id
const ofOperators: readonly Operation[] = [
  {
    name: 'the creation of an operator',
    status: 201,
    prepare: async () => ({ path: '/admin/operators', json: { name: 'A', role: 'support' }, other: { name: 'B' } }),
  },
  {
    name: 'the update of an operator',
    status: 200,
    prepare: async () => ({
      path: `/admin/operators/${await createOperator()}`,
      json: { name: 'B' },
      other: { name: 'C' },
    }),
  },
  {
    name: 'the invitation of an operator',
    status: 201,
    prepare: async () => ({
      path: `/admin/operators/${await createOperator()}/invitation`,
      json: {},
      other: { other: 1 },
    }),
  },
  {
    name: 'the creation of a platform key',
    status: 201,
    prepare: async () => ({
      path: '/admin/keys',
      json: { title: 'A', scopes: ['platform:merchants:read'] },
      other: { title: 'B', scopes: ['platform:merchants:read'] },
    }),
  },
].map((operation) => ({ ...operation, prepare: async () => ({ ...(await operation.prepare()), token: adminToken }) }))

export const operations: readonly Operation[] = [
  ...ofTheTill,
  ...ofOperators,
  ...ofPlatform,
  ...ofResources,
  ...ofWebhooks,
  ...ofOperator,
  {
    name: 'an event that is published',
    status: 202,
    prepare: async () => ({
      path: venue.path('/events'),
      json: { type: 'order.created', data: { total: 1 } },
      other: { type: 'order.created', data: { total: 2 } },
    }),
  },
  {
    name: 'a batch',
    status: 200,
    prepare: async () => ({
      path: venue.path('/batch'),
      json: { operations: [{ op: 'create', resource: 'customers', body: { firstName: 'A', lastName: 'B' } }] },
      other: { operations: [{ op: 'create', resource: 'customers', body: { firstName: 'A', lastName: 'C' } }] },
    }),
  },
  {
    name: 'a batch of the tags that are rebuilt',
    status: 200,
    prepare: async () => ({ path: '/admin/rebuild-tags', other: { other: true }, token: adminToken }),
  },
  ...['products', 'modifiers', 'menus'].map(
    (collection): Operation => ({
      name: `the details of one of the ${collection}`,
      status: 200,
      async prepare() {
        const fields = { products: { price: 1 }, modifiers: { instructions: '' }, menus: { sections: [] } }[collection]
        const { id } = (await postToVenue(`/${collection}`, { title: 'A', ...fields })).body
        const [json, other] = ['B', 'C'].map((title) => ({ translations: { de: { title } } }))
        return { path: venue.path(`/${collection}/${id}/details`), json, other }
      },
    }),
  ),
  {
    name: 'the start of a restore',
    status: 200,
    async prepare() {
      const { id } = await createVenue()
      const { takenAt } = (await post(`${admin}/${id}/backups`, undefined, newKey(), adminToken)).body
      const json = { takenAt, replace: true }
      return { path: `${admin}/${id}/restore`, json, other: { ...json, takenAt: takenAt + 1 }, token: adminToken }
    },
  },
  {
    name: 'an erasure',
    status: 200,
    async prepare() {
      const { id } = (await postToVenue('/customers', { firstName: 'A', lastName: 'B' })).body
      return { path: venue.path(`/customers/${id}/erase`), other: { other: true } }
    },
  },
  ...['suspend', 'resume', 'close', 'reopen'].map(
    (change): Operation => ({
      name: `a merchant to ${change}`,
      status: 200,
      async prepare() {
        const { id } = (await post(admin, { name: 'Venue' }, newKey(), adminToken)).body
        if (change === 'resume') await post(`${admin}/${id}/suspend`, undefined, newKey(), adminToken)
        if (change === 'reopen') await post(`${admin}/${id}/close`, {}, newKey(), adminToken)
        const bodies =
          change === 'close' ? { json: { graceDays: 1 }, other: { graceDays: 2 } } : { other: { other: 1 } }
        return { path: `${admin}/${id}/${change}`, token: adminToken, ...bodies }
      },
    }),
  ),
  {
    name: 'a move',
    status: 202,
    async prepare() {
      const { id } = (await post(admin, { name: 'Venue', home: 'd1' }, newKey(), adminToken)).body
      const bodies = { json: { home: 'object' }, other: { home: 'object', location: 'weur' } }
      return { path: `${admin}/${id}/move`, token: adminToken, ...bodies }
    },
  },
  {
    name: 'a link to write a chip',
    status: 201,
    async prepare() {
      const { id } = (await postToVenue('/tags', {})).body
      return { path: venue.path(`/tags/${id}/nfc-link`), other: { other: true } }
    },
  },
]
