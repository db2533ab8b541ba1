import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { runScheduled } from '../../src/app/maintenance/maintenance.ts'
import { purgeBounds, purgeExpired } from '../../src/app/maintenance/purges.ts'
import { retainedTables } from '../../src/app/maintenance/retained-tables.ts'
import worker from '../../src/index.ts'
import { createId, createIdAt, getCreationMs } from '../../src/platform/lib/ids.ts'
import { retentionDays } from '../../src/webhooks/event-retention.ts'
import { adminToken, call } from '../support/api.ts'
import { plansOf, watch } from '../support/d1.ts'
import { purgeNow } from '../support/purges.ts'
import { createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const days = (count: number) => count * 86_400
const counts = async (harness: WebhookHarness) => ({
  events: (await harness.events()).length,
  deliveries: (await harness.deliveries()).length,
})

/** Copies the newest event and its delivery, as old as it is. */
async function multiply(count: number) {
  const id = `substr(id, 1, 18) || printf('%012d', n)`
  const numbers = `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${count})`
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} insert into deliveries (webhook, event, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts)
       select webhook, ${id.replace('(id', '(event')}, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts
       from deliveries cross join copies where event = (select max(event) from deliveries)`,
    ),
    env.DB.prepare(
      `${numbers} insert into events (merchant_id, test_mode, id, seq, type, version, at, row, previous, base_url, payload, external_id, erased_at)
       select merchant_id, test_mode, ${id}, seq + n, type, version, at, row, previous, base_url, payload, external_id, erased_at
       from events cross join copies where id = (select max(id) from events)`,
    ),
  ])
}

/** The log lines of a purge. */
function readLog() {
  const log = vi.spyOn(console, 'info').mockReturnValue()
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line))).findLast(({ message }) => message === 'purged')
}

test('the cron purges events and deliveries after thirty days', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  await harness.advance(days(1))
  await harness.post('/products', { title: 'Cake', price: 1 })
  await harness.deliver()
  const all = await counts(harness)
  await harness.advance(days(retentionDays - 1) - 1)
  await runScheduled(harness.bindings)
  expect(await counts(harness)).toEqual(all)
  await harness.advance(60)
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), harness.bindings)
  // Events of the webhook and of the first product.
  expect(await counts(harness)).toEqual({ events: all.events - 2, deliveries: all.deliveries - 1 })
  expect((await harness.get('/events')).body.map(({ data }: { data: { title: string } }) => data.title)).toEqual([
    'Cake',
  ])
})

test('deliveries of a deleted webhook are purged with the next run, those of another after their time', async () => {
  const harness = await createWebhookHarness()
  const deleted = await harness.createWebhook({ events: ['product.created'] })
  await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  const { body: product } = await harness.post('/products', { title: 'Cake', price: 1 })
  await harness.remove(`/webhooks/${deleted.id}`)
  const [event] = await harness.query('select id from events where row like ?', `%${product.id}%`)
  const count = async () => (await harness.query('select * from deliveries where event = ?', event?.['id'])).length
  const kept = await harness.deliveries()
  expect(await count()).toBe(2)
  await runScheduled(harness.bindings)
  expect(await count()).toBe(1)
  expect(await harness.deliveries()).toEqual(kept)
  // The message of the purged delivery is still in the queue.
  await harness.deliver()
  expect((await harness.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
})

test('a purge deletes expired rows in batches until none is left', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  await multiply(3 * purgeBounds.rows - 2)
  await harness.advance(days(retentionDays) + 1)
  await harness.post('/products', { title: 'New', price: 1 })
  await harness.deliver()
  const { database, trips } = watch(env.DB)
  const logged = readLog()
  const deleted = await purgeNow({ ...harness.bindings, DB: database }, Date.now())
  expect(deleted['events']).toBeGreaterThanOrEqual(3 * purgeBounds.rows)
  expect(deleted['deliveries']).toBeGreaterThanOrEqual(3 * purgeBounds.rows - 1)
  for (const { statements, rowsWritten } of trips) {
    expect(statements.length).toBeLessThanOrEqual(retainedTables.length)
    expect(rowsWritten).toBeLessThanOrEqual(2 * purgeBounds.rows)
  }
  expect(await counts(harness)).toEqual({ events: 1, deliveries: 1 })
  expect(logged()).toMatchObject({ deleted, behind: [] })
})

test('a run deletes expired rows within the queries of one invocation', async () => {
  // The simulator counts what the platform limits: 1,000 queries an invocation.
  const rows = 20 * purgeBounds.rows
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into scan_receipts (id) select substr(?, 1, 15) || printf('%016d', i) from n`,
  )
    .bind(rows, createIdAt('scan', Date.now() - 30 * 86_400_000))
    .run()
  const { database, trips } = watch(env.DB)
  const logged = readLog()
  expect(await purgeNow({ ...env, DB: database }, Date.now())).toMatchObject({ scan_receipts: rows })
  // Statements for the tables, and statements that compute and store the next due time.
  expect(trips.length).toBeLessThanOrEqual(rows / purgeBounds.rows + retainedTables.length + 4)
  expect(logged()).toMatchObject({ behind: [] })
  // A run ends however much there is: this is the maximum number of its queries.
  expect(purgeBounds.rounds * retainedTables.length).toBeLessThanOrEqual(800)
})

test('an unfinished run logs how far it is behind, and operators can read it', async () => {
  const harness = await createWebhookHarness()
  const expiredMs = Date.now() - 6 * 86_400_000
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
     insert into scan_receipts (id) select substr(?, 1, 15) || printf('%016d', i) from n`,
  )
    .bind(purgeBounds.rows, createIdAt('scan', expiredMs))
    .run()
  const shown = async () =>
    (await call('GET', '/admin/maintenance', adminToken)).body.find(
      ({ name }: { name: string }) => name === 'scan_receipts',
    )
  expect(await shown()).toEqual({
    name: 'scan_receipts',
    retentionSeconds: 5 * 86_400,
    oldestAt: Math.floor(expiredMs / 1000),
    overdueSeconds: expect.closeTo(86_400, -1),
  })
  // Time is up after the first statement of the table.
  const { database } = watch(env.DB, ([sql = '']) => {
    if (sql.startsWith('delete from "scan_receipts"')) vi.setSystemTime(Date.now() + purgeBounds.ms)
  })
  const nowMs = Date.now()
  const logged = readLog()
  await env.DB.prepare('insert into scan_receipts (id) values (?)')
    .bind(createIdAt('scan', expiredMs + 1_000))
    .run()
  await purgeNow({ ...harness.bindings, DB: database }, nowMs)
  expect(logged()).toMatchObject({
    deleted: { scan_receipts: purgeBounds.rows },
    behind: [{ name: 'scan_receipts', overdueSeconds: expect.closeTo(86_400, -1) }],
  })
  await purgeNow(harness.bindings, nowMs)
  expect(logged()).toMatchObject({ deleted: { scan_receipts: 1 }, behind: [] })
  expect(await shown()).toEqual({ name: 'scan_receipts', retentionSeconds: 5 * 86_400, overdueSeconds: 0 })
})

test('a failed purge does not stop the other purges', async () => {
  const harness = await createWebhookHarness()
  const id = createIdAt('scan', 0)
  await env.DB.prepare('insert into scan_receipts (id) values (?) on conflict do nothing').bind(id).run()
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { database } = watch(env.DB, ([sql = '']) => {
    if (sql.includes('delete from "events"')) throw new Error('D1_ERROR: the database is busy')
  })
  await purgeNow({ ...harness.bindings, DB: database }, Date.now())
  expect(log.mock.calls.flat().join()).toContain('purge failed')
  expect(await harness.query('select id from scan_receipts where id = ?', id)).toEqual([])
})

test('a purge without expired rows reads few rows', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  await multiply(3_000)
  const { database, trips } = watch(env.DB)
  vi.spyOn(console, 'info').mockReturnValue()
  // Finds out when the rows of the new merchants expire.
  await purgeNow(harness.bindings, Date.now())
  await purgeExpired({ ...harness.bindings, DB: database }, Date.now())
  expect(trips).toHaveLength(1)
  expect(trips.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)).toBe(0)
  expect(trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0)).toBeLessThan(5)
})

test('expired rows and the oldest row are found by an index', async () => {
  for (const { name, statements } of retainedTables) {
    const next = statements.next ? [statements.next()] : []
    for (const statement of [statements.purge(), statements.oldest(), ...next]) {
      const plan = (await plansOf([statement.sql])).flat()
      const scans = plan.filter((step) => new RegExp(`^SCAN (?:[dea]|${name})\\b`).test(step))
      expect([statement.sql, scans.filter((step) => !step.includes('USING'))]).toEqual([
        statement.sql,
        ['idempotency_keys', 'stock_adjustments', 'orders'].includes(name) ? scans : [],
      ])
    }
  }
})

test('ids of events sort by creation time, on which purges rely', async () => {
  await createWebhookHarness()
  const ids: string[] = []
  for (let i = 0; i < 50; i++) {
    ids.push(createId('evt'))
    if (i % 10 === 0) vi.setSystemTime(Date.now() + 1)
  }
  expect(ids).toEqual(ids.toSorted())
})

test('an id contains its creation time', async () => {
  await createWebhookHarness()
  expect(getCreationMs(createId('evt'))).toBeGreaterThanOrEqual(Date.now())
  for (const ms of [0, 1, 1_795_251_600_123, 2 ** 47]) expect(getCreationMs(createIdAt('scan', ms))).toBe(ms)
})
