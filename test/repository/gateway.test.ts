import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAddressSet } from '../../packages/server/src/addresses.ts'
import { type Gateway, startGateway } from '../../packages/server/src/gateway.ts'
import { freePort } from '../support/receiver.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

let worker: Server
let workerPort: number
let answer: Answer
let port: number
let gateway: Gateway
const listen = () => once(worker.listen(workerPort, '127.0.0.1'), 'listening')
const agent = new Agent({ keepAlive: true })
beforeAll(async () => {
  workerPort = await freePort()
  port = await freePort()
  worker = createServer((request, response) => answer(request, response))
  await listen()
  gateway = await startGateway('127.0.0.1', port, createAddressSet([]))
  gateway.open(new URL(`http://127.0.0.1:${workerPort}`))
})
afterAll(async () => {
  agent.destroy()
  worker.closeAllConnections()
  worker.close()
  await gateway.drain(0)
})
/** Answers with what arrived. */
const echo: Answer = async (request, response) => {
  const body = await text(request)
  response.end(JSON.stringify({ method: request.method, path: request.url, headers: request.rawHeaders, body }))
}
beforeEach(() => {
  answer = echo
})

const send = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)

/** Sends a request as text, and returns the pairs of headers that arrive. */
async function sendRaw(lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const [, body = ''] = (await text(socket)).split('\r\n\r\n')
  const { headers } = JSON.parse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1))
  return headers.flatMap((name: string, index: number) =>
    index % 2 ? [] : [`${name.toLowerCase()}: ${headers[index + 1]}`],
  )
}

test('headers of a client arrive, without those of the connection and those that only the server sets', async () => {
  const own = [
    'CF-Connecting-IP: 1.2.3.4',
    'cf-ray: a',
    'MF-Original-URL: b',
    'X-Forwarded-For: 5.6.7.8',
    'X-Real-IP: c',
  ]
  const ofConnection = ['Connection: close, X-Hop', 'X-Hop: d', 'Keep-Alive: e', 'TE: trailers', 'Upgrade: f']
  const kept = ['X-Twice: 1', 'X-Twice: 2', 'Authorization: Bearer key', 'X-Text: é']
  const arrived = await sendRaw(['GET / HTTP/1.1', 'Host: menu.example', ...own, ...ofConnection, ...kept])
  expect(arrived.toSorted()).toEqual(
    [
      ...kept.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())),
      ...['host: menu.example', 'cf-connecting-ip: 127.0.0.1', 'x-forwarded-proto: http', 'connection: keep-alive'],
    ].toSorted(),
  )
})

/** Node requires it of requests whose body is a stream. */
const streamed = { duplex: 'half' } as const
test.each<[string, RequestInit]>([
  ['a body of a stated length', { method: 'POST', body: 'a'.repeat(2_000_000) }],
  ['no body', { method: 'POST' }],
  ['a body in chunks', { method: 'PUT', body: new Blob(['a', 'b']).stream(), ...streamed }],
  ['a deletion with a body', { method: 'DELETE', body: 'a' }],
  ['a read', {}],
])('%s arrives', async (_, init) => {
  const response = await send('/a/../b?c=%20', init)
  const { method, path, body } = JSON.parse(await response.text())
  const sent = typeof init.body === 'string' ? init.body : init.body ? 'ab' : ''
  expect([method, path, body]).toEqual([init.method ?? 'GET', '/b?c=%20', sent])
})

test('a response can come before the body of the request', async () => {
  answer = (_, response) => response.writeHead(401, { connection: 'close' }).end('no')
  const call = request({ agent, port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 10 } })
  call.flushHeaders()
  const [response] = await once(call, 'response')
  expect([response.statusCode, await text(response)]).toEqual([401, 'no'])
  call.on('error', () => undefined).destroy()
})

test('a response that ends too early does not look complete', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('half')
    setTimeout(() => response.destroy(), 50)
  }
  const response = await send('/')
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

test('an upload whose Worker dies gets 503', async () => {
  answer = (request) => request.once('data', () => request.socket.destroy())
  const response = await send('/', { method: 'POST', body: 'a'.repeat(1_000_000) })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})

test('a client that goes away ends its request at the Worker', async () => {
  const closed = Promise.withResolvers<boolean>()
  answer = (request, response) => {
    response.writeHead(200).write('first')
    response.once('close', () => closed.resolve(request.complete))
  }
  const call = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': 10 } })
  call.on('error', () => undefined).write('part')
  const [response] = await once(call, 'response')
  response.on('error', () => undefined)
  call.destroy()
  expect(await closed.promise).toBe(false)
})

test('a write that comes while the Worker starts again arrives once', async () => {
  worker.closeAllConnections()
  await new Promise((resolve) => worker.close(resolve))
  let count = 0
  answer = (request, response) => {
    count++
    return echo(request, response)
  }
  const sent = send('/', { method: 'POST', body: 'order' })
  await wait(300)
  await listen()
  expect(JSON.parse(await (await sent).text()).body).toBe('order')
  expect(count).toBe(1)
})
