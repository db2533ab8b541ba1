import { beforeEach, describe, expect, test } from 'vitest'
import { maxDirectWrites, maxUnqueuedWrites, repeatLimits } from '../../../src/storefront/tags/kv-sync.ts'
import { createVenue } from '../../support/api.ts'
import { setLimits } from '../../support/limits.ts'
import { createTestWorker, never } from '../../support/test-worker.ts'
import { withDelays } from './isolates.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/o?t={metadata.table}' })
let worker = createTestWorker()
beforeEach(() => {
  worker = createTestWorker()
})

const at = (table: string) => ({ metadata: [{ key: 'table', value: table, visible: true }] })
const run = async (operations: readonly object[]) => {
  const { status, body } = await worker.call('POST', venue.path('/batch'), venue.key, { operations })
  expect(status).toBe(200)
  return body.results.map(({ id }: { id: string }) => id)
}
const createTags = (count: number): Promise<string[]> =>
  run(Array.from({ length: count }, () => ({ op: 'create', resource: 'tags', body: at('1') })))
const tableOf = async (id: string) =>
  Object.fromEntries(JSON.parse((await worker.copy(`t:${id}`)) ?? '{"shown":[]}').shown)['table']

describe('a batch of tags', () => {
  test('writes a few tags to KV before the response', async () => {
    const ids = await createTags(maxDirectWrites)
    expect(worker.used().writes).toHaveLength(2 * maxDirectWrites)
    expect(await tableOf(ids.at(-1) ?? '')).toBe('1')
  })

  test('leaves more tags to the queue, a hundred in one call', async () => {
    await createTags(500)
    expect(worker.used()).toMatchObject({ writes: [], sendBatches: [100, 100, 100, 100, 100] })
    const ids = await createTags(maxDirectWrites + 1)
    await worker.consume(...worker.used().sent)
    expect(await tableOf(ids[0] ?? '')).toBe('1')
    await run(ids.map((id) => ({ op: 'update', resource: 'tags', id, body: at('2') })))
    await worker.consume(...worker.used().sent)
    expect(await Promise.all(ids.map(tableOf))).toEqual(ids.map(() => '2'))
  })

  test('redirects to the new table in this isolate at once', async () => {
    const ids = await createTags(maxDirectWrites + 1)
    await run(ids.map((id) => ({ op: 'update', resource: 'tags', id, body: at('9') })))
    const { headers } = await worker.fetch(`/t/${ids[0]}`)
    expect(headers.get('location')).toContain('t=9')
  })

  test('writes to KV itself what the queue does not take', async () => {
    worker.failures.send = () => Promise.reject(new Error('Queue sendBatch failed'))
    const ids = await createTags(maxDirectWrites + 1)
    expect(worker.used()).toMatchObject({ sendBatches: [] })
    expect(await Promise.all(ids.map(tableOf))).toEqual(ids.map(() => '1'))
  })

  test('of which the queue takes none is written in part, and enqueued after the response', async () => {
    setLimits(repeatLimits, { attempts: 3, firstPauseMs: 20 })
    worker.failures.send = () => Promise.reject(new Error('Queue sendBatch failed'))
    const ids = await createTags(maxUnqueuedWrites + 1)
    expect(worker.used().writes).toHaveLength(2 * maxUnqueuedWrites)
    worker.failures.send = undefined
    await worker.settle()
    expect(worker.log.sendBatches).toEqual([100, 100, 1])
    // The last tag is the only one that was not written.
    await worker.consume(worker.used().sent.at(-1))
    expect(await Promise.all(ids.map(tableOf))).toEqual(ids.map(() => '1'))
  })

  test('of which the queue takes none for long makes fewer calls than an invocation may', async () => {
    setLimits(repeatLimits, { attempts: 3, firstPauseMs: 1 })
    let refused = 0
    worker.failures.send = () => {
      refused++
      return Promise.reject(new Error('Queue sendBatch failed'))
    }
    await createTags(500)
    await worker.settle()
    const { reads, writes, trips } = worker.used()
    expect(reads.length + writes.length + trips + refused).toBeLessThan(1_000)
  })

  test('waits for a queue that hangs once a call, then writes to KV itself', async () => {
    worker.failures.send = (message) => (Array.isArray(message) ? never : undefined)
    const [ids, delays] = await withDelays(() => createTags(101), 20)
    expect([delays, worker.used().sendBatches]).toEqual([[1_000, 1_000], []])
    expect(await Promise.all(ids.map(tableOf))).toEqual(ids.map(() => '1'))
  })
})
