import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rebuildBatchSize } from '../../../src/storefront/tags/tag-rebuild.ts'
import { adminToken, call, createVenue } from '../../support/api.ts'
import { queryHome } from '../../support/home.ts'
import { loadCopy } from '../../support/module-copy.ts'
import { broken, createTestWorker, restoreTime } from '../../support/test-worker.ts'

const live = 'https://live.example/o'
const path = '/admin/rebuild-tags'
let worker = createTestWorker()
let venue = await createVenue({ orderingUrl: live })
beforeEach(async () => {
  worker = createTestWorker()
  venue = await createVenue({ orderingUrl: live })
})
afterEach(restoreTime)

const create = async () => {
  const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '1' }] })
  return { ...tag, code: tag.alias[0] }
}
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run<Record<string, unknown>>()

/** Scans in an isolate that remembers nothing. */
async function scanFresh(name: string) {
  const { serve } = await loadCopy(
    () => import('../../../src/app/app.ts'),
    /\/src\/(?:app\/app\.ts|storefront\/tags\/)/,
  )
  const { status, headers } = await worker.fetch(`/t/${name}`, {}, serve)
  return { status, location: headers.get('location') }
}

const rebuild = (cursor?: string) =>
  call('POST', cursor === undefined ? path : `${path}?cursor=${encodeURIComponent(cursor)}`, adminToken)

/** Repeats the call until it is done, and sums the results. */
async function rebuildAll() {
  const sum = { calls: 0, tags: 0, tombstones: 0, merchants: 0, removed: 0 }
  let cursor: string | undefined
  do {
    const { status, body } = await rebuild(cursor)
    expect([status, body]).toEqual([200, expect.objectContaining({ tags: expect.any(Number) })])
    const done = body.tags + body.tombstones + body.merchants
    expect(Math.max(done, body.removed)).toBeLessThanOrEqual(rebuildBatchSize)
    sum.calls++
    for (const name of ['tags', 'tombstones', 'merchants', 'removed'] as const) sum[name] += body[name]
    cursor = body.cursor
  } while (cursor !== undefined)
  return sum
}

/** Deletes a tag through the API and brings its rows back, as a restore of the database does. */
async function deleteAndRestore(tag: { id: string }) {
  const { results } = await run('select * from tags where id = ?', tag.id)
  const [row = {}] = results
  const names = (await run('select name from tag_names where tag = ?', row['seq'])).results
  expect((await venue.remove(`/tags/${tag.id}`)).status).toBe(200)
  const columns = Object.keys(row)
  await run(`insert into tags (${columns}) values (${columns.map(() => '?')})`, ...Object.values(row))
  for (const { name } of names) await run('update tag_names set tag = ? where name = ?', row['seq'], name)
}

describe('after a restore of the database', () => {
  test('a restored tag redirects again in a new isolate', async () => {
    const tag = await create()
    expect(await scanFresh(tag.code)).toEqual({ status: 302, location: `${live}?tag=${tag.id}` })
    await deleteAndRestore(tag)
    expect((await scanFresh(tag.code)).status).toBe(410)
    await rebuildAll()
    for (const name of [tag.code, tag.id]) {
      expect(await scanFresh(name)).toEqual({ status: 302, location: `${live}?tag=${tag.id}` })
    }
  })

  test('deleted and changed tags have the state of the database', async () => {
    const [gone, changed] = [await create(), await create()]
    await venue.remove(`/tags/${gone.id}`)
    // Values in KV that are newer than the restored state.
    const later = { version: 9, merchantId: venue.id, testMode: false, nfc: false, gone: false }
    const shown = [['table', '9']]
    await env.TAGS.put(`t:${gone.code}`, JSON.stringify({ ...later, id: gone.id, code: gone.code, shown }))
    await env.TAGS.put(`t:${changed.code}`, JSON.stringify({ ...later, id: changed.id, code: changed.code, shown }))
    await env.TAGS.put(
      `m:${venue.id}`,
      JSON.stringify({ version: 9, timezone: 'UTC', orderingUrl: 'https://x.example/' }),
    )
    await rebuildAll()
    expect((await scanFresh(gone.code)).status).toBe(410)
    expect(JSON.parse((await env.TAGS.get(`t:${changed.code}`)) ?? '')).toMatchObject({
      version: 1,
      shown: [['table', '1']],
    })
    expect(await scanFresh(changed.code)).toEqual({ status: 302, location: `${live}?tag=${changed.id}` })
  })

  test('only keys that the database lacks are deleted', async () => {
    const tag = await create()
    await env.TAGS.put('t:0000000000000000', '{}')
    await env.TAGS.put('m:mer_unknown', '{}')
    await env.TAGS.put('other', 'kept')
    expect(await rebuildAll()).toMatchObject({ removed: 2 })
    const keys = await Promise.all(
      ['t:0000000000000000', 'm:mer_unknown', 'other', `t:${tag.code}`, `m:${venue.id}`].map((key) =>
        env.TAGS.get(key),
      ),
    )
    expect(keys.map((value) => value === null)).toEqual([true, true, false, false, false])
  })
})

test('each call is bounded, all names are processed, and a second run changes nothing', async () => {
  const tag = await create()
  const { results } = await run('select seq from tags where id = ?', tag.id)
  const names = Array.from({ length: 2 * rebuildBatchSize + 50 }, (_, n) => `old-${venue.id}-${n}`)
  const many = 'insert into tag_names (name, tag) select value, ? from json_each(?)'
  await run(many, results[0]?.['seq'], JSON.stringify(names))
  const [{ results: all }, { results: merchants }] = [
    await run('select count(*) as n, count(tag) as tags from tag_names'),
    await run('select count(*) as n from merchants'),
  ]
  const first = await rebuildAll()
  const [{ n: total, tags } = {}] = all
  expect(first).toMatchObject({ tags, tombstones: Number(total) - Number(tags), merchants: merchants[0]?.['n'] })
  expect(first.calls).toBeGreaterThanOrEqual(8)
  for (const name of names.slice(-3)) expect((await scanFresh(name)).status).toBe(302)
  const snapshot = async () => {
    const { keys } = await env.TAGS.list()
    return Promise.all(keys.map(async ({ name }) => [name, await env.TAGS.get(name)]))
  }
  const before = await snapshot()
  expect(await rebuildAll()).toEqual({ ...first, removed: 0 })
  expect(await snapshot()).toEqual(before)
})

test('a batch of names and of merchants costs two round trips and one write for each key', async () => {
  const tag = await create()
  const response = await worker.call('POST', path, adminToken)
  expect(response.status).toBe(200)
  const { trips, writes } = worker.used()
  expect(trips).toBe(2)
  expect(new Set(writes).size).toBe(writes.length)
  expect(writes.length).toBe(Math.min(rebuildBatchSize, response.body.tags + response.body.tombstones))
  expect(tag.code).toBeTruthy()
})

test('a tag that changes during the write is written again', async () => {
  const tag = await create()
  let isChanged = false
  worker.failures.write = async (key) => {
    if (key !== `t:${tag.code}` || isChanged) return
    isChanged = true
    await run('update tags set version = 7 where id = ?', tag.id)
  }
  const before = `${String.fromCharCode(tag.code.charCodeAt(0) - 1)}~`
  const response = await worker.call('POST', `${path}?cursor=${encodeURIComponent(`tags:${before}`)}`, adminToken)
  expect([response.status, isChanged]).toEqual([200, true])
  expect(JSON.parse((await env.TAGS.get(`t:${tag.code}`)) ?? '')).toMatchObject({ version: 7 })
})

test('a failure of KV returns 503, and the call can be repeated', async () => {
  await create()
  worker.failures.write = broken
  const failed = await worker.call('POST', path, adminToken)
  expect([failed.status, failed.body.code]).toEqual([503, 'unavailable'])
  worker.failures.write = undefined
  expect((await worker.call('POST', path, adminToken)).status).toBe(200)
})

test.each(['', 'x', 'tags', 'nope:', 'constructor:', `tags:${'x'.repeat(1_024)}`])(
  'the cursor %j is refused',
  async (cursor) => {
    const { status, body } = await rebuild(cursor)
    expect([status, body.errors?.map(({ parameter }: { parameter: string }) => parameter)]).toEqual([422, ['cursor']])
  },
)

test('removes tags of an object that a recovery took back', async () => {
  const own = await createVenue({ home: 'object', orderingUrl: live })
  const { body: tag } = await worker.call('POST', own.path('/tags'), own.key, {})
  expect((await scanFresh(tag.alias[0])).status).toBe(302)
  await queryHome(own.id, 'delete from tags where id = ?', tag.id)
  await queryHome(own.id, 'delete from tag_names where name in (?, ?)', tag.id, tag.alias[0])
  expect((await rebuildAll()).removed).toBe(2)
  expect((await scanFresh(tag.alias[0])).status).toBe(404)
})

test('requires the operator token', async () => {
  expect((await call('POST', path, venue.key)).status).toBe(401)
  expect((await call('POST', path, undefined)).status).toBe(401)
  expect((await call('GET', path, adminToken)).status).toBe(405)
})
