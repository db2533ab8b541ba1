import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { directoryDatabase } from '../../src/db/home/connect.ts'
import type { Bindings } from '../../src/env.ts'
import { consumeImports } from '../../src/import/import-consumer.ts'
import { chunkLimits, importRetentionDays, messageLimits } from '../../src/import/import-limits.ts'
import { enqueueOverdueImports, overdueSeconds } from '../../src/import/overdue-imports.ts'
import { purgeExpired } from '../../src/maintenance.ts'
import type { ImportMessage } from '../../src/messages.ts'
import { createKey, createVenue, origin, type Venue } from '../support/api.ts'
import { multiply, watch } from '../support/d1.ts'
import { check, csv, importFile, listIssues, settle, toCounts, upload } from '../support/imports.ts'

afterEach(() => vi.useRealTimers())

const rows = (count: number, first = 0) =>
  `externalId,title,price\n${Array.from({ length: count }, (_, n) => `E${first + n},Tea ${first + n},1\n`).join('')}`

/** The consumer with a queue that the test empties, one message at a time. */
function createQueue(bindings: Partial<Bindings> = {}) {
  const sent: ImportMessage[] = []
  const queue = { send: async (body: ImportMessage) => void sent.push(body) }
  const own = { ...env, ...bindings, IMPORTS: Object.assign(Object.create(null), queue) } satisfies Bindings
  async function consume(...bodies: ImportMessage[]) {
    const batch = createMessageBatch(
      'imports',
      bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
    )
    const context = createExecutionContext()
    const result: { acked: number; retried: number } = { acked: 0, retried: 0 }
    for (const message of batch.messages) {
      const [ack, retry] = [message.ack.bind(message), message.retry.bind(message)]
      const count = (kind: 'acked' | 'retried', go: () => void) => () => {
        result[kind]++
        go()
      }
      Object.assign(message, { ack: count('acked', ack), retry: count('retried', retry) })
    }
    await consumeImports(batch, own, context)
    await waitOnExecutionContext(context)
    return result
  }
  return {
    sent,
    bindings: own,
    consume,
    /** Uploads a file whose messages only this queue gets. */
    async upload({ key, path }: Pick<Venue, 'key' | 'path'>, query: string, content: string) {
      const request = new Request(`${origin}${path(`/imports?${query}`)}`, {
        method: 'POST',
        body: content,
        headers: { authorization: `Bearer ${key}`, ...csv },
      })
      const context = createExecutionContext()
      const response = await app.fetch(request, own, context)
      await waitOnExecutionContext(context)
      const { id }: { id: string } = await response.json()
      return id
    },
    /** Consumes messages until none is left. */
    async drain() {
      for (let next = sent.shift(); next; next = sent.shift()) await consume(next)
    },
  }
}

const retrieve = async (venue: Pick<Venue, 'get'>, id: string) => (await venue.get(`/imports/${id}`)).body
const countProducts = async ({ id }: Pick<Venue, 'id'>) =>
  (
    await env.DB.prepare('select count(*) as count from products where merchant_id = ?')
      .bind(id)
      .first<{ count: number }>()
  )?.count

describe('an import', () => {
  test('is applied once, however often its message comes, at once or later', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const id = await queue.upload(venue, 'resource=products&apply=true', `title,price\n${'Tea,1\n'.repeat(600)}`)
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    await Promise.all([queue.consume(message), queue.consume(message), queue.consume(message)])
    await queue.consume(message)
    await queue.drain()
    await queue.consume(message)
    const done = await retrieve(venue, id)
    expect([done.state, toCounts(done)]).toEqual(['done', { rows: 600, checked: 600, applied: 600, created: 600 }])
    expect(await countProducts(venue)).toBe(600)
  })

  test('goes on after D1 failed before or after any of its round trips', async () => {
    const venue = await createVenue()
    let failAt = 0
    let trip = 0
    let isLost = false
    const flaky = watch(env.DB, () => {
      if (++trip === failAt && !isLost) throw new Error('D1_ERROR: Network connection lost.')
    })
    const queue = createQueue({ DB: flaky.database })
    const expected: Record<string, number> = {}
    for (failAt = 1; failAt <= 12; failAt++) {
      isLost = false
      const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const id = await createQueue().upload(venue, 'resource=products&apply=true', rows(3, failAt * 10))
      const message = { merchant: venue.id, testMode: false, import: id }
      trip = 0
      await queue.consume(message)
      isLost = true
      await queue.consume(message)
      await queue.drain()
      logged.mockRestore()
      expect([failAt, toCounts(await retrieve(venue, id))]).toEqual([
        failAt,
        { rows: 3, checked: 3, applied: 3, created: 3 },
      ])
      expected[failAt] = (await countProducts(venue)) ?? 0
    }
    expect(expected[12]).toBe(36)
  })

  test('gives way to others after some steps', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const count = chunkLimits.rows * (messageLimits.steps + 1)
    const id = await queue.upload(venue, 'resource=products', rows(count))
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    expect(await queue.consume(message)).toEqual({ acked: 1, retried: 0 })
    expect(await retrieve(venue, id)).toMatchObject({
      state: 'checking',
      checked: chunkLimits.rows * messageLimits.steps,
    })
    expect(queue.sent).toEqual([message])
    await queue.drain()
    expect(await retrieve(venue, id)).toMatchObject({ state: 'ready', checked: count })
  })

  test('that is cancelled keeps the rows that were applied', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const count = chunkLimits.rows * (messageLimits.steps + 2)
    const id = await queue.upload(venue, 'resource=products&apply=true', rows(count))
    const [message] = queue.sent.splice(0)
    if (!message) throw new Error('no message')
    await queue.consume(message)
    await queue.consume(message)
    const { body } = await venue.post(`/imports/${id}/cancel`, undefined)
    expect(body.state).toBe('cancelled')
    expect(body.applied).toBeGreaterThan(0)
    expect(body.applied).toBeLessThan(count)
    await queue.consume(message)
    expect(await retrieve(venue, id)).toMatchObject({ state: 'cancelled', applied: body.applied })
    expect(await countProducts(venue)).toBe(body.applied)
    expect((await venue.post(`/imports/${id}/cancel`, undefined)).status).toBe(200)
    expect((await venue.post(`/imports/${id}/apply`, undefined)).body).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('that is done can be applied again without effect, and not cancelled', async () => {
    const venue = await createVenue()
    const done = await importFile(venue, 'resource=products', rows(1))
    expect((await venue.post(`/imports/${done.id}/apply`, undefined)).body).toEqual(done)
    expect((await venue.post(`/imports/${done.id}/cancel`, undefined)).status).toBe(409)
    expect(await countProducts(venue)).toBe(1)
  })

  test('that is being checked cannot be applied', async () => {
    const venue = await createVenue()
    const id = await createQueue().upload(venue, 'resource=products', rows(1))
    expect((await venue.post(`/imports/${id}/apply`, undefined)).status).toBe(409)
  })

  test('checks again what changed since the check', async () => {
    const venue = await createVenue()
    const { id } = (await venue.post('/products', { title: 'Tea', price: 1 })).body
    const checked = await check(venue, 'resource=products', `id,title,price\n${id},Tea,2\n,Cake,1\n`)
    await venue.remove(`/products/${id}`)
    await venue.post(`/imports/${checked.id}/apply`, undefined)
    const done = await settle(venue, checked.id)
    expect(toCounts(done)).toMatchObject({ applied: 2, created: 2 })
    const coupon = 'title,code,type,value\nTen,TEN,FIXED,1\n'
    const second = await check(venue, 'resource=coupons', coupon)
    await venue.post('/coupons', { title: 'Other', code: 'ten', type: 'FIXED', value: 1 })
    await venue.post(`/imports/${second.id}/apply`, undefined)
    expect(toCounts(await settle(venue, second.id))).toEqual({ rows: 1, checked: 1, failed: 1 })
    expect(await listIssues(venue, second.id)).toEqual(['2 code duplicate'])
  })

  test('raises the events and audit entries of its changes', async () => {
    const venue = await createVenue()
    await importFile(venue, 'resource=products', rows(2))
    const events = (await venue.get('/events')).body
    expect(events.map(({ type, externalId }: Record<string, string>) => [type, externalId])).toEqual([
      ['product.created', 'E0'],
      ['product.created', 'E1'],
    ])
    const byKey = ({ key }: { key: string }) => key === venue.keyId
    const entries = (await venue.get('/audit')).body.filter(byKey)
    expect(entries.map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
      'imports.apply',
      'imports.create',
      'products.create',
      'products.create',
    ])
  })
})

describe('imports of one merchant', () => {
  test('are applied one after the other, in the order in which that was requested', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const count = chunkLimits.rows * messageLimits.steps * 2
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

  test('do not delay those of another merchant', async () => {
    const [venue, other] = [await createVenue(), await createVenue()]
    const queue = createQueue()
    await queue.upload(venue, 'resource=products&apply=true', rows(chunkLimits.rows * messageLimits.steps * 2))
    const small = await queue.upload(other, 'resource=products&apply=true', rows(2))
    await queue.consume(...queue.sent.splice(0))
    expect(await retrieve(other, small)).toMatchObject({ state: 'done' })
    await queue.drain()
  })

  test('go on when the one before is cancelled', async () => {
    const venue = await createVenue()
    const queue = createQueue()
    const first = await queue.upload(
      venue,
      'resource=products&apply=true',
      rows(chunkLimits.rows * messageLimits.steps * 2),
    )
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
    await enqueueOverdueImports(queue.bindings, directoryDatabase(env), later(overdueSeconds.step + 1))
    expect(queue.sent).toContainEqual({ merchant: venue.id, testMode: false, import: id })
    await queue.drain()
    expect((await retrieve(venue, id)).state).toBe('done')
  })

  test('enqueues an import of every merchant before the second of any', async () => {
    const [busy, other] = [await createVenue(), await createVenue()]
    const queue = createQueue()
    const first = await queue.upload(busy, 'resource=products&apply=true', rows(1))
    await multiply('imports', first, 150, { updated_at: 'updated_at - n' })
    const id = await queue.upload(other, 'resource=products&apply=true', rows(1))
    queue.sent.splice(0)
    const found = await enqueueOverdueImports(queue.bindings, directoryDatabase(env), later(overdueSeconds.step + 1))
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
    await enqueueOverdueImports(createQueue().bindings, directoryDatabase(env), later(overdueSeconds.upload + 1))
    const left = await env.DB.prepare('select count(*) as count from import_chunks where import_id = ?')
      .bind(id)
      .first()
    expect(left).toEqual({ count: 0 })
  })

  test(`deletes imports after ${importRetentionDays} days, with their rows and issues`, async () => {
    const venue = await createVenue()
    const { id } = await check(venue, 'resource=products', 'title,price\nTea,1\nTea,\n')
    const count = async () => {
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
    const afterMs = importRetentionDays * 86_400_000
    await purgeExpired(env, Date.now() + afterMs - 60_000)
    expect(await count()).toEqual([1, 1, 1])
    await purgeExpired(env, Date.now() + afterMs + 60_000)
    expect(await count()).toEqual([0, 0, 0])
  })
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
