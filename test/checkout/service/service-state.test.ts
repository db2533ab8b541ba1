import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adminToken, call, createKey, createVenue, toIssues, type Venue } from '../../support/api.ts'
import { observe } from '../../support/d1.ts'

const start = Date.parse('2026-11-22T20:00:00Z')
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => vi.useRealTimers())

const seconds = (iso: string) => Date.parse(iso) / 1000
const until = seconds('2026-11-22T21:00:00Z')
const message = 'The kitchen takes a break.'
const pause = (venue: Pick<Venue, 'post'>, more: object = {}) => venue.post('/service', { paused: true, ...more })
const listEvents = async (venue: Pick<Venue, 'get'>): Promise<[string, object][]> =>
  (await venue.get('/events?types=service.paused,service.resumed&limit=100')).body.map(
    ({ type, data }: { type: string; data: object }) => [type, data],
  )

describe.each(['d1', 'object'] as const)('the service of a venue in %s', (home) => {
  test('is paused until a second, and resumed by itself or by a request', async () => {
    const venue = await createVenue({ home })
    expect((await venue.get('/service')).body).toEqual({ paused: false })
    const first = await pause(venue, { until, message, prepMinutes: 25 })
    const state = { paused: true, until, message, prepMinutes: 25 }
    expect([first.status, first.body, (await venue.get('/service')).body]).toEqual([200, state, state])
    vi.setSystemTime((until - 1) * 1000)
    expect((await venue.get('/service')).body).toEqual(state)
    vi.setSystemTime(until * 1000)
    expect((await venue.get('/service')).body).toEqual({ paused: false, prepMinutes: 25 })
    expect((await pause(venue)).body).toEqual({ paused: true, prepMinutes: 25 })
    expect((await venue.post('/service', { prepMinutes: 5 })).body).toEqual({ paused: true, prepMinutes: 5 })
    expect((await venue.post('/service', { paused: false, prepMinutes: null })).body).toEqual({ paused: false })
    expect(await listEvents(venue)).toEqual([
      ['service.paused', { paused: true, until, message }],
      ['service.resumed', { paused: false }],
      ['service.paused', { paused: true }],
      ['service.resumed', { paused: false }],
    ])
  })

  test('is paused once by two people at the same time, and both see the pause of the later one', async () => {
    const venue = await createVenue({ home })
    const same = await Promise.all([pause(venue, { until: 'tomorrow' }), pause(venue, { until: 'tomorrow' })])
    expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await listEvents(venue)).toHaveLength(1)
    await Promise.all([pause(venue, { until, message: 'A' }), pause(venue, { until: until + 1, message: 'B' })])
    const events = await listEvents(venue)
    expect(events).toHaveLength(3)
    expect((await venue.get('/service')).body).toEqual(events[2]?.[1])
    await Promise.all([venue.post('/service', { paused: false }), venue.post('/service', { paused: false })])
    expect((await listEvents(venue)).slice(3)).toEqual([['service.resumed', { paused: false }]])
  })

  test('`tomorrow` is a second of the day on which it was written, whatever the zone of the venue becomes', async () => {
    const venue = await createVenue({ home, timezone: 'Europe/Berlin', dayStartsAt: '0600' })
    const tomorrow = seconds('2026-11-23T05:00:00Z')
    expect((await pause(venue, { until: 'tomorrow' })).body).toEqual({ paused: true, until: tomorrow })
    await call('POST', `/admin/merchants/${venue.id}`, adminToken, { timezone: 'Asia/Kolkata' })
    expect((await venue.get('/service')).body).toEqual({ paused: true, until: tomorrow })
    expect((await pause(venue, { until: 'tomorrow' })).body.until).toBe(seconds('2026-11-23T00:30:00Z'))
  })
})

test('a pause is refused with every issue, and changes nothing then', async () => {
  const venue = await createVenue()
  const issues = async (body: object) => toIssues(await venue.post('/service', body))
  const [limit, past] = ['x'.repeat(201), start / 1000]
  expect(await issues({ paused: 'no', until: 'monday', message: limit, prepMinutes: 481, more: 1 })).toEqual([
    '/message too_long',
    '/more unknown_field',
    '/paused invalid_type',
    '/prepMinutes too_large',
    '/until invalid_format',
  ])
  expect(await issues({ paused: true, until: past })).toEqual(['/until too_small'])
  expect(await issues({ paused: false, until })).toEqual(['/until conflict'])
  expect(await issues({ paused: false, message })).toEqual(['/message conflict'])
  expect(await issues({ until, message })).toEqual(['/message conflict', '/until conflict'])
  expect(await issues({ prepMinutes: -1 })).toEqual(['/prepMinutes too_small'])
  expect((await venue.get('/service')).body).toEqual({ paused: false })
  expect(await listEvents(venue)).toEqual([])
  const longest = { message: 'x'.repeat(200), until: until + 1, prepMinutes: 480 }
  expect((await pause(venue, longest)).body).toEqual({ paused: true, ...longest })
  expect((await pause(venue, { until, message: ' ', prepMinutes: 0 })).body).toEqual({
    paused: true,
    until,
    prepMinutes: 0,
  })
})

test('a pause belongs to its merchant and mode; stock:write changes it, stock:read reads it', async () => {
  const venue = await createVenue()
  await pause(venue)
  for (const other of [await createVenue(), await createKey(venue.id, { mode: 'test' })]) {
    expect((await other.get('/service')).body).toEqual({ paused: false })
    expect(await listEvents(other)).toEqual([])
  }
  const access = async (...scopes: string[]) => {
    const key = await createKey(venue.id, { mode: 'live', scopes })
    return [(await pause(key)).status, (await key.get('/service')).status]
  }
  expect(await access('stock:write')).toEqual([200, 200])
  expect(await access('stock:read')).toEqual([403, 200])
  expect(await access('merchant:write', 'products:write')).toEqual([403, 403])
})

test('a pause takes one call of the database, two until tomorrow, and has one entry in the audit log', async () => {
  const venue = await createVenue()
  await venue.get('/service')
  const request = async (json: object) =>
    (await observe('POST', venue.path('/service'), { key: venue.key, json })).trips.length
  expect(await request({ paused: true })).toBe(1)
  expect(await request({ paused: true, until: 'tomorrow' })).toBe(2)
  expect(await request({ paused: false })).toBe(1)
  expect((await venue.get('/audit?operation=service.update')).body).toHaveLength(3)
})

test('a repeated request with the same key is answered alike, and pauses nothing again', async () => {
  const venue = await createVenue()
  const request = (more: object) =>
    call('POST', venue.path('/service'), venue.key, { paused: true, ...more }, { 'Idempotency-Key': 'A' })
  const first = await request({ until, message, prepMinutes: 9 })
  await venue.post('/service', { paused: false })
  vi.setSystemTime((until + 60) * 1000)
  const again = await request({ until, message, prepMinutes: 9 })
  expect([again.status, again.body]).toEqual([200, first.body])
  expect((await request({ message })).status).toBe(422)
  expect((await listEvents(venue)).map(([type]) => type)).toEqual(['service.paused', 'service.resumed'])
})
