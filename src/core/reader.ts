import { getTableColumns } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod/mini'
import { lazy, type Row, sqlName } from './database.ts'
import { createGuard } from './guard.ts'

type Decode = (value: unknown) => unknown

const decoders: Readonly<Record<string, Decode>> = {
  // Text in a table, and itself in a row that was recorded as JSON.
  json: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
  boolean: (value) => value === 1,
}
const decoderOf = ({ dataType }: SQLiteColumn): Decode => decoders[dataType] ?? ((value) => value)

/** An object's schema, and what it says of each field. */
export type ObjectSchema<Item extends object = object> = z.ZodMiniType<Item> & {
  shape: Readonly<Record<string, z.core.$ZodType>>
}

/** How a row of a table, keyed by SQL names, becomes what a schema says of its columns; null is absent. Fails where it does not fit. */
export function createReader<Item extends object>(table: SQLiteTable, schema: ObjectSchema<Item>): (row: Row) => Item {
  const plan = lazy(() => {
    const columns = getTableColumns(table)
    return Object.entries(schema.shape).flatMap(([key, field]) => {
      const column = columns[key]
      return column ? [{ key, name: sqlName(key), decode: decoderOf(column), fits: createGuard(field) }] : []
    })
  })
  /** Takes a row over, and tells whether it is an item as it is. */
  const take = (item: Row, row: Row): item is Row & Item => {
    let isFit = true
    for (const { key, name, decode, fits } of plan()) {
      const stored = row[name] ?? undefined
      const value = stored === undefined ? undefined : decode(stored)
      if (value !== undefined) item[key] = value
      isFit &&= fits(value)
    }
    return isFit
  }
  return (row) => {
    const item: Row = {}
    return take(item, row) ? item : schema.parse(item)
  }
}
