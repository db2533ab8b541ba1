import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { backupDays } from '../../../src/tenancy/backup/backup-file.ts'
import { checkMerchant, nightlyBounds, nightlyHours, runNightly } from '../../../src/tenancy/backup/nightly.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'

const daySeconds = 86_400
const midnight = Math.ceil(Date.now() / 1000 / daySeconds) * daySeconds

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: (midnight + nightlyHours.from * 3_600) * 1000 })
  await env.DB.batch(['backups', 'backup_checks'].map((table) => env.DB.prepare(`delete from ${table}`)))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const now = () => Math.floor(Date.now() / 1000)
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)

/** The merchants that a run enqueues. */
async function run() {
  const sent: string[] = []
  const BACKUP_CHECKS: Bindings['BACKUP_CHECKS'] = Object.assign(Object.create(null), {
    async sendBatch(messages: Iterable<{ body: { merchant: string; rehearse?: boolean } }>) {
      for (const { body } of messages) if (!body.rehearse) sent.push(body.merchant)
    },
  })
  await runNightly({ ...env, BACKUP_CHECKS }, directoryDatabase(env), now())
  return sent
}
const list = async (id: string) =>
  (await call('GET', `/admin/merchants/${id}/backups`, adminToken)).body.map(
    ({ takenAt }: { takenAt: number }) => takenAt,
  )

describe('a night', () => {
  test('checks each merchant once, and again if a check is not finished', async () => {
    const venue = await createVenue()
    expect(await run()).toContain(venue.id)
    advance(60)
    expect(await run()).toEqual([])
    advance(1_800)
    expect(await run()).toContain(venue.id)
    await checkMerchant(env, venue.id)
    advance(1_860)
    expect(await run()).not.toContain(venue.id)
    advance(daySeconds - 3_720)
    expect(await run()).toContain(venue.id)
  })

  test('lasts for its hours', async () => {
    const venue = await createVenue()
    advance(-1)
    expect(await run()).toEqual([])
    advance((nightlyHours.to - nightlyHours.from) * 3_600 + 1)
    expect(await run()).toEqual([])
    advance(-1)
    expect(await run()).toContain(venue.id)
  })

  test('enqueues a bounded number in one run', async () => {
    await env.DB.exec(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 150) insert into merchants (id, name, timezone, created_at, updated_at) select 'mer_n' || i, 'N', 'UTC', 1, 1 from n`,
    )
    const first = await run()
    const second = await run()
    expect([first.length, second.length > 0]).toEqual([nightlyBounds.checks, true])
    expect(first.filter((id) => second.includes(id))).toEqual([])
    await env.DB.exec(`delete from merchants where id like 'mer_n%'`)
  })
})

describe('a check', () => {
  test('backs up a merchant that has changed, and one that has not after a week', async () => {
    const venue = await createVenue()
    await checkMerchant(env, venue.id)
    const [first] = await list(venue.id)
    advance(daySeconds)
    await checkMerchant(env, venue.id)
    expect(await list(venue.id)).toEqual([first])
    await venue.post('/products', { title: 'Tea', price: 1 })
    await checkMerchant(env, venue.id)
    expect(await list(venue.id)).toEqual([now(), first])
    advance(daySeconds)
    await call('POST', `/admin/merchants/${venue.id}`, adminToken, { name: 'Renamed' })
    await checkMerchant(env, venue.id)
    const third = now()
    expect((await list(venue.id))[0]).toBe(third)
    advance((backupDays.renewed - 1) * daySeconds)
    await checkMerchant(env, venue.id)
    expect((await list(venue.id))[0]).toBe(third)
    advance(daySeconds)
    await checkMerchant(env, venue.id)
    expect((await list(venue.id))[0]).toBe(now())
  })

  test('of an unchanged merchant costs two round trips, and one to note it', async () => {
    const venue = await createVenue()
    await checkMerchant(env, venue.id)
    const { database, trips } = watch(env.DB)
    await checkMerchant({ ...env, DB: database }, venue.id)
    expect(trips).toHaveLength(3)
  })

  test('comes from the queue: a failure is retried, a malformed message is not', async () => {
    const venue = await createVenue()
    vi.spyOn(console, 'error').mockReturnValue()
    const consume = async (body: unknown, bindings: Partial<Bindings> = {}) => {
      const batch = createMessageBatch('backups', [{ id: 'm', timestamp: new Date(), attempts: 1, body }])
      const context = createExecutionContext()
      await worker.queue(batch, { ...env, ...bindings }, context)
      const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
      return [explicitAcks.length, retryMessages.length]
    }
    expect(await consume({ merchant: venue.id })).toEqual([1, 0])
    expect(await list(venue.id)).toHaveLength(1)
    expect(await consume({})).toEqual([1, 0])
    expect(await consume({ merchant: 'mer_deleted' })).toEqual([1, 0])
    advance(8 * daySeconds)
    const put = () => Promise.reject(new Error('R2 is out of order'))
    const BACKUPS: R2Bucket = Object.assign(Object.create(env.BACKUPS), { put })
    expect(await consume({ merchant: venue.id }, { BACKUPS })).toEqual([0, 1])
    // The unfinished upload is listed nowhere, but deleted when it expires.
    expect(await list(venue.id)).toHaveLength(1)
  })
})

test('backups are deleted after 35 days, also of deleted merchants', async () => {
  const venue = await createVenue()
  await checkMerchant(env, venue.id)
  const key = `${venue.id}/${now()}.jsonl.gz`
  expect(await env.BACKUPS.head(key)).not.toBeNull()
  advance(backupDays.kept * daySeconds)
  await run()
  expect(await env.BACKUPS.head(key)).not.toBeNull()
  advance(1)
  await env.DB.prepare('delete from keys where merchant_id = ?').bind(venue.id).run()
  await env.DB.prepare('delete from merchants where id = ?').bind(venue.id).run()
  await run()
  expect([await env.BACKUPS.head(key), await list(venue.id)]).toEqual([null, []])
  const { results } = await env.DB.prepare('select * from backup_checks where merchant_id = ?').bind(venue.id).all()
  expect(results).toEqual([])
})
