import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { inspect } from '../../../src/app/maintenance/purges.ts'
import { retainedTables } from '../../../src/app/maintenance/retained-tables.ts'
import { auditRetentionDays } from '../../../src/platform/db/audit-log.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { retentionDays } from '../../../src/webhooks/event-retention.ts'
import { createVenue } from '../../support/api.ts'
import { announce, getMove, moveTo, runMoveWith, startMove } from '../../support/moves.ts'
import { purgeNow } from '../../support/purges.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.useRealTimers()
})

// Ids contain the time and never go back: this test comes before one that writes at later times.
test('rows that a move left in the shared database are not reported as overdue', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhookAndProduct()
  await harness.deliver()
  expect(await moveTo(harness.venue.id, 'object')).toMatchObject({ state: 'done' })
  vi.setSystemTime(Date.now() + (auditRetentionDays + 1) * daySeconds * 1000)
  await purgeNow(env, Date.now())
  const left = env.DB.prepare('select count(*) as n from events where merchant_id = ?').bind(harness.venue.id)
  expect((await left.first())?.['n']).toBeGreaterThan(0)
  const states = await inspect(directoryDatabase(env), Date.now(), retainedTables)
  expect(states.filter(({ overdueSeconds }) => overdueSeconds > 0)).toEqual([])
})

test('a purge of the shared database leaves the rows that a move has copied there', async () => {
  const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  for (const days of [retentionDays, auditRetentionDays - retentionDays]) {
    advance(days * daySeconds + 10)
    await venue.post('/products', { title: 'Cake', price: 1 })
  }
  await startMove(venue.id, { home: 'd1' })
  await announce(venue.id)
  await runMoveWith(venue.id, async () => {
    await runScheduled(env)
    return []
  })
  const move = await getMove(venue.id)
  expect([move.reason, move.state]).toEqual([undefined, 'done'])
  await runScheduled(env)
  expect((await venue.get('/events')).body).toHaveLength(1)
})
