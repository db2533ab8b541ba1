import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { ResourceDefinition } from '../../../catalogue/resource/definition.ts'
import * as resources from '../../../catalogue/resources/registry.ts'
import { couponLimitTable } from '../../../platform/db/schema/checkout/coupon-limits.ts'
import { deliveryTable } from '../../../platform/db/schema/events.ts'
import { externalIdTable } from '../../../platform/db/schema/external-ids.ts'
import { detailTable, translationTable } from '../../../platform/db/schema/objects/details.ts'
import type { ResourceTable } from '../../../platform/db/schema/resource-columns.ts'
import { couponTable } from '../../../platform/db/schema/resources/coupons.ts'
import { tagNameTable, tagTable } from '../../../platform/db/schema/resources/tags.ts'
import { webhookTable } from '../../../platform/db/schema/resources/webhooks.ts'
import type { StoredRow } from './read-backup.ts'

const definitions: readonly ResourceDefinition[] = Object.values(resources)

/**
 * Columns that hold row numbers (`seq`) of objects, and the objects' table. Restored objects get new row numbers, because other merchants may now use
 * those of the backup.
 */
export const rowReferences: ReadonlyMap<SQLiteColumn, ResourceTable> = new Map<SQLiteColumn, ResourceTable>([
  ...definitions.flatMap(({ table, references }) =>
    references.flatMap(({ links, target }): [SQLiteColumn, ResourceTable][] => [
      [links.owner, table],
      [links.target, target],
    ]),
  ),
  [couponLimitTable.coupon, couponTable],
  [tagNameTable.tag, tagTable],
  [deliveryTable.webhook, webhookTable],
])

/** Tables whose column `object` holds the row number of an object of the resource in the column `resource`. */
export const sideTables: readonly SQLiteTable[] = [externalIdTable, detailTable, translationTable]

/** Columns that hold row numbers, by name: column, and name of the objects' table. */
const namedReferences = Map.groupBy(
  Array.from(rowReferences, ([column, target]) => ({
    table: getTableName(column.table),
    column: column.name,
    target: getTableName(target),
  })),
  ({ table }) => table,
)
const sideNames = new Set(sideTables.map(getTableName))

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
