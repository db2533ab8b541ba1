import type { Venue } from '../../support/api.ts'

export const createProduct = async (venue: Venue, fields: object = {}): Promise<string> =>
  (await venue.post('/products', { title: 'Cake', price: 3, manageStock: true, stockQuantity: 10, ...fields })).body.id

export const readStock = async (venue: Venue, id: string): Promise<number> =>
  (await venue.get(`/products/${id}`)).body.stockQuantity

export let references = 0
export const adjust = (venue: Venue, changes: readonly object[], fields: object = {}) =>
  venue.post('/stock', { reference: `order-${++references}`, reason: 'sale', changes, ...fields })

/** All events of stock, oldest first. */
export async function listEvents(venue: Venue) {
  const events = []
  for (let page = (await venue.get('/events?limit=100')).body; page.length > 0; ) {
    events.push(...page)
    page = (await venue.get(`/events?limit=100&after=${page.at(-1).id}`)).body
  }
  return events.filter(({ type }) => /stock|sold/.test(type))
}
