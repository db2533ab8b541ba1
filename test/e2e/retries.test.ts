import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type LoadOptions, loadCatalogue } from '../../tools/cli/loader/load-catalogue.ts'

/** What a service does with the n-th creation instead of responding. False: it responds. */
type Mishap = (nth: number, response: ServerResponse, store: () => void) => boolean

let close = () => {}
afterEach(() => close())

/** A service that keeps customers and has mishaps. */
async function createService(mishap: Mishap) {
  const stored: object[] = []
  const attempts: number[] = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') return response.end(JSON.stringify(stored))
    const body: object = JSON.parse(await text(request))
    const object = { ...body, id: `cus_${stored.length}`, testMode: false, createdAt: 1, updatedAt: 1 }
    const store = () => stored.push(object)
    if (mishap(attempts.push(Date.now()), response, store)) return
    store()
    response.writeHead(201).end(JSON.stringify(object))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    stored,
    attempts,
    load: (options: Partial<LoadOptions> = {}) =>
      loadCatalogue({ url: `http://127.0.0.1:${port}`, merchantId: 'mer_1', key: 'sk_live_1', catalogue, ...options }),
  }
}

const catalogue = { customers: Array.from({ length: 40 }, () => ({ firstName: 'Ada', lastName: 'King' })) }
const total = catalogue.customers.length

test('objects whose response was lost are not created again', async () => {
  const { stored, load } = await createService((nth, response, store) => {
    if (nth % 9 !== 0) return false
    if (nth % 2 === 0) store()
    response.destroy()
    return true
  })
  const { lists, stopped } = await load()
  expect(stopped).toBeUndefined()
  expect(stored).toHaveLength(total)
  expect(lists[0]?.rows.every(({ outcome }) => outcome === 'created')).toBe(true)
  expect(new Set(lists[0]?.rows.map(({ id }) => id)).size).toBe(total)
})

test.each([429, 503])('Retry-After of %i is obeyed', async (status) => {
  const { stored, attempts, load } = await createService((nth, response) => {
    if (nth !== 20) return false
    response.writeHead(status, { 'retry-after': '2' }).end()
    return true
  })
  const problems: string[] = []
  await load({ onProgress: ({ problem }) => problem !== undefined && problems.push(problem) })
  expect(stored).toHaveLength(total)
  expect(problems).toEqual([expect.stringMatching(`returned ${status}: .*; retrying in 2 s`)])
  const pauses = attempts.map((at, index) => at - (attempts[index - 1] ?? at))
  expect(Math.max(...pauses)).toBeGreaterThanOrEqual(1_900)
})

test('an internal error rejects one row and reports the request id', async () => {
  const { stored, load } = await createService((nth, response) => {
    if (nth !== 5) return false
    response.writeHead(500).end(JSON.stringify({ detail: 'Something went wrong.', requestId: 'req_5' }))
    return true
  })
  const { lists } = await load()
  expect(stored).toHaveLength(total - 1)
  const rejected = lists[0]?.rows.filter(({ outcome }) => outcome === 'rejected') ?? []
  expect(rejected.map(({ reasons }) => reasons)).toEqual([['Something went wrong. (request req_5)']])
})

test('an interruption ends a pause', async () => {
  const controller = new AbortController()
  const { attempts, load } = await createService((_nth, response) => {
    response.writeHead(503, { 'retry-after': '3600' }).end()
    return true
  })
  const { stopped } = await load({
    signal: controller.signal,
    onProgress: ({ problem }) => problem !== undefined && controller.abort(),
  })
  expect(stopped).toBe('The load was interrupted.')
  expect(attempts.length).toBeLessThanOrEqual(8)
})
