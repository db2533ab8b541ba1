import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionDelaySeconds } from '../../../src/admin/delete-closed.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { enqueueIdleMoves, idleSeconds } from '../../../src/tenancy/move/move-consumer.ts'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { announce, startMove } from '../../support/moves.ts'
import { now } from '../../support/webhook-harness.ts'

test.each(['d1', 'object'])('a move of a merchant in %s that was deleted during the move ends', async (home) => {
  const venue = await createVenue({ home })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await startMove(venue.id, { home: home === 'd1' ? 'object' : 'd1' })
  expect(await runMove(env, venue.id)).toBeGreaterThan(0)
  await call('POST', `/admin/merchants/${venue.id}/close`, adminToken, { graceDays: 1 })
  await deleteClosedMerchants(env, directoryDatabase(env), now() + 86_400 + deletionDelaySeconds + 1)
  const errors = [vi.spyOn(console, 'error').mockReturnValue(), vi.spyOn(console, 'warn').mockReturnValue()]
  expect(await runMove(env, venue.id)).toBe(undefined)
  const sendBatch = vi.fn()
  const MOVES = Object.assign(Object.create(null), { sendBatch })
  await enqueueIdleMoves({ ...env, MOVES }, directoryDatabase(env), now() + idleSeconds * 100)
  expect([sendBatch.mock.calls, ...errors.map(({ mock }) => mock.calls)]).toEqual([[], [], []])
  for (const each of errors) each.mockRestore()
})

test('an invocation that copies while its merchant is deleted leaves no rows', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/customers', { firstName: 'Ada', lastName: 'L', email: 'ada@example.com' })
  await startMove(venue.id, { home: 'd1' })
  await call('POST', `/admin/merchants/${venue.id}/close`, adminToken, { graceDays: 1 })
  await announce(venue.id)
  let deletions = 0
  const { database } = watch(env.DB, async (statements) => {
    if (!statements.some((sql) => /^insert (?:or replace )?into "events"/.test(sql)) || deletions++ > 0) return
    await deleteClosedMerchants(env, directoryDatabase(env), now() + 86_400 + deletionDelaySeconds + 1)
  })
  const errors = vi.spyOn(console, 'warn').mockReturnValue()
  await runMove({ ...env, DB: database }, venue.id).catch(() => undefined)
  errors.mockRestore()
  expect(deletions).toBeGreaterThan(0)
  const { results } = await env.DB.prepare('select id from events where merchant_id = ?').bind(venue.id).all()
  expect(results).toEqual([])
})
