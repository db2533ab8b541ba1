import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import type { ObjectHome } from '../../../src/platform/db/home/home.ts'
import { getHomeObject } from '../../../src/platform/db/home/object-connection.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { createId } from '../../../src/platform/lib/ids.ts'
import { captureStatements } from '../../../src/tenancy/move/capture.ts'
import { cleaningBounds, cleanUpMoves } from '../../../src/tenancy/move/clean-up.ts'
import { keptDays } from '../../../src/tenancy/move/finish-move.ts'
import { movedTables } from '../../../src/tenancy/move/moved-tables.ts'
import { maxMoveSeconds, runMove } from '../../../src/tenancy/move/run-move.ts'
import { adminToken, call, createVenue, send, type Venue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { setLimits } from '../../support/limits.ts'
import { announce, finishMoveOf, getMove, interceptD1, moveTo, runMoveWith, startMove } from '../../support/moves.ts'
import { samples } from '../../support/samples.ts'
import { deliver } from '../../support/test-worker.ts'
import { now } from '../../support/webhook-harness.ts'

const homes = ['d1', 'object'] as const
const other = { d1: 'object', object: 'd1' } as const

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Responses to a client of a merchant. */
async function observe(venue: Venue) {
  const paths = [
    '/events?limit=100',
    '/audit',
    '/imports',
    '/redemptions',
    ...samples.map(({ collection }) => `/${collection}`),
  ]
  return Promise.all(paths.map(async (path) => [path, (await venue.get(path)).body] as const))
}

test('the clean-up skips merchants that came back to the shared database, and continues with others', async () => {
  setLimits(cleaningBounds, { moves: 1 })
  const venue = await createVenue({ home: 'd1' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  for (const home of ['object', 'd1'] as const)
    expect(await moveTo(venue.id, home)).toMatchObject({ state: 'done', home })
  const readMoves = async (where: string) => (await env.DB.prepare(`select * from moves where ${where}`).all()).results
  expect(await readMoves(`source = '"d1"' and cleans_at is not null`)).toEqual([])
  // Earlier releases kept the time of the first move.
  await env.DB.exec(`update moves set cleans_at = ended_at where source = '"d1"'`)
  const left = await createVenue({ home: 'd1' })
  await left.post('/products', { title: 'Tea', price: 1 })
  await moveTo(left.id, 'object')
  for (let run = 0; run < 20 && (await readMoves('cleans_at is not null')).length > 0; run++)
    await cleanUpMoves(env, directoryDatabase(env), now() + (keptDays + 1) * daySeconds)
  expect(await readMoves('cleans_at is not null')).toEqual([])
  const products = env.DB.prepare('select title, merchant_id = ? as is_left from products').bind(left.id)
  expect((await products.all()).results).toEqual([{ title: 'Tea', is_left: 0 }])
})

test('a move has no step for a table without rows', async () => {
  const venue = await createVenue({ home: 'd1' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await startMove(venue.id, { home: 'object' })
  const pauses = vi.spyOn(scheduler, 'wait')
  expect(await runMove(env, venue.id)).toBeGreaterThan(0)
  expect(pauses.mock.calls.length).toBeLessThan(movedTables.length / 2)
  vi.restoreAllMocks()
  expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
  expect((await venue.get('/products')).body).toMatchObject([{ title: 'Tea' }])
})

describe.each(homes)('a move from %s', (home) => {
  const createStage = async () => {
    const venue = await createVenue({ home })
    for (const { collection, body } of samples) await venue.post(`/${collection}`, body('moved'))
    return venue
  }

  test('shows clients the same as before, and they go on', async () => {
    const venue = await createStage()
    const { body: product } = await venue.post('/products', { title: 'Laksa', price: 7 }, { 'idempotency-key': 'a' })
    await venue.post(`/products/${product.id}/external-id`, {})
    const before = await observe(venue)
    expect(await moveTo(venue.id, other[home])).toMatchObject({ state: 'done', fencedMs: expect.any(Number) })
    const withoutMove = (all: Awaited<ReturnType<typeof observe>>) =>
      all.map(([path, list]) => [
        path,
        Array.isArray(list) ? list.filter((item) => item.operation !== 'merchants.move') : list,
      ])
    expect(withoutMove(await observe(venue))).toEqual(withoutMove(before))
    for (const { collection } of samples) expect((await venue.get(`/${collection}?q=moved`)).body).toHaveLength(1)
    const again = await venue.post('/products', { title: 'Laksa', price: 7 }, { 'idempotency-key': 'a' })
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([product.id, 'true'])
    expect((await venue.post(`/products/${product.id}`, { price: 8 })).body.price).toBe(8)
    expect((await venue.post('/products', { title: 'Tea', price: 1 })).status).toBe(201)
    const { body: events } = await venue.get('/events?limit=100')
    expect(new Set(events.map(({ id }: { id: string }) => id)).size).toBe(events.length)
    const seqs = await queryHome(venue.id, 'select seq from events where merchant_id = ? order by seq', venue.id)
    expect(seqs.map(({ seq }) => seq)).toEqual(events.map((_: unknown, index: number) => index + 1))
  })

  test('and back again keeps everything, and codes of tags lead where they led', async () => {
    const venue = await createStage()
    const { body: tag } = await venue.post('/tags', {})
    const { body: gone } = await venue.post('/tags', {})
    await venue.remove(`/tags/${gone.id}`)
    await call('POST', `/admin/merchants/${venue.id}`, adminToken, { orderingUrl: 'https://order.example/{tag}' })
    const before = (await venue.get('/products')).body
    for (const target of [other[home], home, other[home]]) {
      await moveTo(venue.id, target)
      for (const { name } of (await env.TAGS.list()).keys) await env.TAGS.delete(name)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      expect((await send(`/t/${tag.alias[0]}`)).headers.get('location')).toBe(`https://order.example/${tag.id}`)
      expect((await send(`/t/${gone.alias[0]}`)).status).toBe(410)
      expect((await venue.get('/products')).body).toEqual(before)
    }
    expect((await venue.remove(`/tags/${tag.id}`)).status).toBe(200)
  })

  test('lets writes wait in the moment of the fence, and they are made at the new home', async () => {
    const venue = await createStage()
    const { body: tag } = await venue.post('/tags', {})
    const scan = {
      kind: 'scan',
      id: createId('scan'),
      merchant: venue.id,
      tag: tag.id,
      at: Date.now(),
      channel: 'qr',
      timezone: 'UTC',
    }
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    const results = await runMoveWith(venue.id, async () => {
      expect((await venue.get('/products')).status).toBe(200)
      const creates = [venue.post('/products', { title: 'During', price: 1 }), venue.post('/tags', {})]
      return [...creates, deliver(env, [scan])]
    })
    expect(await getMove(venue.id)).toMatchObject({ state: 'done' })
    expect(results.slice(0, 2)).toMatchObject([{ status: 201 }, { status: 201 }])
    expect((await venue.get('/products?q=during')).body).toHaveLength(1)
    expect((await venue.get('/tags')).body).toHaveLength(3)
    await deliver(env, [scan])
    const { body: scans } = await venue.get(`/tags/${tag.id}/scans`)
    expect(scans.map(({ count }: { count: number }) => count)).toEqual([1])
  })

  test('that fails behind the fence leaves the merchant where it is, and can be started again', async () => {
    const venue = await createStage()
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    const fail = () => Promise.reject(new Error('Network connection lost.'))
    const broken = { ...env, DB: interceptD1(/"ended_at" = \?/, fail) }
    await expect(runMove(broken, venue.id)).rejects.toThrow()
    expect(await getMove(venue.id)).toMatchObject({ state: 'copying' })
    expect((await venue.post('/products', { title: 'After', price: 1 })).status).toBe(201)
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
    expect((await venue.get('/products?q=after')).body).toHaveLength(1)
  })

  test('pauses after each step, so that others are served', async () => {
    const venue = await createStage()
    await startMove(venue.id, { home: other[home] })
    const pauses = vi.spyOn(scheduler, 'wait')
    expect(await runMove(env, venue.id)).toBeGreaterThan(0)
    expect(pauses.mock.calls.length).toBeGreaterThan(samples.length)
  })

  test('that another release began, with fewer tables, copies again and loses nothing', async () => {
    const venue = await createStage()
    const { body: gone } = await venue.post('/products', { title: 'Gone', price: 1 })
    await startMove(venue.id, { home: other[home] })
    // Kept by the process from now on: the triggers of all tables.
    captureStatements.install()
    const tables: unknown[] = Object.assign(movedTables)
    const index = movedTables.findIndex(({ name }) => name === 'coupons')
    const [coupons] = tables.splice(index, 1)
    try {
      expect(await runMove(env, venue.id)).toBeGreaterThan(0)
    } finally {
      tables.splice(index, 0, coupons)
    }
    await queryHome(venue.id, 'drop trigger move_coupons_insert')
    await venue.remove(`/products/${gone.id}`)
    expect(await runMove(env, venue.id)).toBeGreaterThan(0)
    expect((await venue.post('/coupons', { title: 'New', code: 'NEW', type: 'FIXED', value: 1 })).status).toBe(201)
    const before = await observe(venue)
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
    const withoutAudit = (all: Awaited<ReturnType<typeof observe>>) => all.filter(([path]) => path !== '/audit')
    expect(withoutAudit(await observe(venue))).toEqual(withoutAudit(before))
  })

  test.each([
    ['a text has another character', `update products set "title" = 'Blead' where title = 'Bread'`],
    ['two rows have exchanged values', `update products set price = 3 - price where title <> ''`],
    ['a link is missing', `delete from product_modifiers where owner in (select seq from products where title <> '')`],
  ])('fails if %s at the new home, and the merchant stays', async (_, damage) => {
    const venue = await createVenue({ home })
    const { body: modifier } = await venue.post('/modifiers', { title: 'Milk', instructions: '' })
    await venue.post('/products', { title: 'Bread', price: 1, modifiers: [modifier.id] })
    await venue.post('/products', { title: 'Soup', price: 2 })
    const before = (await venue.get('/products')).body
    await startMove(venue.id, { home: other[home] })
    await announce(venue.id)
    const sql = damage.replace(/ title/, ` merchant_id = '${venue.id}' and title`)
    const DB = interceptD1(/^update "moves" set "state" = \?\s+where/, async () => {
      if ((await getMove(venue.id)).state !== 'fenced') return
      const row = await env.DB.prepare('select target from moves where merchant_id = ?').bind(venue.id).first()
      const target: 'd1' | ObjectHome = JSON.parse(String(row?.['target']))
      if (target === 'd1') await env.DB.exec(sql)
      else
        await runInDurableObject(getHomeObject(env.HOMES, venue.id, target), (_, { storage }) => {
          storage.sql.exec(sql)
        })
    })
    await runMove({ ...env, DB }, venue.id)
    expect(await getMove(venue.id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/differ: .*product/),
    })
    expect((await venue.get('/products')).body).toEqual(before)
  })

  test('that takes too long fails, and what it copied is removed', async () => {
    const venue = await createStage()
    await startMove(venue.id, { home: other[home] })
    await runMove(env, venue.id)
    await env.DB.prepare('update moves set started_at = started_at - ? where merchant_id = ?')
      .bind(maxMoveSeconds + 1, venue.id)
      .run()
    expect(await runMove(env, venue.id)).toBeUndefined()
    expect(await getMove(venue.id)).toMatchObject({ state: 'failed', reason: expect.stringContaining('3600') })
    await cleanUpMoves(env, directoryDatabase(env), now())
    expect((await venue.get('/products?q=moved')).body).toHaveLength(1)
    expect(await moveTo(venue.id, other[home])).toMatchObject({ state: 'done' })
    expect((await venue.get('/products?q=moved')).body).toHaveLength(1)
  })
})
