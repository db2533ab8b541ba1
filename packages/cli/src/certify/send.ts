import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { getReason } from '../errors/usage-error.ts'

/** Maximum number of requests of a run, and of those that begin in one second. */
export const maxRequests = 40
const maxPerSecond = 2
/** Number of parts of a slow body. */
const slowParts = 4
/** Maximum number of bytes that are read of a response. */
const maxResponseBytes = 65_536

/** Times of a run in milliseconds. Tests make them shorter. */
export interface Times {
  /** Length of the time in which at most two requests begin. */
  windowMs: number
  /** Pause between two parts of a slow body. */
  partMs: number
  /** Time limit of a request, equal to that of webhooks. */
  timeoutMs: number
  /** Pause between two rounds of questions. */
  roundMs: number
}
export const defaultTimes: Times = { windowMs: 1_000, partMs: 1_000, timeoutMs: 15_000, roundMs: 1_000 }

/** A response of a receiver, or the reason why it is missing. */
export type Answer = { status: number; ms: number; text: string } | { error: string; ms: number }

interface Outgoing {
  headers: Readonly<Record<string, string>>
  body: string
  isSlow?: true
}

/** Sends requests to one origin at a limited rate, and counts them. It does not follow redirects. */
export function createSender({ windowMs, partMs, timeoutMs }: Times, signal: AbortSignal) {
  const startsMs: number[] = []
  let sent = 0

  /** Waits until `count` more requests may begin. */
  async function reserve(count: number): Promise<void> {
    if (sent + count > maxRequests) throw new Error(`A run has at most ${maxRequests} requests.`)
    sent += count
    const pauseMs = (startsMs.at(count - maxPerSecond - 1) ?? 0) + windowMs - Date.now()
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal })
    for (let index = 0; index < count; index++) startsMs.push(Date.now())
  }

  const call = (url: string, { headers, body, isSlow }: Outgoing) =>
    new Promise<Answer>((resolve) => {
      const startMs = Date.now()
      const bytes = Buffer.from(body)
      const fail = (error: unknown) => resolve({ error: getReason(error), ms: Date.now() - startMs })
      const send = url.startsWith('https:') ? requestHttps : requestHttp
      const outgoing = send(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(bytes.length) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      outgoing.on('error', fail)
      // Without a listener, such a response ends the connection and raises no event.
      outgoing.on('upgrade', ({ statusCode = 101 }, socket) => {
        socket.destroy()
        resolve({ status: statusCode, ms: Date.now() - startMs, text: '' })
      })
      outgoing.on('response', (response) => {
        const ms = Date.now() - startMs
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
          if (text.length > maxResponseBytes) response.destroy()
        })
        response.on('error', () => undefined)
        response.on('close', () => resolve({ status: response.statusCode ?? 0, ms, text }))
      })
      async function write(): Promise<void> {
        const size = isSlow ? Math.ceil(bytes.length / slowParts) : bytes.length
        for (let start = 0; start < bytes.length; start += size) {
          if (start > 0) await wait(partMs, undefined, { signal })
          outgoing.write(bytes.subarray(start, start + size))
        }
        outgoing.end()
      }
      write().catch(fail)
    })

  return {
    /** Sends requests at the same time. */
    async send(url: string, requests: readonly Outgoing[]): Promise<Answer[]> {
      await reserve(requests.length)
      return Promise.all(requests.map((each) => call(url, each)))
    },
    count: () => sent,
  }
}
export type Sender = ReturnType<typeof createSender>
