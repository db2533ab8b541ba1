import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maintain } from '../../../src/app/maintenance/maintenance.ts'
import { resumeService } from '../../../src/checkout/service/resume-service.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createKey, createVenue, type Venue } from '../../support/api.ts'
import { watch } from '../../support/d1.ts'
import { queryHome, ringAlarm } from '../../support/home.ts'
import { interceptD1, moveTo } from '../../support/moves.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await env.DB.prepare('delete from service_states').run()
})
afterEach(() => vi.restoreAllMocks())

const now = () => Math.floor(Date.now() / 1000)
const run = () => resumeService(env, directoryDatabase(env), Date.now())
const listEvents = async ({ get }: Pick<Venue, 'get'>) =>
  (await get('/events?types=service.paused,service.resumed')).body.map(({ type }: { type: string }) => type)
const pause = (venue: Pick<Venue, 'post'>, until: number) =>
  venue.post('/service', { paused: true, until, message: 'Back soon', prepMinutes: 15 })

test('a pause that ends raises one event for each merchant and mode, from its second on', async () => {
  const harness = await createWebhookHarness()
  const tests = await createKey(harness.venue.id, { mode: 'test' })
  await harness.createWebhook({ events: ['service.resumed'] })
  const until = now() + 60
  await pause(harness.venue, until)
  await pause(tests, until + 1)
  const sweep = () => resumeService(harness.bindings, directoryDatabase(env), Date.now())
  vi.setSystemTime((until - 1) * 1000)
  expect(await sweep()).toBe(0)
  vi.setSystemTime(until * 1000)
  expect(await sweep()).toBe(1)
  expect(await sweep()).toBe(0)
  vi.setSystemTime((until + 1) * 1000)
  expect(await sweep()).toBe(1)
  for (const venue of [harness.venue, tests])
    expect(await listEvents(venue)).toEqual(['service.paused', 'service.resumed'])
  await harness.deliver()
  expect(harness.calls.map(({ body }) => [body.type, body.data])).toEqual([['service.resumed', { paused: false }]])
  expect((await harness.venue.get('/service')).body).toEqual({ paused: false, prepMinutes: 15 })
  const rows = await queryHome(harness.venue.id, 'select message from service_states where message is not null')
  expect(rows).toEqual([])
})

test.each(['d1', 'object'] as const)(
  'a pause of a venue in %s ends once: by the sweep or by a request',
  async (home) => {
    const sweep = (venue: Venue) =>
      home === 'd1' ? maintain(env, directoryDatabase(env)) : ringAlarm(venue.id).then(() => undefined)
    const venue = await createVenue({ home })
    await pause(venue, now() + 5)
    vi.setSystemTime(Date.now() + 5_000)
    await Promise.all([sweep(venue), venue.post('/service', { paused: false }), sweep(venue)])
    expect(await listEvents(venue)).toEqual(['service.paused', 'service.resumed'])
    await pause(venue, now() + 5)
    vi.setSystemTime(Date.now() + 5_000)
    await pause(venue, now() + 5)
    await sweep(venue)
    expect((await listEvents(venue)).slice(2)).toEqual(['service.paused', 'service.resumed', 'service.paused'])
  },
)

test('an object is woken when its pause ends, and not by a pause without an end', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/service', { paused: true })
  // Retained events and entries of the audit log wake it too, weeks later.
  expect(await ringAlarm(venue.id)).toBeGreaterThan((now() + 86_400) * 1000)
  const until = now() + 600
  await pause(venue, until)
  expect(await ringAlarm(venue.id)).toBe(until * 1000)
})

test('any number of merchants takes two calls of the database', async () => {
  for (let n = 0; n < 3; n++) await pause(await createVenue({ home: 'd1' }), now() + 5)
  vi.setSystemTime(Date.now() + 6_000)
  const { database, trips } = watch(env.DB)
  expect(await resumeService(env, directoryDatabase({ ...env, DB: database }), Date.now())).toBe(3)
  expect(trips).toHaveLength(2)
})

test('a running pause moves with its merchant, and one that ends in between is announced by the new home', async () => {
  const venue = await createVenue({ home: 'd1' })
  await pause(venue, now() + 600)
  const before = (await venue.get('/service')).body
  await moveTo(venue.id, 'object')
  expect((await venue.get('/service')).body).toEqual(before)
  await moveTo(venue.id, 'd1')
  expect((await venue.get('/service')).body).toEqual(before)
  vi.setSystemTime(Date.now() + 601_000)
  const move = vi.fn(async () => {
    expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
  })
  const DB = interceptD1(/^insert into "?events"?.*service\.resumed/s, move)
  expect(await resumeService(env, directoryDatabase({ ...env, DB }), Date.now())).toBe(0)
  expect(move).toHaveBeenCalledOnce()
  await ringAlarm(venue.id)
  await run()
  expect(await listEvents(venue)).toEqual(['service.paused', 'service.resumed'])
})
