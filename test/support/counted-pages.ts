import { expect } from 'vitest'
import { createVenue, type Venue } from './api.ts'
import { multiply, observe, rowsRead } from './d1.ts'
import { countObjectRows } from './object-rows.ts'

export interface Listed {
  id: string
  updatedAt: number
  title?: string
}

/** A page, its next one, and the rows that its home read. Credentials and places of merchants are in caches. */
export async function readPage(venue: Venue, home: string, path: string) {
  const request = () => observe('GET', venue.path(path), { key: venue.key })
  let response = await request()
  let rows = rowsRead(response.trips)
  if (home === 'object') {
    rows = await countObjectRows(venue.id, async () => {
      response = await request()
    })
  }
  await response.settled()
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  const [, next] = /merchants\/[^/]+(\/[^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  const items: Listed[] = response.body
  return { rows, items, next }
}

/** All pages of a list, and the most rows that one of them read. */
export async function walk(
  venue: Venue,
  home: string,
  path: string,
  between: (items: Listed[]) => unknown = () => undefined,
) {
  const items: Listed[] = []
  const [costs, lengths]: [number[], number[]] = [[], []]
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(venue, home, next)
    items.push(...page.items)
    costs.push(page.rows)
    lengths.push(page.items.length)
    await between(page.items)
    next = page.next
  }
  return { items, lengths, most: Math.max(...costs) }
}

/** A venue with so many products, which changed in another order than they were created, three in each second. */
export async function createProducts(home: string, count: number) {
  const venue = await createVenue({ home })
  const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
  await multiply('products', body.id, count - 1, {
    created_at: 'created_at - 900000',
    updated_at: `created_at - 800000 + (${count} - n) / 3`,
    // The last that changed.
    visible: `n > 2`,
  })
  await venue.get('/products?limit=1')
  return venue
}
