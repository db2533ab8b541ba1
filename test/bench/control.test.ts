import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import control from '../../bench/control.ts'
import type { DeliveryMessage } from '../../src/platform/messages.ts'
import { queueUntil } from '../../src/storefront/tags/scans/record-scan.ts'
import { createVenue, origin, type Venue } from '../support/api.ts'
import { observe, rowsRead, type Trip, watch } from '../support/d1.ts'

/** A queue without a consumer. Counts its messages. */
function createQueue() {
  let count = 0
  const queue: Queue<DeliveryMessage> = Object.assign(Object.create(null), {
    async sendBatch(messages: readonly unknown[]) {
      count += messages.length
    },
  })
  return { queue, sent: () => count }
}

/** The calls of D1 for a request to the control. */
async function sendRequest(venue: Venue, method: string, path: string, json?: unknown) {
  const { database, trips } = watch(env.DB)
  const { queue, sent } = createQueue()
  const request = new Request(new URL(venue.path(path), origin), {
    method,
    headers: { authorization: `Bearer ${venue.key}` },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const context = createExecutionContext()
  const response = await control.fetch(request, { ...env, DB: database, DELIVERIES: queue }, context)
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever came back
  const body: any = await response.json()
  await waitOnExecutionContext(context)
  return { status: response.status, body, trips, sent: sent() }
}
const costs = (trips: readonly Trip[]) => trips.map(({ statements, rowsWritten }) => [statements.length, rowsWritten])
const withoutIdentity = ({ id, createdAt, updatedAt, ...rest }: Record<string, unknown>) => rest

describe('the control of the benchmark', () => {
  test('makes the same statements as the service in as many round trips, and returns the same responses', async () => {
    const venue = await createVenue()
    const { queue, sent } = createQueue()
    const serve = async (method: string, path: string, json?: unknown) => {
      const before = sent()
      const bindings = { DELIVERIES: queue }
      const response = await observe(method, venue.path(path), {
        key: venue.key,
        bindings,
        ...(json === undefined ? {} : { json }),
      })
      await response.settled()
      return { ...response, sent: sent() - before }
    }
    const post = async (path: string, json: object) => (await serve('POST', path, json)).body
    const modifier = await post('/modifiers', { title: 'Milk', instructions: '' })
    const full = {
      title: 'Flat white',
      description: 'Two ristretti under milk.',
      price: 4.5,
      sku: 'S1',
      upc: 'U1',
      calories: 120,
      images: [{ url: 'https://images.example.com/1.jpg' }],
      metadata: [{ key: 'a', value: 'b' }],
      modifiers: [modifier.id],
    }
    const product = async () => post('/products', full)
    for (let n = 0; n < 30; n++) await product()
    const menu = await post('/menus', { title: 'All', description: 'x', sections: [{ title: 's', items: [] }] })
    const { id } = await product()
    await sendRequest(venue, 'GET', `/products/${id}`)
    // With the most rows that the service may read and write where nobody listens; a search reads four for each match.
    const cases: { most: [read: number, written: number]; make: () => Promise<[string, string, unknown?]> }[] = [
      { most: [1, 0], make: async () => ['GET', `/products/${id}`] },
      { most: [1, 0], make: async () => ['GET', `/menus/${menu.id}`] },
      { most: [21, 0], make: async () => ['GET', '/products?limit=20'] },
      { most: [4 * 31, 0], make: async () => ['GET', '/products?limit=20&q=flat'] },
      { most: [14, 15], make: async () => ['POST', '/products', full] },
      { most: [9, 10], make: async () => ['POST', '/products', { title: 'Plain', price: 1 }] },
      { most: [9, 7], make: async () => ['POST', `/products/${(await product()).id}`, { price: 5 }] },
      { most: [31, 9], make: async () => ['DELETE', `/products/${(await product()).id}`] },
      { most: [7, 2], make: async () => ['POST', '/events', { type: 'order.created', data: { total: 4.5 } }] },
    ]
    for (const webhooks of [0, 1, 2]) {
      if (webhooks > 0) await post('/webhooks', { title: 'Till', url: 'https://hooks.example.com/', events: ['*'] })
      for (const { most, make } of cases) {
        // A full-text index merges its segments now and then, and then reads one or two more rows.
        const reads: [ours: number, bare: number][] = []
        let name = ''
        let written = 0
        for (let round = 0; round < 3; round++) {
          const made = [await make(), await make()]
          // Of two rows the older one may take more to find there: each of the two gets either.
          const [[method, path, json] = ['', ''], [, again] = ['', '']] = round % 2 === 0 ? made : made.reverse()
          name = `${method} ${path}, ${webhooks} webhooks`
          const ours = await serve(method, path, json)
          const bare = await sendRequest(venue, method, again, json)
          const wanted = [ours.status, ours.sent, costs(ours.trips)]
          expect([name, bare.status, bare.sent, costs(bare.trips)]).toEqual([name, ...wanted])
          written = Math.max(written, ...ours.trips.map(({ rowsWritten }) => rowsWritten))
          reads.push([rowsRead(ours.trips), rowsRead(bare.trips)])
          const shown = [bare.body, ours.body].map((body) => withoutIdentity(body.object ?? body))
          if (!Array.isArray(ours.body)) expect(shown[0]).toEqual(shown[1])
          else expect(bare.body).toHaveLength(ours.body.length)
        }
        const [ours, bare] = [0, 1].map((which) => Math.min(...reads.map((pair) => pair[which] ?? 0)))
        const slack = /^(?:POST \/products,|DELETE)/.test(name) ? 2 : 0
        if (webhooks === 0) expect([name, (ours ?? 0) <= most[0], written <= most[1]]).toEqual([name, true, true])
        expect([name, Math.abs((bare ?? 0) - (ours ?? 0)) <= slack]).toEqual([name, true])
      }
    }
  })

  test('counts a scan with as many statements as the service, which write as many rows', async () => {
    const venue = await createVenue()
    const { body: tag } = await venue.post('/tags', {})
    const [ours, bare] = [watch(env.DB), watch(env.DB)]
    const scan = async () => {
      queueUntil.ms = 0
      const { settled, status } = await observe('GET', `/t/${tag.alias[0]}`, { bindings: { DB: ours.database } })
      expect(status).toBe(302)
      await settled()
    }
    await scan()
    ours.trips.length = 0
    await scan()
    const context = createExecutionContext()
    const request = new Request(new URL(`/kv/${tag.alias[0]}`, origin))
    expect((await control.fetch(request, { ...env, DB: bare.database }, context)).status).toBe(302)
    await waitOnExecutionContext(context)
    expect([costs(ours.trips), costs(bare.trips)]).toEqual([[[4, 1]], [[4, 1]]])
    expect((await venue.get(`/tags/${tag.id}/scans`)).body).toMatchObject([{ channel: 'link', count: 3 }])
  })
})
