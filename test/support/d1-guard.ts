import { env } from 'cloudflare:workers'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach } from 'vitest'
import { app } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { d1Limits, violationsOfText, violationsOfValues } from './d1-limits.ts'

/**
 * Fails a test in which D1 was asked for more than it documents. Every use of D1 is looked at, by the Worker and by tests, because
 * the methods of the platform's own classes are replaced.
 */
const violations: string[] = []
/** Takes what was found since the last time, for the tests of this guard. */
export const takeViolations = () => violations.splice(0)

const invocation = new AsyncLocalStorage<{ queries: number }>()
const count = (queries: number) => {
  const current = invocation.getStore()
  if (!current) return
  current.queries += queries
  if (current.queries > d1Limits.queriesPerInvocation && current.queries - queries <= d1Limits.queriesPerInvocation) {
    violations.push(`more than ${d1Limits.queriesPerInvocation} queries in one invocation`)
  }
}
let hasWritten = false

type Method = (...args: never[]) => unknown

/** The platform's own methods. They outlive this module, which each test file loads anew in the same process. */
const originals: Map<object, Map<string, unknown>> = Reflect.get(globalThis, 'd1GuardOriginals') ?? new Map()
Reflect.set(globalThis, 'd1GuardOriginals', originals)
function originalOf(prototype: object, name: string): unknown {
  const methods = originals.get(prototype) ?? new Map<string, unknown>()
  originals.set(prototype, methods)
  if (!methods.has(name)) methods.set(name, Reflect.get(prototype, name))
  return methods.get(name)
}

/** Replaces a method of a class by one that does something first. */
function before<Name extends string>(
  prototype: object,
  name: Name,
  first: (self: object, args: readonly unknown[], go: () => unknown) => unknown,
) {
  const method = originalOf(prototype, name)
  if (typeof method !== 'function') throw new Error(`D1 has no ${name}`)
  const replaced: Method = function (this: object, ...args) {
    return first(this, args, () => Reflect.apply(method, this, args))
  }
  Reflect.set(prototype, name, replaced)
}

const session = env.DB.withSession()
const statement = env.DB.prepare('select 1')
const texts = new WeakMap<object, string>()
const prototypeOf = (value: object): object => Object.getPrototypeOf(value)
const readsRows = env.DB.prepare.bind(env.DB)
const batch = env.DB.batch.bind(env.DB)

for (const prototype of new Set([prototypeOf(env.DB), prototypeOf(session)])) {
  before(prototype, 'prepare', (_, [sql], go) => {
    violations.push(...violationsOfText(String(sql)))
    const made = go()
    texts.set(Object(made), String(sql))
    return made
  })
}
// The batch of a database is that of a session which it keeps.
before(prototypeOf(session), 'batch', (_, [all], go) => {
  hasWritten = true
  count(Array.isArray(all) ? all.length : 1)
  return go()
})
before(prototypeOf(statement), 'bind', (self, values, go) => {
  const sql = texts.get(self) ?? ''
  violations.push(...violationsOfValues(sql, values))
  const bound = go()
  texts.set(Object(bound), sql)
  return bound
})
for (const name of ['all', 'run', 'raw', 'first']) {
  before(prototypeOf(statement), name, (_, __, go) => {
    hasWritten = true
    count(1)
    return go()
  })
}

const inInvocation =
  <Args extends unknown[], Result>(handler: (...args: Args) => Result) =>
  (...args: Args): Result =>
    invocation.getStore() ? handler(...args) : invocation.run({ queries: 0 }, () => handler(...args))
app.fetch = inInvocation(app.fetch)
worker.fetch = inInvocation(worker.fetch)
worker.queue = inInvocation(worker.queue)
worker.scheduled = inInvocation(worker.scheduled)

/** The tables whose rows are measured, with SQL for the bytes of a row; virtual tables have none of their own. */
const sizes = await (async () => {
  const { results: columns } = await env.DB.prepare(
    `select m.name as "table", c.name as "column" from sqlite_master as m join pragma_table_info(m.name) as c
     where m.type = 'table' and m.sql not like 'CREATE VIRTUAL%' and m.name not like 'sqlite%' and m.name not like 'd1\\_%' escape '\\'
       and m.name not like '\\_cf%' escape '\\' and m.name not like '%\\_search\\_%' escape '\\'`,
  ).all<{ table: string; column: string }>()
  return Array.from(
    Map.groupBy(columns, ({ table }) => table),
    ([table, own]) => {
      const bytes = own.map(({ column }) => `coalesce(octet_length("${column}"), 0)`).join(' + ')
      return `select '${table}' as name, max(${bytes}) as bytes from "${table}"`
    },
  )
})()

/** Rows that are larger than D1 allows, of whatever is stored now. */
export async function findLargeRows(): Promise<string[]> {
  const results = await batch<{ name: string; bytes: number | null }>(sizes.map((sql) => readsRows(sql)))
  return results.flatMap(({ results: [row] }) =>
    row && (row.bytes ?? 0) > d1Limits.valueBytes ? [`a row of ${row.name} with ${row.bytes} bytes`] : [],
  )
}

afterEach(async () => {
  if (hasWritten) violations.push(...(await findLargeRows()))
  hasWritten = false
  const found = takeViolations()
  if (found.length > 0) throw new Error(`beyond the limits of D1:\n${[...new Set(found)].join('\n')}`)
})
