import { afterEach, describe, expect, test, vi } from 'vitest'
import { isLong } from '../support/rounds.ts'
import { now } from '../support/webhook-harness.ts'
import { createBacklog, probeSeconds, sum, watchStage } from './backlog-harness.ts'

afterEach(() => vi.restoreAllMocks())

describe('after a short outage', () => {
  /** Ten failures break the endpoint; it recovers with the next call. Nothing sweeps. */
  async function recoverFrom(pending: number) {
    const { harness } = await createBacklog(pending)
    // Messages of parked deliveries do nothing. An isolate cannot have the timeouts of 10,000 at once.
    harness.queued.splice(1_000)
    await harness.deliver()
    // These deliveries are parked until the next call.
    for (let n = 0; n < 5; n++) await harness.post('/events', { type: 'order.created', data: { n } })
    const probe = now() + probeSeconds
    // A queue may deliver a message twice, or lose one, and an endpoint may fail once more.
    harness.endpoint = async (_, number) => {
      // Timeouts that the isolate has set so far end within 10 seconds.
      if (number % 3_000 === 0) await scheduler.wait(11_000)
      return new Response(null, { status: number % 120 === 60 ? 500 : 204 })
    }
    const trips = watchStage(harness)
    await harness.advance(probe - now())
    await harness.advance(3)
    await harness.advance(5)
    await harness.advance(300)
    const states = Map.groupBy(await harness.deliveries(), ({ state }) => state)
    return {
      pending: states.get('pending')?.length ?? 0,
      delivered: states.get('delivered')?.length ?? 0,
      calls: new Set(harness.calls.map(({ body }) => body.id)).size,
      repeated: harness.calls.length - new Set(harness.calls.map(({ body }) => body.id)).size,
      rowsRead: sum(trips, ({ rowsRead }) => rowsRead),
    }
  }

  // 2,000 in CI. 10,000 take two minutes.
  test.each([80, 400, ...(isLong ? [2_000] : [])])(
    'all of %i deliveries follow in waves without a sweep, each once',
    async (pending) => {
      const result = await recoverFrom(pending)
      console.log(`figure: ${pending} deliveries after an outage, ${JSON.stringify(result)}`)
      expect([result.pending, result.delivered, result.calls]).toEqual([0, pending + 5, pending + 5])
      expect(result.repeated).toBeLessThanOrEqual(1 + Math.ceil(pending / 60))
      expect(result.rowsRead / pending).toBeLessThanOrEqual(40)
    },
    600_000,
  )
})
