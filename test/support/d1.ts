import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { app } from '../../src/app/app.ts'
import type { Bindings } from '../../src/platform/env.ts'
import { type ApiResponse, origin } from './api.ts'
import { queryHome } from './home.ts'

/** One call of D1: its statements, and the cost that D1 reports. */
export interface Trip {
  statements: readonly string[]
  rowsRead: number
  rowsWritten: number
}

/** Called before D1. If it throws, D1 is not called. */
export type Before = (statements: readonly string[]) => unknown

/** D1 that keeps a log of its calls and of the sessions they were made in. */
export function watch(d1: D1Database, before: Before = () => undefined) {
  const trips: Trip[] = []
  const sessions: (string | undefined)[] = []
  const texts = new WeakMap<D1PreparedStatement, string>()

  async function travel<Result extends D1Response>(statements: readonly string[], go: () => Promise<Result[]>) {
    const trip = { statements, rowsRead: 0, rowsWritten: 0 }
    trips.push(trip)
    await before(statements)
    const results = await go()
    for (const { meta } of results) {
      trip.rowsRead += meta.rows_read
      trip.rowsWritten += meta.rows_written
    }
    return results
  }

  /** The statement itself, because `batch` accepts no wrapper, with its methods that call D1 replaced. */
  function statement(real: D1PreparedStatement, sql: string): D1PreparedStatement {
    texts.set(real, sql)
    const [bind, all] = [real.bind.bind(real), real.all.bind(real)]
    return Object.assign(real, {
      bind: (...values: unknown[]) => statement(bind(...values), sql),
      all: async <Row>() => {
        const [result] = await travel([sql], async () => [await all<Row>()])
        return result
      },
    })
  }

  const database: D1Database = Object.assign(Object.create(null), {
    withSession(asked?: string) {
      sessions.push(asked)
      const session = d1.withSession(asked)
      return {
        prepare: (sql: string) => statement(session.prepare(sql), sql),
        batch: (all: D1PreparedStatement[]) =>
          travel(
            all.map((each) => texts.get(each) ?? ''),
            () => session.batch(all),
          ),
        getBookmark: () => session.getBookmark(),
      }
    },
  })
  /** Objects whose calls are in the same log. They do not say what they cost. */
  function watchObjects(homes: Bindings['HOMES']): Bindings['HOMES'] {
    const get = (...args: Parameters<typeof homes.get>) => {
      const stub = homes.get(...args)
      const record = async (statements: readonly { sql: string }[]) => {
        const texts = statements.map(({ sql }) => sql)
        trips.push({ statements: texts, rowsRead: 0, rowsWritten: 0 })
        await before(texts)
      }
      const watched = {
        async run(...[identity, statements]: Parameters<typeof stub.run>) {
          await record(statements)
          return stub.run(identity, statements)
        },
        async takePart(...[identity, change, statements]: Parameters<typeof stub.takePart>) {
          await record(statements)
          return stub.takePart(identity, change, statements)
        },
      }
      return new Proxy(stub, { get: (target, name) => Reflect.get(name in watched ? watched : target, name) })
    }
    return new Proxy(homes, {
      get: (target, name) => {
        const value = name === 'get' ? get : Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return { database, trips, sessions, watchObjects }
}

interface ObservedRequest {
  key?: string
  json?: unknown
  headers?: Record<string, string>
  bindings?: { [name in keyof Bindings]?: Bindings[name] | undefined }
  before?: Before
}

/** One database for all observed requests: an isolate caches some values for each database. */
let hook: Before = () => undefined
const shared = watch(env.DB, (statements) => hook(statements))
const objects = shared.watchObjects(env.HOMES)

/** Sends a request to a Worker whose D1 is watched. Returns its response and the calls of D1 before it. One request at a time. */
export async function observe(
  method: string,
  path: string,
  { key, json, headers, bindings, before = () => undefined }: ObservedRequest = {},
) {
  hook = before
  const [trips, sessions] = [shared.trips.length, shared.sessions.length]
  const request = new Request(new URL(path, origin), {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const context = createExecutionContext()
  const response = await app.fetch(request, { ...env, DB: shared.database, HOMES: objects, ...bindings }, context)
  const text = await response.text()
  const isJson = /json\b/.test(response.headers.get('content-type') ?? '')
  const parsed: ApiResponse = {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
  return {
    ...parsed,
    trips: shared.trips.slice(trips),
    sessions: shared.sessions.slice(sessions),
    settled: () => waitOnExecutionContext(context),
  }
}

/** Rows that D1 read for a request. */
export const rowsRead = (trips: readonly Trip[]) => trips.reduce((sum, trip) => sum + trip.rowsRead, 0)

/** How SQLite goes about each of some statements, a line for each step. */
export async function plansOf(statements: readonly string[]): Promise<string[][]> {
  const explained = statements.map((sql) =>
    env.DB.prepare(`explain query plan ${sql}`).bind(...Array.from(sql.match(/\?/g) ?? [], () => null)),
  )
  const plans = await env.DB.batch<{ detail: string }>(explained)
  return plans.map(({ results }) => results.map(({ detail }) => detail))
}

/** Every row of every table that holds data, as text. */
export async function dump(): Promise<string> {
  const { results: tables } = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like '%_search%' and name not like 'd1_%' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'`,
  ).all<{ name: string }>()
  const rows = await env.DB.batch(tables.map(({ name }) => env.DB.prepare(`select * from ${name}`)))
  return JSON.stringify(tables.map(({ name }, index) => [name, rows[index]?.results]))
}

const columnsNamed = async (table: string) => {
  const { results } = await env.DB.prepare(`select name from pragma_table_info('${table}')`).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** Values that must be different in each row. */
const distinct: Record<string, string> = {
  seq: 'null',
  code: "case when length(code) = 16 then upper(hex(randomblob(8))) else code || '-' || n end",
  code_key: "code_key || '-' || n",
}

/**
 * Copies a row as often as no client could in the time; the copies are older than the original. `values` are SQL
 * for columns that shall differ, of `n`, the number of the copy.
 */
export async function multiply(table: string, id: string, count: number, values: Record<string, string> = {}) {
  const columns = await columnsNamed(table)
  const prefix = id.slice(0, id.indexOf('_'))
  const given: Record<string, string> = {
    ...distinct,
    id: `printf('${prefix}_00%024d', n)`,
    ...values,
  }
  await runAt(
    await findOwner(table, id),
    `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?)
     insert into ${table} (${columns.map((name) => `"${name}"`)})
     select ${columns.map((name) => given[name] ?? `"${name}"`)} from ${table} cross join counter where id = ? order by n`,
    count,
    id,
  )
}

/** The merchant with the object that has a row; undefined if the shared database has it. */
async function findOwner(table: string, id: string): Promise<string | undefined> {
  const find = `select id from ${table} where id = ?`
  if (await env.DB.prepare(find).bind(id).first()) return undefined
  const { results } = await env.DB.prepare(`select merchant_id as id from homes where kind = 'object'`).all<{
    id: string
  }>()
  for (const merchant of results) if ((await queryHome(merchant.id, find, id)).length > 0) return merchant.id
  throw new Error(`no database has ${id}`)
}
const runAt = async (merchantId: string | undefined, sql: string, ...values: unknown[]) =>
  merchantId === undefined
    ? env.DB.prepare(sql)
        .bind(...values)
        .run()
    : queryHome(merchantId, sql, ...values)
