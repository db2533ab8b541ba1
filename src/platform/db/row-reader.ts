import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as z from 'zod/mini'
import { createGuard } from '../lib/schema-guard.ts'
import { DamagedError } from './damaged-rows.ts'
import { lazy } from './database.ts'
import type { Row } from './row.ts'
import { getValue, sqlName } from './sql-name.ts'

type Decode = (value: unknown) => unknown

/** Returns invalid JSON as text, which no schema of a JSON column accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const decoders: Readonly<Record<string, Decode>> = {
  // A table stores text. A row recorded in an event has the value itself.
  json: (value) => (typeof value === 'string' ? parseJson(value) : value),
  boolean: (value) => (value === 1 ? true : value === 0 ? false : value),
}

/** An object's schema with its fields. */
export type ObjectSchema<Item extends object = object> = z.ZodMiniType<Item> & {
  shape: Readonly<Record<string, z.core.$ZodType>>
}

/**
 * Returns a function that converts a row, keyed by SQL names, to an item of the schema. Null becomes absent. The function throws a
 * `DamagedError` if the row does not fit the schema.
 */
export function createRowReader<Item extends object>(
  table: SQLiteTable & { id: SQLiteColumn; merchantId?: SQLiteColumn },
  schema: ObjectSchema<Item>,
): (row: Row) => Item {
  const plan = lazy(() => {
    const columns = getTableColumns(table)
    return Object.entries(schema.shape).flatMap(([key, field]) => {
      const column = columns[key]
      return column
        ? [{ key, name: sqlName(key), decode: decoders[column.dataType], field, fits: createGuard(field) }]
        : []
    })
  })
  /** Copies a row's values to an item. Returns whether the item fits the schema. */
  const decodeInto = (item: Row, row: Row): item is Row & Item => {
    let isFit = true
    for (const { key, name, decode, fits } of plan()) {
      const stored = row[name] ?? undefined
      const value = stored === undefined || !decode ? stored : decode(stored)
      if (value !== undefined) item[key] = value
      isFit &&= fits(value)
    }
    return isFit
  }
  const createDamagedError = (row: Row, item: Row) => {
    const unfit = plan().filter(({ key, field }) => !z.safeParse(field, item[key]).success)
    const fields = unfit.map(({ key }) => key)
    const readable = Object.fromEntries(Object.entries(item).filter(([key]) => !fields.includes(key)))
    const id = String(getValue(row, table.id))
    const merchantId = String((table.merchantId && getValue(row, table.merchantId)) ?? '')
    return new DamagedError({ table: getTableName(table), id, merchantId, fields }, readable)
  }
  return (row) => {
    const item: Row = {}
    if (decodeInto(item, row)) return item
    const parsed = schema.safeParse(item)
    if (parsed.success) return parsed.data
    throw createDamagedError(row, item)
  }
}
