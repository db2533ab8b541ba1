import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../../src/app/app.ts'
import { createVenue, origin } from '../../support/api.ts'
import { dropTables } from '../../support/drop-tables.ts'
import { filling } from '../../support/filled.ts'
import { samples } from '../../support/samples.ts'

type Row = Record<string, unknown>
/** Runs statements as one transaction and returns the rows of each. */
type Run = (...statements: string[]) => Promise<Row[][]>

const inD1: Run = async (...statements) => {
  const results = await env.BLANK.batch<Row>(statements.map((sql) => env.BLANK.prepare(sql)))
  return results.map((result) => result.results)
}
const inObject: Run = async (...statements) => {
  const request = { method: 'POST', body: JSON.stringify(statements) }
  const response = await env.SQLITE_OBJECT.fetch('https://object/releases', request)
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

interface Table {
  name: string
  columns: string[]
}

/** Tables of the present schema with their columns. */
async function readTables(run: Run): Promise<Table[]> {
  const [found = []] = await run(`
    select t.name as name, c.name as "column" from sqlite_master as t join pragma_table_info(t.name) as c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not like '\\_cf%' escape '\\'
      and t.name not like '%\\_search%' escape '\\' and t.name not like 'd1\\_%' escape '\\'
    order by t.rowid, c.cid`)
  const tables = Map.groupBy(found, ({ name }) => String(name))
  return Array.from(tables, ([name, rows]) => ({ name, columns: rows.map(({ column }) => String(column)) }))
}

/** Unique indexes whose columns are all among those of the tables. */
async function readUniqueIndexes(run: Run, tables: readonly Table[]): Promise<string[]> {
  const found = await run(
    ...tables.map(
      ({ name }) => `select json_group_array(c.name) as columns from pragma_index_list('${name}') as i
        join pragma_index_info(i.name) as c where i."unique" group by i.name`,
    ),
  )
  return tables.flatMap(({ name, columns }, index) =>
    (found[index] ?? []).flatMap((row) => {
      const own: unknown[] = JSON.parse(String(row['columns']))
      return own.every((column) => columns.includes(String(column))) ? [`${name} ${own.join()}`] : []
    }),
  )
}

/** Indexes and columns of views: statements of a release may name them. */
async function readNames(run: Run): Promise<string[]> {
  const [found = []] = await run(`
    select name from sqlite_master where type = 'index' and sql is not null
    union all select v.name || '.' || c.name from sqlite_master as v join pragma_table_info(v.name) as c where v.type = 'view'`)
  return found.map(({ name }) => String(name))
}
/** Those that a migration may drop, because the release before does not name them. */
const dropped: readonly string[] = []

/** Statements of a release, with its columns. A row that replaces itself violates the NOT NULL of a column without a default. */
const toStatements = ({ name, columns }: Table): string[] => {
  const list = columns.map((column) => `"${column}"`).join()
  return [
    `select ${list} from "${name}"`,
    `update "${name}" set ${columns.map((column) => `"${column}" = "${column}"`).join()}`,
    `insert or replace into "${name}" (${list}) select ${list} from "${name}" limit 1`,
    `delete from "${name}" where "${columns[0]}" is null`,
  ]
}

/** Migrations that are checked: those of some releases. */
const checkedMigrations = 6

/** Checks that what a release can do with the tables of its schema works after a migration. */
async function checkMigration(run: Run, queries: readonly string[]) {
  const before = await readTables(run)
  const unique = await readUniqueIndexes(run, before)
  const names = (await readNames(run)).filter((name) => !dropped.includes(name))
  await run(...queries)
  expect(await readNames(run)).toEqual(expect.arrayContaining(names))
  // The release before may insert rows that a new index would reject.
  const added = (await readUniqueIndexes(run, before)).filter((index) => !unique.includes(index))
  expect(added).toEqual([])
  await run('pragma defer_foreign_keys = on', ...before.flatMap(toStatements))
  return before.length
}

/** A deployment migrates the database before the Worker, and a rollback brings back the Worker alone. */
test.each([
  ['D1', inD1],
  ['an object', inObject],
] as const)('statements of the release before run on the schema of each migration, in %s', async (_, run) => {
  await dropTables(run)
  const [older, newer] = [env.MIGRATIONS.slice(0, -checkedMigrations), env.MIGRATIONS.slice(-checkedMigrations)]
  for (const { queries } of older) await run(...queries)
  let tables = 0
  for (const [index, { queries }] of newer.entries()) {
    const present = new Set((await readTables(run)).map(({ name }) => name))
    await run(...filling(present, index + 1))
    tables = await checkMigration(run, queries)
  }
  expect(tables).toBeGreaterThan(30)
  for (const wrong of [
    'alter table products drop column sku',
    'drop index imports_waiting',
    'drop view subscribed_events',
    'create unique index wrong on products (title)',
    `create trigger wrong before update on products begin select raise(abort, 'wrong'); end`,
  ])
    await expect(checkMigration(run, [wrong])).rejects.toThrow()
})

/** A request to this release, whose shared database is `BLANK`. */
async function sendRequest(method: string, path: string, key: string, json?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const request = new Request(new URL(path, origin), {
    method,
    headers,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const context = createExecutionContext()
  const response = await app.fetch(request, { ...env, DB: env.BLANK }, context)
  const text = await response.text()
  await waitOnExecutionContext(context)
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: text && JSON.parse(text) }
}

/** Objects test the same where they migrate: `test/tenancy/move/finish-move.test.ts`, "one migration behind". */
test('this release runs on the schema of the migration before; what needs the last one waits for it', async () => {
  await dropTables(inD1)
  const [older, last] = [env.MIGRATIONS.slice(0, -1), env.MIGRATIONS.at(-1)]
  for (const { queries } of older) await inD1(...queries)
  // The last migration may be of merchants, so that these wait as well: the merchant comes from a database that has it.
  const merchant = await createVenue()
  const key = { key: merchant.key }
  for (const [table, column] of [
    ['merchants', 'id'],
    ['keys', 'merchant_id'],
  ] as const) {
    const { results } = await env.DB.prepare(`select * from ${table} where ${column} = ?`).bind(merchant.id).all<Row>()
    const [known = []] = await inD1(`select name from pragma_table_info('${table}')`)
    const columns = known.map(({ name }) => String(name))
    for (const row of results) {
      const sql = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`
      await env.BLANK.prepare(sql)
        .bind(...columns.map((name) => row[name]))
        .run()
    }
  }
  const path = `/merchants/${merchant.id}`
  const waiting: string[] = []
  /** Returns the body, or undefined if the request has to wait. */
  const attempt = async (method: string, relative: string, json?: object) => {
    const { status, retryAfter, body } = await sendRequest(method, `${path}${relative}`, key.key, json)
    if (status >= 200 && status < 300) return body
    expect([method, relative, status, retryAfter]).toEqual([method, relative, 503, expect.any(String)])
    waiting.push(`${method} ${relative}`)
    return undefined
  }
  const created = new Map<string, string[]>()
  const useAll = async () => {
    for (const { collection, body, change } of samples) {
      const made = await attempt('POST', `/${collection}`, body('older'))
      if (made === undefined) continue
      created.set(collection, [made.id, ...(created.get(collection) ?? [])])
      await attempt('POST', `/${collection}/${made.id}`, change)
      await attempt('GET', `/${collection}/${made.id}`)
      await attempt('GET', `/${collection}?q=older`)
    }
    for (const relative of ['/events', '/audit', '/imports', '/redemptions']) await attempt('GET', relative)
  }
  await useAll()
  // A change that waits has changed nothing, and succeeds after the migration.
  await inD1(...(last?.queries ?? []))
  waiting.length = 0
  await useAll()
  expect(waiting).toEqual([])
  for (const { collection } of samples) {
    const { body } = await sendRequest('GET', `${path}/${collection}`, key.key)
    expect(body.map(({ id }: { id: string }) => id)).toEqual(created.get(collection))
  }
})
