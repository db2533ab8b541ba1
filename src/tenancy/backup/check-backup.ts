import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { merchantTables } from '../../catalogue/resources/merchant-tables.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import { lazy } from '../../platform/db/database.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { keyTable } from '../../platform/db/schema/keys.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { hiddenModes } from '../../platform/db/schema/resource-columns.ts'
import { tagNameTable } from '../../platform/db/schema/resources/tags.ts'
import { getColumnName, sqlName } from '../../platform/db/sql-name.ts'
import type { Bindings } from '../../platform/env.ts'
import { isTimeZone } from '../../platform/lib/day.ts'
import { hashText } from '../../platform/lib/encoding/fnv1a.ts'
import { resourcePaths } from '../../platform/names.ts'
import { toBackupKey } from './backup-file.ts'
import {
  type BackupHeader,
  parseLine,
  readHeader,
  readLines,
  type StoredRow,
  unreadable,
} from './restore/read-backup.ts'
import { ObjectIds } from './restore/row-references.ts'

/** Initial length of a list. */
const firstLength = 1024

/** Hashes of keys in lists, with eight bytes each, because a backup may have millions. */
class HashedKeys {
  readonly #lists = new Map<string, { hashes: Float64Array; length: number }>()

  /** Adds a hash to a list. */
  add(name: string, hash: number): void {
    const list = this.#lists.get(name) ?? { hashes: new Float64Array(firstLength), length: 0 }
    if (list.length === 0) this.#lists.set(name, list)
    if (list.length === list.hashes.length) {
      const larger = new Float64Array(list.length * 2)
      larger.set(list.hashes)
      list.hashes = larger
    }
    list.hashes[list.length++] = hash
  }

  /** The repeated hashes of each list, by the names of the lists. */
  findRepeated(): Map<string, ReadonlySet<number>> {
    const repeated = new Map<string, ReadonlySet<number>>()
    for (const [name, { hashes, length }] of this.#lists) {
      const sorted = hashes.subarray(0, length).sort()
      const found = new Set(sorted.filter((hash, index) => index > 0 && hash === sorted[index - 1]))
      if (found.size > 0) repeated.set(name, found)
    }
    return repeated
  }
}

/** Tables of resources that others refer to. */
const hiddenTables: ReadonlySet<string> = new Set(
  resourceList.flatMap(({ references }) => references.map(({ target }) => getTableName(target))),
)
const modes = [0, 1, hiddenModes, hiddenModes + 1]

/** A check of one column. Returns the fault of a value. */
interface ColumnRule {
  name: string
  find: (value: StoredRow[string] | undefined) => string | undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The rule of a column. It rejects values that the database, or reading the row, would reject. */
function toRule(key: string, column: SQLiteColumn): ColumnRule {
  // Deleted objects that others still name have further modes.
  const values =
    key === 'testMode' && hiddenTables.has(getTableName(column.table)) ? modes : modes.slice(0, hiddenModes)
  const { enumValues, dataType, hasDefault } = column
  const type = column.getSQLType()
  // The restore creates the row numbers of objects, and the values of columns that a later release added.
  const isOptional = !column.notNull || hasDefault || (key === 'seq' && column.primary)
  const find = (value: StoredRow[string] | undefined) => {
    if (value === undefined || value === null) return isOptional ? undefined : 'is missing'
    if (type === 'text' && typeof value !== 'string') return 'is not a text'
    if (type !== 'text' && typeof value !== 'number') return 'is not a number'
    if (type === 'integer' && !Number.isSafeInteger(value)) return 'is not a whole number'
    if (dataType === 'boolean' && !values.includes(Number(value))) return `is neither ${values.join(' nor ')}`
    if (dataType === 'json' && !isJson(String(value))) return 'is not JSON'
    if (enumValues && enumValues.length > 0 && !enumValues.includes(String(value))) return 'has an unknown value'
    return undefined
  }
  return { name: sqlName(key), find }
}

const toRules = (table: SQLiteTable) =>
  Object.entries(getTableColumns(table)).map(([key, column]) => toRule(key, column))

/** Names of the columns of each unique key of a table. Leaves out indexes with conditions. */
function toUniqueKeys(table: SQLiteTable): string[][] {
  const { indexes, primaryKeys, uniqueConstraints } = getTableConfig(table)
  const single = Object.values(getTableColumns(table)).filter(({ primary, isUnique }) => primary || isUnique)
  const ofIndexes = indexes.flatMap(({ config: { unique, where, columns } }) =>
    unique && !where
      ? [columns.filter((column) => is(column, SQLiteColumn))].filter(({ length }) => length === columns.length)
      : [],
  )
  const all = [
    ...single.map((column) => [column]),
    ...ofIndexes,
    ...[...primaryKeys, ...uniqueConstraints].map(({ columns }) => columns),
  ]
  return all.map((columns) => columns.map(getColumnName))
}

const tables = lazy(
  () =>
    new Map(
      merchantTables.map(({ table }) => [
        getTableName(table),
        { rules: toRules(table), uniqueKeys: toUniqueKeys(table) },
      ]),
    ),
)
const headerRules = lazy(() => ({ merchant: toRules(merchantTable), key: toRules(keyTable), home: toRules(homeTable) }))
const tagNames = getTableName(tagNameTable)
const resourceTables: ReadonlySet<string> = new Set(resourcePaths)

function requireFitting(rules: readonly ColumnRule[], row: StoredRow, name: string): void {
  for (const rule of rules) {
    const fault = rule.find(row[rule.name])
    if (fault) throw unreadable(`${rule.name} of ${name} ${fault}`)
  }
}

function checkHeader({ merchant, keys, home }: BackupHeader): void {
  const { merchant: rules, key, home: ofHome } = headerRules()
  requireFitting(rules, merchant, 'the merchant')
  for (const row of keys) requireFitting(key, row, `key ${row['id']}`)
  if (home) requireFitting(ofHome, home, 'the home')
  if (merchant[getColumnName(merchantTable.name)] === '') throw unreadable('the merchant has no name')
  const zone = String(merchant[getColumnName(merchantTable.timezone)])
  if (!isTimeZone(zone)) throw unreadable(`the time zone ${JSON.stringify(zone)} of the merchant is unknown`)
}

/** How an error names a row. */
const describe = (table: string, row: StoredRow, number: number) => `${table} ${row['id'] ?? `in row ${number}`}`

/** Findings about a backup that can be restored. */
interface CheckedBackup {
  header: BackupHeader
  rows: number
  /** Number of rows whose object is missing. A restore leaves them out. */
  omitted: number
  /** Names of the merchant's tags. */
  names: readonly string[]
}

/** The file of a backup. Throws if it does not exist. */
export async function openBackup(
  env: Bindings,
  merchantId: string,
  takenAt: number,
): Promise<ReadableStream<Uint8Array>> {
  const file = await env.BACKUPS.get(toBackupKey(merchantId, takenAt))
  if (!file) throw unreadable('it was deleted')
  return file.body
}

/** Texts of the unique keys of a row, each with the names of its columns. Leaves out keys with a missing value, which are always unique. */
function* listKeys(table: string, row: StoredRow, uniqueKeys: readonly string[][]): Generator<[string, string]> {
  for (const names of uniqueKeys) {
    const values = names.map((name) => row[name] ?? null)
    if (!values.includes(null)) yield [`${table} (${names.join(', ')})`, JSON.stringify(values)]
  }
}

/** Calls `visit` with each row of a backup. Returns the header, and the number of rows of each table that the last line says. */
async function readAll(
  file: ReadableStream<Uint8Array>,
  merchantId: string,
  visit: (table: string, row: StoredRow) => void,
) {
  const lines = readLines(file)
  const header = await readHeader(lines, merchantId)
  checkHeader(header)
  for await (const line of lines) {
    const parsed = parseLine(line)
    if ('end' in parsed) return { header, counts: parsed.end.counts }
    visit(parsed.table, parsed.row)
  }
  throw unreadable('its last line is missing')
}

/**
 * Loads a backup of a merchant into memory, row by row. Checks the types of values, unique keys, the names of tables, and the numbers of rows in the
 * last line. Throws an `ApiError` with the reason if the backup cannot be restored. `open` is called again if two keys have the same hash.
 */
export async function checkBackup(
  open: () => Promise<ReadableStream<Uint8Array>>,
  merchantId: string,
): Promise<CheckedBackup> {
  const [ids, keys] = [new ObjectIds(), new HashedKeys()]
  const found: Record<string, number> = {}
  const names: string[] = []
  let [rows, omitted] = [0, 0]
  const { header, counts } = await readAll(await open(), merchantId, (name, row) => {
    const table = tables().get(name)
    if (!table) throw unreadable(`this release has no table ${name}`)
    rows++
    found[name] = (found[name] ?? 0) + 1
    requireFitting(table.rules, row, describe(name, row, found[name]))
    for (const [key, text] of listKeys(name, row, table.uniqueKeys)) keys.add(key, hashText(text))
    if (resourceTables.has(name)) ids.add(name, row)
    if (!ids.resolve(name, row)) omitted++
    if (name === tagNames) names.push(String(row['name']))
  })
  for (const name of new Set([...Object.keys(found), ...Object.keys(counts)]))
    if ((found[name] ?? 0) !== (counts[name] ?? 0))
      throw unreadable(`it has ${found[name] ?? 0} instead of ${counts[name] ?? 0} rows of ${name}`)
  const suspects = keys.findRepeated()
  if (suspects.size === 0) return { header, rows, omitted, names }
  const seen = new Set<string>()
  await readAll(await open(), merchantId, (name, row) => {
    for (const [key, text] of listKeys(name, row, tables().get(name)?.uniqueKeys ?? [])) {
      if (!suspects.get(key)?.has(hashText(text))) continue
      if (seen.has(`${key} ${text}`)) throw unreadable(`two rows of ${key} have ${text}`)
      seen.add(`${key} ${text}`)
    }
  })
  return { header, rows, omitted, names }
}
