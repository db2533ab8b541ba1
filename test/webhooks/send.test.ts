import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { delays, maxAttempts } from '../../src/platform/outbox/retry-delays.ts'
import { createWebhookHarness, now, type WebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

const response = (status: number, headers: Record<string, string> = {}) =>
  new Response(status === 204 ? null : 'text', { status, headers })
const state = async (harness: WebhookHarness) => (await harness.deliveries()).at(-1)
/** Lets time go by until the next attempt is made: the queue rings for it, or if that is too far ahead for a queue, the sweep. */
async function next(harness: WebhookHarness) {
  const before = harness.calls.length
  await harness.advance(Number((await state(harness))?.['due_at']) - now())
  if (harness.calls.length > before) return
  await harness.advance(31)
  await harness.sweep()
  await harness.deliver()
}

describe('an endpoint', () => {
  test.each([200, 201, 202, 204, 226, 299])('that returns %i has received the event', async (status) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = () => (status === 204 ? response(204) : new Response('fine', { status }))
    await harness.deliver()
    await harness.advance(100_000)
    await harness.sweep()
    await harness.deliver()
    expect(harness.calls).toHaveLength(1)
    expect(await harness.log(webhook.id)).toMatchObject([{ state: 'delivered', attempts: [{ number: 1, status }] }])
  })

  test('that fails twice receives the event in the third attempt, which resets its failures', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = (_call, number) => response(number < 3 ? 503 : 200)
    await harness.deliver()
    await harness.advance(3)
    expect(harness.calls).toHaveLength(1)
    await harness.advance(3)
    expect(harness.calls).toHaveLength(2)
    await harness.advance(239)
    expect(harness.calls).toHaveLength(2)
    await harness.advance(122)
    expect(harness.calls).toHaveLength(3)
    const [delivery] = await harness.log(webhook.id)
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 503 }, { status: 503 }, { status: 200 }],
    })
    expect(await harness.query('select failures, failing_since from webhooks where id = ?', webhook.id)).toEqual([
      { failures: 0, failing_since: null },
    ])
  })

  test(`that always fails gets ${maxAttempts} attempts on time and no more`, async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = () => response(500)
    const begun: number[] = []
    await harness.deliver()
    for (let attempts = 1; attempts <= maxAttempts; attempts++) {
      expect(harness.calls).toHaveLength(attempts)
      begun.push(Number(harness.calls.at(-1)?.headers['webhook-timestamp']))
      if (attempts < maxAttempts) {
        const delivery = await state(harness)
        const delay = Number(delivery?.['due_at']) - now()
        const scheduled = delays[attempts] ?? 0
        expect(delay).toBeGreaterThanOrEqual(scheduled * 0.8)
        expect(delay).toBeLessThanOrEqual(scheduled * 1.2)
        expect(delivery).toMatchObject({ state: 'pending', attempt: attempts })
        await next(harness)
      }
    }
    expect(begun).toEqual(begun.toSorted((a, b) => a - b))
    await harness.advance(200_000)
    expect(await harness.sweep()).toBe(0)
    const [delivery] = await harness.log(webhook.id, '?state=failed')
    expect(delivery.attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(delivery).not.toHaveProperty('nextAttemptAt')
  })

  test.each([300, 301, 302, 303, 304, 305, 307, 308, 399])(
    'that redirects with %i is not followed, and has failed',
    async (status) => {
      const harness = await createWebhookHarness()
      const { webhook } = await harness.createWebhookAndProduct()
      harness.endpoint = () =>
        new Response(null, { status, headers: { location: `https://elsewhere.${harness.host}/`, 'retry-after': '7' } })
      await harness.deliver()
      expect(harness.calls.map(({ url, init }) => [url, init.redirect])).toEqual([[webhook.url, 'manual']])
      expect(await harness.log(webhook.id)).toMatchObject([{ state: 'pending', attempts: [{ status }] }])
    },
  )

  test.each([400, 401, 403, 404, 408, 409, 422, 451, 500, 502, 503, 504, 599])(
    'that returns %i is tried again',
    async (status) => {
      const harness = await createWebhookHarness()
      const { webhook } = await harness.createWebhookAndProduct()
      harness.endpoint = () => response(status)
      await harness.deliver()
      expect(await harness.log(webhook.id)).toMatchObject([{ state: 'pending', attempts: [{ status }] }])
      await harness.advance(6)
      expect(harness.calls).toHaveLength(2)
    },
  )

  test.each([
    ['seconds', () => '100', 100],
    ['a date', () => new Date((now() + 100) * 1000).toUTCString(), 100],
    ['an absurd number', () => '99999999999', 86_400],
    ['an absurd date', () => 'Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
    ['a past date', () => 'Thu, 01 Jan 1970 00:00:00 GMT', 5],
    ['less than the schedule', () => '1', 5],
    ['garbage', () => 'soon', 5],
  ])('that returns Retry-After %s is not called earlier', async (_what, retryAfter, seconds) => {
    const harness = await createWebhookHarness()
    await harness.createWebhookAndProduct()
    harness.endpoint = (_call, number) =>
      number === 1 ? response(429, { 'retry-after': retryAfter() }) : response(200)
    await harness.deliver()
    const delay = Number((await state(harness))?.['due_at']) - now()
    if (seconds === 5) expect([4, 5, 6]).toContain(delay)
    else expect(delay).toBe(seconds)
    await next(harness)
    expect(await state(harness)).toMatchObject({ state: 'delivered', attempt: 2 })
  })

  test.each([
    ['a refused connection', new TypeError('Network connection lost.'), 'Network connection lost.'],
    ['an abort', new DOMException('The operation was aborted', 'AbortError'), 'The operation was aborted'],
    ['a header that cannot be sent', new TypeError('Invalid header value.'), 'Invalid header value.'],
    ['something that is no error', 'nonsense', 'nonsense'],
    ['an endless message', new Error('x'.repeat(5_000)), 'x'.repeat(300)],
  ])('that ends in %s counts as an attempt', async (_what, thrown, error) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = () => {
      throw thrown
    }
    await harness.deliver()
    const [delivery] = await harness.log(webhook.id)
    expect(delivery).toMatchObject({ state: 'pending', attempts: [{ number: 1, error }] })
    expect(delivery.attempts[0]).not.toHaveProperty('status')
    await harness.advance(6)
    expect(harness.calls).toHaveLength(2)
  })

  test('that does not respond times out after fifteen seconds, which counts as an attempt', async () => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    harness.endpoint = ({ init }) =>
      new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const start = Date.now()
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start })
    const made = harness.deliver()
    while (harness.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(14_999)
    expect(harness.calls[0]?.init.signal?.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    await made
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['Date'], now: start + 20_000 })
    const [delivery] = await harness.log(webhook.id)
    expect(delivery).toMatchObject({
      state: 'pending',
      attempts: [{ error: 'no response within 15 s', durationMs: 15_000 }],
    })
  })

  test.each([
    ['breaks off', (controller: ReadableStreamDefaultController) => controller.error(new TypeError('corrupt gzip'))],
    [
      'is endless',
      (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536).fill(120)),
    ],
  ])('whose response %s has received the event', async (_what, pull) => {
    const harness = await createWebhookHarness()
    const { webhook } = await harness.createWebhookAndProduct()
    let chunks = 0
    harness.endpoint = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (chunks++ === 0) controller.enqueue(new TextEncoder().encode('so far'))
            else pull(controller)
          },
        }),
      )
    await harness.deliver()
    const [{ state, attempts }] = await harness.log(webhook.id)
    expect([state, attempts[0].status]).toEqual(['delivered', 200])
    expect(attempts[0].response).toMatch(/^so far/)
    expect(attempts[0].response.length).toBeLessThanOrEqual(16_384)
    expect(chunks).toBeLessThan(10)
  })
})

test('a receiver with a third-party library accepts every attempt', async () => {
  const harness = await createWebhookHarness()
  const { webhook } = await harness.createWebhookAndProduct()
  const { body } = await harness.get(`/webhooks/${webhook.id}/secret`)
  harness.endpoint = ({ text, headers }, number) => {
    new Webhook(body.secret).verify(text, headers)
    return response(number < 3 ? 500 : 200)
  }
  await harness.deliver()
  await next(harness)
  await next(harness)
  expect(await harness.log(webhook.id)).toMatchObject([
    { attempts: [{ status: 500 }, { status: 500 }, { status: 200 }] },
  ])
})
