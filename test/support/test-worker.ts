import { createExecutionContext, createMessageBatch, getQueueResult, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { serve } from '../../src/app/app.ts'
import worker from '../../src/index.ts'
import type { Bindings } from '../../src/platform/env.ts'
import { type ApiResponse, origin } from './api.ts'

/** Replaces the result of a storage: a value, a promise or an exception. With `undefined` the storage returns its own. */
export interface Failures {
  read?: ((key: string) => unknown) | undefined
  write?: ((key: string, value: string) => unknown) | undefined
  database?:
    | ((sql: readonly string[], constraint: string | undefined, go: () => Promise<unknown>) => unknown)
    | undefined
  send?: ((message: unknown) => unknown) | undefined
}

export const never = new Promise<never>(() => {})
export const broken = () => {
  throw new Error('out of order')
}

/** Log of the storages: keys read and written, calls of D1 and their results, messages sent. */
interface Log {
  reads: string[]
  writes: string[]
  trips: number
  results: unknown[]
  sent: unknown[]
  /** Number of messages in each call that sent several. */
  sendBatches: number[]
}
const createLog = (): Log => ({ reads: [], writes: [], trips: 0, results: [], sent: [], sendBatches: [] })

/** The Worker with the real storages. Each of their calls is logged, and fails if `failures` says so. */
export function createTestWorker(bindings: { [name in keyof Bindings]?: Bindings[name] | undefined } = {}) {
  const failures: Failures = {}
  const log = createLog()
  const pending: Promise<unknown>[] = []

  const kv: KVNamespace = Object.assign(Object.create(null), {
    async get(key: string, options: KVNamespaceGetOptions<'json'>) {
      log.reads.push(key)
      const failure = await failures.read?.(key)
      return failure === undefined ? env.TAGS.get(key, options) : failure
    },
    async put(key: string, value: string, options: KVNamespacePutOptions) {
      log.writes.push(key)
      const failure = await failures.write?.(key, value)
      return failure === undefined ? env.TAGS.put(key, value, options) : failure
    },
  })

  const texts = new WeakMap<D1PreparedStatement, string>()
  async function travel(sql: readonly string[], constraint: string | undefined, go: () => Promise<unknown>) {
    log.trips++
    const failure = await failures.database?.(sql, constraint, go)
    const result = failure === undefined ? await go() : failure
    log.results.push(result)
    return result
  }
  /** The statement itself, because `batch` accepts no wrapper, with its method that calls D1 replaced. */
  function statement(real: D1PreparedStatement, sql: string, constraint: string | undefined): D1PreparedStatement {
    texts.set(real, sql)
    const [bind, all] = [real.bind.bind(real), real.all.bind(real)]
    return Object.assign(real, {
      bind: (...values: unknown[]) => statement(bind(...values), sql, constraint),
      all: <Row>() => travel([sql], constraint, () => all<Row>()),
    })
  }
  const database: D1Database = Object.assign(Object.create(null), {
    withSession(constraint?: string) {
      const session = env.DB.withSession(constraint)
      return {
        prepare: (sql: string) => statement(session.prepare(sql), sql, constraint),
        batch: (all: D1PreparedStatement[]) =>
          travel(
            all.map((each) => texts.get(each) ?? ''),
            constraint,
            () => session.batch(all),
          ),
        getBookmark: () => session.getBookmark(),
      }
    },
  })
  const queue: Queue<unknown> = Object.assign(Object.create(null), {
    async send(message: unknown) {
      await failures.send?.(message)
      log.sent.push(structuredClone(message))
    },
    async sendBatch(messages: Iterable<MessageSendRequest<unknown>>) {
      const bodies = [...messages].map(({ body }) => body)
      await failures.send?.(bodies)
      for (const body of bodies) log.sent.push(structuredClone(body))
      log.sendBatches.push(bodies.length)
    },
  })
  const own: Bindings = Object.assign(
    { ...env, TAGS: kv, DB: database, SCANS: queue, DELIVERIES: queue, DELIVERIES_SLOW: queue },
    bindings,
  )

  /** Sends a request. `settle` waits for the work behind its response. */
  async function fetch(path: string, init: RequestInit = {}, worker: typeof serve = serve): Promise<ApiResponse> {
    const context = createExecutionContext()
    const response = await worker(new Request(new URL(path, origin), { redirect: 'manual', ...init }), own, context)
    pending.push(waitOnExecutionContext(context))
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }

  return {
    bindings: own,
    failures,
    log,
    fetch,
    /** A request with a key. */
    call: (method: string, path: string, key: string, json?: unknown) =>
      fetch(path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    settle: async () => {
      await Promise.all(pending.splice(0))
    },
    /** The log since the last call. */
    used() {
      const used = { ...log }
      Object.assign(log, createLog())
      return used
    },
    /** The value in KV. */
    copy: (key: string) => env.TAGS.get(key),
    consume: (...bodies: unknown[]) => deliver(own, bodies),
  }
}

/** Passes messages of the queue of scans to the Worker. Returns those that it acknowledged and those that it retries. */
export async function deliver(bindings: Bindings, bodies: readonly unknown[]) {
  const messages = bodies.map((body, index) => ({ id: `m${index}`, timestamp: new Date(), attempts: 1, body }))
  const batch = createMessageBatch('scans', messages)
  const context = createExecutionContext()
  await worker.queue(batch, bindings, context)
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context)
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => msgId) }
}

const now = Date.now.bind(Date)
let aheadMs = 0

/** Advances the clock. */
export function passTime(seconds: number) {
  aheadMs += seconds * 1000
  vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs)
}

export function restoreTime() {
  aheadMs = 0
  vi.restoreAllMocks()
}
