import { describe, expect, test } from 'vitest'
import { adminToken, createVenue } from '../../support/api.ts'
import { readPage } from '../../support/counted-pages.ts'
import { multiply, observe, rowsRead } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

const sizes = [100, 200, 400]

/** A venue with so many tags, each with scans on ten days of last year and on two of this range. */
async function createScanned(home: string, count: number) {
  const venue = await createVenue({ home })
  const { body } = await venue.post('/tags', {})
  await multiply('tags', body.id, count - 1, { code: `printf('AAAA%09d', n)` })
  await queryHome(
    venue.id,
    `with recursive days(n) as (select 1 union all select n + 1 from days where n < 12)
     insert into scan_counts (merchant_id, tag, day, channel, count)
     select merchant_id, id, iif(n <= 10, printf('2024-03-%02d', n), printf('2025-06-%02d', n)), 'qr', 1 from tags cross join days where merchant_id = ?`,
    venue.id,
  )
  return venue
}

describe.each(['d1', 'object'])('in a home of the kind %s', (home) => {
  test('scans of all tags read each tag and the counts of the range once', async () => {
    const costs: number[] = []
    for (const count of sizes) {
      const venue = await createScanned(home, count)
      const { rows, items } = await readPage(venue, home, '/scans?from=2025-06-01&to=2025-06-30')
      expect(items).toEqual(['11', '12'].map((day) => ({ day: `2025-06-${day}`, channel: 'qr', count })))
      costs.push(rows)
    }
    console.log(`figure: rows read by scans of all tags, ${home}, ${sizes} tags with two days each: ${costs}`)
    // A tag, its two counts, and the groups that they are added to.
    for (const [index, rows] of costs.entries()) expect(rows).toBeLessThanOrEqual(6 * (sizes[index] ?? 0) + 50)
  })
})

test('the usage of a merchant reads its rows a fixed number of times', async () => {
  const costs: number[] = []
  for (const count of sizes) {
    const venue = await createVenue({ home: 'd1' })
    const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
    await multiply('products', body.id, count - 1)
    const { trips, body: usage } = await observe('GET', `/admin/merchants/${venue.id}/usage`, { key: adminToken })
    expect(usage.objects.products.live).toBe(count)
    costs.push(rowsRead(trips))
  }
  console.log(`figure: D1 rows read by usage, ${sizes} products: ${costs}`)
  const [first = 0, second = 0, third = 0] = costs
  // To count a product, to measure it, and to find what belongs to it in tables without its merchant.
  expect(second - first).toBeLessThanOrEqual(12 * 100)
  expect(third - second).toBeLessThanOrEqual(2.1 * (second - first))
})
