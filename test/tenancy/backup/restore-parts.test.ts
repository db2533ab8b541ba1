import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { runNightly } from '../../../src/tenancy/backup/nightly.ts'
import { stepBounds } from '../../../src/tenancy/backup/restore/restore-steps.ts'
import { settleSeconds } from '../../../src/tenancy/backup/restore/run-restore.ts'
import { createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { admin, advance, backUp, finish } from './restores.ts'

const { pages } = stepBounds
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  // A page has 500,000 characters.
  Object.assign(stepBounds, { pages: 2 })
})
afterEach(() => {
  Object.assign(stepBounds, { pages })
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** Counts the bytes that are read from the bucket of backups. */
function countBytes(): { read: number } {
  const counted = { read: 0 }
  const get = env.BACKUPS.get.bind(env.BACKUPS)
  vi.spyOn(env.BACKUPS, 'get').mockImplementation(async (key: string) => {
    const file = await get(key)
    if (!file) return null
    const body = file.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          counted.read += chunk.length
          controller.enqueue(chunk)
        },
      }),
    )
    return Object.assign(Object.create(null), { body, size: file.size, json: () => new Response(body).json() })
  })
  return counted
}

const listParts = async () => (await env.BACKUPS.list({ prefix: 'restores/' })).objects

/** A venue with products of 20,000 characters that cannot be compressed to less than half. */
async function createLarge(count: number) {
  const venue = await createVenue()
  const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
  await multiply('products', body.id, count - 1, { description: 'hex(randomblob(10000))' })
  return { venue, takenAt: await backUp(venue.id) }
}

test('a restore reads twice as much for twice as many rows, however many requests it takes', async () => {
  const found: { requests: number; read: number }[] = []
  for (const count of [100, 200, 400]) {
    const { venue, takenAt } = await createLarge(count)
    await admin(venue.id, 'restore', { takenAt, replace: true })
    advance(settleSeconds)
    while ((await admin(venue.id, 'restore/continue')).body.state !== 'loading');
    const counted = countBytes()
    const { states } = await finish(venue.id)
    vi.restoreAllMocks()
    found.push({ requests: states.length, read: counted.read })
    expect((await venue.get('/products?limit=1')).body).toHaveLength(1)
    expect(await listParts()).toEqual([])
  }
  const [one, two, four] = found
  if (!one || !two || !four) throw new Error('a restore is missing')
  expect(four.requests).toBeGreaterThan(2 * one.requests)
  expect((four.read - two.read) / (two.read - one.read)).toBeLessThan(2.2)
})

test('parts that were deleted during a restore are written again, and those of an unfinished restore are deleted at night', async () => {
  const { venue, takenAt } = await createLarge(150)
  await admin(venue.id, 'restore', { takenAt, replace: true })
  advance(settleSeconds)
  let rows = 0
  while (rows === 0) ({ rows } = (await admin(venue.id, 'restore/continue')).body)
  const parts = await listParts()
  expect(parts.length).toBeGreaterThan(3)
  const [{ uploaded } = { uploaded: new Date() }] = parts
  const night = Math.ceil(uploaded.getTime() / 86_400_000) * 86_400 + 2 * 3_600
  const BACKUP_CHECKS: typeof env.BACKUP_CHECKS = Object.assign(Object.create(null), {
    sendBatch: async () => undefined,
  })
  await runNightly({ ...env, BACKUP_CHECKS }, directoryDatabase(env), night - 86_400)
  expect(await listParts()).toHaveLength(parts.length)
  await runNightly({ ...env, BACKUP_CHECKS }, directoryDatabase(env), night + 86_400)
  expect(await listParts()).toEqual([])
  expect((await finish(venue.id)).omitted).toEqual({})
  const { results } = await env.DB.prepare('select id from products where merchant_id = ?').bind(venue.id).all()
  expect(results).toHaveLength(150)
  expect(await listParts()).toEqual([])
})
