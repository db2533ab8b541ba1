import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { inspect } from '../../../src/app/maintenance/purges.ts'
import { retainedTables } from '../../../src/app/maintenance/retained-tables.ts'
import {
  chunkLimits,
  importRetentionDays,
  importRowRetentionDays,
  messageLimits,
} from '../../../src/bulk/import/import-limits.ts'
import { enqueueOverdueImports, overdueImportSeconds } from '../../../src/bulk/import/overdue-imports.ts'
import { directoryDatabase, sharedDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createKey, createVenue } from '../../support/api.ts'
import { multiply } from '../../support/d1.ts'
import { check, settle, upload } from '../../support/imports.ts'
import { setLimits } from '../../support/limits.ts'
import { interceptD1, moveTo } from '../../support/moves.ts'
import { purgeNow } from '../../support/purges.ts'
import { createQueue, retrieve, rows } from './import-queue.ts'

afterEach(() => vi.useRealTimers())

describe('imports of one merchant', () => {
  /** Rows of a file that takes two messages to check. */
  const count = 40
  beforeEach(() => {
    setLimits(chunkLimits, { rows: 5 })
    setLimits(messageLimits, { steps: 4 })
  })

  test('are applied one after the other, in the order in which that was requested', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const first = await queue.upload(venue, 'resource=products&apply=true', rows(count))
    while ((await retrieve(venue, first)).state === 'checking') await queue.consume(...queue.sent.splice(0))
    const second = await queue.upload(venue, 'resource=products&apply=true', rows(3, 100_000))
    await queue.consume(...queue.sent.splice(0))
    expect(await retrieve(venue, first)).toMatchObject({ state: 'applying' })
    expect(await retrieve(venue, second)).toMatchObject({ state: 'applying', applied: 0 })
    await queue.drain()
    expect(await retrieve(venue, first)).toMatchObject({ state: 'done', created: count })
    expect(await retrieve(venue, second)).toMatchObject({ state: 'done', created: 3 })
  })

  test('make no step that began before applying an earlier one was requested', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const first = await queue.upload(venue, 'resource=products', rows(1))
    const second = await queue.upload(venue, 'resource=products', rows(1, 100_000))
    await queue.drain()
    const request = (id: string, queuedAt: number) =>
      env.DB.prepare(`update imports set state = 'applying', queued_at = ? where id = ?`).bind(queuedAt, id).run()
    await request(second, 2)
    const DB = interceptD1(/^update "imports" set .*"applied"/, async () => void (await request(first, 1)))
    const message = { merchant: venue.id, testMode: false, import: second }
    await createQueue({ DB }).consume(message)
    expect(await retrieve(venue, second)).toMatchObject({ state: 'applying', applied: 0 })
    await queue.consume({ ...message, import: first })
    expect(await retrieve(venue, first)).toMatchObject({ state: 'done', created: 1 })
    await queue.drain()
    expect(await retrieve(venue, second)).toMatchObject({ state: 'done', created: 1 })
  })

  test('do not delay those of another merchant', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const queue = createQueue()
    const large = await queue.upload(venue, 'resource=products&apply=true', rows(count))
    while ((await retrieve(venue, large)).state === 'checking') await queue.consume(...queue.sent.splice(0))
    const small = await queue.upload(other, 'resource=products&apply=true', rows(2))
    await queue.consume(...queue.sent.splice(0))
    expect(await retrieve(venue, large)).toMatchObject({ state: 'applying' })
    expect(await retrieve(other, small)).toMatchObject({ state: 'done' })
  })

  test('go on when the one before is cancelled', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const first = await queue.upload(venue, 'resource=products&apply=true', rows(count))
    while ((await retrieve(venue, first)).state === 'checking') await queue.consume(...queue.sent.splice(0))
    const second = await queue.upload(venue, 'resource=products&apply=true', rows(1, 100_000))
    await queue.consume(...queue.sent.splice(0))
    expect(await retrieve(venue, second)).toMatchObject({ state: 'applying', applied: 0 })
    await venue.post(`/imports/${first}/cancel`, undefined)
    expect((await settle(venue, second)).state).toBe('done')
  })
})

describe('the scheduled task', () => {
  const later = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

  test('enqueues imports whose message was lost', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const id = await queue.upload(venue, 'resource=products&apply=true', rows(1))
    queue.sent.splice(0)
    await enqueueOverdueImports(queue.bindings, directoryDatabase(env), later(0))
    expect(queue.sent).not.toContainEqual(expect.objectContaining({ import: id }))
    await enqueueOverdueImports(queue.bindings, directoryDatabase(env), later(overdueImportSeconds.step + 1))
    expect(queue.sent).toContainEqual({ merchant: venue.id, testMode: false, import: id })
    await queue.drain()
    expect((await retrieve(venue, id)).state).toBe('done')
  })

  test('leaves out imports that a move left in the shared database', async () => {
    const venue = await createVenue({ home: 'd1' })
    const queue = createQueue()
    const id = await queue.upload(venue, 'resource=products', rows(1))
    expect(await moveTo(venue.id, 'object')).toMatchObject({ state: 'done' })
    queue.sent.splice(0)
    await enqueueOverdueImports(queue.bindings, directoryDatabase(env), later(overdueImportSeconds.step + 1))
    expect(queue.sent).not.toContainEqual(expect.objectContaining({ import: id }))
  })

  test('enqueues an import of every merchant before the second of any', async () => {
    const [busy, other] = [await createVenue(), await createVenue()]
    const queue = createQueue()
    const first = await queue.upload(busy, 'resource=products&apply=true', rows(1))
    await multiply('imports', first, 150, { updated_at: 'updated_at - n' })
    const id = await queue.upload(other, 'resource=products&apply=true', rows(1))
    queue.sent.splice(0)
    const found = await enqueueOverdueImports(
      queue.bindings,
      directoryDatabase(env),
      later(overdueImportSeconds.step + 1),
    )
    expect(found).toBe(100)
    expect(queue.sent).toContainEqual({ merchant: other.id, testMode: false, import: id })
    await env.DB.prepare(`update imports set state = 'done' where merchant_id = ?`).bind(busy.id).run()
  })

  test('deletes uploads that were cut off', async () => {
    const venue = await createVenue()
    const id = await createQueue().upload(venue, 'resource=products', rows(1))
    await env.DB.prepare(`update imports set state = 'uploading' where id = ?`).bind(id).run()
    expect((await venue.get(`/imports/${id}`)).status).toBe(404)
    expect((await venue.get('/imports')).body).toEqual([])
    await enqueueOverdueImports(createQueue().bindings, directoryDatabase(env), later(overdueImportSeconds.upload + 1))
    const left = await env.DB.prepare('select count(*) as count from import_chunks where import_id = ?')
      .bind(id)
      .first()
    expect(left).toEqual({ count: 0 })
  })

  const countStored = async (id: string) => {
    const tables = [
      ['imports', 'id'],
      ['import_chunks', 'import_id'],
      ['import_issues', 'import_id'],
    ] as const
    const results = await env.DB.batch<{ count: number }>(
      tables.map(([table, column]) =>
        env.DB.prepare(`select count(*) as count from ${table} where ${column} = ?`).bind(id),
      ),
    )
    return results.map(({ results }) => results[0]?.count)
  }
  const dayMs = 86_400_000

  test(`deletes imports that wait after ${importRetentionDays} days, with their rows and issues`, async () => {
    const venue = await createVenue()
    const { id } = await check(venue, 'resource=products', 'title,price\nTea,1\nTea,\n')
    const afterMs = importRetentionDays * dayMs
    await purgeNow(env, Date.now() + afterMs - 60_000)
    expect(await countStored(id)).toEqual([1, 1, 1])
    await purgeNow(env, Date.now() + afterMs + 60_000)
    expect(await countStored(id)).toEqual([0, 0, 0])
  })

  test.each(['done', 'failed', 'cancelled'])(
    `deletes rows and issues of an import ${importRowRetentionDays} days after it is %s`,
    async (state) => {
      const venue = await createVenue()
      const { id, createdAt } = await check(venue, 'resource=products', 'title,price\nTea,1\nTea,\n')
      // It ended on the tenth day.
      const endedAt = createdAt + 10 * (dayMs / 1000)
      await env.DB.prepare('update imports set state = ?, updated_at = ? where id = ?').bind(state, endedAt, id).run()
      const expiresMs = endedAt * 1000 + importRowRetentionDays * dayMs
      const inspectRows = async (nowMs: number) =>
        (await inspect(sharedDatabase(env), nowMs, retainedTables))
          .filter(({ name }) => name === 'import_chunks' || name === 'import_issues')
          .map(({ oldestAt, overdueSeconds }) => [oldestAt, overdueSeconds])
      await purgeNow(env, expiresMs - 60_000)
      expect(await countStored(id)).toEqual([1, 1, 1])
      expect(await inspectRows(expiresMs + 60_000)).toEqual([
        [endedAt, 60],
        [endedAt, 60],
      ])
      await purgeNow(env, expiresMs + 60_000)
      expect(await countStored(id)).toEqual([1, 0, 0])
      const { body } = await venue.get(`/imports/${id}/errors`)
      expect([body, (await venue.get(`/imports/${id}`)).body.state]).toEqual([[], state])
      await purgeNow(env, createdAt * 1000 + importRetentionDays * dayMs + 60_000)
      expect(await countStored(id)).toEqual([0, 0, 0])
    },
  )
})

describe('reading imports', () => {
  test('is paged, newest first', async () => {
    const venue = await createVenue()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await check(venue, 'resource=products', rows(1, n))).id)
    const first = await venue.get('/imports?limit=2')
    expect(first.body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2))
    const [, next = ''] = /\/imports(\?[^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
    expect((await venue.get(`/imports${next}`)).body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
  })

  test('requires the scope of each resource in the file', async () => {
    const venue = await createVenue()
    const { id } = await check(venue, 'resource=products', 'title,price\nTea,1\nTea,\n')
    const reader = await createKey(venue.id, { mode: 'live', scopes: ['products:read'] })
    const stranger = await createKey(venue.id, { mode: 'live', scopes: ['tags:write'] })
    for (const path of [`/imports/${id}`, `/imports/${id}/errors`]) {
      expect((await reader.get(path)).status).toBe(200)
      expect((await stranger.get(path)).status).toBe(403)
    }
    expect((await reader.get('/imports')).body).toHaveLength(1)
    expect((await stranger.get('/imports')).body).toEqual([])
    for (const verb of ['apply', 'cancel']) {
      expect((await reader.post(`/imports/${id}/${verb}`, undefined)).status).toBe(403)
    }
  })

  test('is limited to the merchant and the mode of the key', async () => {
    const venue = await createVenue()
    const { id } = await check(venue, 'resource=products', rows(1))
    const others = [await createVenue(), await createKey(venue.id, { mode: 'test' })]
    for (const other of others) {
      expect((await other.get(`/imports/${id}`)).status).toBe(404)
      expect((await other.get('/imports')).body).toEqual([])
      expect((await other.post(`/imports/${id}/apply`, undefined)).status).toBe(404)
    }
    expect((await upload(others[1] ?? venue, 'resource=products', rows(1))).status).toBe(202)
  })
})
