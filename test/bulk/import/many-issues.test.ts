import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { chunkLimits, importPace } from '../../../src/bulk/import/import-limits.ts'
import { getStepPause } from '../../../src/bulk/import/pace.ts'
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

test('steps pause for their rows, not only for the time that a clock shows', async () => {
  const { rows } = chunkLimits
  expect([getStepPause(rows, 0), getStepPause(rows, 100), getStepPause(1, 0), getStepPause(rows, 10_000)]).toEqual([
    rows * importPace.stepMsPerRow,
    100 * importPace.timeFactor,
    importPace.stepMsPerRow,
    importPace.maxMs,
  ])
  const venue = await createVenue({ home: 'd1' })
  const queue = createQueue()
  const count = 4 * rows
  const waits = vi.spyOn(globalThis, 'setTimeout')
  const read = () => waits.mock.calls.splice(0).map(([, ms = 0]) => ms)
  try {
    const id = await queue.upload(venue, 'mapping=auto', `Artikel;Preis\n${'Tee;viel\n'.repeat(count)}`)
    const slice = rows * importPace.uploadMsPerRow
    // Between four slices that are read, grouped and prepared there are three pauses each, and one for each full chunk, raw and mapped.
    expect(read().filter((ms) => ms === slice)).toHaveLength(3 * 3 + 2 * 3)
    await queue.drain()
    const pauses = read().filter((ms) => ms <= importPace.maxMs && ms >= rows * importPace.stepMsPerRow)
    expect(pauses.length).toBeGreaterThanOrEqual(4)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'failed', failed: count })
  } finally {
    waits.mockRestore()
  }
})
