import { adminToken, call, send } from '../../support/api.ts'
import type { Way } from './event-ways.ts'

/** Ways to change what belongs to objects, by what they are. */
export const sideWays: Record<string, Way> = {
  'a filter of a webhook': {
    effects: 1,
    prepare: ({ post }) => post('/webhooks', { title: 'A', url: 'https://hooks.example.com/' }),
    async write({ get, post }) {
      const [{ id }] = (await get('/webhooks')).body
      await post(`/webhooks/${id}/filter`, { thin: true })
      return []
    },
  },
  'a call of a guest that is done': {
    effects: 2,
    async prepare({ id }) {
      await call('POST', `/admin/merchants/${id}`, adminToken, { menuBar: { actions: ['bill'] } })
    },
    async write({ id, post }) {
      const tag = (await post('/tags', { metadata: [] })).body
      const location = (await send(`/t/${tag.alias[0]}`)).headers.get('location') ?? ''
      const seat = new URLSearchParams(location.split('?')[1]).get('seat') ?? ''
      const form = { tag: tag.id, kind: 'bill', seat }
      await send(`/m/${id}/requests`, { method: 'POST', body: new URLSearchParams(form) })
      await post(`/tags/${tag.id}/requests/bill/done`, {})
      return [tag.id]
    },
  },
  'a published release': {
    effects: 2,
    async write({ post, cake, milk, menu }) {
      const operations = [
        { op: 'update', resource: 'products', id: cake, body: { price: 4 }, availability: { soldOut: true } },
        { op: 'update', resource: 'modifiers', id: milk, body: { title: 'Oat' } },
        { op: 'update', resource: 'menus', id: menu, details: { prices: [{ product: cake, price: 2 }] } },
      ]
      const { id } = (await post('/releases', { title: 'Autumn', operations })).body
      await post(`/releases/${id}/publish`, {})
      return [cake, milk, menu]
    },
  },
  details: {
    effects: 0,
    async write({ post, cake, milk, menu }) {
      await post(`/products/${cake}/details`, { allergens: [{ code: 'milk', level: 'contains' }] })
      await post(`/modifiers/${milk}/details`, { translations: { de: { title: 'Milch' } } })
      await post(`/menus/${menu}/details`, { prices: [{ product: cake, price: 2 }] })
      const { id } = (await post('/tags', {})).body
      await post(`/tags/${id}/details`, { orderType: 'takeaway' })
      return [cake, milk, menu, id]
    },
  },
}
