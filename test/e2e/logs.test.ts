import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { behaviours, createReceiver, freePort, type Receiver } from '../support/receiver.ts'
import { adminToken, createService, type Service } from '../support/service.ts'

let service: Service
let receiver: Receiver

beforeAll(async () => {
  receiver = await createReceiver()
  service = await createService()
})
afterAll(async () => {
  await service?.close()
  receiver?.close()
})

/** Everything in an answer that must stay between the service and whoever asked. */
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

  // Endpoints of every kind, which get the token and the signature, and show them around.
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

  // Secrets where they do not belong, and keys that are not accepted.
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
  await wait(3_000)
  await service.ringCron()

  expect(receiver.received.length).toBeGreaterThan(10)
  const output = service.output()
  expect(output).toContain('GET')
  const told = [...secrets].filter((secret) => output.includes(secret))
  expect(told).toEqual([])
  expect([...output.matchAll(secretForm)].map(([secret]) => secret)).toEqual([])
})
