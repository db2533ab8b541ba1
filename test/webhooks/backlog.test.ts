import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Trip, watch } from '../support/d1.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const failing = () => new Response(null, { status: 500 })
const breakerFailures = 10
const probeSeconds = 30

const sum = (trips: readonly Trip[], count: (trip: Trip) => number) =>
  trips.reduce((total, trip) => total + count(trip), 0)

/** Watches every call of D1 that the stage makes from here on. */
function watchStage(stage: WebhookHarness) {
  const { database, trips } = watch(env.DB)
  Object.assign(stage.bindings, { DB: database })
  return trips
}

const breakEndpoint = (id: string) =>
  env.DB.prepare('update webhooks set failures = ?, failing_since = ? where id = ?')
    .bind(breakerFailures, now(), id)
    .run()

/** A webhook whose endpoint is broken, and so many deliveries that are pending for it, each with its message. */
async function createBacklog(pending: number) {
  const stage = await createWebhookHarness()
  const webhook = await stage.hook({ events: ['order.created'] })
  stage.endpoint = failing
  await stage.post('/events', { type: 'order.created', data: {} })
  const [ring] = stage.rings.splice(0)
  if (!ring) throw new Error('nothing was rung')
  await stage.copyEvent(pending - 1)
  await breakEndpoint(webhook.id)
  for (const row of await stage.deliveries()) {
    if (row['state'] === 'pending') stage.rings.push({ ...ring, body: { ...ring.body, event: String(row['event']) } })
  }
  expect(stage.rings).toHaveLength(pending)
  return { stage, webhook }
}

describe('a broken endpoint', () => {
  /** What ten minutes of it cost, once the messages from before have been handed on. */
  async function costOfTenMinutes(pending: number) {
    const { stage } = await createBacklog(pending)
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
    const trips = watchStage(stage)
    const messages = stage.messages
    for (let step = 1; step <= 60; step++) {
      await stage.pass(10)
      if (step % 6 === 0) await stage.sweep()
    }
    return {
      calls: stage.calls.length - 1,
      messages: stage.messages - messages,
      trips: trips.length,
      rowsWritten: sum(trips, ({ rowsWritten }) => rowsWritten),
      rowsRead: sum(trips, ({ rowsRead }) => rowsRead),
    }
  }

  test('costs the same every minute with 25 and with 500 pending deliveries', async () => {
    const [few, many] = [await costOfTenMinutes(25), await costOfTenMinutes(500)]
    console.log(`figure: ten minutes of a broken endpoint with 25 pending, ${JSON.stringify(few)}`)
    console.log(`figure: ten minutes of a broken endpoint with 500 pending, ${JSON.stringify(many)}`)
    const calls = 600 / probeSeconds
    // A message and two round trips for each call, and one round trip for each sweep.
    expect([few.calls, few.messages]).toEqual([calls, calls])
    expect([many.calls, many.messages]).toEqual([calls, calls])
    for (const { trips, rowsWritten, rowsRead } of [few, many]) {
      expect(trips).toBeLessThanOrEqual(2 * calls + 10)
      expect(rowsWritten).toBeLessThanOrEqual(8 * calls)
      expect(rowsRead).toBeLessThanOrEqual(20 * calls)
    }
  })

  test('gets no message for a new event while a call is scheduled; the event is sent next', async () => {
    const { stage, webhook } = await createBacklog(1)
    await stage.deliver()
    expect(stage.calls).toHaveLength(1)
    stage.rings.length = 0
    stage.messages = 0
    for (let n = 0; n < 20; n++) await stage.post('/events', { type: 'order.created', data: { n } })
    expect(stage.messages).toBe(0)
    const log = await stage.log(webhook.id, '?state=pending')
    expect(log).toHaveLength(21)
    for (const { nextAttemptAt } of log) expect(nextAttemptAt).toBeGreaterThanOrEqual(now() + probeSeconds)
    // Even if the message that was to come got lost, the sweep goes on where it stopped.
    await stage.pass(probeSeconds + 31)
    await stage.sweep()
    await stage.deliver()
    expect(stage.calls).toHaveLength(2)
  })

  test('shows the earliest time of each pending delivery and counts only calls', async () => {
    const { stage, webhook } = await createBacklog(5)
    await stage.deliver()
    const log = await stage.log(webhook.id, '?state=pending')
    expect(log.map(({ attempts }: { attempts: unknown[] }) => attempts.length).sort()).toEqual([0, 0, 0, 0, 1])
    for (const { nextAttemptAt } of log) expect(nextAttemptAt).toBe(now() + probeSeconds)
  })

  test('is called at once by a test or a retry', async () => {
    const { stage, webhook } = await createBacklog(50)
    await stage.deliver()
    await stage.pass(1)
    await stage.post(`/webhooks/${webhook.id}/test`)
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.type)).toEqual(['order.created', 'webhook.test'])
    await stage.pass(1)
    const [{ eventId }] = await stage.log(webhook.id, '?state=pending')
    await stage.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)
    await stage.deliver()
    expect(stage.calls.map(({ body }) => body.id)[2]).toBe(eventId)
    await stage.pass(1)
    const messages = stage.messages
    await stage.post(`/webhooks/${webhook.id}/recover`, { since: now() - 60 })
    expect(stage.messages - messages).toBeLessThanOrEqual(1)
    // Whatever was asked for, the next call is half a minute behind the last.
    await stage.pass(probeSeconds - 2)
    expect(stage.calls.length).toBeLessThanOrEqual(4)
    for (let step = 0; step < 12; step++) await stage.pass(10)
    expect(stage.calls.length).toBeLessThanOrEqual(9)
  })

  test('receives each pending delivery once after a success, in waves of 50', async () => {
    const { stage, webhook } = await createBacklog(200)
    await stage.deliver()
    await stage.pass(probeSeconds - 1)
    stage.endpoint = () => new Response()
    let most = 0
    const push = stage.rings.push.bind(stage.rings)
    stage.rings.push = (...rings) => {
      const length = push(...rings)
      most = Math.max(most, length)
      return length
    }
    stage.messages = 0
    await stage.pass(1)
    for (let minute = 0; minute < 3; minute++) {
      await stage.pass(60)
      await stage.sweep()
      await stage.deliver()
    }
    const log = await stage.query(
      `select d.state, d.attempt, json_array_length(d.attempts) as attempts from deliveries as d
       join webhooks as w on w.seq = d.webhook where w.id = ?`,
      webhook.id,
    )
    expect(new Set(log.map(({ state }) => state))).toEqual(new Set(['delivered']))
    for (const { attempt, attempts } of log) expect(attempt).toBe(attempts)
    expect(stage.calls).toHaveLength(201)
    expect(new Set(stage.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(200)
    expect(most).toBeLessThanOrEqual(60)
    expect(stage.messages).toBeLessThanOrEqual(210)
  })
})

describe('a sweep', () => {
  test('enqueues equal shares for all webhooks', async () => {
    const [crowded, stage] = [await createWebhookHarness(), await createWebhookHarness()]
    await crowded.hook({ events: ['order.created'] })
    await crowded.post('/events', { type: 'order.created', data: {} })
    await crowded.copyEvent(5_999)
    const { webhook } = await stage.scene()
    stage.forget()
    await stage.pass(31)
    const trips = watchStage(stage)
    await stage.sweep()
    const [{ seq = 0 } = {}] = await stage.query('select seq from webhooks where id = ?', webhook.id)
    const rung = stage.rings.filter(({ body }) => body.webhook === seq)
    expect(rung).toHaveLength(1)
    expect(stage.rings.length).toBeLessThanOrEqual(2_000)
    const [read, written] = [sum(trips, ({ rowsRead }) => rowsRead), sum(trips, ({ rowsWritten }) => rowsWritten)]
    console.log(`figure: D1 rows read by a sweep of 6001 overdue deliveries, ${read} read and ${written} written`)
    expect(read).toBeLessThanOrEqual(20_000)
    // What was rung for is not rung for again by the next sweep, so that all of it is rung for in a few minutes.
    for (let minute = 0; minute < 3; minute++) await stage.sweep()
    expect(new Set(stage.rings.map(({ body }) => body.event)).size).toBe(6_001)
    expect(stage.rings).toHaveLength(6_001)
  })

  test('enqueues deliveries of each webhook, with any backlog of others', async () => {
    const stage = await createWebhookHarness()
    for (let n = 0; n < 20; n++) await stage.hook({ events: ['order.created'], url: `https://${stage.host}/${n}` })
    await stage.post('/events', { type: 'order.created', data: {} })
    await stage.copyEvent(199)
    stage.forget()
    await stage.pass(31)
    await stage.sweep()
    const perWebhook = Map.groupBy(stage.rings, ({ body }) => body.webhook)
    expect([...perWebhook.values()].map(({ length }) => length)).toEqual(Array(20).fill(100))
  })
})

describe('a change of a webhook', () => {
  test('reads no deliveries of others, and its own only when it is deactivated', async () => {
    const [crowded, stage] = [await createWebhookHarness(), await createWebhookHarness()]
    await crowded.hook({ events: ['order.created'] })
    await crowded.post('/events', { type: 'order.created', data: {} })
    await crowded.copyEvent(1_999)
    const { webhook } = await stage.scene()
    await stage.post(`/webhooks/${webhook.id}`, { active: false })
    const trips = watchStage(stage)
    const costs: Record<string, number> = {}
    const cost = async (name: string, work: () => Promise<{ status: number }>) => {
      trips.length = 0
      expect((await work()).status).toBeLessThan(300)
      costs[name] = sum(trips, ({ rowsRead }) => rowsRead)
      const cancels = trips
        .flatMap(({ statements }) => statements)
        .some((sql) => sql.includes(`set "state" = 'cancelled'`))
      expect([name, cancels]).toEqual([name, ['switch off', 'delete'].includes(name)])
    }
    await cost('rename, inactive', () => stage.post(`/webhooks/${webhook.id}`, { title: 'Other' }))
    await cost('switch on', () => stage.post(`/webhooks/${webhook.id}`, { active: true }))
    await cost('rename, active', () => stage.post(`/webhooks/${webhook.id}`, { title: 'Another' }))
    await cost('switch off', () => stage.post(`/webhooks/${webhook.id}`, { active: false }))
    await cost('create, inactive', () =>
      stage.post('/webhooks', { title: 'Off', url: `https://${stage.host}/off`, active: false }),
    )
    await cost('delete', () => stage.remove(`/webhooks/${webhook.id}`))
    console.log(`figure: D1 rows read to write a webhook, ${JSON.stringify(costs)}`)
    for (const [name, read] of Object.entries(costs)) expect([name, read <= 60]).toEqual([name, true])
    expect(await crowded.query(`select count(*) as n from deliveries where state = 'pending'`)).toEqual([{ n: 2_000 }])
  })
})
