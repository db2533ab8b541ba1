/** The service, with response headers that count storage operations of the request and objects created at start-up. */
import { SQL } from 'drizzle-orm'
import type { Bindings } from '../src/platform/env.ts'
import { consumedPath } from './paths.ts'
import type { Counts } from './scale/day.ts'

const created = { schemas: 0, statements: 0 }
const { defineProperty } = Object
Object.defineProperty = (target, name, attributes) => {
  if (name === '_zod') created.schemas++
  return defineProperty(target, name, attributes)
}
const { toQuery } = SQL.prototype
SQL.prototype.toQuery = function (config) {
  created.statements++
  return toQuery.call(this, config)
}
const { default: worker } = await import('../src/index.ts')
const atStart = JSON.stringify(created)

const counting = (counts: Counts) => ({
  d1(d1: D1Database): D1Database {
    const add = (results: readonly D1Result[]) => {
      counts.trips++
      for (const { meta } of results) {
        counts.rowsRead += meta.rows_read
        counts.rowsWritten += meta.rows_written
      }
    }
    const statement = (real: D1PreparedStatement): D1PreparedStatement => {
      const [bind, all] = [real.bind.bind(real), real.all.bind(real)]
      return Object.assign(real, {
        bind: (...values: unknown[]) => statement(bind(...values)),
        all: async <Row>() => {
          const result = await all<Row>()
          add([result])
          return result
        },
      })
    }
    return Object.assign(Object.create(null), {
      withSession(constraintOrBookmark?: string) {
        const session = d1.withSession(constraintOrBookmark)
        return {
          prepare: (sql: string) => statement(session.prepare(sql)),
          batch: async (all: D1PreparedStatement[]) => {
            const results = await session.batch(all)
            add(results)
            return results
          },
          getBookmark: () => session.getBookmark(),
        }
      },
    })
  },
  kv: (kv: KVNamespace): KVNamespace =>
    Object.assign(Object.create(null), {
      get(key: string, options: KVNamespaceGetOptions<'json'>) {
        counts.kvReads++
        return kv.get(key, options)
      },
      put(key: string, value: string, options: KVNamespacePutOptions) {
        counts.kvWrites++
        return kv.put(key, value, options)
      },
    }),
  queue: <Body>(queue: Queue<Body>): Queue<Body> =>
    Object.assign(Object.create(null), {
      send(message: Body, options?: QueueSendOptions) {
        counts.messages++
        return queue.send(message, options)
      },
      sendBatch(messages: readonly MessageSendRequest<Body>[]) {
        counts.messages += messages.length
        return queue.sendBatch(messages)
      },
    }),
})

const none = (): Counts => ({
  trips: 0,
  rowsRead: 0,
  rowsWritten: 0,
  kvReads: 0,
  kvWrites: 0,
  messages: 0,
  points: 0,
})

function countBindings(env: Bindings, counts: Counts): Bindings {
  const { d1, kv, queue } = counting(counts)
  return {
    ...env,
    DB: d1(env.DB),
    TAGS: kv(env.TAGS),
    DELIVERIES: queue(env.DELIVERIES),
    DELIVERIES_SLOW: queue(env.DELIVERIES_SLOW),
    SCANS: queue(env.SCANS),
    SCAN_POINTS: { writeDataPoint: () => void counts.points++ },
  }
}

/** Resources that the queue consumers of this isolate used since its start. */
const consumed = none()

export default {
  async queue(batch, env, context) {
    await worker.queue(batch, countBindings(env, consumed), context)
  },
  async fetch(request, env, context) {
    if (new URL(request.url).pathname === consumedPath) {
      return new Response(null, { headers: { 'bench-counts': JSON.stringify(consumed) } })
    }
    const counts = none()
    const behind: Promise<unknown>[] = []
    const counted = countBindings(env, counts)
    const own: ExecutionContext = Object.assign(Object.create(context), {
      waitUntil: (work: Promise<unknown>) => behind.push(work),
    })
    const response = await worker.fetch(request, counted, own)
    await Promise.all(behind)
    const headers = new Headers(response.headers)
    headers.set('bench-counts', JSON.stringify(counts))
    headers.set('bench-start', atStart)
    return new Response(response.body, { status: response.status, headers })
  },
} satisfies ExportedHandler<Bindings>
