import { product } from './requests.ts'

export const create = (resource: string, ref: string, body: object, details?: object) => ({
  ...{ op: 'create', resource, ref, body },
  ...(details && { details }),
})
export const options = ['s', 'l'].map((id) => ({ id, label: id.toUpperCase() }))
export const size = create('modifiers', '#size', { title: 'Size', instructions: '', type: 'RADIO', options })
export const inSizes = (...prices: number[]) => ({
  modifier: '#size',
  prices: Object.fromEntries(prices.map((price, index) => [options[index]?.id, { price }])),
})
export const latte = (details: object, more: object = {}) =>
  create('products', '#latte', product({ modifiers: ['#size'], ...more }), details)
