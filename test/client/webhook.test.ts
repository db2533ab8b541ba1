import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../packages/client/src/client.ts'
import { sign } from '../../src/webhooks/sign.ts'

describe('a notification', () => {
  const [secret, other] = ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz', 'whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4']
  const body = JSON.stringify({ id: 'evt_1', type: 'product.created', data: { title: 'Käse' } })
  const now = () => Math.floor(Date.now() / 1000)
  async function headersOf(at: number, signers: readonly string[]) {
    const signature = await sign(signers, 'evt_1', at, body)
    return { 'webhook-id': 'evt_1', 'webhook-timestamp': String(at), 'webhook-signature': signature }
  }

  test('of the service is verified', async () => {
    const headers = await headersOf(now(), [secret])
    expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, new Headers(headers), secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, await headersOf(now(), [other, secret]), secret)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(body, await headersOf(now() - 290, [secret]), secret)).toEqual(JSON.parse(body))
  })

  test.each([
    ['of another body', async () => [`${body} `, await headersOf(now(), [secret])]],
    ['signed with another secret', async () => [body, await headersOf(now(), [other])]],
    [
      'of another time',
      async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-timestamp': `${now() - 1}` }],
    ],
    ['of another event', async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-id': 'evt_2' }]],
    ['that is too old', async () => [body, await headersOf(now() - 310, [secret])]],
    ['from the future', async () => [body, await headersOf(now() + 310, [secret])]],
    ['without a signature', async () => [body, { 'webhook-id': 'evt_1', 'webhook-timestamp': `${now()}` }]],
    [
      'with nonsense for one',
      async () => [body, { ...(await headersOf(now(), [secret])), 'webhook-signature': 'v1,%% v1, v0,AA== x' }],
    ],
    ['without headers', async () => [body, {}]],
  ] as const)('%s is refused', async (_, make) => {
    const [content = '', headers] = await make()
    await expect(verifyWebhook(String(content), new Headers(headers), secret)).rejects.toThrow(WebhookVerificationError)
  })

  test('cannot be verified with an invalid secret', async () => {
    const headers = await headersOf(now(), [secret])
    for (const bad of ['', 'whsec_', 'not base64!'])
      await expect(verifyWebhook(body, headers, bad)).rejects.toThrow(TypeError)
  })
})
