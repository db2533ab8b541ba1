import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maintain } from '../../src/app/maintenance/maintenance.ts'
import { purgeBounds } from '../../src/app/maintenance/purges.ts'
import { retainedTables } from '../../src/app/maintenance/retained-tables.ts'
import { directoryDatabase, sharedDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { daySeconds } from '../../src/platform/lib/day.ts'
import { retentionDays } from '../../src/webhooks/event-retention.ts'
import { createVenue } from '../support/api.ts'
import { watch } from '../support/d1.ts'
import { purgeNow } from '../support/purges.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  vi.spyOn(console, 'info').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const busy = () => {
  throw new Error('D1_ERROR: the database is busy')
}
/** D1 that fails the statements with a text. */
const failing = (text: string) => ({
  ...env,
  DB: watch(env.DB, (statements) => statements.some((sql) => sql.includes(text)) && busy()).database,
})
const dueAt = (name: string) => env.DB.prepare('select due_at from purges where name = ?').bind(name).first('due_at')

/** A merchant with expired events and one without, at the time at which the events have expired. */
async function createExpired() {
  const [full, empty] = [await createVenue({ home: 'd1' }), await createVenue({ home: 'd1' })]
  await full.post('/products', { title: 'Tea', price: 1 })
  const nowMs = Date.now() + (retentionDays + 1) * daySeconds * 1000
  return { full: full.id, empty: empty.id, nowMs, now: Math.floor(nowMs / 1000) }
}

const ofMerchants = retainedTables.filter(({ statements: { next } }) => next)

test.each(ofMerchants)('a purge of $name that fails keeps no merchant due', async ({ name }) => {
  const { full, empty, nowMs, now } = await createExpired()
  const log = vi.spyOn(console, 'error').mockReturnValue()
  await purgeNow(failing(`delete from "${name}"`), nowMs)
  expect(log.mock.calls.flat().join()).toContain('purge failed')
  expect(await dueAt(empty)).toBeGreaterThan(now)
  expect(await dueAt(full)).toBeGreaterThan(now)
})

test('a run that reaches a limit keeps the merchants due that have expired rows, after those that were due before', async () => {
  const { full, empty, nowMs, now } = await createExpired()
  const { database } = watch(env.DB, ([sql = '']) => {
    if (sql.includes('from "purges"')) vi.setSystemTime(Date.now() + purgeBounds.ms)
  })
  await purgeNow({ ...env, DB: database }, nowMs)
  expect(await dueAt(full)).toBe(now)
  expect(await dueAt(empty)).toBeGreaterThan(now)
  await purgeNow(env, nowMs)
  expect(await dueAt(full)).toBeGreaterThan(now)
  const left = env.DB.prepare('select count(*) as n from events where merchant_id = ?').bind(full)
  expect(await left.first('n')).toBe(0)
})

test('a deleted webhook that exists again is forgotten, and its deliveries stay', async () => {
  const harness = await createWebhookHarness()
  const { id } = await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 1 })
  await harness.deliver()
  const { length } = await harness.deliveries()
  expect(length).toBe(1)
  await env.DB.prepare('insert into gone_webhooks (webhook) select seq from webhooks where id = ?').bind(id).run()
  await purgeNow(harness.bindings, Date.now())
  expect(await env.DB.prepare('select count(*) as n from gone_webhooks').first('n')).toBe(0)
  expect(await harness.deliveries()).toHaveLength(length)
})

test.each([
  ['availability', 'option_availability'],
  ['option_availability', 'availability'],
])('marks of %s that cannot end do not stop those of %s', async (failed, other) => {
  const venue = await createVenue({ home: 'd1' })
  const { id: product } = (await venue.post('/products', { title: 'Cake', price: 3 })).body
  const modifier = { title: 'Milk', instructions: '', options: [{ id: 'oat', label: 'Oat' }] }
  const { id } = (await venue.post('/modifiers', modifier)).body
  const sold = { soldOut: true, until: Math.floor(Date.now() / 1000) + 5 }
  await venue.post(`/products/${product}/availability`, sold)
  await venue.post(`/modifiers/${id}/availability`, { options: { oat: sold } })
  const count = (table: string) =>
    env.DB.prepare(`select count(*) as n from ${table} where merchant_id = ?`).bind(venue.id).first('n')
  expect([await count(failed), await count(other)]).toEqual([1, 1])
  vi.setSystemTime(Date.now() + 6_000)
  vi.spyOn(console, 'error').mockReturnValue()
  const bindings = failing(`"${failed}"."sold_out_until"`)
  await maintain(bindings, sharedDatabase(bindings))
  expect([await count(failed), await count(other)]).toEqual([1, 0])
  await maintain(env, directoryDatabase(env))
  expect(await count(failed)).toBe(0)
})

test('each table that is purged by time has a row that says when it is due', async () => {
  const { results } = await env.DB.prepare(`select name from purges where name not glob 'mer_*'`).all<{
    name: string
  }>()
  const timed = retainedTables.filter(({ statements: { next } }) => !next).map(({ name }) => name)
  expect(results.map(({ name }) => name).toSorted()).toEqual(timed.toSorted())
})
