import { createVenue, type Venue } from '../../support/api.ts'

export async function createShop(home?: string) {
  const venue = await createVenue(home ? { home } : {})
  const create = async (title: string): Promise<string> =>
    (await venue.post('/products', { title, price: 3, manageStock: true, stockQuantity: 5 })).body.id
  const [cake, tart] = [await create('Cake'), await create('Tart')]
  const coupon = (await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 10 })).body.id
  return { ...venue, cake, tart, coupon }
}
export type Shop = Awaited<ReturnType<typeof createShop>>
export type Headers = Record<string, string>

export const createEffects = ({ cake }: Shop, order = 'A-1') => ({
  stock: { reference: order, changes: [{ product: cake, delta: -2 }] },
  redemptions: [{ code: 'TEN', order, amount: 1 }],
})
export const take = ({ post }: Venue, effects: object, headers?: Headers) =>
  post('/events', { type: 'order.created', data: { n: 1 }, effects }, headers)
export const cancel = ({ post }: Venue, undo = 'A-1', headers?: Headers) =>
  post('/events', { type: 'order.cancelled', data: { why: 'guest left' }, effects: { undo } }, headers)
export const readState = async ({ get, cake, tart, coupon }: Shop) => [
  (await get(`/products/${cake}`)).body.stockQuantity,
  (await get(`/products/${tart}`)).body.stockQuantity,
  (await get(`/coupons/${coupon}`)).body.timesRedeemed,
]
export const listTypes = async ({ get }: Shop): Promise<string[]> =>
  (await get('/events?limit=100')).body
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => !/created|updated/.test(type) || type.startsWith('order'))
