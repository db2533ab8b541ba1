import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { sqlName } from '../../src/platform/db/sql-name.ts'
import { samples } from './samples.ts'
import type { WebhookHarness } from './webhook-harness.ts'

/** Columns of resources that responses show under another name: codes of tags are in `alias` and `url`. */
const renamed: readonly string[] = [
  'tags.code',
  'tags.legacy',
  ...['merchantId', 'version'].flatMap((key) => samples.map(({ collection }) => `${collection}.${key}`)),
]

export interface Secret {
  column: string
  value: string
}

/** The texts in a JSON value. */
const listTexts = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(listTexts)
    : typeof value === 'string'
      ? [value]
      : []

/** The values that a column holds: texts, also inside JSON, and numbers. */
function listValues(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string') return []
  return /^[[{]/.test(value) ? listTexts(JSON.parse(value)) : [value]
}

let numbers = 918_273_640
/** A number that no text contains by chance, nor one of the thousand that follow it. */
export function nextNumber(): number {
  numbers += 1_000
  return numbers
}
/** Writes a marker into each column of an object that its resource does not publish, unless the column has a long text or only 0 and 1. */
export async function markInternalColumns(
  { query }: WebhookHarness,
  table: SQLiteTable,
  id: string,
  published: readonly string[],
) {
  const name = getTableName(table)
  const internal = Object.entries(getTableColumns(table)).filter(
    ([key]) => key !== 'seq' && !published.includes(key) && !renamed.includes(`${name}.${key}`),
  )
  for (const [key, { dataType }] of internal) {
    const column = sqlName(key)
    const marker = dataType === 'number' ? nextNumber() : `marker-of-${name}-${column}`
    const isShort = `length(coalesce(${column}, '')) < 12`
    if (dataType !== 'json' && dataType !== 'boolean')
      await query(`update ${name} set ${column} = ? where id = ? and ${isShort}`, marker, id)
  }
  return internal.map(([key]) => key)
}

/** A JSON value with the members of its objects in the opposite order. */
function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reverseMembers(member)]),
  )
}

/** Stores the JSON of an object in another form that means the same, as a release with another order of fields would. */
export async function reorderJson({ query }: WebhookHarness, table: SQLiteTable, id: string) {
  const [row = {}] = await query(`select * from ${getTableName(table)} where id = ?`, id)
  for (const [key, { dataType }] of Object.entries(getTableColumns(table))) {
    const stored = row[sqlName(key)]
    if (dataType !== 'json' || typeof stored !== 'string') continue
    const other = JSON.stringify(reverseMembers(JSON.parse(stored)))
    await query(`update ${getTableName(table)} set ${sqlName(key)} = ? where id = ?`, other, id)
  }
}

/** The values of columns of all rows of the venue. */
export async function readSecrets(
  { query, venue }: WebhookHarness,
  table: string,
  keys: readonly string[],
): Promise<Secret[]> {
  const rows = await query(`select * from ${table} where merchant_id = ?`, venue.id)
  return rows.flatMap((row) =>
    keys.flatMap((key) => listValues(row[sqlName(key)]).map((value) => ({ column: `${table}.${key}`, value }))),
  )
}

/** The secrets that a text contains, by their columns. */
export const findIn = (secrets: readonly Secret[], text: string) => [
  ...new Set(secrets.filter(({ value }) => value.length >= 8 && text.includes(value)).map(({ column }) => column)),
]
