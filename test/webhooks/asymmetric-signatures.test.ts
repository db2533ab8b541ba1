import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { send } from '../support/api.ts'
import { type Call, createWebhookHarness, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Verifies as a receiver would that has only the public key. */
async function isSignedBy(publicKey: string, { headers, text }: Call): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', fromBase64(publicKey.slice(5)), 'Ed25519', false, ['verify'])
  const content = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter((each) => each.startsWith('v1a,'))
  const results = signatures.map((each) => crypto.subtle.verify('Ed25519', key, fromBase64(each.slice(4)), content))
  return (await Promise.all(results)).includes(true)
}

const keysOf = async (merchant: string, webhook: string) => {
  const response = await send(`/.well-known/webhook-keys?merchant=${merchant}&webhook=${webhook}`)
  return { ...response, keys: response.body.keys?.map(({ key }: { key: string }) => key) }
}
const schemesOf = ({ headers }: Call) =>
  (headers['webhook-signature'] ?? '').split(' ').map((signature) => signature.split(',')[0])

async function createSigned(harness: WebhookHarness, signatures = ['v1', 'v1a']) {
  const webhook = await harness.createWebhook({ events: ['product.created'] })
  await harness.post(`/webhooks/${webhook.id}/filter`, { signatures })
  return webhook
}

describe.each(['d1', 'object'] as const)('in a merchant of home %s, an asymmetric signature', (home) => {
  const create = () => createWebhookHarness(home === 'object' ? { home } : {})

  test('is accepted with the public key, beside the symmetric one', async () => {
    const harness = await create()
    const webhook = await createSigned(harness)
    await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.deliver()
    const { status, keys, headers } = await keysOf(harness.venue.id, webhook.id)
    expect([status, keys.length, headers.get('cache-control')]).toEqual([200, 1, 'public, max-age=300'])
    const [call] = harness.calls
    if (!call) throw new Error('nothing was delivered')
    expect(schemesOf(call)).toEqual(['v1', 'v1a'])
    expect(await isSignedBy(keys[0], call)).toBe(true)
    expect(await isSignedBy(keys[0], { ...call, text: `${call.text} ` })).toBe(false)
    const { body } = await harness.get(`/webhooks/${webhook.id}/secret`)
    expect(() => new Webhook(body.secret).verify(call.text, call.headers)).not.toThrow()
  })

  test('of another webhook is not accepted, not even of the same merchant', async () => {
    const harness = await create()
    const [first, second] = [await createSigned(harness), await createSigned(harness, ['v1a'])]
    await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.deliver()
    const keys = [
      (await keysOf(harness.venue.id, first.id)).keys[0],
      (await keysOf(harness.venue.id, second.id)).keys[0],
    ]
    const verified = await Promise.all(
      harness.calls.map((call) => Promise.all(keys.map((key) => isSignedBy(key, call)))),
    )
    expect(verified.map((row) => row.filter(Boolean).length)).toEqual([1, 1])
    expect(harness.calls.map(schemesOf)).toContainEqual(['v1a'])
  })

  test('is made with both keys for a day after a rotation', async () => {
    const harness = await create()
    const webhook = await createSigned(harness, ['v1a'])
    const [old] = (await keysOf(harness.venue.id, webhook.id)).keys
    await harness.post(`/webhooks/${webhook.id}/secret/rotate`)
    const { keys, body } = await keysOf(harness.venue.id, webhook.id)
    expect([keys.length, keys[1], body.keys[1].expiresAt > Date.now() / 1000, body.keys[0].expiresAt]).toEqual([
      ...[2, old, true, undefined],
    ])
    await harness.post('/products', { title: 'Tea', price: 4 })
    await harness.deliver()
    const [call] = harness.calls
    if (!call) throw new Error('nothing was delivered')
    expect(await Promise.all(keys.map((key: string) => isSignedBy(key, call)))).toEqual([true, true])
    await harness.advance(86_401)
    expect((await keysOf(harness.venue.id, webhook.id)).keys).toEqual([keys[0]])
  })
})

test('without a choice, deliveries have only symmetric signatures', async () => {
  const harness = await createWebhookHarness()
  await harness.createWebhook({ events: ['product.created'] })
  await harness.post('/products', { title: 'Tea', price: 4 })
  await harness.deliver()
  expect(harness.calls.map(schemesOf)).toEqual([['v1']])
})

test('public keys need no key, and are of webhooks that exist', async () => {
  const harness = await createWebhookHarness()
  const webhook = await createSigned(harness)
  expect((await keysOf(harness.venue.id, 'wh_none')).status).toBe(404)
  expect((await keysOf('mer_none', webhook.id)).status).toBe(404)
  expect((await send('/.well-known/webhook-keys')).status).toBe(422)
  expect((await send('/.well-known/webhook-keys?merchant=x&webhook=y', { method: 'POST' })).status).toBe(405)
  await harness.remove(`/webhooks/${webhook.id}`)
  expect((await keysOf(harness.venue.id, webhook.id)).status).toBe(404)
})

test.each([[[]], [['v2']], [['v1', 'v1']], ['v1a']])('rejects the schemes %j', async (signatures) => {
  const harness = await createWebhookHarness()
  const webhook = await harness.createWebhook()
  const { status } = await harness.post(`/webhooks/${webhook.id}/filter`, { signatures })
  expect(status).toBe(422)
})
