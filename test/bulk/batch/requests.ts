import type { Venue } from '../../support/api.ts'

export const customer = (firstName: string) => ({ firstName, lastName: 'Lovelace' })
export const create = (firstName: string, more: object = {}) => ({
  op: 'create',
  resource: 'customers',
  body: customer(firstName),
  ...more,
})
export const product = (more: object = {}) => ({ title: 'Latte', price: 3, ...more })
export const run = (venue: Venue, operations: unknown, more: object = {}, query = '') =>
  venue.post(`/batch${query}`, { operations, ...more })
export const statuses = (response: { body: { results: { status: number }[] } }) =>
  response.body.results.map(({ status }) => status)
