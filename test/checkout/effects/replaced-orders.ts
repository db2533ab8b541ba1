import type { Headers, Shop } from './cancelled-orders.ts'

/** Changes the order A-1 by a revision. */
export const replace = ({ post }: Pick<Shop, 'post'>, revision: number, effects: object, headers?: Headers) =>
  post('/events', { type: 'order.updated', data: { n: 2 }, effects: { replace: 'A-1', revision, ...effects } }, headers)
/** Effects that take stock. */
export const takes = (...changes: readonly (readonly [product: string, delta: number])[]) => ({
  stock: { changes: changes.map(([product, delta]) => ({ product, delta })) },
})
/** Effects that redeem a coupon. */
export const redeems = (amount: number, code = 'TEN', fields: object = {}) => ({
  redemptions: [{ code, order: 'A-1', amount, ...fields }],
})
/** Status, code and issues of a response. */
export const toOutcome = ({ status, body }: Awaited<ReturnType<Shop['post']>>) => [
  status,
  body.code,
  ...(body.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
]
/** Redemptions of the order with their states and amounts. */
export const amounts = async ({ get }: Shop) =>
  (await get('/redemptions?order=A-1')).body.map(({ code, state, amount }: Record<string, unknown>) =>
    [code, state, amount].join(' '),
  )
