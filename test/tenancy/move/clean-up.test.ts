import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test, vi } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { getHomeObject } from '../../../src/platform/db/home/object-connection.ts'
import { daySeconds } from '../../../src/platform/lib/day.ts'
import { cleanUpMoves } from '../../../src/tenancy/move/clean-up.ts'
import { keptDays } from '../../../src/tenancy/move/finish-move.ts'
import { maxMoveSeconds, runMove } from '../../../src/tenancy/move/run-move.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { findObject, queryHome } from '../../support/home.ts'
import { finishMoveOf, getMove, interceptD1, loseAnswers, moveTo, startMove } from '../../support/moves.ts'
import { now } from '../../support/webhook-harness.ts'

async function createInObject() {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const object = await findObject(venue.id)
  if (!object) throw new Error('no object')
  const open = () => getHomeObject(env.HOMES, venue.id, object.home)
  return {
    venue,
    discard: async () => open().discard(),
    evict: () => runInDurableObject(open(), (_, state) => state.abort('evicted')).catch(() => undefined),
  }
}

test('a clean-up whose end was not recorded is repeated, also after the object was evicted', async () => {
  const { venue, discard, evict } = await createInObject()
  expect(await moveTo(venue.id, 'd1')).toMatchObject({ state: 'done' })
  await discard()
  await evict()
  await cleanUpMoves(env, directoryDatabase(env), now() + (keptDays + 1) * daySeconds)
  const { results } = await env.DB.prepare('select cleans_at from moves where merchant_id = ?').bind(venue.id).all()
  expect(results).toEqual([{ cleans_at: null }])
  expect((await venue.get('/products')).body).toHaveLength(1)
})

test('a source that was not told of the end of its move is discarded, when its fence has expired', async () => {
  const { venue, discard } = await createInObject()
  const source = await findObject(venue.id)
  if (!source) throw new Error('no object')
  expect(await moveTo(venue.id, 'd1')).toMatchObject({ state: 'done' })
  const fence = (untilMs: number) =>
    source.stub.takePart({ merchantId: venue.id, ...source.home }, { part: 'fenced', untilMs }, [])
  await fence(Date.now() + 60_000)
  await expect(discard()).rejects.toThrow('fenced')
  await fence(Date.now())
  await discard()
  const tables = await runInDurableObject(source.stub, (_, { storage }) =>
    storage.sql.exec(`select name from sqlite_master where name = 'products'`).toArray(),
  )
  expect(tables).toEqual([])
})

test('an object captures no changes after a failed move whose answer was lost', async () => {
  const { venue } = await createInObject()
  await startMove(venue.id, { home: 'd1' })
  await runMove(env, venue.id)
  await env.DB.prepare('update moves set started_at = 0 where merchant_id = ?').bind(venue.id).run()
  await expect(runMove({ ...env, DB: loseAnswers(/"ended_at" = /) }, venue.id)).rejects.toThrow()
  expect(await getMove(venue.id)).toMatchObject({ state: 'failed' })
  await venue.post('/products', { title: 'Cake', price: 1 })
  expect(await queryHome(venue.id, 'select moving from homes')).toEqual([{ moving: 1 }])
  await cleanUpMoves(env, directoryDatabase(env), now())
  await venue.post('/products', { title: 'Pie', price: 1 })
  expect(await queryHome(venue.id, 'select moving from homes')).toEqual([])
  expect(await queryHome(venue.id, 'select * from move_changes')).toEqual([])
})

test('an object that is a home discards nothing', async () => {
  const { venue, discard, evict } = await createInObject()
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(discard()).rejects.toThrow('has data')
    await evict()
  }
  expect((await venue.get('/products')).body).toHaveLength(1)
})

describe.each([
  ['d1', 'object'],
  ['object', 'd1'],
] as const)('the clean-up behind a failed move from %s to %s', (home, target) => {
  async function failMove() {
    const venue = await createVenue({ home })
    for (const title of ['Tea', 'Cake']) await venue.post('/products', { title, price: 1 })
    await startMove(venue.id, { home: target })
    await runMove(env, venue.id)
    await env.DB.prepare('update moves set started_at = started_at - ? where merchant_id = ?')
      .bind(maxMoveSeconds + 1, venue.id)
      .run()
    await runMove(env, venue.id)
    return venue
  }
  /** Starts the move again, up to its fence, with a change that it has not copied yet. */
  async function moveAgain(venue: Venue) {
    expect((await startMove(venue.id, { home: target })).status).toBe(202)
    expect(await runMove(env, venue.id)).toBeGreaterThan(0)
    expect((await venue.post('/products', { title: 'Pie', price: 1 })).status).toBe(201)
  }
  const clean = (DB = env.DB) => cleanUpMoves({ ...env, DB }, directoryDatabase({ ...env, DB }), now())
  const countDue = async () =>
    (await env.DB.prepare(`select 1 from moves where cleans_at <= unixepoch()`).all()).results.length

  test('waits while the merchant is moved again', async () => {
    const venue = await failMove()
    await moveAgain(venue)
    const errors = vi.spyOn(console, 'warn').mockReturnValue()
    await clean()
    expect(errors).not.toHaveBeenCalled()
    errors.mockRestore()
    expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done', home: target })
    await clean()
    expect(await countDue()).toBe(0)
    expect((await venue.get('/products')).body).toHaveLength(3)
  })

  const parts = { changes: /delete from "move_changes"/, rows: /delete from "products"/ }
  test.each(home === 'd1' ? (['changes'] as const) : (['rows'] as const))(
    'leaves the %s of a move that starts during it',
    async (part) => {
      const venue = await failMove()
      let started = 0
      const intercepted = interceptD1(parts[part], async () => {
        if (++started === 1) await moveAgain(venue)
      })
      const errors = vi.spyOn(console, 'warn').mockReturnValue()
      await clean(intercepted)
      expect([started, errors.mock.calls.length]).toEqual([1, 1])
      errors.mockRestore()
      expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done', home: target })
      expect((await venue.get('/products')).body).toHaveLength(3)
    },
  )
})

test('an invocation that lost its lease while it empties the target deletes nothing that the next one copies', async () => {
  const { venue } = await createInObject()
  await startMove(venue.id, { home: 'd1' })
  let others = 0
  const DB = interceptD1(/delete from "products"/, async () => {
    if (++others > 1) return
    await env.DB.prepare('update moves set leased_until = 0 where merchant_id = ?').bind(venue.id).run()
    expect(await runMove(env, venue.id)).toBeGreaterThan(0)
  })
  await expect(runMove({ ...env, DB }, venue.id)).rejects.toThrow()
  expect(await finishMoveOf(venue.id)).toMatchObject({ state: 'done' })
  expect((await venue.get('/products')).body).toHaveLength(1)
})
