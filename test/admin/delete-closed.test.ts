import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteClosedMerchants, deletionBounds, deletionDelaySeconds } from '../../src/admin/delete-closed.ts'
import { directoryDatabase } from '../../src/platform/db/home/d1-connection.ts'
import { getHomeObject } from '../../src/platform/db/home/object-connection.ts'
import { sweepPictures } from '../../src/storefront/media/sweep-pictures.ts'
import { runMove } from '../../src/tenancy/move/run-move.ts'
import { adminToken, call, createVenue, send } from '../support/api.ts'
import { multiply, watch } from '../support/d1.ts'
import { filling } from '../support/filled.ts'
import { startMove } from '../support/moves.ts'
import { pictures } from '../support/pictures.ts'
import { tables } from '../support/tables.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const now = () => Math.floor(Date.now() / 1000)
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
const close = (id: string) => call('POST', `/admin/merchants/${id}/close`, adminToken, { graceDays: 1 })
const run = (database = env.DB) => {
  const bindings = { ...env, DB: database }
  return deleteClosedMerchants(bindings, directoryDatabase(bindings), now())
}
const exists = async (id: string) => (await call('GET', `/admin/merchants/${id}`, adminToken)).status === 200

/** All rows of all tables, as text, each behind the name of its table. */
async function readRows() {
  const names = [...new Set(tables.map(getTableName))]
  const searches = ['products', 'customers', 'tags'].map((name) => `${name}_search`)
  const results = await env.DB.batch([
    ...names.map((name) => env.DB.prepare(`select * from ${name}`)),
    ...searches.map((name) => env.DB.prepare(`select rowid, 'indexed' from ${name}`)),
  ])
  return results.flatMap(({ results }, index) =>
    results.map((row) => `${[...names, ...searches][index]} ${JSON.stringify(row)}`),
  )
}

test('deletes all rows of the merchant and no row of another', async () => {
  const every = new Set([...tables.map(getTableName), 'products_search', 'customers_search', 'tags_search'])
  await env.DB.batch(filling(every, 2).map((sql) => env.DB.prepare(sql)))
  const before = await readRows()
  await env.DB.batch(filling(every, 1).map((sql) => env.DB.prepare(sql)))
  const names = (await readRows()).filter((row) => /^tag_names .*-1\d"/.test(row)).length
  await close('mer_1')
  advance(86_400 + deletionDelaySeconds - 1)
  await run()
  expect(await exists('mer_1')).toBe(true)
  advance(1)
  await run()
  expect(await exists('mer_1')).toBe(false)
  // Pictures go with their files.
  expect(await sweepPictures(env, directoryDatabase(env), 0)).toBeGreaterThan(0)
  const after = await readRows()
  expect(before.filter((row) => !after.includes(row))).toEqual([])
  const left = after.filter((row) => !before.includes(row))
  // Names of tags stay, without their tags. Rows of no merchant expire by themselves.
  expect(left.filter((row) => /^tag_names .*"tag":null/.test(row))).toHaveLength(names)
  const others = left.filter((row) => !row.startsWith('tag_names '))
  // Backups, restores and erasures outlive their merchant.
  const outliving = ['backups', 'erasures', 'restores']
  const ofMerchant = others.filter((row) => row.includes('mer_1')).map((row) => row.split(' ')[0])
  expect([...new Set(ofMerchant)].sort()).toEqual(outliving)
  const ofNobody = new Set(others.map((row) => row.split(' ')[0])).difference(new Set(outliving))
  expect([...ofNobody].sort()).toEqual([
    // Rows of a backup that has ended: the next backup removes them.
    'backup_changes',
    'counters',
    'deliveries',
    'gone_webhooks',
    'idempotency_keys',
    // Passkeys belong to the person, who may be a member of other venues.
    'notices',
    'operator_sessions',
    'operators',
    'platform_keys',
    'platform_webhooks',
    'scan_receipts',
    'used_challenges',
  ])
  // The webhook of this delivery was deleted before.
  expect(others.filter((row) => row.startsWith('deliveries'))).toHaveLength(1)
})

test('does a bounded part in one run, and continues with the next', async () => {
  const venue = await createVenue()
  const { body } = await venue.post('/products', { title: 'Tea', price: 1 })
  await multiply('products', body.id, 1_200)
  const { body: entries } = await call('GET', venue.path('/audit'), venue.key)
  await multiply('audit', entries[0].id, 20_000)
  await close(venue.id)
  advance(86_400 + deletionDelaySeconds)
  const { database, trips } = watch(env.DB)
  await run(database)
  expect(await exists(venue.id)).toBe(true)
  expect(trips).toHaveLength(deletionBounds.statements + 1)
  for (const { rowsRead, rowsWritten } of trips) {
    expect(rowsWritten).toBeLessThanOrEqual(deletionBounds.rows * 20)
    expect(rowsRead).toBeLessThanOrEqual(deletionBounds.rows * 20)
  }
  await run(database)
  expect(await exists(venue.id)).toBe(false)
  advance(31)
  expect((await venue.get('/products')).status).toBe(401)
})

test('codes return 410 from the end of the grace period on, for good', async () => {
  const venue = await createVenue({ orderingUrl: 'https://order.example/{code}' })
  const { body: tag } = await venue.post('/tags', { metadata: [] })
  const path = new URL(tag.url).pathname
  expect((await send(path)).status).toBe(302)
  await close(venue.id)
  expect((await send(path)).status).toBe(403)
  advance(86_400)
  expect([(await send(path)).status, (await send(`${path}/qr.svg`)).status]).toEqual([410, 410])
  advance(deletionDelaySeconds)
  await run()
  expect(await exists(venue.id)).toBe(false)
  for (let n = 0; n < 2; n++) {
    expect([(await send(path)).status, (await send(`${path}/qr.svg`)).status]).toEqual([410, 410])
    advance(60)
  }
  for (const { name } of (await env.TAGS.list()).keys) await env.TAGS.delete(name)
  advance(60)
  expect((await send(path)).status).toBe(410)
  expect((await send(`/m/${venue.id}`)).status).toBe(404)
})

test('a merchant whose data grows during the deletion is deleted later', async () => {
  const venue = await createVenue()
  await close(venue.id)
  advance(86_400 + deletionDelaySeconds)
  const { database } = watch(env.DB, async (statements) => {
    // Another isolate writes between the deletion of the rows and that of the merchant.
    if (!statements.some((sql) => sql.startsWith('delete from "merchants"'))) return
    await env.DB.prepare(
      `insert into events (merchant_id, test_mode, id, seq, type, version, at, row) values (?, 0, 'evt_x', 1, 'order.created', 1, 1, '{}')`,
    )
      .bind(venue.id)
      .run()
  })
  await run(database)
  expect(await exists(venue.id)).toBe(true)
  await run()
  expect(await exists(venue.id)).toBe(false)
})

test.each(['d1', 'object'])('the files of pictures are deleted too, of a merchant in %s', async (home) => {
  const venue = await createVenue({ home })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  const type = { 'content-type': 'image/png' }
  const { body: picture } = await venue.raw(`/products/${product.id}/images`, pictures.png, type)
  const key = `pictures/${picture.url.split('/').at(-1)}`
  expect(await env.MEDIA.head(key)).not.toBe(null)
  await close(venue.id)
  advance(86_400 + deletionDelaySeconds)
  for (let minute = 0; minute < 3; minute++) {
    await run()
    await sweepPictures(env, directoryDatabase(env), Date.now())
  }
  expect(await exists(venue.id)).toBe(false)
  expect(await env.MEDIA.head(key)).toBe(null)
})

test('the object that a move copies to is discarded too, if the move has not ended', async () => {
  const venue = await createVenue({ home: 'd1' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await startMove(venue.id, { home: 'object' })
  expect(await runMove(env, venue.id)).toBeGreaterThan(0)
  const target = await env.DB.prepare(`select target ->> '$.object' as object from moves where merchant_id = ?`)
    .bind(venue.id)
    .first<number>('object')
  await close(venue.id)
  advance(86_400 + deletionDelaySeconds)
  await run()
  expect(await exists(venue.id)).toBe(false)
  const stub = getHomeObject(env.HOMES, venue.id, { object: target ?? 0, settingsVersion: 0 })
  const read = `select name from sqlite_master where name = 'products'`
  expect(await runInDurableObject(stub, (_, { storage }) => storage.sql.exec(read).toArray())).toEqual([])
})

test('an object that does not respond delays no other merchant', async () => {
  const [stuck, other] = [await createVenue({ home: 'object' }), await createVenue()]
  for (const { id } of [stuck, other]) {
    await close(id)
    advance(1)
  }
  advance(86_400 + deletionDelaySeconds)
  const broken = { run: () => Promise.reject(new Error('Network connection lost.')) }
  const HOMES = Object.assign(Object.create(null), { idFromName: () => 'id', get: () => broken })
  await deleteClosedMerchants({ ...env, HOMES }, directoryDatabase(env), now())
  expect([await exists(stuck.id), await exists(other.id)]).toEqual([true, false])
  await run()
  expect(await exists(stuck.id)).toBe(false)
})

test('a deletion that ended after it had erased the object goes on, although the object is still in memory', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  await close(venue.id)
  advance(86_400 + deletionDelaySeconds)
  const errors = vi.spyOn(console, 'warn').mockReturnValue()
  const { database } = watch(env.DB, (statements) => {
    if (statements.some((sql) => sql.startsWith('delete from "merchants"'))) throw new Error('The process ended.')
  })
  await run(database)
  expect(errors).toHaveBeenCalledOnce()
  expect(await exists(venue.id)).toBe(true)
  await run()
  const failures = errors.mock.calls.filter(([line]) => String(line).includes('not deleted'))
  errors.mockRestore()
  expect(failures).toHaveLength(1)
  expect(await exists(venue.id)).toBe(false)
})
