import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../../src/app/app.ts'
import worker from '../../../src/index.ts'
import type { Bindings } from '../../../src/platform/env.ts'
import type { ImportMessage } from '../../../src/platform/messages.ts'
import { origin, type Venue } from '../../support/api.ts'
import { csv } from '../../support/imports.ts'

export const rows = (count: number, first = 0) =>
  `externalId,title,price\n${Array.from({ length: count }, (_, n) => `E${first + n},Tea ${first + n},1\n`).join('')}`

/** The consumer with a queue that the test empties, one message at a time. */
export function createQueue(bindings: Partial<Bindings> = {}) {
  const sent: ImportMessage[] = []
  const queue = { send: async (body: ImportMessage) => void sent.push(body) }
  const own = { ...env, ...bindings, IMPORTS: Object.assign(Object.create(null), queue) } satisfies Bindings
  async function consume(...bodies: ImportMessage[]) {
    const batch = createMessageBatch(
      'imports',
      bodies.map((body) => ({ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body })),
    )
    const context = createExecutionContext()
    const result: { acked: number; retried: number } = { acked: 0, retried: 0 }
    for (const message of batch.messages) {
      const [ack, retry] = [message.ack.bind(message), message.retry.bind(message)]
      const count = (kind: 'acked' | 'retried', go: () => void) => () => {
        result[kind]++
        go()
      }
      Object.assign(message, { ack: count('acked', ack), retry: count('retried', retry) })
    }
    await worker.queue(batch, own, context)
    await waitOnExecutionContext(context)
    return result
  }
  async function post({ key, path }: Pick<Venue, 'key' | 'path'>, relative: string, init: RequestInit = {}) {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const request = new Request(`${origin}${path(relative)}`, { ...init, method: 'POST', headers })
    const context = createExecutionContext()
    const response = await app.fetch(request, own, context)
    await waitOnExecutionContext(context)
    const { id }: { id: string } = await response.json()
    return id
  }
  return {
    sent,
    bindings: own,
    consume,
    /** Uploads a file whose messages only this queue gets. */
    upload: (
      venue: Pick<Venue, 'key' | 'path'>,
      query: string,
      body: string,
      headers: Readonly<Record<string, string>> = csv,
    ) => post(venue, `/imports?${query}`, { body, headers }),
    /** Requests that an import is applied. */
    apply: (venue: Pick<Venue, 'key' | 'path'>, id: string) => post(venue, `/imports/${id}/apply`),
    /** Consumes messages until none is left. */
    async drain() {
      for (let next = sent.shift(); next; next = sent.shift()) await consume(next)
    },
  }
}

export const retrieve = async (venue: Pick<Venue, 'get'>, id: string) => (await venue.get(`/imports/${id}`)).body
