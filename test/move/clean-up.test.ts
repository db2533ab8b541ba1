import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { directoryDatabase } from '../../src/db/home/connect.ts'
import { getHomeObject } from '../../src/db/home/object-connection.ts'
import { daySeconds } from '../../src/lib/day.ts'
import { cleanUpMoves } from '../../src/move/clean-up.ts'
import { keptDays } from '../../src/move/finish-move.ts'
import { createVenue } from '../support/api.ts'
import { findObject } from '../support/home.ts'
import { moveTo } from '../support/moves.ts'
import { now } from '../support/webhook-harness.ts'

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

test('an object that is a home discards nothing', async () => {
  const { venue, discard, evict } = await createInObject()
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(discard()).rejects.toThrow('has data')
    await evict()
  }
  expect((await venue.get('/products')).body).toHaveLength(1)
})
