/**
 * The load generator, a separate process: persistent connections with one request at a time on each, timed in nanoseconds. `load.ts`
 * starts it, sends a job and receives a result.
 */
import { connect, type Socket } from 'node:net'
import type { Job, Result } from './load.ts'

/** Replaces `{n}` by the request number, `{n24}` by the number in 24 digits, and `{i24}` by 1 to 1,000 in turn. */
const numbered = (text: string, n: number) =>
  text.replace(/\{([ni])(\d*)\}/g, (_, name: string, digits: string) =>
    String(name === 'n' ? n : 1 + (n % 1000)).padStart(Number(digits) || 1, '0'),
  )

function toRequestBytes({ method, path, headers, body }: Job, n: number): Buffer {
  const content = body === undefined ? '' : numbered(body, n)
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`)
  return Buffer.from(`${method} ${numbered(path, n)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`)
}

const headEnd = Buffer.from('\r\n\r\n')

/** Status and length of the first response in a buffer; undefined while it is incomplete. */
function parseResponse(buffer: Buffer): { status: number; length: number } | undefined {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return undefined
  const head = buffer.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const start = end + headEnd.length
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) {
    return start + Number(length) <= buffer.length ? { status, length: start + Number(length) } : undefined
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return { status, length: start }
  for (let at = start; ; ) {
    const line = buffer.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(buffer.toString('latin1', at, line), 16)
    at = line + 2 + size + 2
    if (at > buffer.length) return undefined
    if (size === 0) return { status, length: at }
  }
}

/** Opens a connection; `sendRequest` sends a request and returns status and response. */
async function createConnection(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let received: Buffer = Buffer.alloc(0)
  let waiting: { resolve: (response: [number, Buffer]) => void; reject: (error: Error) => void } | undefined
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const response = parseResponse(received)
    if (!response || !waiting) return
    const whole = received.subarray(0, response.length)
    received = received.subarray(response.length)
    const { resolve } = waiting
    waiting = undefined
    resolve([response.status, whole])
  })
  const fail = () => waiting?.reject(new Error('the connection was closed'))
  socket.on('error', fail).on('close', fail)
  let last: Promise<unknown> = Promise.resolve()
  const send = (request: Buffer) =>
    new Promise<[number, Buffer]>((resolve, reject) => {
      waiting = { resolve, reject }
      socket.write(request)
    })
  return {
    /** Requests on one connection run one after another. */
    sendRequest(request: Buffer) {
      const response = last.then(() => send(request))
      last = response.catch(() => undefined)
      return response
    },
    close: () => socket.destroy(),
  }
}
type Connection = Awaited<ReturnType<typeof createConnection>>

async function run(job: Job): Promise<Result> {
  const { port, connections, count, seconds: maxSeconds = Number.POSITIVE_INFINITY, first, rate, expected } = job
  const pool = await Promise.all(Array.from({ length: connections }, () => createConnection(port)))
  const isFixed = !/\{[ni]\d*\}/.test(job.path + (job.body ?? ''))
  const fixed = toRequestBytes(job, first)
  const timesMs: number[] = []
  let next = 0
  const exchange = async (connection: Connection, sinceNs: bigint, n: number) => {
    const [status, response] = await connection.sendRequest(isFixed ? fixed : toRequestBytes(job, first + n))
    timesMs.push(Number(process.hrtime.bigint() - sinceNs) / 1e6)
    if (status !== expected) throw new Error(`${job.method} ${job.path} returned ${response.toString().slice(0, 600)}`)
  }
  const start = process.hrtime.bigint()
  const end = start + BigInt(Math.round(Math.min(maxSeconds, 3_600) * 1e9))
  if (rate === undefined) {
    const work = async (connection: Connection) => {
      while (next < count && process.hrtime.bigint() < end) await exchange(connection, process.hrtime.bigint(), next++)
    }
    await Promise.all(pool.map(work))
  } else {
    // Timed from the due time, so that waiting for another request counts.
    const pending: Promise<void>[] = []
    for (; next < count; next++) {
      const dueNs = start + BigInt(Math.round((next * 1e9) / rate))
      const leftMs = Number(dueNs - process.hrtime.bigint()) / 1e6
      if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs))
      const connection = pool[next % pool.length]
      if (connection) pending.push(exchange(connection, process.hrtime.bigint(), next))
    }
    await Promise.all(pending)
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  for (const connection of pool) connection.close()
  timesMs.sort((a, b) => a - b)
  const percentile = (share: number) => timesMs[Math.min(timesMs.length - 1, Math.floor(timesMs.length * share))] ?? 0
  return { count: next, perSecond: next / seconds, p50: percentile(0.5), p99: percentile(0.99) }
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
