import { getTableName } from 'drizzle-orm'
import { rowReferences, sideColumns } from '../../../catalogue/resources/merchant-tables.ts'
import type { StoredRow } from './read-backup.ts'

/** Columns with row numbers by names: restored objects get new ones, because those of the backup may belong to other merchants now. */
const namedReferences = Map.groupBy(
  Array.from(rowReferences, ([column, target]) => ({
    table: getTableName(column.table),
    column: column.name,
    target: getTableName(target),
  })),
  ({ table }) => table,
)
const sideNames = new Set(Array.from(sideColumns, ({ table }) => getTableName(table)))

/** Ids of a backup's objects by table and row number. */
export class ObjectIds {
  readonly #ids = new Map<string, Map<unknown, string>>()

  add(table: string, { seq, id }: StoredRow): void {
    const ids = this.#ids.get(table) ?? new Map<unknown, string>()
    this.#ids.set(table, ids.set(seq, String(id)))
  }

  /** The row with ids instead of row numbers. Undefined if its object is not in the backup. */
  resolve(table: string, row: StoredRow): StoredRow | undefined {
    const references = sideNames.has(table)
      ? [{ column: 'object', target: String(row['resource']) }]
      : (namedReferences.get(table) ?? [])
    const resolved = { ...row }
    for (const { column, target } of references) {
      const id = this.#ids.get(target)?.get(row[column])
      if (id === undefined) return undefined
      resolved[column] = id
    }
    return resolved
  }
}
