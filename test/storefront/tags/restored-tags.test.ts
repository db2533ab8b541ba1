import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isolateCacheSeconds } from '../../../src/storefront/tags/isolate-cache.ts'
import { settleSeconds } from '../../../src/tenancy/backup/restore/run-restore.ts'
import { adminToken, createVenue } from '../../support/api.ts'
import { broken, createTestWorker, never } from '../../support/test-worker.ts'
import { admin, advance, backUp, restore } from '../../tenancy/backup/restores.ts'
import { withDelays } from './isolates.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test.each(['d1', 'object'] as const)(
  'an isolate follows tags that a restore in the home %s takes back',
  async (home) => {
    const venue = await createVenue({ home, orderingUrl: 'https://live.example/{metadata.table}' })
    const worker = createTestWorker()
    const at = (table: string) => ({ metadata: [{ key: 'table', value: table }] })
    const create = async () => (await worker.call('POST', venue.path('/tags'), venue.key, at('1'))).body
    const [changed, deleted] = [await create(), await create()]
    const scan = async ({ alias }: { alias: string[] }) => {
      const { status, headers } = await worker.fetch(`/t/${alias[0]}`)
      return [status, headers.get('location')?.split(/[/?]/)[3]]
    }
    const takenAt = await backUp(venue.id)
    await worker.call('POST', venue.path(`/tags/${changed.id}`), venue.key, at('2'))
    await worker.call('DELETE', venue.path(`/tags/${deleted.id}`), venue.key)
    expect([await scan(changed), await scan(deleted)]).toEqual([
      [302, '2'],
      [410, undefined],
    ])
    await restore(venue.id, takenAt)
    const names = [changed, deleted].flatMap(({ id, alias }) => [id, ...alias])
    await worker.consume({ kind: 'tag', names }, { kind: 'merchant', merchant: venue.id })
    advance(isolateCacheSeconds)
    expect([await scan(changed), await scan(deleted)]).toEqual([
      [302, '1'],
      [302, '1'],
    ])
    await worker.settle()
    worker.used()
    advance(isolateCacheSeconds)
    expect(await scan(changed)).toEqual([302, '1'])
    expect(worker.used().trips).toBe(0)
  },
)

test.each([
  ['fails', broken, []],
  ['hangs', () => never, [5_000]],
])('a restore is done while the queue %s, and says in the log that KV did not get its tags', async (_, send, waits) => {
  const venue = await createVenue()
  await venue.post('/tags', {})
  const takenAt = await backUp(venue.id)
  await admin(venue.id, 'restore', { takenAt, replace: true })
  advance(settleSeconds)
  const worker = createTestWorker()
  worker.failures.send = send
  const lines = vi.spyOn(console, 'warn').mockReturnValue()
  const [states, delays] = await withDelays(async () => {
    const states: string[] = []
    for (let requests = 0; requests < 5 && states.at(-1) !== 'done'; requests++)
      states.push(
        (await worker.call('POST', `/admin/merchants/${venue.id}/restore/continue`, adminToken)).body.state ?? '',
      )
    return states
  }, 20)
  expect([states.at(-1), delays.filter((ms) => ms === 5_000)]).toEqual(['done', waits])
  expect(lines.mock.calls.flat().filter((line) => line.includes('restored tags not enqueued'))).toHaveLength(1)
})
