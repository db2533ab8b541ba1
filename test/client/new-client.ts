import { exports } from 'cloudflare:workers'
import { type ClientOptions, createClient } from '../../packages/client/src/client.ts'
import { createVenue, origin } from '../support/api.ts'

export type Fetch = NonNullable<ClientOptions['fetch']>
export const service: Fetch = (url, init) => exports.default.fetch(new Request(url, init))

/** A client with its own venue, and every request that it sends. */
export async function connect(fetch: Fetch = service, options: Partial<ClientOptions> = {}) {
  const { id: merchantId, key } = await createVenue()
  const sent: Request[] = []
  const spied: Fetch = (url, init) => {
    sent.push(new Request(url, init))
    return fetch(url, init)
  }
  return { client: createClient({ origin, merchantId, key, fetch: spied, ...options }), sent, merchantId, key }
}

/** The response, whose connection is cut after its first bytes. */
export function cut(response: Response): Response {
  const { body } = response
  const start = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('[{"id":')),
    async pull(controller) {
      await body?.cancel()
      controller.error(new TypeError('connection cut'))
    },
  })
  return new Response(start, response)
}

/** Returns the given responses first, one for each request, then forwards requests. */
export const instead = (...responses: readonly (() => Response | Promise<Response>)[]): Fetch => {
  const waiting = [...responses]
  return async (url, init) => (await waiting.shift()?.()) ?? service(url, init)
}

export async function all<Item>(list: AsyncIterable<Item>) {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}
