import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { adjustmentRetentionDays } from '../../../src/checkout/stock/adjustment-retention.ts'
import { auditRetentionDays } from '../../../src/platform/db/audit-log.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { stepBounds } from '../../../src/tenancy/backup/restore/restore-steps.ts'
import { leaseSeconds, settleSeconds } from '../../../src/tenancy/backup/restore/run-restore.ts'
import { retentionDays } from '../../../src/webhooks/event-retention.ts'
import { adminToken, call, createKey, createVenue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'
import { importFile } from '../../support/imports.ts'
import { isLong, spread } from '../../support/rounds.ts'
import { admin, advance, backUp, fill, finish, read, restore } from './restores.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('while a merchant is restored', () => {
  test('its keys are rejected, and it can be neither suspended, resumed nor backed up', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    const takenAt = await backUp(venue.id)
    expect((await admin(venue.id, 'restore', { takenAt })).body.code).toBe('conflict')
    const started = await admin(venue.id, 'restore', { takenAt, replace: true })
    expect(started.body).toMatchObject({ state: 'saving', waitSeconds: settleSeconds, rows: 0 })
    expect((await venue.get('/products')).body.code).toBe('merchant_suspended')
    for (const change of ['resume', 'suspend'])
      expect((await admin(venue.id, change)).body).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('restored'),
      })
    // Isolates that cached the keys may still accept them.
    expect((await admin(venue.id, 'restore/continue')).body).toMatchObject({
      state: 'saving',
      waitSeconds: settleSeconds,
    })
    advance(settleSeconds)
    expect((await admin(venue.id, 'restore/continue')).body).toMatchObject({ state: 'deleting' })
    advance(1)
    expect((await admin(venue.id, 'backups')).body.code).toBe('conflict')
    expect((await call('GET', `/admin/merchants/${venue.id}/backups`, adminToken)).body).toHaveLength(2)
    await finish(venue.id)
    expect((await venue.get('/products')).body).toHaveLength(1)
    const done = await admin(venue.id, 'restore/continue')
    expect([done.status, done.body.state]).toEqual([200, 'done'])
    expect((await call('GET', `/admin/merchants/${venue.id}/restore`, adminToken)).body).toEqual(done.body)
    advance(1)
    expect((await admin(venue.id, 'backups')).status).toBe(201)
  })

  test('a suspension by the operator outlives it, and revoked keys stay revoked', async () => {
    const venue = await createVenue()
    const second = await createKey(venue.id, { mode: 'live' })
    const takenAt = await backUp(venue.id)
    await call('DELETE', `/admin/merchants/${venue.id}/keys/${second.keyId}`, adminToken)
    await admin(venue.id, 'suspend')
    advance(settleSeconds)
    const { states } = await restore(venue.id, takenAt)
    expect(states).toEqual(['deleting', 'loading', 'done'])
    expect((await call('GET', `/admin/merchants/${venue.id}`, adminToken)).body.status).toBe('suspended')
    await admin(venue.id, 'resume')
    expect([(await venue.get('/products')).status, (await second.get('/products')).status]).toEqual([200, 401])
  })

  test('a key that was the only one, and was revoked, stays revoked', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    const takenAt = await backUp(venue.id)
    await call('DELETE', `/admin/merchants/${venue.id}/keys/${venue.keyId}`, adminToken)
    await restore(venue.id, takenAt)
    expect((await venue.get('/products')).status).toBe(401)
    expect((await call('GET', `/admin/merchants/${venue.id}/keys`, adminToken)).body).toEqual([])
  })

  test('what writes to it is found, and the backup is loaded again', async () => {
    const venue = await createVenue()
    await venue.post('/products', { title: 'Tea', price: 1 })
    const takenAt = await backUp(venue.id)
    await admin(venue.id, 'restore', { takenAt, replace: true })
    advance(settleSeconds)
    await admin(venue.id, 'restore/continue')
    expect((await admin(venue.id, 'restore/continue')).body.state).toBe('loading')
    await env.DB.prepare(`insert into external_ids values (?, 0, 'products', 'STRAY', 987654)`).bind(venue.id).run()
    const { status, body } = await admin(venue.id, 'restore/continue')
    expect([status, body.code, body.detail]).toEqual([409, 'conflict', expect.stringContaining('external_ids')])
    expect((await finish(venue.id)).states).toEqual(['loading', 'done'])
    expect((await venue.get('/products')).body).toHaveLength(1)
  })

  test('one request works at a time; after an interruption another one takes over', async () => {
    const venue = await createVenue()
    const takenAt = await backUp(venue.id)
    await admin(venue.id, 'restore', { takenAt, replace: true })
    await env.DB.prepare('update restores set leased_until = ? where merchant_id = ?')
      .bind(Math.floor(Date.now() / 1000) + leaseSeconds, venue.id)
      .run()
    expect((await admin(venue.id, 'restore/continue')).body.code).toBe('busy')
    expect((await admin(venue.id, 'restore', { takenAt })).body.code).toBe('busy')
    advance(leaseSeconds)
    expect((await finish(venue.id)).state).toBe('done')
  })
})

test.each(['d1', 'object'] as const)('a restore that fails at any round trip loses nothing (%s)', async (home) => {
  const { venue } = await fill(home)
  for (const { id } of (await venue.get('/webhooks')).body) await venue.post(`/webhooks/${id}`, { active: false })
  const before = await read(venue)
  const takenAt = await backUp(venue.id)
  await venue.post('/products', { title: 'New word', price: 1 })
  const damaged = await read(venue)
  await admin(venue.id, 'restore', { takenAt, replace: true })
  advance(settleSeconds)
  vi.spyOn(console, 'error').mockReturnValue()
  // In CI each attempt gets one round trip farther than the last one in the same state before the database fails, and four otherwise.
  const stride = isLong ? 1 : 4
  const reached: Record<string, number> = {}
  let failures = 0
  for (let state = 'saving'; state !== 'done'; ) {
    let left = reached[state] ?? 0
    const { status, body } = await observe('POST', `/admin/merchants/${venue.id}/restore/continue`, {
      key: adminToken,
      before() {
        if (left-- <= 0) throw new Error('D1_ERROR: Network connection lost.')
      },
    })
    advance(leaseSeconds)
    if (status === 200) {
      state = body.state
      continue
    }
    reached[state] = (reached[state] ?? 0) + stride
    if (++failures % 7 === 3) {
      const again = await admin(venue.id, 'restore', { takenAt })
      // Rejected if the last attempt did all its work and only its response was lost.
      if (again.status !== 409) state = again.body.state
    }
    expect(failures).toBeLessThan(200)
  }
  expect(Object.keys(reached)).toEqual(['saving', 'deleting', 'loading'])
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(10)
  const { body } = await call('GET', `/admin/merchants/${venue.id}/restore`, adminToken)
  expect(await read(venue)).toEqual(before)
  await restore(venue.id, body.savedAt)
  expect(await read(venue)).toEqual(damaged)
})

describe('while rows of the backup expire', () => {
  const { pages } = stepBounds
  // Ids contain the time, and never go back.
  let startMs = Date.now()
  beforeEach(() => {
    vi.setSystemTime(startMs)
    Object.assign(stepBounds, { pages: 4 })
  })
  afterEach(() => {
    startMs = Date.now()
    Object.assign(stepBounds, { pages })
  })

  const cases = [
    ['object', 'events, deliveries and imports', retentionDays],
    ['d1', 'events, deliveries and imports', retentionDays],
    ['d1', 'audit entries', auditRetentionDays],
    ['d1', 'stock adjustments', adjustmentRetentionDays],
  ] as const
  test.each(spread(cases, 2))('a restore in %s that takes minutes ends: %s', async (home, _, days) => {
    const { venue } = await fill(home)
    await importFile(venue, 'resource=products', 'title,price\nCake,3\n,2\n')
    advance((days - 1) * daySeconds)
    const takenAt = await backUp(venue.id)
    advance(2 * daySeconds)
    await admin(venue.id, 'restore', { takenAt, replace: true })
    let state = ''
    for (let requests = 0; state !== 'done' && requests < 60; requests++) {
      advance(60)
      await runScheduled(env)
      state = (await admin(venue.id, 'restore/continue')).body.state
    }
    expect(state).toBe('done')
  })
})
