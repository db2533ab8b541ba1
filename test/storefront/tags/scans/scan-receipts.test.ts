import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import worker from '../../../../src/index.ts'
import { createId, createIdAt } from '../../../../src/platform/lib/ids.ts'
import { maxReceiptsLength } from '../../../../src/storefront/tags/scans/count-statements.ts'
import { receiptRetentionDays } from '../../../../src/storefront/tags/scans/scan-receipts.ts'
import { adminToken, call, createVenue } from '../../../support/api.ts'
import { watch } from '../../../support/d1.ts'
import { queryHome } from '../../../support/home.ts'
import { purgeNow } from '../../../support/purges.ts'
import { deliver } from '../../../support/test-worker.ts'

const venue = await createVenue()
const create = async (): Promise<{ id: string }> => (await venue.post('/tags', {})).body
const total = async (tag: string) =>
  (await venue.get(`/tags/${tag}/scans`)).body.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
const today = new Date().toISOString().slice(0, 10)
const messageOf = (tag: string, { at = Date.now() } = {}) => ({
  kind: 'scan',
  id: createId('scan'),
  merchant: venue.id,
  tag,
  at,
  channel: 'qr',
  timezone: 'UTC',
})

describe('a batch of scans', () => {
  test('writes one row for each tag, day and channel of a batch, and none if its messages are repeated', async () => {
    const [first, second] = [await create(), await create()]
    const { database, trips } = watch(env.DB)
    const written = async (...messages: object[]) => {
      trips.length = 0
      await deliver({ ...env, DB: database }, messages)
      return trips.reduce((sum, trip) => sum + trip.rowsWritten, 0)
    }
    const batch = () => Array.from({ length: 20 }, (_, n) => messageOf(n % 2 ? first.id : second.id))
    // A new count has entries in the indexes of receipts and of hours.
    expect(await written(...batch())).toBe(6)
    const again = batch()
    expect(await written(...again)).toBe(2)
    expect(await written(...again)).toBe(0)
    expect([await total(first.id), await total(second.id)]).toEqual([20, 20])
  })

  test('count a scan once beyond the receipts that a row keeps, and if the count or the receipt is of an earlier release', async () => {
    const [busy, old] = [await create(), await create()]
    const receipts = (tag: string) =>
      queryHome(
        venue.id,
        'select length(receipts) as length, keeps_receipts as keeps from scan_counts where tag = ?',
        tag,
      )
    const rows = async (ids: string[]) =>
      (
        await queryHome(
          venue.id,
          'select id from scan_receipts where id in (select value from json_each(?))',
          JSON.stringify(ids),
        )
      ).length
    const idsOf = (messages: { id: string }[]) => messages.map(({ id }) => id)
    const deliverTwice = async (messages: object[]) => {
      await deliver(env, messages)
      await deliver(env, messages)
    }
    const [first, second] = [[messageOf(busy.id)], [messageOf(busy.id), messageOf(busy.id)]]
    await deliverTwice(first)
    await queryHome(
      venue.id,
      'update scan_counts set receipts = receipts || ? where tag = ?',
      'x'.repeat(maxReceiptsLength),
      busy.id,
    )
    const [full] = await receipts(busy.id)
    await deliverTwice(second)
    await deliverTwice(first)
    expect([await total(busy.id), await receipts(busy.id), await rows(idsOf([...first, ...second]))]).toEqual([
      3,
      [full],
      2,
    ])
    await queryHome(
      venue.id,
      'insert into scan_counts (merchant_id, tag, day, channel, count) values (?, ?, ?, ?, 1)',
      venue.id,
      old.id,
      today,
      'qr',
    )
    const [counted, fresh] = [messageOf(old.id), messageOf(old.id)]
    await queryHome(venue.id, 'insert into scan_receipts (id, merchant_id) values (?, ?)', counted.id, venue.id)
    await deliverTwice([counted, fresh])
    expect([await total(old.id), await receipts(old.id), await rows([fresh.id])]).toEqual([
      2,
      [{ length: 0, keeps: 0 }],
      1,
    ])
  })
})

describe('receipts of counted scans', () => {
  const receipts = async () => {
    const { results } = await env.DB.prepare('select id from scan_receipts').all<{ id: string }>()
    return new Set(results.map(({ id }) => id))
  }

  test('are purged after the maximum age of a message', async () => {
    const now = Date.now()
    const day = 86_400_000
    const old = Array.from(
      { length: 1500 },
      (_, n) => `${createIdAt('scan', now - (receiptRetentionDays + 1) * day)}${n}`,
    )
    const young = [createIdAt('scan', now - (receiptRetentionDays - 1) * day), createId('scan')]
    await env.DB.prepare('insert into scan_receipts (id) select value from json_each(?)')
      .bind(JSON.stringify([...old, ...young]))
      .run()
    await purgeNow(env, now)
    const left = await receipts()
    expect(old.filter((id) => left.has(id))).toEqual([])
    expect(young.filter((id) => left.has(id))).toEqual(young)
  })

  test('are removed from the rows of counts at that age, and the counts stay', async () => {
    const [{ id: tag }, day] = [await create(), 86_400_000]
    const at = (days: number) => new Date(Date.now() - days * day).toISOString()
    // A date has ended everywhere a day and a half after it began in UTC.
    const [old, young] = [at(receiptRetentionDays + 3), at(receiptRetentionDays)]
    await deliver(env, [messageOf(tag, { at: Date.parse(old) }), messageOf(tag, { at: Date.parse(young) })])
    const kept = async () =>
      (
        await env.DB.prepare(
          'select length(receipts) as length, keeps_receipts as keeps from scan_counts where tag = ? order by day',
        )
          .bind(tag)
          .all()
      ).results
    expect(await kept()).toEqual(Array.from({ length: 2 }, () => ({ length: 14, keeps: 1 })))
    expect(await purgeNow(env, Date.now())).toMatchObject({ scan_counts: 1 })
    expect(await kept()).toEqual([
      { length: 0, keeps: 0 },
      { length: 14, keeps: 1 },
    ])
    expect(await total(tag)).toBe(2)
    const { database, trips } = watch(env.DB)
    expect(await purgeNow({ ...env, DB: database }, Date.now())).toMatchObject({ scan_counts: 0 })
    const purges = trips.filter(({ statements }) =>
      statements.some((sql) => sql.trim().startsWith('update "scan_counts"')),
    )
    expect(purges.map(({ rowsRead, rowsWritten }) => [rowsRead <= 10, rowsWritten])).toEqual([[true, 0]])
  })

  test('are removed when the cron says that they are due, and not before', async () => {
    const { id: tag } = await create()
    // The scans of the other tests.
    await env.DB.prepare(`update scan_counts set receipts = '', keeps_receipts = 0`).run()
    await deliver(env, [messageOf(tag)])
    const [state] = (await call('GET', '/admin/maintenance', adminToken)).body.filter(
      ({ name }: { name: string }) => name === 'scan_counts',
    )
    const dueMs = (state.oldestAt + state.retentionSeconds) * 1000
    expect(dueMs - Date.now()).toBeGreaterThanOrEqual(receiptRetentionDays * 86_400_000)
    expect(await purgeNow(env, dueMs)).toMatchObject({ scan_counts: 0 })
    expect((await purgeNow(env, dueMs + 1_000))['scan_counts']).toBeGreaterThanOrEqual(1)
  })

  test('are purged every minute', async () => {
    const id = createIdAt('scan', 0)
    const insert = () =>
      env.DB.prepare('insert into scan_receipts (id) values (?) on conflict do nothing').bind(id).run()
    await insert()
    // A receipt of the past: the service cannot know that it is due.
    await env.DB.prepare('update purges set due_at = 0').run()
    await worker.scheduled(createScheduledController({ scheduledTime: Date.parse('2026-11-20T10:01:00Z') }), env)
    expect((await receipts()).has(id)).toBe(false)
  })
})
