import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { enqueueMerchantDeliveries } from '../../../src/platform/outbox/enqueue-deliveries.ts'

/** Queues that take a turn of the event loop for each batch. They record how many batches were under way at the same time. */
function createQueues(failing: (batch: number) => boolean = () => false) {
  const seen = { messages: 0, batches: 0, underWay: 0, most: 0, turns: 0 }
  let turn: Promise<void> | undefined
  const nextTurn = () => {
    turn ??= new Promise((resolve) =>
      setTimeout(() => {
        seen.turns++
        turn = undefined
        resolve()
      }),
    )
    return turn
  }
  const queue = (): Queue => ({
    ...env.DELIVERIES,
    sendBatch: async (messages) => {
      const batch = seen.batches++
      seen.most = Math.max(seen.most, ++seen.underWay)
      await nextTurn()
      seen.underWay--
      if (failing(batch)) throw new Error('Queue sendBatch failed')
      seen.messages += [...messages].length
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    },
  })
  return { seen, bindings: { ...env, DELIVERIES: queue(), DELIVERIES_SLOW: queue() } }
}

const createPending = (count: number, slow = (_: number) => false) =>
  Array.from({ length: count }, (_, n) => ({ webhook: n % 100, event: `evt_${n}`, slow: slow(n) }))

test.each([500, 1_000, 2_000])('%i messages are sent in batches of 100, five at the same time', async (count) => {
  const { seen, bindings } = createQueues()
  await enqueueMerchantDeliveries(bindings, 'mer_1', createPending(count))
  expect(seen).toEqual({ messages: count, batches: count / 100, underWay: 0, most: 5, turns: count / 500 })
})

test('messages of both queues share the limit of five batches', async () => {
  const { seen, bindings } = createQueues()
  await enqueueMerchantDeliveries(
    bindings,
    'mer_1',
    createPending(2_000, (n) => n % 2 === 0),
  )
  expect(seen).toMatchObject({ messages: 2_000, batches: 20, most: 5, turns: 4 })
})

test('a batch that a queue rejects is logged, and the others are sent', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue()
  const { seen, bindings } = createQueues((batch) => batch === 2)
  await enqueueMerchantDeliveries(bindings, 'mer_1', createPending(1_000))
  expect(seen).toMatchObject({ messages: 900, batches: 10 })
  expect(log.mock.calls.filter(([line]) => String(line).includes('deliveries not enqueued'))).toHaveLength(1)
})
