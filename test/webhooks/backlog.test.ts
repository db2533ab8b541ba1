import { afterEach, describe, expect, test, vi } from 'vitest'
import { sweepBounds } from '../../src/webhooks/scheduled.ts'
import { createWebhookHarness, now } from '../support/webhook-harness.ts'
import { breakEndpoint, createBacklog, probeSeconds, sum, watchStage } from './backlog-harness.ts'

afterEach(() => vi.restoreAllMocks())

describe('a broken endpoint', () => {
  /** Cost of ten minutes, after all earlier messages were handled. */
  async function costOfTenMinutes(pending: number) {
    const { harness } = await createBacklog(pending)
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    const trips = watchStage(harness)
    const messages = harness.messages
    for (let step = 1; step <= 60; step++) {
      await harness.advance(10)
      if (step % 6 === 0) await harness.sweep()
    }
    return {
      calls: harness.calls.length - 1,
      messages: harness.messages - messages,
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
    const { harness, webhook } = await createBacklog(1)
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    harness.queued.length = 0
    harness.messages = 0
    for (let n = 0; n < 20; n++) await harness.post('/events', { type: 'order.created', data: { n } })
    expect(harness.messages).toBe(0)
    const log = await harness.log(webhook.id, '?state=pending')
    expect(log).toHaveLength(21)
    for (const { nextAttemptAt } of log) expect(nextAttemptAt).toBeGreaterThanOrEqual(now() + probeSeconds)
    // Even if the message of the next call is lost, the sweep continues where it stopped.
    await harness.advance(probeSeconds + 31)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(2)
  })

  test('shows the earliest time of each pending delivery and counts only calls', async () => {
    const { harness, webhook } = await createBacklog(5)
    await harness.deliver()
    const log = await harness.log(webhook.id, '?state=pending')
    expect(log.map(({ attempts }: { attempts: unknown[] }) => attempts.length).sort()).toEqual([0, 0, 0, 0, 1])
    for (const { nextAttemptAt } of log) expect(nextAttemptAt).toBe(now() + probeSeconds)
  })

  test('is called at once by a test or a retry', async () => {
    const { harness, webhook } = await createBacklog(50)
    await harness.deliver()
    await harness.advance(1)
    await harness.post(`/webhooks/${webhook.id}/test`)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.type)).toEqual(['order.created', 'webhook.test'])
    await harness.advance(1)
    const [{ eventId }] = await harness.log(webhook.id, '?state=pending')
    await harness.post(`/webhooks/${webhook.id}/deliveries/${eventId}/retry`)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.id)[2]).toBe(eventId)
    await harness.advance(1)
    const messages = harness.messages
    await harness.post(`/webhooks/${webhook.id}/recover`, { since: now() - 60 })
    expect(harness.messages - messages).toBeLessThanOrEqual(1)
    // Whatever `Retry-After` says, the next call is half a minute after the last one.
    await harness.advance(probeSeconds - 2)
    expect(harness.calls.length).toBeLessThanOrEqual(4)
    for (let step = 0; step < 12; step++) await harness.advance(10)
    expect(harness.calls.length).toBeLessThanOrEqual(9)
  })

  test.each([
    ['600', 600],
    ['86400', 86_400],
    ['86401', 86_400],
  ])('that returns Retry-After %s is not called earlier, except by a test', async (retryAfter, seconds) => {
    const { harness, webhook } = await createBacklog(5)
    harness.endpoint = () => new Response(null, { status: 503, headers: { 'retry-after': retryAfter } })
    await harness.deliver()
    for (const { nextAttemptAt } of await harness.log(webhook.id, '?state=pending'))
      expect(nextAttemptAt).toBe(now() + seconds)
    const wait = async (passed: number) => {
      await harness.advance(passed)
      await harness.sweep()
      await harness.deliver()
      return harness.calls.length
    }
    expect([await wait(probeSeconds + 1), await wait(seconds - probeSeconds - 3)]).toEqual([1, 1])
    await harness.post(`/webhooks/${webhook.id}/test`)
    expect([await wait(0), await wait(seconds - 2), await wait(probeSeconds + 3)]).toEqual([2, 2, 3])
  })

  test('receives each pending delivery once after a success, in waves of 50', async () => {
    const { harness, webhook } = await createBacklog(200)
    await harness.deliver()
    await harness.advance(probeSeconds - 1)
    harness.endpoint = () => new Response()
    let most = 0
    const push = harness.queued.push.bind(harness.queued)
    harness.queued.push = (...queued) => {
      const length = push(...queued)
      most = Math.max(most, length)
      return length
    }
    harness.messages = 0
    await harness.advance(1)
    for (let minute = 0; minute < 3; minute++) {
      await harness.advance(60)
      await harness.sweep()
      await harness.deliver()
    }
    const log = await harness.query(
      `select d.state, d.attempt, json_array_length(d.attempts) as attempts from deliveries as d
       join webhooks as w on w.seq = d.webhook where w.id = ?`,
      webhook.id,
    )
    expect(new Set(log.map(({ state }) => state))).toEqual(new Set(['delivered']))
    for (const { attempt, attempts } of log) expect(attempt).toBe(attempts)
    expect(harness.calls).toHaveLength(201)
    expect(new Set(harness.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(200)
    expect(most).toBeLessThanOrEqual(60)
    expect(harness.messages).toBeLessThanOrEqual(210)
  })
})

describe('a sweep', () => {
  test('enqueues equal shares for all webhooks', async () => {
    const [crowded, harness] = [await createWebhookHarness(), await createWebhookHarness()]
    await crowded.createWebhook({ events: ['order.created'] })
    await crowded.post('/events', { type: 'order.created', data: {} })
    await crowded.copyEvent(5_999)
    const { webhook } = await harness.createWebhookAndProduct()
    harness.clear()
    await harness.advance(31)
    const trips = watchStage(harness)
    await harness.sweep()
    const [{ seq = 0 } = {}] = await harness.query('select seq from webhooks where id = ?', webhook.id)
    const rung = harness.queued.filter(({ body }) => body.webhook === seq)
    expect(rung).toHaveLength(1)
    const [read, written] = [sum(trips, ({ rowsRead }) => rowsRead), sum(trips, ({ rowsWritten }) => rowsWritten)]
    console.log(`figure: D1 rows read by a sweep of 6001 overdue deliveries, ${read} read and ${written} written`)
    expect(read / 6_001).toBeLessThanOrEqual(8)
    // The first pass enqueues the only delivery of the other webhook.
    expect(harness.queued.findIndex(({ body }) => body.webhook === seq)).toBeLessThan(2_000)
    // One sweep enqueues more than one pass takes, and the next one nothing again.
    await harness.sweep()
    expect(new Set(harness.queued.map(({ body }) => body.event)).size).toBe(6_001)
    expect(harness.queued).toHaveLength(6_001)
  })

  test('makes a bounded number of passes, and calls a broken endpoint once', async () => {
    const [crowded, broken] = [await createWebhookHarness(), await createWebhookHarness()]
    await crowded.createWebhook({ events: ['order.created'] })
    await crowded.post('/events', { type: 'order.created', data: {} })
    await crowded.copyEvent(2_500)
    const webhook = await broken.createWebhook({ events: ['order.created'] })
    await broken.post('/events', { type: 'order.created', data: {} })
    await broken.copyEvent(20)
    await breakEndpoint(webhook.id)
    expect(sweepBounds.passes * 2_000).toBeGreaterThanOrEqual(20_000)
    broken.clear()
    await broken.advance(31)
    await broken.sweep()
    const [{ seq = 0 } = {}] = await broken.query('select seq from webhooks where id = ?', webhook.id)
    expect(broken.queued.filter(({ body }) => body.webhook === seq)).toHaveLength(1)
    expect(broken.queued).toHaveLength(2_502)
  })

  test('enqueues deliveries of each webhook, with any backlog of others', async () => {
    const harness = await createWebhookHarness()
    for (let n = 0; n < 20; n++)
      await harness.createWebhook({ events: ['order.created'], url: `https://${harness.host}/${n}` })
    await harness.post('/events', { type: 'order.created', data: {} })
    await harness.copyEvent(199)
    harness.clear()
    await harness.advance(31)
    await harness.sweep()
    const countPerWebhook = (messages: typeof harness.queued) =>
      Array.from(Map.groupBy(messages, ({ body }) => body.webhook).values(), ({ length }) => length)
    expect(countPerWebhook(harness.queued.slice(0, 2_000))).toEqual(Array(20).fill(100))
    expect(countPerWebhook(harness.queued)).toEqual(Array(20).fill(200))
  })
})

describe('a change of a webhook', () => {
  test('reads no deliveries of others, and its own only when it is deactivated', async () => {
    const [crowded, harness] = [await createWebhookHarness(), await createWebhookHarness()]
    await crowded.createWebhook({ events: ['order.created'] })
    await crowded.post('/events', { type: 'order.created', data: {} })
    await crowded.copyEvent(1_999)
    const { webhook } = await harness.createWebhookAndProduct()
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    const trips = watchStage(harness)
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
    await cost('rename, inactive', () => harness.post(`/webhooks/${webhook.id}`, { title: 'Other' }))
    await cost('switch on', () => harness.post(`/webhooks/${webhook.id}`, { active: true }))
    await cost('rename, active', () => harness.post(`/webhooks/${webhook.id}`, { title: 'Another' }))
    await cost('switch off', () => harness.post(`/webhooks/${webhook.id}`, { active: false }))
    await cost('create, inactive', () =>
      harness.post('/webhooks', { title: 'Off', url: `https://${harness.host}/off`, active: false }),
    )
    await cost('delete', () => harness.remove(`/webhooks/${webhook.id}`))
    console.log(`figure: D1 rows read to write a webhook, ${JSON.stringify(costs)}`)
    for (const [name, read] of Object.entries(costs)) expect([name, read <= 60]).toEqual([name, true])
    expect(await crowded.query(`select count(*) as n from deliveries where state = 'pending'`)).toEqual([{ n: 2_000 }])
  })
})
