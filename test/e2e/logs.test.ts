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
  async function ask(method: string, path: string, token: string, json?: unknown, headers = {}) {
    const answer = await call(method, path, token, json, headers)
    for (const [secret] of JSON.stringify(answer.body ?? '').matchAll(secretForm)) secrets.add(secret)
    if (answer.body?.bearerToken) secrets.add(answer.body.bearerToken)
    return answer
  }

  const { body: merchant } = await ask('POST', '/admin/merchants', adminToken, { name: 'Venue', currency: 'EUR' })
  const keysPath = `/admin/merchants/${merchant.id}/keys`
  const [live, test, revoked] = await Promise.all(
    ['live', 'test', 'live'].map(async (mode) => (await ask('POST', keysPath, adminToken, { mode })).body),
  )
  await ask('DELETE', `${keysPath}/${revoked.id}`, adminToken)
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
    const { body: webhook } = await ask('POST', path('/webhooks'), live.key, { title: 'Till', url, events: ['*'] })
    await ask('GET', path(`/webhooks/${webhook.id}/secret`), live.key)
    await ask('POST', path(`/webhooks/${webhook.id}/secret/rotate`), live.key)
    await ask('POST', path(`/webhooks/${webhook.id}/token/rotate`), live.key)
    await ask('POST', path(`/webhooks/${webhook.id}/test`), live.key)
  }
  expect(secrets.size).toBeGreaterThan(20)

  // Secrets in the wrong place, and rejected keys.
  for (const secret of [...secrets]) {
    await ask('GET', path('/products'), `${secret}x`)
    await ask('GET', '/admin/merchants', `x${secret}`)
  }
  const bodies = [{ title: live.key, price: 'x' }, { [live.key]: adminToken }, { title: 'Tea', price: 1 }]
  for (const body of bodies) await ask('POST', path('/products'), live.key, body)
  await ask('POST', path('/events'), live.key, { type: 'order.created', data: { note: 'x' } })
  await ask('GET', path('/products?limit=x'), test.key)
  await ask('GET', path('/products'), live.key, undefined, { 'd1-bookmark': live.key })
  await ask('PUT', path('/products'), revoked.key)
  await ask('POST', '/merchants/mer_none/products', live.key, {})
  await service.runScheduled()
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(10)
  // The lines of earlier requests and deliveries precede the line of this one.
  const last = `/merchants/mer_last_${merchant.id}`
  await ask('GET', last, live.key)
  await expect.poll(service.readLog, { timeout: 30_000 }).toContain(last)

  const output = await service.readLog()
  const logged = [...secrets].filter((secret) => output.includes(secret))
  expect(logged).toEqual([])
  expect([...output.matchAll(secretForm)].map(([secret]) => secret)).toEqual([])
})
