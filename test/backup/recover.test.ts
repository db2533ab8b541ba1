import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { recoveryDays } from '../../src/backup/recover-routes.ts'
import { runMove } from '../../src/move/run-move.ts'
import { adminToken, call, createVenue, toIssues } from '../support/api.ts'
import { getMove, moveTo, startMove } from '../support/moves.ts'
import { advance, backUp, restore } from './restores.ts'

const recover = (id: string, at: unknown) => call('POST', `/admin/merchants/${id}/recover`, adminToken, { at })
const now = () => Math.floor(Date.now() / 1000)

test('is not supported for the shared database, and names what to do instead', async () => {
  const venue = await createVenue({ home: 'd1' })
  const { status, body } = await recover(venue.id, now() - 60)
  expect([status, body.code]).toEqual([409, 'not_supported'])
  expect(body.detail).toContain('Time Travel')
})

test('needs a time at which the object had the data, and no move under way', async () => {
  const venue = await createVenue({ home: 'd1' })
  await moveTo(venue.id, 'object')
  const before = await recover(venue.id, now() - 600)
  expect([before.status, before.body.detail]).toEqual([
    409,
    expect.stringContaining('has the data of the merchant since'),
  ])
  expect((await recover(venue.id, now())).body.detail).toContain('keeps no earlier data')
  await startMove(venue.id, { home: 'd1' })
  expect((await recover(venue.id, now())).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('moved'),
  })
})

test('needs that time also if a later move has failed', async () => {
  const venue = await createVenue({ home: 'd1' })
  await moveTo(venue.id, 'object')
  // The copying took a minute.
  await env.DB.exec(`update home_objects set created_at = created_at - 60 where merchant_id = '${venue.id}'`)
  await startMove(venue.id, { home: 'd1' })
  await env.DB.prepare(`update moves set started_at = 0 where merchant_id = ? and state = 'copying'`)
    .bind(venue.id)
    .run()
  await runMove(env, venue.id)
  expect(await getMove(venue.id)).toMatchObject({ state: 'failed' })
  expect((await recover(venue.id, now() - 30)).body.detail).toContain('has the data of the merchant since')
})

test('refuses a time at which a restore had deleted rows', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const venue = await createVenue({ home: 'object' })
  const takenAt = await backUp(venue.id)
  advance(10)
  const { startedAt, finishedAt } = await restore(venue.id, takenAt)
  advance(10)
  const details = []
  for (const at of [startedAt - 1, startedAt, finishedAt - 1, finishedAt])
    details.push((await recover(venue.id, at)).body.detail)
  vi.useRealTimers()
  const [open, closed] = [expect.stringContaining('no earlier data'), expect.stringContaining('being restored')]
  expect(details).toEqual([open, closed, closed, open])
})

test('is not supported where the platform keeps no earlier data, and changes nothing', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const { status, body } = await recover(venue.id, now())
  expect([status, body.code, body.detail]).toEqual([409, 'not_supported', expect.stringContaining('backup')])
  expect((await venue.get('/products')).body).toHaveLength(1)
})

test('takes a time of the last 30 days', async () => {
  const { id } = await createVenue({ home: 'object' })
  expect(toIssues(await recover(id, now() + 60))).toEqual(['/at too_large'])
  expect(toIssues(await recover(id, now() - recoveryDays * 86_400 - 10))).toEqual(['/at too_small'])
  expect(toIssues(await recover(id, now() - recoveryDays * 86_400 + 10))).toEqual(['409 not_supported'])
  expect(toIssues(await recover(id, 'yesterday'))).toEqual(['/at invalid_format'])
  expect((await recover('mer_unknown', now())).status).toBe(404)
})
