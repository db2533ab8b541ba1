import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A call that the receiver got, and when, in milliseconds. */
export interface Received {
  path: string
  headers: IncomingMessage['headers']
  text: string
  atMs: number
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

const host = '127.0.0.1'
/**
 * A thousand for each of the processes that tests run in side by side, below those that the system assigns. Browsers and Node reject
 * calls of port 10,080 and of many below it (fetch.spec.whatwg.org/#bad-port).
 */
const first = 11_000 + 1_000 * Number(process.env['VITEST_POOL_ID'] ?? 0)
const ports = { first, last: first + 999 } as const

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = connect({ host, port })
    probe.once('connect', () => resolve(!probe.destroy()))
    probe.once('error', () => resolve(true))
  })

const assigned = new Set<number>()
/** A port nobody listens on, another one each time. Processes begin at different ones: two could find the same port free at once. */
export async function freePort(): Promise<number> {
  const count = ports.last - ports.first + 1
  const start = 10 * process.pid
  for (let index = 0; index < count; index++) {
    const port = ports.first + ((start + index) % count)
    if (assigned.has(port) || !(await isFree(port))) continue
    assigned.add(port)
    return port
  }
  throw new Error(`no port from ${ports.first} to ${ports.last} is free`)
}

const busyMs = 500

/** Ways in which an endpoint responds or fails. */
export const behaviours = {
  fine: (response) => response.writeHead(204).end(),
  /** Responds after a moment, as a busy endpoint does. */
  busy: (response) => void setTimeout(() => response.writeHead(200).end('done'), busyMs),
  hangs: () => undefined,
  hangsInBody: (response) => void response.writeHead(200, { 'content-length': 100 }).write('the beginning'),
  corrupt: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip'),
  resets: (response) => void response.socket?.resetAndDestroy(),
  resetsInBody(response) {
    response.writeHead(200, { 'content-length': 1_000_000 }).write('the beginning')
    setTimeout(() => response.socket?.resetAndDestroy(), 100)
  },
  huge(response) {
    response.writeHead(200)
    const chunk = Buffer.alloc(1 << 20, 'x')
    let left = 400
    const write = () => {
      while (left-- > 0) if (!response.write(chunk)) return
      response.end()
    }
    response.on('drain', write)
    write()
  },
} satisfies Record<string, Behaviour>

/** A receiver of webhooks with a behavior for each path. */
export async function createReceiver(paths: Record<string, Behaviour> = {}) {
  const port = await freePort()
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let bytesSent = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const path = request.url ?? ''
      received.push({ path, headers: request.headers, text, atMs: Date.now() })
      const behave: Behaviour = paths[path] ?? behaviours.fine
      behave(response, request)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      bytesSent += socket.bytesWritten
      sockets.delete(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    paths,
    received,
    at: (path: string) => `http://${host}:${port}${path}`,
    /** Bytes that went out over connections that are closed. */
    bytesSent: () => bytesSent,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof createReceiver>>
