import type { Shop } from '../../support/event-shop.ts'
import { importFile, jsonl, toJsonLines } from '../../support/imports.ts'
import { sideWays } from './side-ways.ts'

const soldOut = { title: 'Gone', stockQuantity: 0 }
const inStock = { title: 'Back', stockQuantity: 4 }
const createOperations = ({ milk, cake, tart }: Shop) => [
  { op: 'update', resource: 'products', id: cake, body: soldOut },
  { op: 'update', resource: 'products', id: tart, body: inStock },
  { op: 'delete', resource: 'modifiers', id: milk },
]
const toIds = ({ body }: { body: { results: { id: string }[] } }) => body.results.map(({ id }) => id)

const customer = { firstName: 'Ann', lastName: 'Day', email: 'ann@example.com' }
const findRedemption = async ({ get }: Shop): Promise<string> => (await get('/redemptions?order=A-1')).body[0].id

/** A way to write. */
export interface Way {
  /** Number of events of what the change causes. */
  effects: number
  prepare?(shop: Shop): Promise<unknown>
  /** Returns ids and references of what the request itself changes. */
  write(shop: Shop): Promise<string[]>
}

/** Ways in which events arise, by what they are. */
export const ways: Record<string, Way> = {
  ...sideWays,
  'a create': {
    effects: 0,
    async write({ post, milk }) {
      return [(await post('/products', { title: 'Tea', price: 1, modifiers: [milk], manageStock: true })).body.id]
    },
  },
  'an update that uses up the stock': {
    effects: 1,
    async write({ post, cake }) {
      await post(`/products/${cake}`, soldOut)
      return [cake]
    },
  },
  'an update that fills the stock': {
    effects: 1,
    async write({ post, tart }) {
      await post(`/products/${tart}`, inStock)
      return [tart]
    },
  },
  'an upsert': {
    effects: 1,
    async write({ request, cake }) {
      await request('PUT', '/products/external/CAKE', soldOut)
      return [cake]
    },
  },
  'a deletion of an object that others name': {
    effects: 2,
    async write({ remove, milk }) {
      await remove(`/modifiers/${milk}`)
      return [milk]
    },
  },
  'a deletion by external id': {
    effects: 2,
    async write({ remove, cake }) {
      await remove('/products/external/CAKE')
      return [cake]
    },
  },
  'a batch': {
    effects: 2,
    async write(shop) {
      return toIds(await shop.post('/batch', { operations: createOperations(shop) }))
    },
  },
  'an independent batch': {
    effects: 2,
    async write(shop) {
      return toIds(await shop.post('/batch', { mode: 'independent', operations: createOperations(shop) }))
    },
  },
  'a batch of deletions': {
    effects: 3,
    async write({ post, cake, milk }) {
      const operations = [
        { op: 'delete', resource: 'products', id: cake },
        { op: 'delete', resource: 'modifiers', id: milk },
      ]
      return toIds(await post('/batch', { operations }))
    },
  },
  'a batch that creates what it names': {
    effects: 0,
    async write({ post }) {
      const operations = [
        { op: 'create', resource: 'menus', body: { title: 'New', sections: [{ title: 'S', items: ['#tea'] }] } },
        { op: 'create', resource: 'products', ref: '#tea', body: { title: 'Tea', price: 1, modifiers: ['#size'] } },
        { op: 'create', resource: 'modifiers', ref: '#size', body: { title: 'Size', instructions: '' } },
      ]
      return toIds(await post('/batch', { operations }))
    },
  },
  'an import that sets the stock': {
    effects: 4,
    async write(shop) {
      const rows = [
        { id: shop.cake, ...soldOut },
        { id: shop.tart, ...inStock },
      ]
      await importFile(shop, 'resource=products&match=id&counters=set', toJsonLines(rows), jsonl)
      return [shop.cake, shop.tart]
    },
  },
  'an import that starts to manage the stock': {
    effects: 1,
    async write(shop) {
      const rows = [{ externalId: 'TART', title: 'Back', manageStock: false }]
      await importFile(shop, 'resource=products&match=externalId', toJsonLines(rows), jsonl)
      return [shop.tart]
    },
  },
  'an import that deletes what is missing': {
    effects: 2,
    async write(shop) {
      const rows = [{ externalId: 'TART', title: 'Tart', price: 3 }]
      await importFile(shop, 'resource=products&match=externalId&delete=missing', toJsonLines(rows), jsonl)
      return [shop.cake]
    },
  },
  'an order with effects': {
    effects: 4,
    async write({ post, cake }) {
      const effects = {
        stock: { reference: 'A-1', changes: [{ product: cake, delta: -5 }] },
        redemptions: [{ code: 'ONE', order: 'A-1', amount: 1 }],
      }
      return [(await post('/events', { type: 'order.created', data: { items: [{ product: cake }] }, effects })).body.id]
    },
  },
  'the cancellation of an order': {
    effects: 2,
    async prepare({ post, cake }) {
      const effects = {
        stock: { reference: 'A-1', changes: [{ product: cake, delta: -5 }] },
        redemptions: [{ code: 'ONE', order: 'A-1', amount: 1 }],
      }
      await post('/events', { type: 'order.created', data: {}, effects })
    },
    async write({ post, cake }) {
      const event = { type: 'order.cancelled', data: { items: [{ product: cake }] }, effects: { undo: 'A-1' } }
      return [(await post('/events', event)).body.id]
    },
  },
  'the life of an order': {
    effects: 0,
    async write({ post }) {
      const ids: string[] = []
      for (const type of ['order.updated', 'order.cancelled', 'order.completed'])
        ids.push((await post('/events', { type, data: { orderId: 'A-1' } })).body.id)
      return ids
    },
  },
  'an adjustment': {
    effects: 2,
    async write({ post, cake, tart }) {
      const changes = [cake, tart].map((product, set) => ({ product, set }))
      await post('/stock', { reference: 'COUNT', reason: 'count', changes })
      return ['COUNT']
    },
  },
  'a redemption': {
    effects: 1,
    async write({ post }) {
      return [(await post('/redemptions', { code: 'ONE', order: 'A-1' })).body.id]
    },
  },
  'a hold that is confirmed': {
    effects: 1,
    prepare: ({ post }) => post('/redemptions', { code: 'ONE', order: 'A-1', hold: 60 }),
    async write(shop) {
      const id = await findRedemption(shop)
      await shop.post(`/redemptions/${id}/confirm`, undefined)
      return [id]
    },
  },
  'a release': {
    effects: 0,
    prepare: ({ post }) => post('/redemptions', { code: 'ONE', order: 'A-1' }),
    async write(shop) {
      const id = await findRedemption(shop)
      await shop.post(`/redemptions/${id}/release`, undefined)
      return [id]
    },
  },
  'marks as sold out': {
    effects: 2,
    async write({ post, cake }) {
      await post(`/products/${cake}/availability`, { soldOut: true })
      await post(`/products/${cake}/availability`, { soldOut: false })
      return []
    },
  },
  'marks of options as sold out': {
    effects: 2,
    async write({ get, post, milk }) {
      const [{ id }] = (await get(`/modifiers/${milk}`)).body.options
      await post(`/modifiers/${milk}/availability`, { options: { [id]: { soldOut: true } } })
      await post(`/modifiers/${milk}/availability`, { options: { [id]: { soldOut: false } } })
      return []
    },
  },
  'a pause of the venue': {
    effects: 2,
    async write({ post }) {
      await post('/service', { paused: true })
      await post('/service', { paused: false })
      return []
    },
  },
  'an erasure': {
    effects: 0,
    prepare: ({ request }) => request('PUT', '/customers/external/ANN', customer),
    async write({ get, post }) {
      const { id } = (await get('/customers/external/ANN')).body
      await post(`/customers/${id}/erase`, undefined)
      return [id]
    },
  },
}
