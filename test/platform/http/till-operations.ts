import { env } from 'cloudflare:workers'
import { createKey } from '../../support/api.ts'
import { nextNumber, postToVenue, venue } from './idempotent-requests.ts'

import type { Operation } from './post-operations.ts'

const couponParts = [
  ['limits', 200, { maxRedemptions: 5 }, { maxRedemptions: 6 }],
  ['codes', 201, { count: 2 }, { count: 3 }],
] as const
const createCoupon = async () =>
  (await postToVenue('/coupons', { title: 'Ten', code: `C${nextNumber()}`, type: 'FIXED', value: 10 })).body

/** A coupon that is redeemed, or held, for an order. */
async function redeemed(hold?: number) {
  const { code } = await createCoupon()
  return (await postToVenue('/redemptions', { code, order: 'A-1', ...(hold && { hold }) })).body
}

const milk = { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }] }

/** The call of a guest at a table. */
async function createCall(): Promise<string> {
  const { id } = (await postToVenue('/tags', { metadata: [] })).body
  const insert =
    'insert into tag_requests (merchant_id, test_mode, id, tag, kind, at) values (?, 0, ?, ?, ?, unixepoch())'
  await env.DB.prepare(insert).bind(venue.id, `call_${nextNumber()}`, id, 'bill').run()
  return id
}

export const ofTheTill: readonly Operation[] = [
  {
    name: 'the end of a call',
    status: 200,
    prepare: async () => ({
      path: venue.path(`/tags/${await createCall()}/requests/bill/done`),
      other: { other: true },
    }),
  },
  {
    name: 'the details of a tag',
    status: 200,
    async prepare() {
      const { id } = (await postToVenue('/tags', { metadata: [] })).body
      const [json, other] = (['takeaway', 'delivery'] as const).map((orderType) => ({ orderType }))
      return { path: venue.path(`/tags/${id}/details`), json, other }
    },
  },
  {
    name: 'a redemption',
    status: 201,
    async prepare() {
      const { code } = await redeemed()
      return {
        path: venue.path('/redemptions'),
        json: { code, order: 'A-2' },
        other: { code, order: 'A-3' },
      }
    },
  },
  ...couponParts.map(([part, status, json, other]) => ({
    name: `the ${part} of a coupon`,
    status,
    prepare: async () => ({ path: venue.path(`/coupons/${(await createCoupon()).id}/${part}`), json, other }),
  })),
  ...(['confirm', 'release'] as const).map((action) => ({
    name: `the ${action} of a redemption`,
    status: 200,
    prepare: async () => ({
      path: venue.path(`/redemptions/${(await redeemed(action === 'confirm' ? 60 : undefined)).id}/${action}`),
      other: { other: true },
    }),
  })),
  ...(
    [
      ['/products', { title: 'Cake', price: 3 }, { soldOut: true }, { soldOut: false }],
      ['/modifiers', milk, { options: { oat: { soldOut: true } } }, { options: { oat: { soldOut: false } } }],
    ] as const
  ).map(([collection, body, json, other]) => ({
    name: `the availability of one of the ${collection}`,
    status: 200,
    async prepare() {
      const { id } = (await postToVenue(collection, body)).body
      return { path: venue.path(`${collection}/${id}/availability`), json, other }
    },
  })),
  {
    name: 'charges',
    status: 200,
    prepare: async () => ({
      token: (await createKey(venue.id, { mode: 'live', scopes: ['merchant:read', 'merchant:write'] })).key,
      path: venue.path('/charges'),
      json: { charges: [] },
      other: {
        charges: [
          { id: 'box', title: 'Box', kind: 'packaging', type: 'FIXED', value: 1, per: 'order', taxable: false },
        ],
      },
    }),
  },
  {
    name: 'a pause',
    status: 200,
    prepare: async () => ({ path: venue.path('/service'), json: { paused: true }, other: { paused: false } }),
  },
  {
    name: 'a release',
    status: 201,
    prepare: async () => ({ path: venue.path('/releases'), json: { title: 'A' }, other: { title: 'B' } }),
  },
  ...(['', '/operations', '/publish', '/cancel'] as const).map(
    (part): Operation => ({
      name: `a release${part}`,
      status: 200,
      async prepare() {
        const { id } = (await postToVenue('/releases', { title: 'A' })).body
        const product = (await postToVenue('/products', { title: 'A', price: 1 })).body.id
        const toOperations = (price: number) => ({
          operations: [{ op: 'update', resource: 'products', id: product, body: { price } }],
        })
        const bodies = {
          '': { json: { title: 'B' }, other: { title: 'C' } },
          '/operations': { json: toOperations(2), other: toOperations(3) },
          '/publish': { json: { overwrite: true }, other: { overwrite: false } },
          '/cancel': { other: { other: true } },
        }[part]
        return { path: venue.path(`/releases/${id}${part}`), ...bodies }
      },
    }),
  ),
  {
    name: 'a stock adjustment',
    status: 200,
    async prepare() {
      const { id } = (await postToVenue('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 9 }))
        .body
      const sale = { reference: id, reason: 'sale', changes: [{ product: id, delta: -1 }] }
      return { path: venue.path('/stock'), json: sale, other: { ...sale, reference: `${id}-2` } }
    },
  },
]
