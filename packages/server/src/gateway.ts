import {
  Agent,
  type ClientRequest,
  request as callRuntime,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AddressSet } from './addresses.ts'
import { readClient } from './client-address.ts'
import { respondUnavailable, respondUnknownPath } from './problems.ts'
import { getCode, ServerError } from './server-error.ts'

/** Headers that only the server sets, and those that belong to one connection. */
const ownHeader = /^(?:cf-|mf-|x-mf-|x-forwarded-|x-real-ip$|true-client-ip$|forwarded$)/
const connectionHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'http2-settings', 'expect'],
  ...['transfer-encoding', 'proxy-authenticate', 'proxy-authorization'],
])
/** Paths at which Miniflare controls the Worker. */
const controlPath = /^\/cdn-cgi(?:\/|$)/i
/** Time that a request waits for the Worker to start again, in milliseconds, and between two attempts. */
const waits = { startMs: 5_000, attemptMs: 100 } as const
const keepAliveMs = 65_000
const quietMs = 30_000
/** Time after which the queue of scans has passed on all of them, in milliseconds. */
const scanMs = 2_500

/** Accepts the requests of clients and passes them to the Worker. */
export interface Gateway {
  /** Passes requests on, those that wait included. */
  open(origin: URL): void
  /** Whether there was no request for half a minute. */
  isQuiet(): boolean
  /** Accepts no more connections, and waits until all requests have their responses, but no longer than some milliseconds. */
  drain(maxMs: number): Promise<void>
}

/** The path as the Worker reads it, without dot segments. Undefined for a target that is no path. */
function readPath(target: string): string | undefined {
  const url = URL.parse(target.startsWith('/') ? `http://host${target}` : target)
  return url ? `${url.pathname}${url.search}` : undefined
}

/** Headers for the Worker, as pairs: those of the client without those of the connection and those that only the server sets. */
function toHeaders({ rawHeaders, headers, socket }: IncomingMessage, trusted: AddressSet): string[] {
  const { address, protocol } = readClient(socket.remoteAddress, headers, trusted)
  const { connection = '', host = 'localhost' } = headers
  const named = connection.split(',').map((name) => name.trim().toLowerCase())
  const kept = ['host', host, 'cf-connecting-ip', address, 'x-forwarded-proto', protocol]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    const lower = name.toLowerCase()
    if (lower !== 'host' && !ownHeader.test(lower) && !connectionHeaders.has(lower) && !named.includes(lower))
      kept.push(name, value)
  }
  if (headers['transfer-encoding'] !== undefined) kept.push('transfer-encoding', 'chunked')
  return kept
}

/** Headers of a response without those of the connection, as pairs. */
function toResponseHeaders({ rawHeaders }: IncomingMessage): string[] {
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    if (!connectionHeaders.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

/** Listens. Requests wait until the gateway is open. Throws if the port is taken. */
export async function startGateway(host: string, port: number, trusted: AddressSet): Promise<Gateway> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  const calls = new WeakMap<ServerResponse, ClientRequest>()
  const opened = Promise.withResolvers<URL>()
  const state = { active: 0, isDraining: false, lastMs: 0 }

  /** Passes a request on. Repeats it while the Worker accepts no connection, and a read also after a lost one. */
  function pass(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    origin: URL,
    endMs: number,
  ): ClientRequest {
    const { method = 'GET' } = request
    const isRead = method === 'GET' || method === 'HEAD'
    const headers = toHeaders(request, trusted)
    const call = callRuntime({ agent, host: origin.hostname, port: origin.port, method, path, headers })
    call.on('response', (answer) => {
      const connection = state.isDraining ? ['connection', 'close'] : []
      response.writeHead(answer.statusCode ?? 502, [...toResponseHeaders(answer), ...connection])
      // Not `pipeline`: it aborts a signal at the end of each call, which takes a tenth of the time of a request.
      answer.once('error', () => response.destroy())
      answer.pipe(response)
    })
    call.on('error', async (error) => {
      if (response.headersSent || response.destroyed) return void response.destroy()
      const isUnsent = getCode(error) === 'ECONNREFUSED' || (isRead && request.readableEnded)
      if (!isUnsent || Date.now() > endMs) return respondUnavailable(request, response)
      await wait(waits.attemptMs)
      calls.set(response, pass(request, response, path, origin, endMs))
    })
    if (
      isRead &&
      request.headers['content-length'] === undefined &&
      request.headers['transfer-encoding'] === undefined
    ) {
      request.resume()
      call.end()
      return call
    }
    // Nothing is read from the client before there is a connection, so that the request can be repeated.
    call.once('socket', (socket) => {
      function send() {
        request.pipe(call)
        // A body that has arrived leaves together with the headers.
        setImmediate(() => call.flushHeaders())
      }
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
    return call
  }

  const server = createServer(async (request, response) => {
    state.active++
    response.once('close', () => {
      state.active--
      state.lastMs = Date.now()
      if (!response.writableFinished) calls.get(response)?.destroy()
    })
    const path = readPath(request.url ?? '')
    if (path === undefined || controlPath.test(path)) return respondUnknownPath(request, response)
    const origin = await opened.promise
    if (!response.destroyed) calls.set(response, pass(request, response, path, origin, Date.now() + waits.startMs))
  })
  server.keepAliveTimeout = keepAliveMs
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = getCode(error) === 'EADDRINUSE' ? 'is in use' : `cannot be used: ${error.message}`
      reject(new ServerError(`The port ${port} of ${host} ${reason}.`))
    })
    server.listen(port, host, resolve)
  })

  return {
    open: (origin) => opened.resolve(origin),
    isQuiet: () => state.active === 0 && Date.now() - state.lastMs > quietMs,
    async drain(maxMs) {
      const endMs = Date.now() + maxMs
      state.isDraining = true
      server.close()
      server.closeIdleConnections()
      while (state.active > 0 && Date.now() < endMs) await wait(waits.attemptMs / 2)
      // Scans are counted in batches of two seconds.
      const lastEndMs = Math.min(endMs, state.lastMs + scanMs)
      if (Date.now() < lastEndMs) await wait(lastEndMs - Date.now())
      server.closeAllConnections()
    },
  }
}
