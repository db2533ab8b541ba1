import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { platformList } from '../../src/platform/db/home/d1-connection.ts'
import { hostile } from '../support/hostile.ts'
import { createPlatformWebhook, removePlatformWebhooks } from '../support/platform-webhook.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await removePlatformWebhooks()
})

/** Every hostile address. Those of the service are the ones that it has in tests. */
const addresses = Object.entries(hostile).flatMap(([kind, urls]) =>
  kind === 'this service itself' ? ['https://api.test/', 'https://menu.example/'] : urls,
)

test('create and update of a webhook reject every hostile address', async () => {
  const harness = await createWebhookHarness()
  harness.bindings.ALLOW_INSECURE_WEBHOOKS = ''
  const { body: webhook } = await harness.post('/webhooks', { title: 'Till', url: 'https://hooks.venue.com/' })
  for (const url of addresses) {
    for (const path of ['/webhooks', `/webhooks/${webhook.id}`]) {
      const { status, body } = await harness.post(path, { title: 'Till', url })
      expect([status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)], url).toEqual([422, ['/url']])
    }
  }
  expect((await harness.get('/webhooks')).body).toHaveLength(1)
})

test('a stored hostile address is not called', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhookAndProduct()
  const { 'this service itself': _own, ...elsewhere } = hostile
  const urls = [...Object.values(elsewhere).flat(), 'https://menu.example/'].filter((url) => url !== '')
  const columns = (await harness.query(`select name from pragma_table_info('webhooks')`)).map(({ name }) => `${name}`)
  const values = columns.map((name) => ({ seq: 'null', id: `'wh_' || key`, url: 'value' })[name] ?? name)
  await env.DB.prepare(
    `insert into webhooks (${columns}) select ${values} from webhooks cross join json_each(?) where merchant_id = ?`,
  )
    .bind(JSON.stringify(urls), harness.venue.id)
    .run()
  harness.queued.length = 0
  await harness.post('/products', { title: 'Cake', price: 1 })
  harness.bindings.ALLOW_INSECURE_WEBHOOKS = ''
  await harness.deliver()
  expect(vi.mocked(fetch).mock.calls.map(([url]) => url)).toEqual([`https://${harness.host}/in`])
  const rows = await harness.query(
    `select w.url, d.attempts from deliveries as d join webhooks as w on w.seq = d.webhook where w.merchant_id = ? and w.url not like ?`,
    harness.venue.id,
    `%${harness.host}%`,
  )
  expect(rows).toHaveLength(urls.length)
  for (const { url, attempts } of rows) expect(attempts, `${url}`).toContain('"error":"not called: the address ')
})

test('create and update of a platform webhook reject every hostile address', async () => {
  const harness = await createWebhookHarness()
  const platform = await createPlatformWebhook(harness)
  harness.bindings.ALLOW_INSECURE_WEBHOOKS = ''
  const valid = { title: 'Warehouse', events: ['*'], merchants: 'all' }
  for (const url of addresses) {
    const responses = [await platform.asOperator('POST', '', { ...valid, url }), await platform.post('', { url })]
    for (const { status, body } of responses)
      expect([status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)], url).toEqual([422, ['/url']])
  }
  expect((await platform.asOperator('GET', '')).body).toHaveLength(1)
})

test('a stored hostile address of a platform webhook is not called', async () => {
  const harness = await createWebhookHarness()
  const platform = await createPlatformWebhook(harness)
  harness.bindings.ALLOW_INSECURE_WEBHOOKS = ''
  const { 'this service itself': _own, ...elsewhere } = hostile
  const urls = Object.values(elsewhere)
    .flat()
    .filter((url) => url !== '')
  for (const url of urls) {
    await env.DB.prepare('update platform_webhooks set url = ?, failures = 0').bind(url).run()
    platformList.readAtMs = 0
    await harness.post('/products', { title: 'Cake', price: 1 })
    await harness.deliver()
    const attempts = (await platform.deliveries()).at(-1)?.['attempts']
    expect(attempts, url).toContain('"error":"not called: the address ')
  }
  expect(vi.mocked(fetch).mock.calls).toEqual([])
})
