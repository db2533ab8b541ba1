import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { serve } from '../../src/app/app.ts'
import { createKey, createVenue, origin } from '../support/api.ts'
import { createTestWorker } from '../support/test-worker.ts'

const venue = await createVenue({ orderingUrl: 'https://live.example/o?t={metadata.table}' })
const owner = await createKey(venue.id, { mode: 'live', scopes: ['merchant:write', 'tags:write', 'products:write'] })
const worker = createTestWorker()
const at = (table: string) => ({ metadata: [{ key: 'table', value: table }] })
const createTag = async () => (await worker.call('POST', venue.path('/tags'), venue.key, at('1'))).body
const readCopy = async (key: string) => JSON.parse((await worker.copy(key)) ?? 'null')

/** Sends a request, and waits only for what the Worker has passed to `waitUntil`: the rest is cancelled when a client hangs up. */
async function hangUp(method: string, path: string, json?: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' }
  const body = json === undefined ? null : JSON.stringify(json)
  const context = createExecutionContext()
  void serve(new Request(new URL(venue.path(path), origin), { method, headers, body }), worker.bindings, context)
  await waitOnExecutionContext(context)
}

test('a tag that is changed, by a single request or in a batch, reaches KV although the client hangs up', async () => {
  const tag = await createTag()
  await hangUp('POST', `/tags/${tag.id}`, at('2'))
  expect(await readCopy(`t:${tag.id}`)).toMatchObject({ shown: [['table', '2']] })
  const operations = [{ op: 'update', resource: 'tags', id: tag.id, body: at('3') }]
  await hangUp('POST', '/batch', { operations })
  expect(await readCopy(`t:${tag.id}`)).toMatchObject({ shown: [['table', '3']] })
})

test('a tag that is deleted is gone for all data centres although the client hangs up', async () => {
  const tag = await createTag()
  await hangUp('DELETE', `/tags/${tag.id}`)
  expect(await readCopy(`t:${tag.id}`)).toMatchObject({ gone: true })
})

test('the settings of a venue reach KV although the client hangs up', async () => {
  await hangUp('POST', '', { orderingUrl: 'https://new.example/' })
  expect(await readCopy(`m:${venue.id}`)).toMatchObject({ orderingUrl: 'https://new.example/' })
})

test('a product is created, and its event sent, although the client hangs up', async () => {
  await venue.post('/webhooks', { title: 'Till', url: 'http://127.0.0.1:9/in', events: ['product.created'] })
  worker.used()
  await hangUp('POST', '/products', { title: 'Bica', price: 1 })
  expect((await venue.get('/products?q=Bica')).body).toHaveLength(1)
  expect(worker.used().sent).toHaveLength(1)
})
