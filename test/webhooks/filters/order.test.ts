import { afterEach, describe, expect, test, vi } from 'vitest'
import { waitingUntil } from '../../../src/platform/db/schema/events.ts'
import { moveTo } from '../../support/moves.ts'
import { now } from '../../support/webhook-harness.ts'
import { createOrdered, fails, pricesOf, waiting, works } from './ordered-webhook.ts'

afterEach(() => vi.restoreAllMocks())

describe.each([undefined, 'object'] as const)('the order of an object at home %s', (home) => {
  test('is kept while the first delivery fails; other objects do not wait', async () => {
    const { harness, webhook, tea, cake, setPrice } = await createOrdered(home)
    harness.endpoint = ({ body }) => (body.data.id === tea ? fails() : works())
    await setPrice(tea, 2)
    await harness.deliver()
    for (const price of [3, 4]) await setPrice(tea, price)
    await setPrice(cake, 5)
    await harness.deliver()
    expect([pricesOf(harness, tea), pricesOf(harness, cake)]).toEqual([[2], [5]])
    expect(await waiting(harness)).toBe(2)
    const log = await harness.log(webhook.id, '?state=pending')
    expect(log.map((entry: Record<string, unknown>) => [entry['waiting'], 'nextAttemptAt' in entry])).toEqual([
      [true, false],
      [true, false],
      [undefined, true],
    ])
    harness.clear()
    harness.endpoint = works
    await harness.advance(600)
    await harness.sweep()
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([2, 3, 4])
    expect(harness.calls.map(({ body }) => body.sequence).toSorted((a, b) => a - b)).toEqual(
      harness.calls.map(({ body }) => body.sequence),
    )
  })

  test('holds for several events of one transaction, of which each makes one message in its turn', async () => {
    const { harness, tea, cake } = await createOrdered(home)
    harness.messages = 0
    const operations = [
      { op: 'update', resource: 'products', id: tea, body: { price: 2 } },
      { op: 'update', resource: 'products', id: cake, body: { price: 3 }, details: { labels: ['Lunch'] } },
      { op: 'delete', resource: 'products', id: cake },
    ]
    const { status, body } = await harness.post('/batch', { operations: operations.slice(0, 2) })
    expect([status, body.results?.length]).toEqual([200, 2])
    await harness.post('/batch', { operations: operations.slice(2) })
    const before = harness.messages
    await harness.deliver()
    const ofCake = harness.calls.filter(({ body }) => body.data.id === cake).map(({ body }) => body.type)
    expect(ofCake).toEqual(['product.updated', 'product.details_updated', 'product.deleted'])
    expect([before, harness.messages, await waiting(harness)]).toEqual([2, 4, 0])
  })

  test('goes on after a failure that is final, after a cancellation and after a purge', async () => {
    const { harness, webhook, tea, setPrice } = await createOrdered(home)
    harness.endpoint = fails
    for (const price of [2, 3, 4, 5]) await setPrice(tea, price)
    await harness.deliver()
    const [first, second] = await harness
      .deliveries()
      .then((rows) => rows.filter(({ state }) => state === 'pending'))
      .then((rows) => rows.toSorted((a, b) => Number(a['sequence']) - Number(b['sequence'])))
    // The last attempt of the schedule.
    await harness.query('update deliveries set most = 2 where event = ?', first?.['event'])
    harness.endpoint = ({ body }) => (body.data.price === 2 ? fails() : works())
    harness.clear()
    await harness.query('delete from deliveries where event = ?', second?.['event'])
    expect(await waiting(harness)).toBe(2)
    await harness.advance(60)
    await harness.sweep()
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([2, 4, 5])
    expect((await harness.log(webhook.id, '?state=failed')).length).toBe(1)

    harness.endpoint = fails
    for (const price of [6, 7, 8]) await setPrice(tea, price)
    await harness.deliver()
    harness.clear()
    harness.endpoint = works
    // A change of the address cancels what the webhook no longer gets.
    await harness.query(
      `update deliveries set state = 'cancelled' where state = 'pending' and due_at <> ?`,
      waitingUntil,
    )
    await harness.advance(60)
    await harness.sweep()
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([7, 8])
  })

  test('a purge of the first one releases the next', async () => {
    const { harness, tea, setPrice } = await createOrdered(home)
    harness.endpoint = fails
    for (const price of [2, 3]) await setPrice(tea, price)
    await harness.deliver()
    harness.endpoint = works
    harness.clear()
    await harness.query(`delete from deliveries where state = 'pending' and due_at <> ?`, waitingUntil)
    expect(await waiting(harness)).toBe(0)
    await harness.advance(60)
    await harness.sweep()
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([3])
  })

  test('a retry of a waiting delivery and of an older one is sent at once, with its sequence', async () => {
    const { harness, webhook, tea, setPrice } = await createOrdered(home)
    await setPrice(tea, 2)
    await harness.deliver()
    const [old] = harness.calls
    harness.endpoint = ({ body }) => (body.data.price === 3 ? fails() : works())
    for (const price of [3, 4, 5]) await setPrice(tea, price)
    await harness.deliver()
    harness.calls.length = 0
    const last = (await harness.deliveries()).find(({ sequence }) => Number(sequence) === old?.body.sequence + 3)
    for (const event of [old?.body.id, last?.['event']])
      expect((await harness.post(`/webhooks/${webhook.id}/deliveries/${event}/retry`)).status).toBe(202)
    await harness.deliver()
    expect(harness.calls.map(({ body }) => [body.data.price, body.sequence - old?.body.sequence])).toEqual([
      [2, 0],
      [5, 3],
    ])
    expect(harness.calls[0]?.text).toBe(old?.text)
    expect(await waiting(harness)).toBe(1)
    harness.calls.length = 0
    harness.endpoint = works
    await harness.advance(600)
    expect(pricesOf(harness, tea)).toEqual([3, 4])
  })

  test('recovers in order, before later ones', async () => {
    const { harness, webhook, tea, setPrice } = await createOrdered(home)
    harness.endpoint = fails
    for (const price of [2, 3, 4]) await setPrice(tea, price)
    await harness.deliver()
    await harness.post(`/webhooks/${webhook.id}`, { active: false })
    expect([await waiting(harness), (await harness.log(webhook.id, '?state=cancelled')).length]).toEqual([0, 3])
    await harness.post(`/webhooks/${webhook.id}`, { active: true })
    harness.clear()
    harness.endpoint = works
    harness.messages = 0
    const { body } = await harness.post(`/webhooks/${webhook.id}/recover`, { since: now() - 900 })
    expect([body, harness.messages]).toEqual([{ recovered: 3 }, 1])
    await setPrice(tea, 5)
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([2, 3, 4, 5])
  })

  test('is kept across a move', async () => {
    const { harness, tea, setPrice } = await createOrdered(home)
    harness.endpoint = fails
    for (const price of [2, 3, 4]) await setPrice(tea, price)
    await harness.deliver()
    const before = await harness.deliveries()
    expect(await moveTo(harness.venue.id, home === 'object' ? 'd1' : 'object')).toMatchObject({ state: 'done' })
    expect(await harness.deliveries()).toEqual(before)
    harness.clear()
    harness.endpoint = works
    await setPrice(tea, 5)
    await harness.deliver()
    expect(harness.calls).toEqual([])
    await harness.advance(600)
    await harness.sweep()
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([2, 3, 4, 5])
  })

  test('of published orders is that of the reference of their effects', async () => {
    const { harness, tea } = await createOrdered(home)
    harness.endpoint = ({ body }) => (body.data.n === 1 || body.data.n === 9 ? fails() : works())
    const publish = async (n: number, type: string, effects?: object) => {
      const { status, body } = await harness.post('/events', { type, data: { n }, ...(effects && { effects }) })
      expect([status, body]).toMatchObject([202, { id: expect.any(String) }])
    }
    const take = (reference: string) => ({ stock: { reference, changes: [{ product: tea, delta: -1 }] } })
    await publish(1, 'order.created', take('A-1'))
    await harness.deliver()
    await publish(2, 'order.cancelled', { undo: 'A-1' })
    await publish(3, 'order.created', take('B-1'))
    await publish(9, 'order.created')
    await publish(4, 'order.updated')
    await harness.deliver()
    expect(harness.calls.map(({ body }) => body.data.n)).toEqual([1, 3, 9, 4])
    harness.calls.length = 0
    harness.endpoint = works
    await harness.advance(600)
    expect(harness.calls.map(({ body }) => body.data.n)).toEqual([1, 9, 2])
  })

  test('begins and ends with the filter: earlier deliveries stay as they are', async () => {
    const { harness, webhook, tea, setPrice } = await createOrdered(home)
    harness.endpoint = fails
    for (const price of [2, 3]) await setPrice(tea, price)
    await harness.deliver()
    await harness.post(`/webhooks/${webhook.id}/filter`, { order: 'none' })
    harness.calls.length = 0
    harness.endpoint = ({ body }) => (body.data.price === 2 ? fails() : works())
    await setPrice(tea, 4)
    await harness.deliver()
    expect(pricesOf(harness, tea)).toEqual([4])
    harness.endpoint = works
    await harness.advance(600)
    expect(pricesOf(harness, tea)).toEqual([4, 2, 3])
  })
})
