import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { renderMetrics } from '../../../src/admin/operator/open-metrics.ts'
import { runScheduled } from '../../../src/app/maintenance/maintenance.ts'
import worker from '../../../src/index.ts'
import { createIdAt } from '../../../src/platform/lib/ids.ts'
import { retentionDays } from '../../../src/webhooks/event-retention.ts'
import { adminToken, call, send } from '../../support/api.ts'
import { ringAlarm } from '../../support/home.ts'
import { parseOpenMetrics, requirePrometheusText } from '../../support/open-metrics.ts'
import { purgeNow } from '../../support/purges.ts'
import { createWebhookHarness } from '../../support/webhook-harness.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** As Prometheus asks. */
const openMetrics = {
  accept: 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
}

/** The samples of the metrics, by their names and labels. */
async function read() {
  const { status, headers, body } = await call('GET', '/admin/metrics', adminToken, undefined, openMetrics)
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ])
  return Object.fromEntries(
    [...parseOpenMetrics(body).values()].flatMap(({ samples }) =>
      samples.map(({ name, labels, value }) => [
        [name.replace('merchant_api_', ''), ...Object.values(labels)].join(' '),
        value,
      ]),
    ),
  )
}

test('metrics count deliveries, merchants, dead letters and failures', async () => {
  const harness = await createWebhookHarness()
  expect(await read()).toMatchObject({
    'merchants active': 1,
    'merchants suspended': 0,
    'merchants closed': 0,
    deliveries_pending: 0,
    oldest_due_delivery_age_seconds: 0,
    // Caches of the isolate, which other test files share.
    unavailable_responses_total: expect.any(Number),
  })
  await harness.createWebhook()
  await harness.post('/products', { title: 'Tea', price: 1 })
  harness.queued.length = 0
  await harness.advance(100)
  expect(await read()).toMatchObject({ deliveries_pending: 1, oldest_due_delivery_age_seconds: 100 })

  await call('POST', `/admin/merchants/${harness.venue.id}/suspend`, adminToken)
  expect(await read()).toMatchObject({
    'merchants active': 0,
    'merchants suspended': 1,
    deliveries_pending: 0,
    oldest_due_delivery_age_seconds: 0,
  })
  await call('POST', `/admin/merchants/${harness.venue.id}/close`, adminToken, {})
  expect(await read()).toMatchObject({ 'merchants suspended': 0, 'merchants closed': 1 })
})

test('objects report their backlog when their alarms ring, and that it is gone', async () => {
  const harness = await createWebhookHarness({ home: 'object' })
  await harness.createWebhook()
  await harness.post('/products', { title: 'Tea', price: 1 })
  harness.queued.length = 0
  await harness.advance(100)
  await ringAlarm(harness.venue.id, harness.bindings)
  expect(await read()).toMatchObject({ deliveries_pending: 1, oldest_due_delivery_age_seconds: 100 })
  const reports = async () => (await env.DB.prepare(`select * from counters where name like 'object %'`).all()).results
  expect(await reports()).toHaveLength(2)
  await call('POST', `/admin/merchants/${harness.venue.id}/suspend`, adminToken)
  expect(await read()).toMatchObject({ deliveries_pending: 0, oldest_due_delivery_age_seconds: 0 })
  await call('POST', `/admin/merchants/${harness.venue.id}/resume`, adminToken)
  await harness.deliver()
  await ringAlarm(harness.venue.id, harness.bindings)
  expect([await reports(), await read()]).toMatchObject([[], { deliveries_pending: 0 }])
})

test.each(['d1', 'object'] as const)(
  'the lag of purges is that of the oldest row that expired, in %s',
  async (home) => {
    const harness = await createWebhookHarness(home === 'object' ? { home } : {})
    await harness.post('/products', { title: 'Tea', price: 1 })
    const ring = async () => {
      if (home === 'object') await ringAlarm(harness.venue.id, harness.bindings)
    }
    await ring()
    expect(await read()).toMatchObject({ purge_lag_seconds: 0 })
    const expired = createIdAt('evt', Date.now() - (retentionDays * 86_400 + 500) * 1000)
    await harness.query('update events set id = ? where merchant_id = ?', expired, harness.venue.id)
    await ring()
    // An object looks at tables that are due only, and purges those in the same run.
    expect(await read()).toMatchObject({ purge_lag_seconds: home === 'object' ? 0 : 500 })
    if (home === 'd1') await purgeNow(env, Date.now())
    else await harness.query('update purges set due_at = 0')
    await ring()
    await ring()
    expect(await read()).toMatchObject({ purge_lag_seconds: 0 })
  },
)

test('the lag of the sweep grows until the next run', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  expect(await read()).not.toHaveProperty('sweep_lag_seconds')
  await runScheduled(env)
  vi.setSystemTime(Date.now() + 130_000)
  expect(await read()).toMatchObject({ sweep_lag_seconds: 130 })
  await runScheduled(env)
  expect(await read()).toMatchObject({ sweep_lag_seconds: 0 })
})

test('dead letters are counted for each queue, and acknowledged even if they cannot be counted', async () => {
  const give = async (queue: string, count: number, bindings = env) => {
    const messages = Array.from({ length: count }, (_, n) => ({
      id: `${n}`,
      timestamp: new Date(),
      attempts: 5,
      body: {},
    }))
    const batch = createMessageBatch(queue, messages)
    const context = createExecutionContext()
    await worker.queue(batch, bindings, context)
    await waitOnExecutionContext(context)
  }
  await give('scans-dead', 3)
  await give('deliveries-dead', 1)
  await give('scans-dead', 2)
  const broken = Object.assign(Object.create(null), {
    withSession: () => {
      throw new Error('out of order')
    },
  })
  await give('scans-dead', 1, { ...env, DB: broken })
  expect(await read()).toMatchObject({ 'dead_letters_total scans-dead': 5, 'dead_letters_total deliveries-dead': 1 })
})

test('responses with status 503 are counted', async () => {
  const before = (await read())['unavailable_responses_total'] ?? 0
  const { app } = await import('../../../src/app/app.ts')
  const down = Object.assign(Object.create(null), { withSession: () => ({}) })
  const response = await app.fetch(
    new Request('https://api.test/health'),
    { ...env, DB: down },
    createExecutionContext(),
  )
  expect(response.status).toBe(503)
  expect((await read())['unavailable_responses_total']).toBe(before + 1)
})

test('metrics are for the operator', async () => {
  expect((await send('/admin/metrics')).status).toBe(401)
})

test('labels and help are escaped', () => {
  const text = renderMetrics([
    { name: 'x', type: 'gauge', help: 'a "b" \\ \n c', samples: [{ labels: { queue: 'a"\\\nb' }, value: 1.5 }] },
    { name: 'none', type: 'counter', help: 'No sample.', samples: [] },
  ])
  const [family] = parseOpenMetrics(text).values()
  expect(family?.samples).toEqual([{ name: 'merchant_api_x', labels: { queue: 'a"\\\nb' }, value: 1.5 }])
  expect(text).not.toContain('none')
})

test.each([
  ['text/plain', 'text/plain'],
  ['*/*', 'text/plain'],
  [undefined, 'text/plain'],
  [openMetrics.accept, 'application/openmetrics-text'],
])('Accept: %s gets %s', async (accept, type) => {
  const { headers } = await call('GET', '/admin/metrics', adminToken, undefined, accept === undefined ? {} : { accept })
  expect([headers.get('content-type')?.replace(/;.*/, ''), headers.get('vary')]).toEqual([type, 'Accept'])
})

test('the text format of Prometheus has the same samples, by its grammar', async () => {
  const { body: text } = await call('GET', '/admin/metrics', adminToken)
  const { body: open } = await call('GET', '/admin/metrics', adminToken, undefined, openMetrics)
  const toSamples = (metrics: string) => metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(toSamples(text).map((line) => line.replace(/ .*$/, ''))).toEqual(
    toSamples(open).map((line) => line.replace(/ .*$/, '')),
  )
  const families = requirePrometheusText(text)
  expect(families.size).toBeGreaterThan(8)
  // Formats that promtool warns about.
  for (const [name, type] of families) expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')])
})
