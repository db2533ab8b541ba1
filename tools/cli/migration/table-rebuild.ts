import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'

const quoted = (name: string) => `\`${name}\``
const commas = (names: readonly string[]) => names.map(quoted).join(', ')
const saved = (table: string) => quoted(`__saved_${table}`)

const names = z.array(z.object({ name: z.string() }))
const children = z.array(z.object({ child: z.string() }))
const triggers = z.array(z.object({ name: z.string(), sql: z.string() }))

const columnsOf = (database: DatabaseSync, table: string): string[] =>
  names.parse(database.prepare('select name from pragma_table_info(?) order by cid').all(table)).map(({ name }) => name)

const triggersOf = (database: DatabaseSync, table: string) =>
  triggers.parse(
    database
      .prepare(`select name, sql from sqlite_master where type = 'trigger' and tbl_name = ? order by rowid`)
      .all(table),
  )

/** Tables whose rows a deletion from the given table deletes, changes or depends on: children before grandchildren, each once. */
function listAffectedTables(database: DatabaseSync, table: string): string[] {
  const find = database.prepare(`
    select distinct m.name as child from sqlite_master as m join pragma_foreign_key_list(m.name) as f
    where m.type = 'table' and f."table" = ? and f.on_delete <> 'NO ACTION' order by 1`)
  const found = new Set([table])
  // Iteration over a set includes elements that are added during it.
  for (const parent of found) for (const { child } of children.parse(find.all(parent))) found.add(child)
  return [...found].filter((name) => name !== table)
}

function isAutoincrement(database: DatabaseSync, table: string): boolean {
  const sql = database.prepare(`select sql from sqlite_master where type = 'table' and name = ?`).get(table)?.['sql']
  return /\bautoincrement\b/i.test(String(sql))
}

/** Whether a table is WITHOUT ROWID, which migrations add by hand: drizzle cannot declare it. */
function isWithoutRowid(database: DatabaseSync, table: string): boolean {
  return database.prepare('select wr from pragma_table_list where name = ?').get(table)?.['wr'] === 1
}

/** First statement of a rebuild: D1 and Durable Objects ignore `PRAGMA foreign_keys` but can defer the checks to the end. */
export const deferForeignKeys = 'PRAGMA defer_foreign_keys = ON;'

/**
 * SQL statements that replace a table with one of the same name with other constraints, and keep every row, link, trigger and sequence. `create` is
 * the CREATE TABLE statement of the new table, `indexes` its CREATE INDEX statements. Run them in one transaction after `deferForeignKeys`;
 * docs/operations.md explains each step.
 */
export function rebuildTable(
  database: DatabaseSync,
  { table, create, columns, indexes }: { table: string; create: string; columns: string[]; indexes: string[] },
): string[] {
  const affected = listAffectedTables(database, table)
  const kept = columnsOf(database, table).filter((name) => columns.includes(name))
  const hasSequence = isAutoincrement(database, table)
  const own = triggersOf(database, table)
  const theirs = affected.flatMap((child) => triggersOf(database, child))
  const sequence = saved(`${table}_sequence`)
  return [
    // DROP TABLE deletes row by row and triggers ON DELETE actions, so the rows of children are saved first.
    ...[...affected, table].map((name) => `CREATE TABLE ${saved(name)} AS SELECT * FROM ${quoted(name)};`),
    ...(hasSequence
      ? [`CREATE TABLE ${sequence} AS SELECT name, seq FROM sqlite_sequence WHERE name = '${table}';`]
      : []),
    ...theirs.map(({ name }) => `DROP TRIGGER ${quoted(name)};`),
    // RESTRICT is not deferred: a row of a child makes DROP TABLE fail.
    ...affected.toReversed().map((child) => `DELETE FROM ${quoted(child)};`),
    `DROP TABLE ${quoted(table)};`,
    isWithoutRowid(database, table) ? create.replace(/\);?$/, ') WITHOUT ROWID;') : create,
    // A foreign key may refer to columns that only a unique index makes unique. Without the index, every write is a mismatch.
    ...indexes,
    // Inserted under the final name: only an inserted parent row resolves the deferred violations of its children.
    `INSERT INTO ${quoted(table)} (${commas(kept)}) SELECT ${commas(kept)} FROM ${saved(table)};`,
    ...(hasSequence
      ? [
          `DELETE FROM sqlite_sequence WHERE name = '${table}';`,
          `INSERT INTO sqlite_sequence (name, seq) SELECT name, seq FROM ${sequence};`,
        ]
      : []),
    ...affected.map((child) => {
      const all = commas(columnsOf(database, child))
      return `INSERT INTO ${quoted(child)} (${all}) SELECT ${all} FROM ${saved(child)};`
    }),
    ...[...affected, table].map((name) => `DROP TABLE ${saved(name)};`),
    ...(hasSequence ? [`DROP TABLE ${sequence};`] : []),
    ...[...own, ...theirs].map(({ sql }) => `${sql};`),
  ]
}
