import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { createSigningSecret } from '../../src/catalogue/resources/webhooks.ts'
import { sign } from '../../src/webhooks/sign.ts'

const now = () => Math.floor(Date.now() / 1000)
const receivers = [
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
] as const

describe('a signature', () => {
  test('equals the published example of Standard Webhooks', async () => {
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
    const body = '{"test": 2432232314}'
    expect(await sign(secrets, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  test('equals the published example of Svix', async () => {
    const secrets = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD']
    const body = '{"email":"test@example.com","username":"test_user"}'
    expect(await sign(secrets, 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk', 1_649_367_553, body)).toBe(
      'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
    )
  })

  test('needs no prefix on the secret', async () => {
    const [prefixed, bare] = await Promise.all(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].map((secret) =>
        sign([secret], 'evt_1', 1, '{}'),
      ),
    )
    expect(bare).toBe(prefixed)
  })

  test.each(receivers)('is accepted by %s, whatever the body contains', async (_name, Webhook) => {
    for (const body of ['{}', '{"a":"ü 🍮 \\u2028"}', `{"a":"${'x'.repeat(100_000)}"}`]) {
      const [secret, at] = [createSigningSecret(), now()]
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': `${at}`,
        'webhook-signature': await sign([secret], 'evt_1', at, body),
      }
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
    }
  })

  test.each(receivers)('is accepted by %s with either secret while two are signing', async (_name, Webhook) => {
    const secrets = [createSigningSecret(), createSigningSecret()]
    const at = now()
    const signature = await sign(secrets, 'evt_1', at, '{}')
    expect(signature).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${at}`, 'webhook-signature': signature }
    for (const secret of secrets) expect(new Webhook(secret).verify('{}', headers)).toEqual({})
    expect(() => new Webhook(createSigningSecret()).verify('{}', headers)).toThrow()
  })

  test.each(receivers)('is refused by %s for another body, id or time', async (_name, Webhook) => {
    const [secret, at] = [createSigningSecret(), now()]
    const signature = await sign([secret], 'evt_1', at, '{"a":1}')
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${at}`, 'webhook-signature': signature }
    const webhook = new Webhook(secret)
    expect(webhook.verify('{"a":1}', headers)).toEqual({ a: 1 })
    expect(() => webhook.verify('{"a":2}', headers)).toThrow()
    expect(() => webhook.verify('{"a":1}', { ...headers, 'webhook-id': 'evt_2' })).toThrow()
    expect(() => webhook.verify('{"a":1}', { ...headers, 'webhook-timestamp': `${at - 1}` })).toThrow()
    const old = at - 301
    const replayed = {
      ...headers,
      'webhook-timestamp': `${old}`,
      'webhook-signature': await sign([secret], 'evt_1', old, '{"a":1}'),
    }
    expect(() => webhook.verify('{"a":1}', replayed)).toThrow(/old/)
  })
})

test('a signing secret is 24 random bytes in standard base64', () => {
  const secrets = Array.from({ length: 200 }, createSigningSecret)
  expect(new Set(secrets).size).toBe(200)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(atob(secret.slice(6))).toHaveLength(24)
  }
})
