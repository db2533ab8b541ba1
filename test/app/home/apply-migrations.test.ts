import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { migrationCount } from '../../../src/app/home/migration-count.ts'
import { currentSchema, migrations } from '../../../src/app/home/migration-texts.ts'
import { createVenue } from '../../support/api.ts'
import { listTables } from '../../support/drop-tables.ts'
import { findObject } from '../../support/home.ts'

const files = import.meta.glob<string>('../../../migrations/*.sql', { query: '?raw', import: 'default', eager: true })

test('objects apply the migrations of the shared database, in their order', () => {
  const names = Object.keys(files).sort()
  expect(names.length).toBeGreaterThan(15)
  expect(migrations).toEqual(names.map((name) => files[name]))
  expect(migrationCount).toBe(names.length)
})

type Row = Record<string, unknown>
/** Runs statements in a separate SQLite of a Durable Object and returns the rows of each. */
async function runIn(name: string, ...statements: string[]): Promise<Row[][]> {
  const request = { method: 'POST', body: JSON.stringify(statements) }
  const response = await env.SQLITE_OBJECT.fetch(`https://object/${name}`, request)
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** Everything that a database of this name has: its objects in their order, and the rows of its tables. */
async function readAll(name: string) {
  const [objects = [], sequences = []] = await runIn(
    name,
    `select type, name, tbl_name, sql from sqlite_master where name not like '\\_cf%' escape '\\' order by rowid`,
    'select * from sqlite_sequence',
  )
  const tables = (await listTables((...statements) => runIn(name, ...statements))).filter(
    (each) => !each.endsWith('_search'),
  )
  const rows = await runIn(name, ...tables.map((table) => `select * from "${table}"`))
  const ofType = (type: string) => objects.filter((object) => object['type'] === type)
  return {
    tables: ofType('table').toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    // SQLite fires the triggers of a table in an order that depends on the order of their creation.
    triggers: Object.groupBy(ofType('trigger'), ({ tbl_name: table }) => String(table)),
    indexes: ofType('index').toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
    sequences,
    rows: Object.fromEntries(tables.map((table, index) => [table, rows[index]])),
  }
}

test('the schema of new objects is what the migrations create', async () => {
  for (const migration of migrations) await runIn('migrated', migration)
  await runIn('new', currentSchema)
  const [migrated, created] = [await readAll('migrated'), await readAll('new')]
  const signing = [{ name: 'signing', value: expect.stringMatching(/^[0-9a-f]{64}$/) }]
  const anySigning = (all: typeof migrated) => ({ ...all, rows: { ...all.rows, settings: signing } })
  expect(migrated.rows['purges']?.length).toBeGreaterThan(2)
  // Written by npm run migration.
  expect(anySigning(created)).toEqual(anySigning(migrated))
  expect([created.rows['settings'], migrated.rows['settings']]).toEqual([signing, signing])
  expect(created.rows['settings']).not.toEqual(migrated.rows['settings'])
})

test('a new object has applied all migrations', async () => {
  const venue = await createVenue({ home: 'object' })
  await venue.post('/products', { title: 'Tea', price: 1 })
  const object = await findObject(venue.id)
  if (!object) throw new Error('no object')
  const applied = await runInDurableObject(object.stub, (_, { storage }) =>
    storage.sql.exec('select n from applied_migrations order by n').toArray(),
  )
  expect(applied).toEqual(Array.from({ length: migrationCount }, (_, n) => ({ n })))
})
