import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { directoryDatabase } from '../../src/core/database.ts'
import { createId } from '../../src/core/ids.ts'
import { purge, purgeBite, retentionDays, tick } from '../../src/delivery/sweep.ts'
import worker from '../../src/index.ts'
import { plansOf, watch } from '../support/d1.ts'
import { createStage, type Stage } from '../support/stage.ts'

afterEach(() => vi.restoreAllMocks())

const days = (count: number) => count * 86_400
const counts = async (stage: Stage) => ({
  events: (await stage.events()).length,
  deliveries: (await stage.deliveries()).length,
})

/** Copies the newest event and its delivery, as old as it is. */
async function multiply(count: number) {
  const id = `substr(id, 1, 18) || printf('%012d', n)`
  const numbers = `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${count})`
  await env.DB.batch([
    env.DB.prepare(
      `${numbers} insert into deliveries select webhook, ${id.replace('(id', '(event')}, state, created_at, due_at, attempt, base, most, slow, leased_until, attempts
       from deliveries cross join copies where event = (select max(event) from deliveries)`,
    ),
    env.DB.prepare(
      `${numbers} insert into events select merchant_id, test_mode, ${id}, seq + n, type, version, at, row, previous, base_url, payload
       from events cross join copies where id = (select max(id) from events)`,
    ),
  ])
}

/** On the hour, when the cron purges. */
const onTheHour = (stage: Stage) => {
  const hourMs = 3_600_000
  return stage.pass(Math.ceil(Date.now() / hourMs) * 3_600 - Math.floor(Date.now() / 1000))
}

test('events and deliveries are kept for thirty days, and then purged by the cron once an hour', async () => {
  const stage = await createStage()
  await stage.hook({ events: ['product.created'] })
  await onTheHour(stage)
  await stage.post('/products', { title: 'Tea', price: 1 })
  await stage.deliver()
  await stage.pass(days(1))
  await stage.post('/products', { title: 'Cake', price: 1 })
  await stage.deliver()
  const all = await counts(stage)
  await stage.pass(days(retentionDays - 1))
  await tick(stage.bindings, Date.now())
  expect(await counts(stage)).toEqual({ events: all.events - 1, deliveries: all.deliveries })
  await stage.pass(60)
  await tick(stage.bindings, Date.now())
  expect(await counts(stage)).toEqual({ events: all.events - 1, deliveries: all.deliveries })
  await stage.pass(3_540)
  await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), stage.bindings)
  expect(await counts(stage)).toEqual({ events: all.events - 2, deliveries: all.deliveries - 1 })
  expect((await stage.get('/events')).body.map(({ data }: { data: { title: string } }) => data.title)).toEqual(['Cake'])
})

test('a purge takes bounded bites, one transaction each, until nothing old is left', async () => {
  const stage = await createStage()
  await stage.hook({ events: ['product.created'] })
  await stage.post('/products', { title: 'Tea', price: 1 })
  await stage.deliver()
  await multiply(2_500)
  await stage.pass(days(retentionDays) + 1)
  await onTheHour(stage)
  await stage.post('/products', { title: 'New', price: 1 })
  await stage.deliver()
  const { database, trips } = watch(env.DB)
  expect(await purge(directoryDatabase({ ...stage.bindings, DB: database }), Date.now())).toBe(2 * purgeBite)
  expect(trips).toHaveLength(1)
  expect(trips[0]?.rowsWritten).toBeLessThanOrEqual(2 * purgeBite * 2)
  await tick(stage.bindings, Date.now())
  expect(await counts(stage)).toEqual({ events: 1, deliveries: 1 })
})

test('a purge with nothing to do reads next to nothing, however much there is', async () => {
  const stage = await createStage()
  await stage.hook({ events: ['product.created'] })
  await stage.post('/products', { title: 'Tea', price: 1 })
  await stage.deliver()
  await multiply(3_000)
  const { database, trips } = watch(env.DB)
  expect(await purge(directoryDatabase({ ...stage.bindings, DB: database }), Date.now())).toBe(0)
  expect(trips[0]?.rowsWritten).toBe(0)
  expect(trips[0]?.rowsRead).toBeLessThan(100)
})

test('what is pending is found by an index, and so is what is too old', async () => {
  const stage = await createStage()
  const { database, trips } = watch(env.DB)
  await purge(directoryDatabase({ ...stage.bindings, DB: database }), Date.now())
  for (const sql of trips.flatMap(({ statements }) => statements)) {
    const scans = (await plansOf([sql])).flat().filter((step) => /^SCAN (d|deliveries|e|events)\b/.test(step))
    expect(scans, sql).toEqual([])
  }
})

test('ids of events sort by the time they were made, as purging relies on', async () => {
  await createStage()
  const ids: string[] = []
  for (let i = 0; i < 50; i++) {
    ids.push(createId('evt'))
    if (i % 10 === 0) vi.setSystemTime(Date.now() + 1)
  }
  expect(ids).toEqual(ids.toSorted())
})
