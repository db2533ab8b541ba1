import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { listMissingTriggers } from '../../tools/cli/migration/delete-triggers.ts'
import { lastEntry, tablesAt } from '../../tools/cli/migration/snapshots.ts'
import { deferForeignKeys, rebuildTable } from '../../tools/cli/migration/table-rebuild.ts'
import { filling } from '../support/filled.ts'

const folder = resolve(import.meta.dirname, '../..')
const schema = await readFile(resolve(folder, 'src/app/home/schema.sql'), 'utf8')
const migrations = resolve(folder, 'migrations')
const declared = await tablesAt(migrations, (await lastEntry(migrations))?.idx ?? 0)

const textsOf = (database: DatabaseSync, query: string) =>
  database
    .prepare(query)
    .all()
    .map((row) => String(Object.values(row)[0]))
const ordinary = `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by 1`

/** A database of this release in use, whose foreign keys are enforced. */
function fill(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(`begin; ${schema} commit`)
  for (const n of [1, 2]) for (const sql of filling(new Set(textsOf(database, ordinary)), n)) database.exec(sql)
  return database
}

/** Everything that a rebuild has to keep. Results are named, so that a difference shows its table. */
const contentsOf = (database: DatabaseSync) => ({
  rows: Object.fromEntries(
    textsOf(database, ordinary).map((name) => [
      name,
      database
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  ),
  schema: database
    .prepare(
      `select type, name, tbl_name, replace(replace(sql, ';', ''), ' ', '') as sql from sqlite_master where name not like 'sqlite_%' order by 1, 2`,
    )
    .all(),
  sequences: database.prepare('select name, seq from sqlite_sequence order by name').all(),
  kinds: database.prepare(`select name, wr from pragma_table_list where schema = 'main' order by name`).all(),
  found: textsOf(database, `select name from pragma_table_list where type = 'virtual' order by 1`).map((name) =>
    database.prepare(`select rowid from ${name} where ${name} match 'all' order by rowid`).all(),
  ),
  subscribed: database.prepare('select * from subscribed_events order by webhook, id').all(),
  broken: database.prepare('pragma foreign_key_check').all(),
})

/** Rebuilds a table as it is, from the statements that drizzle-kit would write for it. */
function rebuild(database: DatabaseSync, table: string): void {
  const [create = ''] = textsOf(database, `select sql from sqlite_master where type = 'table' and name = '${table}'`)
  const indexes = textsOf(
    database,
    `select sql || ';' from sqlite_master where type = 'index' and sql is not null and tbl_name = '${table}' order by rowid`,
  )
  const columns = textsOf(database, `select name from pragma_table_info('${table}')`)
  const plain = `${create.replace(/\)\s*without rowid\s*$/i, ')')};`
  const statements = rebuildTable(database, { table, create: plain, columns, indexes })
  database.exec(`begin; ${[deferForeignKeys, ...statements].join('\n')} commit`)
}

const tables = textsOf(fill(), ordinary).filter((name) => !/_search_/.test(name))

describe('a rebuild of a table', () => {
  test.each(tables)('%s keeps rows, links, indexes, triggers, views and sequences', (table) => {
    const database = fill()
    const before = contentsOf(database)
    expect(before.rows[table]?.length, 'test/support/filled.ts has no row of it').toBeGreaterThan(0)
    expect(before.broken).toEqual([])
    rebuild(database, table)
    expect(contentsOf(database)).toEqual(before)
    expect(database.prepare('pragma foreign_keys').get()).toEqual({ foreign_keys: 1 })
    expect(listMissingTriggers(database, declared)).toEqual([])
  })

  test('writes indexes that the declarations have: drizzle-kit creates no others again', () => {
    const database = fill()
    const existing = textsOf(database, `select name from sqlite_master where type = 'index' and sql is not null`)
    const known = Object.values(declared).flatMap(({ indexes }) => Object.keys(indexes))
    expect(existing.filter((name) => !known.includes(name))).toEqual([])
  })

  test.each(['cascade', 'set null', 'restrict', 'no action'])('keeps rows that refer to it on delete %s', (action) => {
    const database = new DatabaseSync(':memory:')
    database.exec(`
      create table parents (seq integer primary key, id text not null);
      create unique index parents_id on parents (id);
      create table children (seq integer primary key, parent text references parents(id) on delete ${action});
      create table grandchildren (child integer references children(seq) on delete restrict);
      create table log (line text);
      create trigger children_delete after delete on children begin insert into log values ('deleted'); end;
      create trigger children_insert after insert on children begin insert into log values ('inserted'); end;
      insert into parents values (1, 'a'), (2, 'b');
      insert into children values (1, 'a'), (2, 'b'), (3, null);
      insert into grandchildren values (1), (2);
      delete from log;`)
    const contents = () =>
      ['parents', 'children', 'grandchildren', 'log'].map((name) => database.prepare(`select * from ${name}`).all())
    const before = contents()
    rebuild(database, 'parents')
    expect(contents()).toEqual(before)
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
    expect(textsOf(database, "select name from sqlite_master where name not like 'sqlite%' order by 1")).toEqual([
      'children',
      'children_delete',
      'children_insert',
      'grandchildren',
      'log',
      'parents',
      'parents_id',
    ])
  })
})
