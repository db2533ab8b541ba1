import { env } from 'cloudflare:workers'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, afterEach } from 'vitest'
import { app } from '../../src/app/app.ts'
import worker from '../../src/index.ts'
import { d1Limits, violationsOfText, violationsOfValues } from './d1-limits.ts'
import { findSelfComparison, passOn } from './statement-log.ts'

/**
 * Records every use of D1 beyond its documented limits, by the Worker and by tests, and every comparison of a column with itself: it
 * replaces the methods of the platform's own classes. `guardD1` fails the test that caused one.
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
/** Whether a statement since the last check may have written rows. */
let hasWritten = false
/** Length of all values bound in this file. A row holds little else: SQL copies values, but joins few of them. */
let boundLength = 0
const isRead = (statement: unknown) => /^\s*(?:select|explain|pragma)\b/i.test(texts.get(Object(statement)) ?? '')

type Method = (...args: never[]) => unknown

/** Replaces a method of a class by one that does something first. */
function before<Name extends string>(
  prototype: object,
  name: Name,
  first: (self: object, args: readonly unknown[], go: () => unknown) => unknown,
) {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`D1 has no ${name}`)
  const replaced: Method = function (this: object, ...args) {
    return first(this, args, () => Reflect.apply(method, this, args))
  }
  Reflect.set(prototype, name, replaced)
}

const session = env.DB.withSession()
const statement = env.DB.prepare('select 1')
const texts = new WeakMap<object, string>()
/** Statements of sessions. Only the Worker uses these. */
const ofWorker = new WeakSet<object>()
const prototypeOf = (value: object): object => Object.getPrototypeOf(value)
const prepare = env.DB.prepare.bind(env.DB)
const batch = env.DB.batch.bind(env.DB)

for (const prototype of new Set([prototypeOf(env.DB), prototypeOf(session)])) {
  before(prototype, 'prepare', (_, [sql], go) => {
    violations.push(...violationsOfText(String(sql)))
    const compared = findSelfComparison(String(sql))
    if (compared !== undefined) violations.push(`${compared} compares a column with itself: ${String(sql)}`)
    const made = go()
    texts.set(Object(made), String(sql))
    if (prototype === prototypeOf(session)) ofWorker.add(Object(made))
    return made
  })
}
// The batch of a database is that of a session which it keeps.
before(prototypeOf(session), 'batch', (_, [all], go) => {
  const statements: unknown[] = Array.isArray(all) ? all : [all]
  hasWritten ||= !statements.every(isRead)
  count(statements.length)
  const called = go()
  return statements.every((each) => ofWorker.has(Object(each)))
    ? passOn(
        statements.map((each) => texts.get(Object(each)) ?? ''),
        called,
      )
    : called
})
before(prototypeOf(statement), 'bind', (self, values, go) => {
  const sql = texts.get(self) ?? ''
  violations.push(...violationsOfValues(sql, values))
  for (const value of values) if (typeof value === 'string') boundLength += value.length
  const bound = go()
  texts.set(Object(bound), sql)
  if (ofWorker.has(self)) ofWorker.add(Object(bound))
  return bound
})
for (const name of ['all', 'run', 'raw', 'first']) {
  before(prototypeOf(statement), name, (self, _, go) => {
    hasWritten ||= !isRead(self)
    count(1)
    return name === 'all' && ofWorker.has(self) ? passOn([texts.get(self) ?? ''], go()) : go()
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

/** A sum whose expression tree is as flat as it can be: SQLite limits its depth, and a table has many columns. */
function toSum(terms: readonly string[]): string {
  const [first = '0', second] = terms
  if (second === undefined) return first
  const middle = Math.ceil(terms.length / 2)
  return `(${toSum(terms.slice(0, middle))} + ${toSum(terms.slice(middle))})`
}

/** One statement that returns the bytes of the largest row of each table, or of all; virtual tables have no rows of their own. */
async function describeRows(aggregate: 'max' | 'sum'): Promise<string> {
  const { results: columns } = await env.DB.prepare(
    `select m.name as "table", c.name as "column" from sqlite_master as m join pragma_table_info(m.name) as c
     where m.type = 'table' and m.sql not like 'CREATE VIRTUAL%' and m.name not like 'sqlite%' and m.name not like 'd1\\_%' escape '\\'
       and m.name not like '\\_cf%' escape '\\' and m.name not like '%\\_search\\_%' escape '\\'`,
  ).all<{ table: string; column: string }>()
  const measured = Array.from(
    Map.groupBy(columns, ({ table }) => table),
    ([table, own]) => {
      const bytes = toSum(own.map(({ column }) => `coalesce(octet_length("${column}"), 0)`))
      return `(select ${aggregate}(${bytes}) from "${table}") as "${table}"`
    },
  )
  return `select ${measured}`
}
const statements = new Map<string, string>()

async function measureRows(aggregate: 'max' | 'sum'): Promise<[table: string, bytes: number][]> {
  const sql = statements.get(aggregate) ?? (await describeRows(aggregate))
  statements.set(aggregate, sql)
  const [result] = await batch<Record<string, number | null>>([prepare(sql)])
  return Object.entries(result?.results[0] ?? {}).map(([table, bytes]) => [table, bytes ?? 0])
}

/** Returns the tables with rows that are larger than D1 allows. */
export async function findLargeRows(): Promise<string[]> {
  return (await measureRows('max')).flatMap(([table, bytes]) =>
    bytes > d1Limits.valueBytes ? [`a row of ${table} with ${bytes} bytes`] : [],
  )
}

/** Returns the bytes of all rows. */
export const countRowBytes = async () => (await measureRows('sum')).reduce((sum, [, bytes]) => sum + bytes, 0)

async function check(canHaveLargeRows: boolean) {
  if (hasWritten && canHaveLargeRows) {
    violations.push(...(await findLargeRows()))
    hasWritten = false
  }
  const found = takeViolations()
  if (found.length > 0)
    throw new Error(`beyond the limits of D1, or no statement that is meant:\n${[...new Set(found)].join('\n')}`)
}

/** Fails each test of the current file that exceeds a limit. A character may take four bytes. */
export function guardD1(): void {
  boundLength = 0
  hasWritten = false
  afterEach(() => check(boundLength * 4 > d1Limits.valueBytes))
  afterAll(() => check(true))
}
