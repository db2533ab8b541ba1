import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { createChangedStock } from '../../catalogue/events/event-data.ts'
import { param } from '../../platform/db/database.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { isMarked, isSoldOut } from '../../platform/db/sold-out.ts'
import type { StockResult } from './stock-request.ts'

/** Bits of the last member of a recorded change. */
const flag = { changed: 1, wasSoldOut: 2, soldOut: 4 } as const

/**
 * SQL for the record of a change of `productTable`: a JSON list without names, because adjustments are kept for more than a year. `before` and
 * `after` are SQL for the units in stock.
 */
export function recordChange(before: SQL, after: SQL): SQL {
  const isDifferent = sql`(${after} is not ${productTable.stockQuantity})`
  const changedAt = sql`max(${param('now')}, ${productTable.updatedAt} + 1)`
  const bit = (value: number) => sql.raw(String(value))
  return sql`json_array(
    ${productTable.id},
    round(${after} - ${before}, 4),
    ${after},
    ${productTable.version} + ${isDifferent},
    iif(${isDifferent}, ${changedAt}, ${productTable.updatedAt}),
    iif(${isDifferent}, ${bit(flag.changed)}, 0) + iif(${isSoldOut}, ${bit(flag.wasSoldOut)}, 0)
      + iif(${isMarked} or ${after} <= 0, ${bit(flag.soldOut)}, 0))`
}

const member = (index: number) => sql.raw(`(done.value ->> '$[${index}]')`)
const hasFlag = (value: number) => sql.raw(`(done.value ->> '$[5]' & ${value} > 0)`)

/** SQL for the members of a change that this release has recorded, in a row `done` of `json_each`. */
export const recorded = {
  product: member(0),
  stockQuantity: member(2),
  /** Version and time of the product after the change. */
  version: member(3),
  updatedAt: member(4),
  changed: hasFlag(flag.changed),
  wasSoldOut: hasFlag(flag.wasSoldOut),
  soldOut: hasFlag(flag.soldOut),
} as const

/**
 * SQL for members of a change that any release has recorded. Earlier releases recorded JSON objects, the first ones without a difference: it is
 * null.
 */
export const recordedByAny = {
  product: sql.raw(`(done.value ->> iif(done.type = 'array', '$[0]', '$.product'))`),
  delta: sql.raw(`(done.value ->> iif(done.type = 'array', '$[1]', '$.delta'))`),
} as const

const product = z.string()
const number = z.number()
const changeList = z.pipe(
  z.tuple([product, number, number, number, number, number]),
  z.transform(([id, , stockQuantity, , , flags]) => ({
    product: id,
    stockQuantity,
    soldOut: (flags & flag.soldOut) > 0,
  })),
)
const storedChanges = z.array(z.union([changeList, createChangedStock()]))

/** The response to an adjustment, from its record, which may be of an earlier release. */
export const toStockResult = (reference: string, changes: unknown): StockResult => ({
  reference,
  changes: storedChanges.parse(changes),
})

/** The part of a request's hash that an adjustment stores. Earlier releases stored all of it. */
export const shortenHash = (hash: string) => hash.slice(0, 32)
