import { createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

/** A venue with many equal products. */
export async function createMany(home: 'd1' | 'object', count: number) {
  const venue = await createVenue({ home })
  const { id } = (await venue.post('/products', { title: 'Tea', description: 'Green', price: 4 })).body
  await multiply('products', id, count - 1)
  const rows = await queryHome(venue.id, 'select id from products where merchant_id = ? order by id', venue.id)
  return { venue, ids: rows.map((row) => String(row['id'])) }
}
type Many = Awaited<ReturnType<typeof createMany>>

/** Operations that set the price of products. */
export const setPrices = (ids: readonly string[], price: number) =>
  ids.map((id) => ({ op: 'update', resource: 'products', id, body: { price } }))

/** Drafts a release, by as many requests as its operations take. Returns its id, and the response to the last one. */
export async function draft(venue: Many['venue'], operations: readonly object[]) {
  const { id } = (await venue.post('/releases', { title: 'Many' })).body
  let last = await venue.get(`/releases/${id}`)
  for (let start = 0; start < operations.length; start += 500) {
    last = await venue.post(`/releases/${id}/operations`, { operations: operations.slice(start, start + 500) })
  }
  return { id, last }
}

/** Numbers of products of a merchant by price. */
export async function countPrices({ id }: { id: string }) {
  const sql = 'select price, count(*) as count from products where merchant_id = ? group by price order by price'
  return Object.fromEntries((await queryHome(id, sql, id)).map(({ price, count }) => [Number(price), Number(count)]))
}

/** Number of rows of a merchant. */
export const countRows = async (id: string, table: string, condition = 'true') =>
  Number(
    (await queryHome(id, `select count(*) as count from ${table} where merchant_id = ? and ${condition}`, id))[0]?.[
      'count'
    ],
  )
