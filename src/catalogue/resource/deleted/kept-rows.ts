import { parseJson } from '../../../platform/db/query.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { Draft } from '../definition.ts'

/** A JSON object of an event. Empty if it has none. */
export function toMembers(text: unknown): Draft {
  const value = typeof text === 'string' ? parseJson(text) : undefined
  return isObject(value) ? value : {}
}

/** The rows of a table that a deletion of the object kept. */
export function listKeptRows(kept: Draft, table: string, of: string): readonly Draft[] {
  const rows = kept[table]
  return Array.isArray(rows) ? rows.filter(isObject).map((row) => ({ ...row, of })) : []
}

/** The rows of a table that return with the object. The return counts as a change of the details, so that their version increases. */
export const listReturnedRows = (kept: Draft, table: string, of: string): readonly Draft[] =>
  listKeptRows(kept, table, of).map((row) =>
    table === 'details' ? { ...row, version: Number(row['version']) + 1 } : row,
  )

/** Details that a deletion kept, with their translations. Undefined: none, or unreadable ones. */
export function readKeptDetails(kept: Draft, id: string) {
  const [row] = listKeptRows(kept, 'details', id)
  const data = typeof row?.['data'] === 'string' ? parseJson(row['data']) : undefined
  if (!row || !isObject(data)) return undefined
  const translations = listKeptRows(kept, 'translations', id).map(({ language, texts }) => [
    String(language),
    toMembers(texts),
  ])
  return { data, translations: Object.fromEntries(translations), version: Number(row['version']) }
}
