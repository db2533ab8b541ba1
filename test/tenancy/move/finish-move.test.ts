import { createExecutionContext, createMessageBatch, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import worker from '../../../src/index.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { homeStatements } from '../../../src/platform/db/home/home.ts'
import { merchantDatabase, moveWait } from '../../../src/platform/db/home/merchant-connection.ts'
import { fenceSeconds } from '../../../src/tenancy/move/finish-move.ts'
import { idleSeconds } from '../../../src/tenancy/move/move-consumer.ts'
import { runMove } from '../../../src/tenancy/move/run-move.ts'
import { Publisher } from '../../../src/webhooks/rpc.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { findObject, queryHome } from '../../support/home.ts'
import { check, settle } from '../../support/imports.ts'
import { announce, finishMoveOf, getMove, interceptD1, moveTo, runMoveWith, startMove } from '../../support/moves.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

const homes = ['d1', 'object'] as const
const other = { d1: 'object', object: 'd1' } as const
const count = async (venue: Pick<Venue, 'id'>, sql: string) => (await queryHome(venue.id, sql, venue.id)).length

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Requests during the fence of a move, which remains until they have ended. */
async function meetFence<Result>(id: string, home: 'd1' | 'object', act: () => Promise<Result>): Promise<Result> {
  await startMove(id, { home: other[home] })
  await announce(id)
  let result: Promise<Result> | undefined
  const DB = interceptD1(/^update "moves" set "state" = \?\s+where/, async () => {
    if (result || (await getMove(id)).state !== 'fenced') return
    result = act()
    await result
  })
  await runMove({ ...env, DB }, id)
  if (!result) throw new Error('there was no fence')
  return result
}

describe.each(homes)('at the fence of a move from %s', (home) => {
  test('a redemption, a published event and a chunk of an import are made once, at the new home', async () => {
    const venue = await createVenue({ home })
    await venue.post('/coupons', { title: 'Ten', code: 'TEN', type: 'FIXED', value: 1 })
    const { id } = await check(venue, 'resource=products', 'title,price\nCake,3\nTea,2\n')
    // The message of the next step is under way.
    await queryHome(venue.id, `update imports set state = 'applying' where id = ? and merchant_id = ?`, id, venue.id)
    const publisher = new Publisher(createExecutionContext(), env)
    const body = { merchant: venue.id, testMode: false, import: id }
    const message = { id: 'step', timestamp: new Date(), attempts: 1, body }
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    const [redeemed, published] = await runMoveWith(venue.id, async () => [
      venue.post('/redemptions', { code: 'TEN', order: 'A-1' }),
      publisher.publish(venue.id, false, { type: 'order.created', data: { orderId: '7' } }),
      worker.queue(createMessageBatch('imports', [message]), env, createExecutionContext()),
    ])
    expect(await getMove(venue.id)).toMatchObject({ state: 'done', home: other[home] })
    expect([redeemed, published]).toMatchObject([{ status: 201 }, { id: expect.any(String) }])
    expect(await settle(venue, id)).toMatchObject({ state: 'done', created: 2 })
    expect((await venue.get('/products')).body).toHaveLength(2)
    expect((await venue.get('/redemptions')).body).toHaveLength(1)
    const types = (await venue.get('/events')).body.map(({ type }: { type: string }) => type)
    const created = ['product.created', 'product.created']
    expect(types.toSorted()).toEqual(['coupon.created', 'coupon.redeemed', 'order.created', ...created])
    expect(await count(venue, 'select 1 from events where merchant_id = ? and seq > 5')).toBe(0)
  })

  test('a delivery whose call is under way records its attempt at the new home, once', async () => {
    const harness = await createWebhookHarness(home === 'object' ? { home } : {})
    await harness.createWebhookAndProduct()
    harness.endpoint = async () => {
      expect((await startMove(harness.venue.id, { home: other[home] })).status).toBe(202)
      expect(await finishMoveOf(harness.venue.id)).toMatchObject({ state: 'done' })
      return new Response(null, { status: 204 })
    }
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    expect(await harness.deliveries()).toMatchObject([{ state: 'delivered', attempt: 1 }])
    await harness.advance(120)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
  })

  test('a write that waits for too long is rejected with Retry-After, and reads go on', async () => {
    const venue = await createVenue({ home })
    const wait = vi.spyOn(scheduler, 'wait').mockResolvedValue()
    const { refused, list, waits, event } = await meetFence(venue.id, home, async () => ({
      refused: await venue.post('/products', { title: 'Tea', price: 1 }),
      list: await venue.get('/products'),
      waits: wait.mock.calls.filter(([ms]) => ms === moveWait.pauseMs).length,
      event: await venue.post('/events', { type: 'order.created', data: { orderId: '7' } }),
    }))
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'busy', '1'])
    expect([event.status, event.body.code]).toEqual([503, 'busy'])
    expect([list.status, list.body]).toEqual([200, []])
    expect(waits).toBeGreaterThan(0)
    expect(waits).toBeLessThanOrEqual(moveWait.maxMs / moveWait.pauseMs)
    expect((await venue.post('/products', { title: 'Tea', price: 1 })).status).toBe(201)
    expect((await venue.get('/products')).body).toHaveLength(1)
  })

  test('a source whose fence has expired accepts writes, and the move that lost it does not switch', async () => {
    const venue = await createVenue({ home })
    vi.spyOn(console, 'error').mockReturnValue()
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    let written: Promise<{ status: number }> | undefined
    const DB = interceptD1(/^update "moves" set "state" = \?\s+where/, async () => {
      if (written || (await getMove(venue.id)).state !== 'fenced') return
      // The fence of the object ends before that of the directory.
      if (home === 'd1')
        await env.DB.prepare('update homes set fenced_until = 0 where merchant_id = ?').bind(venue.id).run()
      else await expireFence(venue.id)
      written = venue.post('/products', { title: 'Expired', price: 1 })
      await written
    })
    await expect(runMove({ ...env, DB }, venue.id)).rejects.toThrow()
    expect([(await written)?.status, (await getMove(venue.id)).state]).toEqual([201, 'copying'])
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
    expect((await venue.get('/products?q=expired')).body).toHaveLength(1)
  })

  test('a caller that knows the old home reads and writes at the new one', async () => {
    const venue = await createVenue({ home })
    const [[known = 'd1']] = await directoryDatabase(env).run([homeStatements.find(), { merchantId: venue.id }])
    await moveTo(venue.id, other[home])
    const database = merchantDatabase(env, { merchantId: venue.id, home: known })
    const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
    const statement = (sql: string) => ({
      sql,
      isWrite: /^update/.test(sql),
      read: (row: object) => row,
      parameters: [],
    })
    await database.run([statement(`update products set title = 'Known' where id = '${product.id}'`), {}])
    expect((await venue.get(`/products/${product.id}`)).body.title).toBe('Known')
    const [rows] = await database.run([statement(`select title from products where id = '${product.id}'`), {}])
    expect(rows).toEqual([{ title: 'Known' }])
  })

  test('a new home that fails or does not respond leaves the merchant where it is', async () => {
    const venue = await createVenue({ home })
    await venue.post('/products', { title: 'Tea', price: 1 })
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    if (home === 'object') {
      const DB = interceptD1(/insert into "?products/, () => Promise.reject(new Error('Network connection lost.')))
      await expect(runMove({ ...env, DB }, venue.id)).rejects.toThrow()
    } else {
      const broken = { takePart: () => Promise.reject(new Error('Network connection lost.')) }
      const HOMES = Object.assign(Object.create(null), { idFromName: () => 'id', get: () => broken })
      await expect(runMove({ ...env, HOMES }, venue.id)).rejects.toThrow('lost')
    }
    expect(await getMove(venue.id)).toMatchObject({ state: 'copying' })
    expect((await venue.post('/products', { title: 'After', price: 1 })).status).toBe(201)
    // An invocation that never ends keeps its lease for a minute. The cron then enqueues the move, as after a lost message.
    await env.DB.prepare('update moves set leased_until = unixepoch() + 60 where merchant_id = ?').bind(venue.id).run()
    expect(await runMove(env, venue.id)).toBeUndefined()
    await env.DB.prepare('update moves set leased_until = 0, started_at = started_at - ? where merchant_id = ?')
      .bind(idleSeconds, venue.id)
      .run()
    const sent: unknown[] = []
    const MOVES = Object.assign(Object.create(null), {
      sendBatch: async (all: { body: unknown }[]) => sent.push(...all),
    })
    await runScheduled({ ...env, MOVES })
    expect(sent).toContainEqual({ body: { merchant: venue.id } })
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
    expect((await venue.get('/products')).body).toHaveLength(2)
  })
})

/** Ends the fence of an object, as time does. */
async function expireFence(id: string) {
  const object = await findObject(id)
  if (!object) throw new Error('no object')
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + (fenceSeconds + 1) * 1000 })
  await runInDurableObject(object.stub, (instance) => Reflect.get(instance, 'alarm').call(instance))
  vi.useRealTimers()
}

test('an object moves to another place', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const before = await findObject(venue.id)
  expect((await startMove(venue.id, { home: 'object', location: 'apac' })).status).toBe(202)
  expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done', location: 'apac' })
  const after = await findObject(venue.id)
  expect(after?.home.object).not.toBe(before?.home.object)
  expect((await venue.get('/products')).body).toHaveLength(1)
  expect((await venue.post('/products', { title: 'Cake', price: 1 })).status).toBe(201)
})

test('an object that is one migration behind applies it when it wakes up, and moves', async () => {
  const venue = await createVenue({ home: 'object' })
  const open = async () => {
    const object = await findObject(venue.id)
    if (!object) throw new Error('no object')
    return object.stub
  }
  const read = async () =>
    runInDurableObject(await open(), (_, { storage }) => ({
      applied: storage.sql.exec('select count(*) as n from applied_migrations').one()['n'],
      schema: storage.sql
        .exec(`select sql from sqlite_master where name not like '\\_cf%' escape '\\' order by sql`)
        .toArray(),
    }))
  const current = await read()
  await runInDurableObject(await open(), async (_, { storage }) => {
    const older = env.MIGRATIONS.slice(0, -1)
    await storage.deleteAll()
    storage.transactionSync(() => {
      storage.sql.exec('create table applied_migrations (n integer primary key)')
      for (const [index, { queries }] of older.entries()) {
        for (const query of queries) storage.sql.exec(query)
        storage.sql.exec('insert into applied_migrations (n) values (?)', index)
      }
    })
  })
  await runInDurableObject(await open(), (_, state) => state.abort('evicted')).catch(() => undefined)
  expect((await venue.get('/products')).body).toEqual([])
  expect((await venue.post('/products', { title: 'Tea', price: 1 })).status).toBe(201)
  expect(await read()).toEqual(current)
  expect(await moveTo(venue.id, 'd1')).toMatchObject({ state: 'done' })
  expect((await venue.get('/products')).body).toHaveLength(1)
})

test('an object that is evicted in the middle of a transaction has all of it or nothing', async () => {
  const venue = await createVenue({ home: 'object' })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  const object = await findObject(venue.id)
  if (!object) throw new Error('no object')
  await runInDurableObject(object.stub, (_, state) => {
    state.storage.transactionSync(() => {
      state.storage.sql.exec(`update products set title = 'Half'`)
      state.abort('evicted')
    })
  }).catch(() => undefined)
  expect((await venue.get(`/products/${product.id}`)).body.title).toBe('Tea')
  expect((await venue.post(`/products/${product.id}`, { title: 'Cake' })).status).toBe(200)
})
