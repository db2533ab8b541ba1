import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { listMaxMs } from '../../../src/platform/db/home/d1-connection.ts'
import { type Trip, watch } from '../../support/d1.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../../support/platform-webhook.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})

const toFigures = (trips: readonly Trip[]) => ({
  trips: trips.length,
  written: trips.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  read: trips.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
})

/** Costs of one create, by a key that the isolate has cached. */
async function measure(harness: Awaited<ReturnType<typeof createWebhookHarness>>) {
  const { database, trips } = watch(env.DB)
  const create = () =>
    harness.request('POST', harness.path('/products'), { title: 'Tea', price: 4.5 }, harness.venue.key, {
      DB: database,
    })
  await create()
  trips.length = 0
  harness.messages = 0
  await create()
  return { ...toFigures(trips), messages: harness.messages, statements: trips.flatMap(({ statements }) => statements) }
}

test('a write costs no round trip and two rows more with a platform webhook; one in the tenth endpoint as much', async () => {
  const harness = await createWebhookHarness()
  const without = await measure(harness)
  await createPlatformWebhook(harness)
  const one = await measure(harness)
  for (let i = 0; i < 9; i++)
    await createPlatformWebhook(harness, { merchants: [harness.venue.id], events: ['menu.created'] })
  const ten = await measure(harness)
  console.log(
    `figure: a create without, with one and with ten platform webhooks, ${[without, one, ten].map(({ trips, written, read, messages }) => `${trips} trips, ${written} rows written, ${read} read, ${messages} messages`).join('; ')}`,
  )
  expect([one.trips, ten.trips]).toEqual([without.trips, without.trips])
  expect(one.written - without.written).toBeLessThanOrEqual(2)
  expect(ten.written).toBe(one.written)
  expect([without.messages, one.messages, ten.messages]).toEqual([0, 1, 1])
  // The list of platform webhooks travels with the statement: nothing reads it.
  expect(without.statements.some((sql) => sql.includes('"settings"'))).toBe(false)
})

test('a venue without platform webhooks reads no row more for them', async () => {
  const harness = await createWebhookHarness()
  const before = await measure(harness)
  await createPlatformWebhook(harness, { events: ['order.created'] })
  const unwanted = await measure(harness)
  await removePlatformWebhooks()
  const after = await measure(harness)
  expect([after.read, after.written]).toEqual([before.read, before.written])
  expect([unwanted.written, unwanted.messages]).toEqual([before.written, 0])
})

test('a broken endpoint costs a venue two rows and no message', async () => {
  const harness = await createWebhookHarness()
  const without = await measure(harness)
  const platform = await createPlatformWebhook(harness)
  await env.DB.prepare('update platform_webhooks set failures = 10 where id = ?').bind(platform.id).run()
  vi.setSystemTime(Date.now() + listMaxMs + 1)
  const broken = await measure(harness)
  expect([broken.trips, broken.messages]).toEqual([without.trips, 0])
  expect(broken.written - without.written).toBeLessThanOrEqual(2)
  expect(await platform.deliveries()).toEqual(
    expect.arrayContaining([expect.objectContaining({ state: 'pending', due_at: 253_402_300_798 })]),
  )
})

test('a change reaches other isolates within 60 seconds, without a round trip of a write', async () => {
  const harness = await createWebhookHarness()
  await harness.post('/products', { title: 'Tea', price: 4.5 })
  const { database, trips } = watch(env.DB)
  const as = { DB: database }
  // Another isolate creates the webhook: this one has cached the list before.
  await env.DB.prepare(
    `insert into platform_webhooks (id, version, title, url, events, active, bearer_token, secrets, failures, filter_version, created_by, created_at, updated_at)
      values ('pwh_other', 1, 'x', ?, '["*"]', 1, 'x', '[{"secret":"whsec_AAAA"}]', 0, 0, 'operator', 0, 0)`,
  )
    .bind(`https://${harness.host}/all`)
    .run()
  let seconds = 0
  for (; harness.messages === 0 && seconds <= 60; seconds += 5) {
    vi.setSystemTime(Date.now() + 5_000)
    trips.length = 0
    await harness.request('POST', harness.path('/products'), { title: 'Tea', price: 4.5 }, harness.venue.key, as)
    // Authentication every 30 seconds, and the write.
    expect(trips.length).toBeLessThanOrEqual(2)
    expect(trips.filter(({ statements }) => statements.length === 1 && statements[0]?.includes('"settings"'))).toEqual(
      [],
    )
  }
  expect(seconds).toBeLessThanOrEqual((listMaxMs + 5_000) / 1000)
})
