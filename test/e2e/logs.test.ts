import { afterAll, beforeAll, expect, test } from 'vitest'
import { behaviours, createReceiver, freePort, type Receiver } from '../support/receiver.ts'
import { adminToken } from '../support/service.ts'
import { type ConnectedService, connectService } from './shared-service.ts'

let service: ConnectedService
let receiver: Receiver

beforeAll(async () => {
  receiver = await createReceiver()
  service = await connectService()
})
afterAll(() => receiver?.close())

/** Secrets in responses, which only the client may see. */
const secretForm = /sk_(?:live|test)_[0-9A-Z]{39}|whsec_[A-Za-z0-9+/]{32}/g

test('the log contains no secrets, also when requests fail', async () => {
  const secrets = new Set([adminToken])
  const { call } = service
  async function sendRequest(method: string, path: string, token: string, json?: unknown, headers = {}) {
    const response = await call(method, path, token, json, headers)
    for (const [secret] of JSON.stringify(response.body ?? '').matchAll(secretForm)) secrets.add(secret)
    if (response.body?.bearerToken) secrets.add(response.body.bearerToken)
    return response
  }

  const { body: merchant } = await sendRequest('POST', '/admin/merchants', adminToken, {
    name: 'Venue',
    currency: 'EUR',
  })
  const keysPath = `/admin/merchants/${merchant.id}/keys`
  const [live, test, revoked] = await Promise.all(
    ['live', 'test', 'live'].map(async (mode) => (await sendRequest('POST', keysPath, adminToken, { mode })).body),
  )
  await sendRequest('DELETE', `${keysPath}/${revoked.id}`, adminToken)
  const path = (relative: string) => `/merchants/${merchant.id}${relative}`

  // Endpoints of every kind. They receive the token and the signature, and one returns them.
  const closed = await freePort()
  Object.assign(receiver.paths, {
    '/hangs': behaviours.hangsInBody,
    '/resets': behaviours.resets,
    '/corrupt': behaviours.corrupt,
    '/echo': (response, request) => response.writeHead(500).end(JSON.stringify(request.headers)),
  } satisfies Receiver['paths'])
  const urls = ['/fine', '/hangs', '/resets', '/corrupt', '/echo'].map(receiver.at)
  for (const url of [...urls, `http://127.0.0.1:${closed}/`]) {
    const { body: webhook } = await sendRequest('POST', path('/webhooks'), live.key, {
      title: 'Till',
      url,
      events: ['*'],
    })
    await sendRequest('GET', path(`/webhooks/${webhook.id}/secret`), live.key)
    await sendRequest('POST', path(`/webhooks/${webhook.id}/secret/rotate`), live.key)
    await sendRequest('POST', path(`/webhooks/${webhook.id}/token/rotate`), live.key)
    await sendRequest('POST', path(`/webhooks/${webhook.id}/test`), live.key)
  }
  expect(secrets.size).toBeGreaterThan(20)

  // Secrets in the wrong place, and rejected keys.
  for (const secret of [...secrets]) {
    await sendRequest('GET', path('/products'), `${secret}x`)
    await sendRequest('GET', '/admin/merchants', `x${secret}`)
  }
  const bodies = [{ title: live.key, price: 'x' }, { [live.key]: adminToken }, { title: 'Tea', price: 1 }]
  for (const body of bodies) await sendRequest('POST', path('/products'), live.key, body)
  await sendRequest('POST', path('/events'), live.key, { type: 'order.created', data: { note: 'x' } })
  await sendRequest('GET', path('/products?limit=x'), test.key)
  await sendRequest('GET', path('/products'), live.key, undefined, { 'd1-bookmark': live.key })
  await sendRequest('PUT', path('/products'), revoked.key)
  await sendRequest('POST', '/merchants/mer_none/products', live.key, {})
  await service.runScheduled()
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(10)
  // The lines of earlier requests and deliveries precede the line of this one.
  const last = `/merchants/mer_last_${merchant.id}`
  await sendRequest('GET', last, live.key)
  await expect.poll(service.readLog, { timeout: 30_000 }).toContain(last)

  const output = await service.readLog()
  const logged = [...secrets].filter((secret) => output.includes(secret))
  expect(logged).toEqual([])
  expect([...output.matchAll(secretForm)].map(([secret]) => secret)).toEqual([])
})
