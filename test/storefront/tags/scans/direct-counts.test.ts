import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cacheHome } from '../../../../src/platform/db/home/home.ts'
import { directCounts, queueUntil } from '../../../../src/storefront/tags/scans/record-scan.ts'
import { adminToken, call, createVenue, type Venue } from '../../../support/api.ts'
import { queryHome } from '../../../support/home.ts'
import { announce, getMove, moveTo, runMoveWith, startMove } from '../../../support/moves.ts'
import { broken, createTestWorker, never, passTime, restoreTime } from '../../../support/test-worker.ts'

type Around = (go: () => Promise<unknown>) => unknown

/** Replaces the calls that count a scan at a home of either kind. */
let around: Around | undefined
let calls = 0
function intercept(go: () => Promise<unknown>) {
  calls++
  return around ? around(go) : go()
}
const homesOf = (real: typeof env.HOMES): typeof env.HOMES =>
  Object.assign(Object.create(null), {
    idFromName: (name: string) => real.idFromName(name),
    get(...args: Parameters<typeof real.get>) {
      const stub = real.get(...args)
      return { run: (...values: Parameters<typeof stub.run>) => intercept(() => stub.run(...values)) }
    },
  })
function createWorker() {
  const worker = createTestWorker({ HOMES: homesOf(env.HOMES) })
  worker.failures.database = (sql, _, go) => (/insert into "scan_counts"/.test(sql.join()) ? intercept(go) : undefined)
  return worker
}
let worker = createWorker()
beforeEach(() => {
  worker = createWorker()
  queueUntil.ms = 0
  calls = 0
  around = undefined
})
afterEach(() => {
  vi.useRealTimers()
  restoreTime()
})

async function createTag(home: string) {
  const venue = await createVenue({ home, orderingUrl: 'https://live.example/' })
  const [{ body: tag }, { body: other }] = [await venue.post('/tags', {}), await venue.post('/tags', {})]
  // From now on, the isolate knows the home.
  await scan(other.id)
  queueUntil.ms = 0
  calls = 0
  return { venue, tag }
}
const total = async (venue: Pick<Venue, 'get'>, id: string) =>
  (await venue.get(`/tags/${id}/scans`)).body.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
/** Stops the clock, so that no count is slow on a busy machine. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
/** Sends scans at once, and returns the messages that they left. */
async function scan(id: string, times = 1) {
  const send = () => worker.fetch(`/T/${id}`)
  const responses = await Promise.all(Array.from({ length: times }, send))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([302]))
  await worker.settle()
  return worker.used().sent
}

describe.each(['d1', 'object'] as const)('a scan of a venue in %s', (home) => {
  test('is counted by one call and without a message', async () => {
    const { venue, tag } = await createTag(home)
    stopClock()
    expect([await scan(tag.id), await scan(tag.id)]).toEqual([[], []])
    expect([calls, await total(venue, tag.id)]).toEqual([2, 2])
  })

  test('is counted where the data is if the isolate does not know it', async () => {
    const { venue, tag } = await createTag(home)
    cacheHome(venue.id, undefined)
    expect([await scan(tag.id), await total(venue, tag.id)]).toEqual([[], 1])
  })

  test('is counted after the redirect', async () => {
    const { venue, tag } = await createTag(home)
    await scan(tag.id)
    calls = 0
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { status } = await worker.fetch(`/T/${tag.id}`)
    expect([status, calls]).toEqual([302, 0])
    await vi.runAllTimersAsync()
    vi.useRealTimers()
    await worker.settle()
    expect([calls, await total(venue, tag.id)]).toEqual([1, 2])
  })

  test('is counted by the queue while another one is being counted', async () => {
    const { venue, tag } = await createTag(home)
    stopClock()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    around = async (go) => {
      await held
      return go()
    }
    const scans = scan(tag.id, 100)
    await vi.waitFor(() => expect(worker.log.sent).toHaveLength(99), { timeout: 4_000 })
    await vi.waitFor(() => expect(calls).toBe(1))
    release()
    const messages = await scans
    around = undefined
    expect((await worker.consume(...messages)).retried).toEqual([])
    expect([messages.length, await total(venue, tag.id)]).toEqual([99, 100])
    expect(await scan(tag.id)).toEqual([])
  })

  test('counts once if the response of its count is lost, before or after its message', async () => {
    const { venue, tag } = await createTag(home)
    around = async (go) => {
      await go()
      return broken()
    }
    const messages = await scan(tag.id)
    around = undefined
    expect(messages).toHaveLength(1)
    await worker.consume(...messages, ...messages)
    expect(await total(venue, tag.id)).toBe(1)
    passTime(directCounts.pauseMs / 1000)
    // The message is counted while the first attempt is still under way.
    const { promise, resolve } = Promise.withResolvers<void>()
    around = async (go) => {
      await promise
      return go()
    }
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const late = scan(tag.id)
    await vi.waitFor(() => expect(calls).toBeGreaterThan(1))
    await vi.advanceTimersByTimeAsync(directCounts.maxMs)
    vi.useRealTimers()
    const [message] = await late
    around = undefined
    await worker.consume(message)
    resolve()
    await worker.consume(message)
    expect(await total(venue, tag.id)).toBe(2)
  })

  test('is left to the queue if it fails, and so are the scans of the next seconds', async () => {
    const { venue, tag } = await createTag(home)
    stopClock()
    const startedMs = Date.now()
    around = broken
    const messages = [...(await scan(tag.id)), ...(await scan(tag.id, 3))]
    expect([calls, messages.length]).toEqual([1, 4])
    around = undefined
    vi.setSystemTime(startedMs + directCounts.pauseMs - 1)
    messages.push(...(await scan(tag.id)))
    expect(messages).toHaveLength(5)
    vi.setSystemTime(startedMs + directCounts.pauseMs)
    expect(await scan(tag.id)).toEqual([])
    await worker.consume(...messages)
    expect(await total(venue, tag.id)).toBe(6)
  })

  test.each([
    ['at once', directCounts.slowMs, 0],
    ['by the queue', directCounts.slowMs + 1, 1],
  ])('is counted %s after a count that took %i ms', async (_, ms, left) => {
    const { tag } = await createTag(home)
    stopClock()
    around = (go) => {
      vi.setSystemTime(Date.now() + ms)
      return go()
    }
    expect(await scan(tag.id)).toEqual([])
    expect(await scan(tag.id)).toHaveLength(left)
  })

  test('is left to the queue if the database does not respond', async () => {
    const { tag } = await createTag(home)
    await scan(tag.id)
    around = () => never
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const messages = scan(tag.id)
    await vi.waitFor(() => expect(calls).toBe(2))
    await vi.advanceTimersByTimeAsync(directCounts.maxMs - 1)
    expect(worker.log.sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await messages).toHaveLength(1)
  })

  test('is counted at the new home during and after a move', async () => {
    const { venue, tag } = await createTag(home)
    await scan(tag.id)
    await startMove(venue.id, { home: home === 'd1' ? 'object' : 'd1' })
    await announce(venue.id)
    const [messages] = await runMoveWith(venue.id, async () => [scan(tag.id)])
    expect(await getMove(venue.id)).toMatchObject({ state: 'done' })
    await worker.consume(...(Array.isArray(messages) ? messages : []))
    queueUntil.ms = 0
    expect([await scan(tag.id), await total(venue, tag.id)]).toEqual([[], 3])
    // The receipts have moved too.
    const rows = await queryHome(venue.id, 'select receipts from scan_counts where tag = ?', tag.id)
    expect(rows.map(({ receipts }) => `${receipts}`.trim().split(' ').length)).toEqual([3])
  })

  test('of a cached object that has moved is counted at its home', async () => {
    const { venue, tag } = await createTag(home)
    await scan(tag.id)
    await moveTo(venue.id, home === 'd1' ? 'object' : 'd1')
    await scan(tag.id)
    await moveTo(venue.id, home)
    queueUntil.ms = 0
    expect([await scan(tag.id), await total(venue, tag.id)]).toEqual([[], 3])
  })
})

test('a scan is counted by the queue if the database is down, and at once if the queue is down', async () => {
  const { venue, tag } = await createTag('d1')
  worker.failures.send = broken
  await scan(tag.id)
  expect(await total(venue, tag.id)).toBe(1)
  worker.failures.send = undefined
  around = broken
  const messages = await scan(tag.id)
  around = undefined
  await worker.consume(...messages)
  expect(await total(venue, tag.id)).toBe(2)
})

test('scans of a suspended venue and of a deleted tag are not counted', async () => {
  const { venue } = await createTag('d1')
  const [{ body: kept }, { body: deleted }] = [await venue.post('/tags', {}), await venue.post('/tags', {})]
  await venue.remove(`/tags/${deleted.id}`)
  expect((await worker.fetch(`/T/${deleted.id}`)).status).toBe(410)
  await call('POST', `/admin/merchants/${venue.id}/suspend`, adminToken, {})
  expect((await worker.fetch(`/T/${kept.id}`)).status).not.toBe(302)
  await worker.settle()
  expect([calls, worker.used().sent]).toEqual([0, []])
})

test('a count under way when its tag is deleted leaves no message', async () => {
  const { venue, tag } = await createTag('d1')
  around = async (go) => {
    await venue.remove(`/tags/${tag.id}`)
    return go()
  }
  expect([await scan(tag.id), calls]).toEqual([[], 1])
  expect((await venue.get(`/tags/${tag.id}/scans`)).status).toBe(404)
})
