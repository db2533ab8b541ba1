import * as z from 'zod/mini'
import { stockReasons } from '../../platform/db/schema/stock-adjustments.ts'
import { maxListedProducts } from '../../platform/outbox/sold-out-events.ts'
import { stockResult } from './stock-request.ts'

const { reference, changes } = stockResult.shape

/** Data of `stock.changed`. */
export const stockChangedData = z.object({
  reference,
  reason: z.enum(stockReasons).check(z.describe('Why the stock changed.')),
  changes: z
    .array(
      z.extend(changes.def.element, {
        version: z.int().check(z.describe('Version of the product after the adjustment.')),
        updatedAt: z
          .optional(z.int())
          .check(
            z.describe(
              'Time of the last change of the product after the adjustment, in seconds since 1970-01-01 UTC. Absent in events of earlier releases.',
            ),
          ),
      }),
    )
    .check(z.describe('The products of the adjustment.')),
})

/** Data of `product.sold_out` and `product.back_in_stock`. */
export const soldOutData = z.object({
  products: z.array(z.string()).check(z.describe('Ids of the products that changed.')),
  soldOut: z
    .array(z.string())
    .check(
      z.describe(
        `Ids of all products that are sold out after the change, in order. At most ${maxListedProducts.toLocaleString('en')}.`,
      ),
    ),
  truncated: z
    .boolean()
    .check(z.describe(`Whether more than ${maxListedProducts.toLocaleString('en')} products are sold out.`)),
})
