import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { createQueue, retrieve } from './import-queue.ts'

/** Imports rows that all have an issue, and counts the calls of D1 and the rows that it reads and writes. */
async function measure(count: number) {
  const venue = await createVenue({ home: 'd1' })
  const { database, trips } = watch(env.DB)
  const queue = createQueue({ DB: database })
  const rows = Array.from({ length: count }, (_, n) => `Dish ${n};SKU-${n};much\n`)
  const id = await queue.upload(venue, 'mapping=auto', `Artikel;Art.-Nr.;Preis\n${rows.join('')}`)
  await queue.drain()
  expect(await retrieve(venue, id)).toMatchObject({ state: 'failed', rows: count, failed: count })
  let [next, issues] = [`/imports/${id}/errors?limit=100`, 0]
  while (next !== '') {
    const { body, headers } = await venue.get(next)
    issues += body.length
    next = /(?<=<)[^>]+(?=>; rel="next")/.exec(headers.get('link') ?? '')?.[0] ?? ''
    next = next.slice(Math.max(0, next.indexOf('/imports')))
  }
  expect(issues).toBe(count)
  const sum = (field: 'rowsRead' | 'rowsWritten') => trips.reduce((total, trip) => total + trip[field], 0)
  return { trips: trips.length, rowsRead: sum('rowsRead'), rowsWritten: sum('rowsWritten') }
}

test('a file with an issue in each row costs as much per row, however long it is', async () => {
  const [first, , last] = [await measure(500), await measure(1_000), await measure(2_000)]
  for (const name of ['trips', 'rowsRead', 'rowsWritten'] as const) {
    expect([name, last[name] <= first[name] * 4.2]).toEqual([name, true])
  }
})
