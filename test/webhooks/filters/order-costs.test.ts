import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { maxAttempts } from '../../../src/platform/outbox/retry-delays.ts'
import { watch } from '../../support/d1.ts'
import { now, type WebhookHarness } from '../../support/webhook-harness.ts'
import { createOrdered, fails, waiting, works } from './ordered-webhook.ts'

afterEach(() => vi.restoreAllMocks())

describe('the cost of an order', () => {
  /** Rows, messages and round trips of changes and their deliveries. */
  async function measure(filter: object, count: number, endpoint: WebhookHarness['endpoint'] = works) {
    const { harness, tea } = await createOrdered(undefined, filter)
    const { database, trips } = watch(env.DB)
    harness.endpoint = endpoint
    harness.messages = 0
    const path = harness.path(`/products/${tea}`)
    for (let index = 0; index < count; index++) {
      await harness.request('POST', path, { price: index + 2 }, harness.venue.key, { DB: database })
    }
    for (let left = harness.queued.length; left > 0; left = harness.queued.filter(({ at }) => at <= now()).length) {
      await harness.consume(harness.queued.splice(0), { DB: database })
    }
    const sum = (of: 'rowsRead' | 'rowsWritten') => trips.reduce((total, trip) => total + trip[of], 0)
    return { written: sum('rowsWritten'), read: sum('rowsRead'), trips: trips.length, messages: harness.messages }
  }

  test('is one index entry for each delivery; without one it is nothing', async () => {
    const [plain, none, ordered] = [
      await measure({}, 1),
      await measure({ order: 'none' }, 1),
      await measure({ order: 'object' }, 1),
    ]
    console.log(`figure: an event without an order, ${JSON.stringify(none)}; with one, ${JSON.stringify(ordered)}`)
    expect(none).toEqual(plain)
    expect([ordered.trips, ordered.messages]).toEqual([none.trips, none.messages])
    expect(ordered.written - none.written).toBeLessThanOrEqual(2)
    expect(ordered.read - none.read).toBeLessThanOrEqual(6)
  })

  test('grows with the deliveries of an object, not with their square', async () => {
    const costs = [
      await measure({ order: 'object' }, 10),
      await measure({ order: 'object' }, 20),
      await measure({ order: 'object' }, 40),
    ]
    const [one, two, four] = costs.map(({ written, read }) => written + read)
    console.log(`figure: 10, 20 and 40 changes of an object in order, ${JSON.stringify(costs)}`)
    expect((four ?? 0) - (two ?? 0)).toBeLessThanOrEqual(2.2 * ((two ?? 0) - (one ?? 0)))
  })

  test('of a dead endpoint is one call for its object, whatever waits', async () => {
    const { harness, tea, setPrice } = await createOrdered()
    harness.endpoint = fails
    for (let price = 2; price < 22; price++) await setPrice(tea, price)
    harness.messages = harness.queued.length
    for (let minute = 0; minute < 3 * 24 * 6; minute++) {
      await harness.advance(600)
      if (minute % 6 === 0) await harness.sweep()
    }
    await harness.deliver()
    const calls = [...Map.groupBy(harness.calls, ({ body }) => body.data.price).values()].map(({ length }) => length)
    // The next one is tried when the first one is given up: by chance shortly before the end of the three days.
    expect(calls.length).toBeLessThanOrEqual(2)
    expect(calls[0]).toBeLessThanOrEqual(maxAttempts)
    expect(calls[1] ?? 0).toBeLessThanOrEqual(4)
    expect(await waiting(harness)).toBeGreaterThanOrEqual(18)
  })
})
