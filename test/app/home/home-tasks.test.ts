import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deleteClosedMerchants } from '../../../src/admin/delete-closed.ts'
import { sweepMs } from '../../../src/app/home/merchant-home.ts'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import { clearKeyCache } from '../../../src/platform/auth/api-keys.ts'
import { directoryDatabase } from '../../../src/platform/db/home/d1-connection.ts'
import { createId } from '../../../src/platform/lib/ids.ts'
import { isolateCacheSeconds } from '../../../src/storefront/tags/isolate-cache.ts'
import { reservationSeconds, sweepReservedNames } from '../../../src/storefront/tags/reserved-names.ts'
import { retentionDays } from '../../../src/webhooks/event-retention.ts'
import { Publisher } from '../../../src/webhooks/rpc.ts'
import { adminToken, call, createVenue, send } from '../../support/api.ts'
import { findObject, queryHome, ringAlarm } from '../../support/home.ts'
import { createTestWorker, deliver, passTime, restoreTime } from '../../support/test-worker.ts'
import { createWebhookHarness, now } from '../../support/webhook-harness.ts'

const daySeconds = 86_400
const createOwn = (fields: object = {}) => createVenue({ home: 'object', ...fields })
const inShared = async (sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all()
  ).results

afterEach(() => {
  vi.restoreAllMocks()
  restoreTime()
})

describe('deliveries of a merchant in an object', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('are made, and retried after a failure', async () => {
    const harness = await createWebhookHarness({ home: 'object' })
    const { product } = await harness.createWebhookAndProduct()
    harness.endpoint = (_, number) => new Response(null, { status: number === 1 ? 500 : 204 })
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    await harness.advance(10)
    expect(harness.calls.map(({ body }) => [body.type, body.data.id])).toEqual([
      ['product.created', product.id],
      ['product.created', product.id],
    ])
    expect(await harness.deliveries()).toMatchObject([{ state: 'delivered', attempt: 2 }])
    expect(await inShared('select * from deliveries where event like ?', `${harness.calls[0]?.body.id}`)).toEqual([])
  })

  test('are swept by the alarm, not by the cron, if their message is lost', async () => {
    const harness = await createWebhookHarness({ home: 'object' })
    await harness.createWebhookAndProduct()
    harness.clear()
    await harness.advance(60)
    await runScheduled(harness.bindings)
    expect(harness.queued).toEqual([])
    const next = await ringAlarm(harness.venue.id, harness.bindings)
    expect(harness.queued).toHaveLength(1)
    expect(next).toBe(Date.now() + sweepMs)
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
  })

  test('and events are purged after thirty days; then nothing is due before the audit log expires', async () => {
    const harness = await createWebhookHarness({ home: 'object' })
    await harness.createWebhookAndProduct()
    await harness.deliver()
    await harness.advance(60)
    await ringAlarm(harness.venue.id, harness.bindings)
    const first = await ringAlarm(harness.venue.id, harness.bindings)
    expect(first).toBeGreaterThan(Date.now() + (retentionDays - 1) * daySeconds * 1000)
    await harness.advance(retentionDays * daySeconds)
    await ringAlarm(harness.venue.id, harness.bindings)
    expect([await harness.events(), await harness.deliveries()]).toEqual([[], []])
    const second = await ringAlarm(harness.venue.id, harness.bindings)
    expect(second).toBeGreaterThan(Date.now() + 50 * daySeconds * 1000)
  })

  test('of a deleted webhook are purged by the alarm that its deletion schedules', async () => {
    const harness = await createWebhookHarness({ home: 'object' })
    const { webhook } = await harness.createWebhookAndProduct()
    await harness.deliver()
    await harness.remove(`/webhooks/${webhook.id}`)
    const count = async () => (await harness.query('select count(*) as n from deliveries'))[0]?.['n']
    expect(await count()).toBe(1)
    await harness.advance(sweepMs / 1000)
    await ringAlarm(harness.venue.id, harness.bindings)
    expect(await count()).toBe(0)
  })

  test('name webhooks by numbers that no other merchant has', async () => {
    const seqs = []
    for (const home of ['object', 'object', undefined] as const) {
      const venue = await createVenue(home ? { home } : {})
      await venue.post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/in', events: ['*'] })
      const [row] = await queryHome(venue.id, 'select seq from webhooks where merchant_id = ?', venue.id)
      seqs.push(row?.['seq'])
    }
    expect(new Set(seqs).size).toBe(3)
  })
})

describe('tags of a merchant in an object', () => {
  const orderingUrl = 'https://order.example/{tag}'

  test('lead where they should, from the object and from KV, and are gone after their deletion', async () => {
    const venue = await createOwn({ orderingUrl })
    const { body: tag } = await venue.post('/tags', { metadata: [{ key: 'table', value: '4' }] })
    for (const { name } of (await env.TAGS.list()).keys) await env.TAGS.delete(name)
    passTime(isolateCacheSeconds + 1)
    const worker = createTestWorker()
    for (const name of [tag.id, tag.alias[0]]) {
      const { status, headers } = await worker.fetch(`/t/${name}`)
      expect([status, headers.get('location')]).toEqual([302, `https://order.example/${tag.id}`])
    }
    expect((await venue.remove(`/tags/${tag.id}`)).status).toBe(200)
    expect((await send(`/t/${tag.id}`)).status).toBe(410)
  })

  test('have names that no merchant can use again', async () => {
    const [own, shared] = [await createOwn(), await createVenue({ home: 'd1' })]
    const add = (venue: { id: string }, body: object) =>
      call('POST', `/admin/merchants/${venue.id}/tags`, adminToken, body)
    expect((await add(own, { id: 'bar-1', alias: ['old-1'] })).status).toBe(201)
    expect((await add(shared, { id: 'bar-2' })).status).toBe(201)
    for (const venue of [own, shared]) {
      expect((await add(venue, { id: 'bar-1' })).status).toBe(409)
      expect((await add(venue, { id: 'bar-3', alias: ['bar-2'] })).status).toBe(409)
      expect((await add(venue, { id: 'old-1' })).status).toBe(409)
    }
  })

  test('that were never created are unknown, and release their names after an hour', async () => {
    const venue = await createOwn({ orderingUrl })
    const { body: tag } = await venue.post('/tags', {})
    const reserve = (name: string, at: number) =>
      env.DB.prepare('insert into tag_names (name, merchant_id, reserved_at) values (?, ?, ?)').bind(name, venue.id, at)
    const time = now()
    await env.DB.batch([reserve('lost-1', time - reservationSeconds - 1), reserve('young-1', time)])
    expect((await send('/t/lost-1')).status).toBe(404)
    expect(await sweepReservedNames(env, time)).toBe(1)
    await sweepReservedNames(env, time + reservationSeconds)
    const names = await inShared(
      'select name, reserved_at from tag_names where merchant_id = ? order by name',
      venue.id,
    )
    const kept = [tag.alias[0], tag.id].map((name) => ({ name, reserved_at: null }))
    expect(names).toEqual(expect.arrayContaining(kept))
    expect(names.map(({ name }) => name)).not.toContain('lost-1')
  })

  test('count their scans there, once', async () => {
    const [own, shared] = [await createOwn({ timezone: 'Asia/Tokyo' }), await createVenue({ home: 'd1' })]
    const scans = []
    for (const venue of [own, shared]) {
      const { body: tag } = await venue.post('/tags', {})
      scans.push({
        kind: 'scan',
        id: createId('scan'),
        merchant: venue.id,
        tag: tag.id,
        at: Date.now(),
        channel: 'qr',
        timezone: 'UTC',
      })
    }
    await deliver(env, [...scans, ...scans])
    await deliver(env, scans)
    for (const [index, venue] of [own, shared].entries()) {
      const { body } = await venue.get(`/tags/${scans[index]?.tag}/scans`)
      expect(body.map(({ count }: { count: number }) => count)).toEqual([1])
    }
    // Scans of other merchants may be counted in between.
    const listMerchants = (table: string) =>
      inShared(`select merchant_id from ${table} where merchant_id in (?, ?)`, own.id, shared.id)
    expect(await listMerchants('scan_counts')).toEqual([{ merchant_id: shared.id }])
    // Receipts are stored in the rows of the counts.
    expect(await listMerchants('scan_receipts')).toEqual([])
  })
})

test('another Worker publishes to a merchant in an object', async () => {
  const venue = await createOwn()
  const publisher = new Publisher(createExecutionContext(), env)
  const { id } = await publisher.publish(venue.id, false, { type: 'order.created', data: { orderId: '7' } })
  expect((await venue.get('/events')).body.map((event: { id: string }) => event.id)).toEqual([id])
})

test('the hosted menu is read from the object', async () => {
  const venue = await createOwn()
  const { body: product } = await venue.post('/products', { title: 'Laksa', price: 7 })
  await venue.post('/menus', { title: 'Lunch', sections: [{ title: 'Soups', items: [product.id] }] })
  const { status, body } = await send(`/m/${venue.id}`)
  expect([status, String(body).includes('Laksa')]).toEqual([200, true])
})

test('an object whose copy of the merchant was not renewed renews it for the first caller who knows better', async () => {
  const venue = await createOwn()
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  const currency = async () =>
    (await venue.post('/quotes', { items: [{ product: product.id, quantity: 1 }] })).body.currency
  expect(await currency()).toBe('EUR')
  await env.DB.prepare(`update merchants set currency = 'JPY', updated_at = updated_at + 1 where id = ?`)
    .bind(venue.id)
    .run()
  clearKeyCache()
  expect(await currency()).toBe('JPY')
})

test('the damaged rows of a merchant in an object are listed', async () => {
  const venue = await createOwn()
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1 })
  await queryHome(venue.id, `update products set images = '[1]' where id = ?`, product.id)
  const { body } = await call('GET', `/admin/merchants/${venue.id}/damaged`, adminToken)
  expect(body).toEqual([{ table: 'products', id: product.id, fields: ['images'] }])
})

test('the object of a closed merchant is erased after the grace period', async () => {
  const venue = await createOwn()
  await venue.post('/products', { title: 'Tea', price: 1 })
  const { body: tag } = await venue.post('/tags', {})
  await call('POST', `/admin/merchants/${venue.id}/close`, adminToken, { graceDays: 1 })
  const object = await findObject(venue.id)
  await deleteClosedMerchants(env, directoryDatabase(env), now() + daySeconds + 61)
  expect(await inShared('select id from merchants where id = ?', venue.id)).toEqual([])
  expect(await inShared('select * from homes where merchant_id = ?', venue.id)).toEqual([])
  const identity = { merchantId: venue.id, object: object?.home.object ?? 0, settingsVersion: 0 }
  const erased = await object?.stub.run(identity, [{ sql: 'select id from products', values: [] }])
  expect(erased).toEqual({ rows: [], error: expect.stringContaining('no such table') })
  passTime(daySeconds + 61)
  expect((await send(`/t/${tag.alias[0]}`)).status).toBe(410)
})
