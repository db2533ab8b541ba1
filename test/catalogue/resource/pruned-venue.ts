import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import { createVenue, type Venue } from '../../support/api.ts'
import { multiply, observe } from '../../support/d1.ts'
import { queryHome } from '../../support/home.ts'

/** A text in fields of the deleted modifier. */
export const marker = 'marker-of-the-deleted-one'

/** Bindings whose queue of imports the test empties. */
export function createQueue(also: Partial<Bindings> = {}) {
  const sent: unknown[] = []
  const queue = { send: async (body: unknown) => void sent.push(body) }
  const bindings = { ...env, ...also, IMPORTS: Object.assign(Object.create(null), queue) }
  /** Passes the next message to the consumer. Returns whether it was acknowledged. */
  async function consumeNext(): Promise<boolean> {
    const body = sent.shift()
    const batch = createMessageBatch('imports', [{ id: 'message', timestamp: new Date(), attempts: 1, body }])
    let isAcked = false
    for (const message of batch.messages) {
      Object.assign(message, {
        ack: () => {
          isAcked = true
        },
      })
    }
    const context = createExecutionContext()
    await worker.queue(batch, bindings, context)
    await waitOnExecutionContext(context)
    return isAcked
  }
  async function drain() {
    for (let messages = 0; sent.length > 0 && messages < 100; messages++) expect(await consumeNext()).toBe(true)
    expect(sent).toEqual([])
  }
  return { sent, bindings, consumeNext, drain }
}

/** Sends a request whose messages only the queue of the test gets. */
export async function send(
  venue: Venue,
  queue: ReturnType<typeof createQueue>,
  method: string,
  path: string,
  json?: unknown,
) {
  const response = await observe(method, venue.path(path), {
    key: venue.key,
    bindings: { IMPORTS: queue.bindings.IMPORTS },
    ...(json === undefined ? {} : { json }),
  })
  await response.settled()
  return response
}

/** A venue with a modifier that so many products name, and another one that all of them name, too. */
export async function createUsed(count: number, fields: Parameters<typeof createVenue>[0] = {}) {
  const venue = await createVenue(fields)
  const body = (title: string) => ({ title, instructions: '', options: [{ label: `${title} option` }] })
  const { body: kept } = await venue.post('/modifiers', body('Kept'))
  const { body: used } = await venue.request('PUT', '/modifiers/external/used', {
    ...body(marker),
    instructions: marker,
  })
  const { body: product } = await venue.post('/products', { title: 'Tea', price: 1, modifiers: [kept.id, used.id] })
  if (count > 1) await multiply('products', product.id, count - 1)
  await queryHome(
    venue.id,
    `insert into product_modifiers (owner, target) select products.seq, modifiers.seq from products cross join modifiers
     where products.merchant_id = ? and modifiers.merchant_id = ? on conflict do nothing`,
    venue.id,
    venue.id,
  )
  return { venue, kept: kept.id, used: used.id, product: product.id }
}

export async function findLeft(venue: Venue, used: string) {
  const [counts] = await queryHome(
    venue.id,
    `select (select count(*) from products where merchant_id = ? and instr(modifiers, ?) > 0) as naming,
      (select count(*) from product_modifiers where target in (select seq from modifiers where id = ?)) as links,
      (select count(*) from modifiers where id = ?) as rows`,
    venue.id,
    used,
    used,
    used,
  )
  return counts
}

/** The events behind the creations, in their order: type, and the object. */
export const listEvents = async (venue: Venue) =>
  (
    await queryHome(
      venue.id,
      `select seq, type, row ->> '$.id' as id, row ->> '$.modifiers' as modifiers, previous from events
       where merchant_id = ? and type in ('modifier.deleted', 'product.updated') order by seq`,
      venue.id,
    )
  ).map((row): Record<string, unknown> => ({ ...row }))

/** All owners follow, each once and behind the deletion, and nothing else is left. */
export async function expectPruned(venue: Venue, { kept, used }: { kept: string; used: string }, count: number) {
  expect(await findLeft(venue, used)).toEqual({ naming: 0, links: 0, rows: 0 })
  const events = await listEvents(venue)
  expect(events[0]).toMatchObject({ type: 'modifier.deleted', id: used })
  expect(events.slice(1).every(({ type }) => type === 'product.updated')).toBe(true)
  expect(new Set(events.slice(1).map(({ id }) => id)).size).toBe(count)
  expect(events).toHaveLength(count + 1)
  expect(new Set(events.slice(1).map(({ modifiers }) => modifiers))).toEqual(new Set([JSON.stringify([kept])]))
  expect(new Set(events.slice(1).map(({ previous }) => previous))).toEqual(
    new Set([JSON.stringify({ modifiers: [kept, used] })]),
  )
  const [first] = events
  expect(events.map(({ seq }) => Number(seq) - Number(first?.['seq']))).toEqual(events.map((_, index) => index))
}
