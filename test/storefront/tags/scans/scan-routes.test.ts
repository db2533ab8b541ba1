import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toLocalDay } from '../../../../src/platform/lib/day.ts'
import { createId } from '../../../../src/platform/lib/ids.ts'
import { maxDays } from '../../../../src/storefront/tags/scans/scan-routes.ts'
import { adminToken, call, createKey, createVenue } from '../../../support/api.ts'
import { createTestWorker, deliver } from '../../../support/test-worker.ts'

const venue = await createVenue({ timezone: 'Europe/Berlin' })
const create = async (owner: Pick<typeof venue, 'post'> = venue, body = {}): Promise<string> =>
  (await owner.post('/tags', body)).body.id
/** Scans of a tag at these times. */
const count = (tag: string, ...times: string[]) =>
  deliver(
    env,
    times.map((time) => ({
      kind: 'scan',
      id: createId('scan'),
      merchant: venue.id,
      tag,
      at: Date.parse(time),
      channel: 'qr',
      timezone: 'Europe/Berlin',
    })),
  )
const request = (tag: string, search = '', owner: Pick<typeof venue, 'get'> = venue) =>
  owner.get(`/tags/${tag}/scans${search}`)
const daysOf = async (tag: string, search?: string) =>
  (await request(tag, search)).body.map(({ day, count }: { day: string; count: number }) => [day, count])
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the day of a scan', () => {
  test.each([
    ['2026-11-20T22:59:59.999Z', 'Europe/Berlin', '2026-11-20'],
    ['2026-11-20T23:00:00Z', 'Europe/Berlin', '2026-11-21'],
    ['2026-06-20T22:00:00Z', 'Europe/Berlin', '2026-06-21'],
    ['2026-03-28T23:30:00Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T21:59:59Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-30'],
    ['2026-10-25T22:59:59Z', 'Europe/Berlin', '2026-10-25'],
    ['2026-01-01T09:59:59Z', 'Pacific/Honolulu', '2025-12-31'],
    ['2026-01-01T09:59:59Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['2025-12-31T10:00:00Z', 'Pacific/Kiritimati', '2026-01-01'],
    ['2026-06-30T18:15:00Z', 'Asia/Kathmandu', '2026-07-01'],
    ['2026-06-30T18:14:59Z', 'Asia/Kathmandu', '2026-06-30'],
    ['2028-02-29T12:00:00Z', 'UTC', '2028-02-29'],
  ])('at %s in %s is %s', (time, timezone, day) => expect(toLocalDay(Date.parse(time), timezone)).toBe(day))

  test("is that of the venue's time zone at the scan", async () => {
    const worker = createTestWorker()
    const far = await createVenue({ timezone: 'Pacific/Kiritimati', orderingUrl: 'https://live.example/' })
    const tag = await create(far)
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-01-31T10:00:00Z'))
    await worker.fetch(`/T/${tag}`)
    await worker.settle()
    await call('POST', `/admin/merchants/${far.id}`, adminToken, { timezone: 'UTC' })
    await worker.consume(...worker.used().sent)
    expect((await request(tag, '?from=2027-01-01&to=2027-02-28', far)).body).toEqual([
      { day: '2027-02-01', channel: 'qr', count: 1 },
    ])
  })
})

describe('the scans of a tag', () => {
  test('are those of the given days, inclusive, without days that have none', async () => {
    const tag = await create()
    await count(
      tag,
      '2026-10-31T12:00:00Z',
      '2026-11-01T12:00:00Z',
      '2026-11-01T13:00:00Z',
      '2026-11-15T12:00:00Z',
      '2026-11-30T12:00:00Z',
      '2026-12-01T12:00:00Z',
    )
    expect(await daysOf(tag, '?from=2026-11-01&to=2026-11-30')).toEqual([
      ['2026-11-01', 2],
      ['2026-11-15', 1],
      ['2026-11-30', 1],
    ])
    expect(await daysOf(tag, '?from=2026-11-15&to=2026-11-15')).toEqual([['2026-11-15', 1]])
    expect(await daysOf(tag, '?from=2026-11-02&to=2026-11-14')).toEqual([])
  })

  test("are by default those of the last thirty days in the venue's time zone", async () => {
    const tag = await create()
    await count(tag, '2027-05-01T12:00:00Z', '2027-05-02T12:00:00Z', '2027-05-31T12:00:00Z', '2027-06-01T12:00:00Z')
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2027-05-30T22:30:00Z'))
    expect(await daysOf(tag)).toEqual([
      ['2027-05-02', 1],
      ['2027-05-31', 1],
    ])
    expect(await daysOf(tag, '?to=2027-05-01')).toEqual([['2027-05-01', 1]])
    expect(await daysOf(tag, '?from=2027-05-31')).toEqual([['2027-05-31', 1]])
  })

  test('are an empty list without scans', async () => {
    const { status, body } = await request(await create())
    expect([status, body]).toEqual([200, []])
  })

  test.each([
    ['from=2026-02-29', 'from'],
    ['to=2026-13-01', 'to'],
    ['from=yesterday', 'from'],
    ['to=', 'to'],
    ['from=2026-1-1', 'from'],
    ['to=2026-11-01T00:00:00Z', 'to'],
    ['from=1', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'from'],
    ['form=2026-11-01', 'form'],
    ['limit=1', 'limit'],
    ['from=%202026-11-01', 'from'],
    ["to=2026-11-01'--", 'to'],
    ['from=2026-11-01&from=2026-11-02', 'from'],
    ['to=+02026-11-01', 'to'],
  ])('are rejected for %s', async (search, parameter) => {
    const { status, body } = await request(await create(), `?${search}`)
    expect(status).toBe(422)
    expect(body.errors.map((error: { parameter: string }) => error.parameter)).toEqual([parameter])
  })

  test('are limited to a year and a day', async () => {
    const tag = await create()
    expect(maxDays).toBe(366)
    expect((await request(tag, '?from=2027-01-01&to=2028-01-01')).status).toBe(200)
    expect((await request(tag, '?from=2026-12-31&to=2028-01-01')).status).toBe(422)
    expect((await request(tag, '?to=0000-01-01')).status).toBe(200)
    expect((await request(tag, '?from=0001-01-01&to=9999-12-31')).status).toBe(422)
  })

  test('require a key of the merchant', async () => {
    const tag = await create()
    const trial = await create(venue, { testMode: true })
    await count(tag, new Date().toISOString())
    const testing = await createKey(venue.id, { mode: 'test' })
    const stranger = await createVenue()
    const unscoped = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
    const scoped = await createKey(venue.id, { mode: 'live', scopes: ['tags:read'] })
    expect((await request(tag, '', testing)).status).toBe(404)
    expect((await request(trial, '', testing)).status).toBe(200)
    expect((await request(trial)).status).toBe(200)
    expect((await request(tag, '', stranger)).status).toBe(404)
    expect((await request('tag_00000000000000000000000000')).status).toBe(404)
    expect((await request(tag, '', unscoped)).status).toBe(403)
    expect((await request(tag, '', scoped)).status).toBe(200)
    expect((await call('GET', venue.path(`/tags/${tag}/scans`), undefined)).status).toBe(401)
    await venue.remove(`/tags/${tag}`)
    expect((await request(tag)).status).toBe(404)
  })

  test('are read-only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await venue.request(method, `/tags/${await create()}/scans`)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })
})

describe('the scans of all tags', () => {
  test('are summed by day and channel, for the tags of the mode that exist', async () => {
    const bar = await createVenue({ timezone: 'Europe/Berlin' })
    const [first, second, gone, sandbox] = [
      await create(bar),
      await create(bar),
      await create(bar),
      await create(bar, { testMode: true }),
    ]
    const foreign = await create()
    const scan = (tag: string, time: string, channel: 'qr' | 'nfc' = 'qr', merchant = bar.id) =>
      deliver(env, [
        { kind: 'scan', id: createId('scan'), merchant, tag, at: Date.parse(time), channel, timezone: 'Europe/Berlin' },
      ])
    await scan(first, '2026-11-20T12:00:00Z')
    await scan(second, '2026-11-20T13:00:00Z')
    await scan(second, '2026-11-20T13:00:00Z', 'nfc')
    await scan(second, '2026-11-21T22:59:59Z')
    await scan(gone, '2026-11-20T12:00:00Z')
    await scan(sandbox, '2026-11-20T12:00:00Z')
    await scan(foreign, '2026-11-20T12:00:00Z', 'qr', venue.id)
    await bar.remove(`/tags/${gone}`)
    const { status, body } = await bar.get('/scans?from=2026-11-20&to=2026-11-21')
    expect([status, body]).toEqual([
      200,
      [
        { day: '2026-11-20', channel: 'nfc', count: 1 },
        { day: '2026-11-20', channel: 'qr', count: 2 },
        { day: '2026-11-21', channel: 'qr', count: 1 },
      ],
    ])
    expect((await bar.get('/scans?from=2026-11-21&to=2026-11-21')).body).toEqual([body[2]])
    const tester = await createKey(bar.id, { mode: 'test' })
    expect((await tester.get('/scans?from=2026-11-20&to=2026-11-20')).body).toEqual([
      { day: '2026-11-20', channel: 'qr', count: 1 },
    ])
    const cook = await createKey(bar.id, { mode: 'live', scopes: ['products:read'] })
    expect((await cook.get('/scans')).status).toBe(403)
    expect((await bar.get('/scans?from=2026-11-21&to=2026-11-20')).status).toBe(422)
  })
})

describe('the scans of all tags by tag', () => {
  test('are a sum and the last day of each scanned tag of the mode, in the range', async () => {
    const own = await createVenue({ timezone: 'Europe/Berlin' })
    const [first, second, never] = [await create(own), await create(own), await create(own)]
    const scan = (tag: string, time: string) => ({
      kind: 'scan' as const,
      id: createId('scan'),
      merchant: own.id,
      tag,
      at: Date.parse(time),
      channel: 'qr' as const,
      timezone: 'Europe/Berlin',
    })
    const days = ['2026-11-01T12:00:00Z', '2026-11-03T12:00:00Z', '2026-11-03T13:00:00Z', '2026-12-01T12:00:00Z']
    await deliver(env, [...days.map((day) => scan(first, day)), scan(second, '2026-11-02T12:00:00Z')])
    const read = async (search: string) =>
      (await own.get(`/scans?by=tag${search}`)).body.toSorted((a: { tag: string }, b: { tag: string }) =>
        a.tag < b.tag ? -1 : 1,
      )
    expect(await read('&from=2026-11-01&to=2026-11-30')).toEqual([
      { tag: first, count: 3, lastDay: '2026-11-03' },
      { tag: second, count: 1, lastDay: '2026-11-02' },
    ])
    expect(await read('&from=2026-11-02&to=2026-11-02')).toEqual([{ tag: second, count: 1, lastDay: '2026-11-02' }])
    await own.remove(`/tags/${second}`)
    expect((await read('&from=2026-11-01&to=2026-11-30')).map(({ tag }: { tag: string }) => tag)).toEqual([first])
    expect(never).not.toBe(first)
    const test = await createKey(own.id, { mode: 'test' })
    expect((await test.get('/scans?by=tag&from=2026-11-01&to=2026-11-30')).body).toEqual([])
    expect((await own.get('/scans?by=waiter')).status).toBe(422)
  })
})
