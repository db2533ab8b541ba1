import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  lockCount,
  maxWriteAttempts,
  objectLockLimits,
  withObjectLock,
} from '../../../src/catalogue/resource/object-lock.ts'
import { Database } from '../../../src/platform/db/database.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { observe, watch } from '../../support/d1.ts'
import { createIsolate } from '../../support/isolate.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const times = <Value>(length: number, make: (index: number) => Value) =>
  Array.from({ length }, (_, index) => make(index))
const statusesOf = (responses: readonly { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(responses, ({ status }) => status)].map(([status, all]) => [status, all.length]))

const venue = await createVenue()
const createProduct = async (fields: object = {}) =>
  (await venue.post('/products', { title: 'Tea', price: 0, ...fields })).body

/** Lets the pauses between attempts of a write end at once: they are random. */
const skipPauses = () => vi.spyOn(Math, 'random').mockReturnValue(0)

/** The columns of an object that no response shows. */
async function versionOf(id: string) {
  const row = await env.DB.prepare('select version from products where id = ?').bind(id).first<{ version: number }>()
  return row?.version
}

describe('concurrent updates of one object', () => {
  test('are all applied, in at most four round trips each for a hundred requests', async () => {
    const { id } = await createProduct()
    const trips = vi.spyOn(Database.prototype, 'run')
    const responses = await Promise.all(times(100, (n) => venue.post(`/products/${id}`, { price: n + 1 })))
    const count = trips.mock.calls.length
    expect(statusesOf(responses)).toEqual({ 200: 100 })
    expect(count).toBeLessThanOrEqual(400)
    expect(await versionOf(id)).toBe(101)
    // Each response shows a state of its own, and the last one is stored.
    expect(new Set(responses.map(({ body }) => body.updatedAt)).size).toBe(100)
    const last = responses.reduce((a, b) => (a.body.updatedAt > b.body.updatedAt ? a : b))
    expect((await venue.get(`/products/${id}`)).body).toEqual(last.body)
    expect(lockCount()).toBe(0)
  })

  test('are all applied if they change different fields', async () => {
    const { id } = await createProduct()
    const fields = { title: 'Tee', price: 1, description: 'a', visible: false, sku: 'b', upc: 'c', calories: 6 }
    const responses = await Promise.all(
      Object.entries(fields).map(([key, value]) => venue.post(`/products/${id}`, { [key]: value })),
    )
    expect(statusesOf(responses)).toEqual({ 200: 7 })
    expect((await venue.get(`/products/${id}`)).body).toMatchObject(fields)
  })

  test('are all applied to a merchant, in at most four round trips each including the KV copy', async () => {
    const { id } = await createVenue()
    const trips = vi.spyOn(Database.prototype, 'run')
    const update = (n: number) => call('POST', `/admin/merchants/${id}`, adminToken, { name: `Venue ${n}` })
    expect(statusesOf(await Promise.all(times(30, update)))).toEqual({ 200: 30 })
    // A late check of another merchant's copy in KV may run in between.
    const own = trips.mock.calls.filter((statements) => JSON.stringify(statements).includes(id))
    expect(own.length).toBeLessThanOrEqual(120)
  })
})

test('an update that always loses the race is rejected after five attempts and changes nothing', async () => {
  const modifier = (await venue.post('/modifiers', { title: 'Milk', instructions: '' })).body.id
  // An object that names others costs no more: nobody looks for them when only the race was lost.
  const { id } = await createProduct({ modifiers: [modifier] })
  await venue.get(`/products/${id}`)
  let rivals = 0
  const before = async (statements: readonly string[]) => {
    if (!statements.some((sql) => sql.startsWith('update "products"'))) return
    rivals++
    await env.DB.prepare('update products set version = version + 1 where id = ?').bind(id).run()
  }
  skipPauses()
  const events = async () => (await venue.get('/events?limit=100')).body.length
  const known = await events()
  const refused = await observe('POST', venue.path(`/products/${id}`), {
    key: venue.key,
    json: { title: 'Tee', modifiers: [] },
    before,
  })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '1'])
  expect([rivals, refused.trips.length]).toEqual([maxWriteAttempts, 2 * maxWriteAttempts])
  expect((await venue.get(`/products/${id}`)).body).toMatchObject({ title: 'Tea', modifiers: [modifier] })
  expect([await events(), await versionOf(id)]).toEqual([known, 1 + maxWriteAttempts])
  expect(lockCount()).toBe(0)
})

test('an update that loses the race four times is applied', async () => {
  const { id } = await createProduct()
  let rivals = 0
  const before = async (statements: readonly string[]) => {
    if (!statements.some((sql) => sql.startsWith('update "products"')) || ++rivals === maxWriteAttempts) return
    await env.DB.prepare('update products set version = version + 1 where id = ?').bind(id).run()
  }
  skipPauses()
  const { status } = await observe('POST', venue.path(`/products/${id}`), {
    key: venue.key,
    json: { title: 'Tee' },
    before,
  })
  expect([status, rivals, await versionOf(id)]).toEqual([200, 5, 6])
})

describe('the lock of an object', () => {
  const outcomeOf = (work: Promise<unknown>) => work.then(String, (error) => error.code)
  /** A moment long enough for every writer to check whether it is its turn. */
  const waitForTurn = () => new Promise((resolve) => setTimeout(resolve, 50))
  const hang = () => new Promise<never>(() => undefined)

  test('queues a hundred requests in order and rejects one more', async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const order: number[] = []
    const all = times(2 + objectLockLimits.waiting, (n) =>
      outcomeOf(
        withObjectLock('a', async () => {
          await done
          order.push(n)
        }),
      ),
    )
    expect(await all.at(-1)).toBe('busy')
    finish()
    await Promise.all(all)
    expect(order).toEqual(times(1 + objectLockLimits.waiting, (n) => n))
    expect(lockCount()).toBe(0)
  })

  test('does not affect other objects', async () => {
    withObjectLock('held', hang)
    expect(await withObjectLock('free', async (hasWaited) => hasWaited)).toBe(false)
  })

  test('has a timeout of ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { promise: done, resolve: finish } = Promise.withResolvers<void>()
    const holder = withObjectLock('b', () => done)
    let outcome: unknown = 'waiting'
    const waiter = outcomeOf(withObjectLock('b', async () => 'ran')).then((result) => {
      outcome = result
    })
    vi.advanceTimersByTime(objectLockLimits.waitMs - 1)
    await waitForTurn()
    expect(outcome).toBe('waiting')
    vi.advanceTimersByTime(1)
    await waiter
    expect(outcome).toBe('busy')
    finish()
    await holder
  })

  test('is released after ten seconds if its holder ended, and leaves nothing in memory', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    withObjectLock('c', hang)
    withObjectLock('d', hang)
    vi.advanceTimersByTime(1_000)
    let outcome: unknown = 'waiting'
    const waiter = outcomeOf(withObjectLock('c', async () => 'ran')).then((result) => {
      outcome = result
    })
    vi.advanceTimersByTime(objectLockLimits.holdMs - 1_000)
    await waitForTurn()
    expect(outcome).toBe('waiting')
    vi.advanceTimersByTime(1)
    await waiter
    expect(outcome).toBe('ran')
    vi.advanceTimersByTime(objectLockLimits.holdMs)
    await withObjectLock('e', async () => undefined)
    expect(lockCount()).toBe(0)
  })
})

test('updates in five isolates are applied or refused as busy, in at most ten round trips each', async () => {
  const { id } = await createProduct()
  const { database, trips } = watch(env.DB)
  const isolates = []
  for (let n = 0; n < 5; n++) isolates.push(await createIsolate(database))
  const responses = await Promise.all(
    isolates.flatMap((send, isolate) =>
      times(8, (n) => send('POST', venue.path(`/products/${id}`), venue.key, { price: isolate * 8 + n + 1 })),
    ),
  )
  const { 200: applied = 0, 503: refused = 0 } = statusesOf(responses)
  expect(applied + refused).toBe(40)
  expect(await versionOf(id)).toBe(1 + applied)
  // Each isolate reads the key once.
  expect(trips.length).toBeLessThanOrEqual(5 + 40 * 2 * maxWriteAttempts)
})
