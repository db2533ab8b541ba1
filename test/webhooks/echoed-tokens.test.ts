import { afterEach, describe, expect, test, vi } from 'vitest'
import { maxStoredBytes } from '../../src/webhooks/send.ts'
import { createWebhookHarness } from '../support/webhook-harness.ts'

afterEach(() => vi.restoreAllMocks())

/** The responses that a webhook's log has after its endpoint gave these, each for one event. */
async function logOf(responses: readonly ((token: string) => Response)[]) {
  const harness = await createWebhookHarness()
  const { id, bearerToken } = await harness.createWebhook({ events: ['product.created'] })
  for (const respond of responses) {
    harness.endpoint = () => respond(bearerToken)
    await harness.post('/products', { title: 'Tea', price: 1 })
    await harness.deliver()
  }
  const log: { attempts: { response: string }[] }[] = await harness.log(id, '?limit=100')
  return { bearerToken: String(bearerToken), texts: log.map(({ attempts }) => attempts[0]?.response ?? '').reverse() }
}

/** Nine characters of the token, of which six are those of each token. */
const hasPart = (text: string, token: string) =>
  Array.from({ length: token.length - 8 }, (_, start) => token.slice(start, start + 9)).some((part) =>
    text.includes(part),
  )

describe('an endpoint that echoes its token', () => {
  test('has it masked wherever the log ends in the response', async () => {
    const starts = Array.from({ length: 45 }, (_, index) => maxStoredBytes - 42 + index)
    const { bearerToken, texts } = await logOf(
      starts.map((start) => (token) => new Response(`${'é'.repeat(20)}${'x'.repeat(start - 40)}${token} and more`)),
    )
    expect(texts).toHaveLength(starts.length)
    expect(starts.filter((_, index) => hasPart(texts[index] ?? '', bearerToken))).toEqual([])
    const sizes = texts.map((text) => new TextEncoder().encode(text).length)
    expect(Math.max(...sizes)).toBe(maxStoredBytes)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(maxStoredBytes - 42)
  })

  test('has it masked where the response breaks off within it', async () => {
    const lengths = [9, 20, 37]
    const { bearerToken, texts } = await logOf(
      lengths.map((length) => (token) => {
        const bytes = new TextEncoder().encode(`Bearer ${token.slice(0, length)}`)
        return new Response(
          new ReadableStream({
            start: (controller) => controller.enqueue(bytes),
            pull: (controller) => controller.error('gone'),
          }),
        )
      }),
    )
    expect(texts).toEqual(lengths.map(() => 'Bearer [bearerToken]'))
    expect(bearerToken).toMatch(/^whtok_/)
  })
})
