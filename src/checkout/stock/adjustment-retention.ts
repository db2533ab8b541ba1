import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { createAgeRetention } from '../../platform/purge-statements.ts'

/** How long a reference of a stock adjustment is kept, in days. */
export const adjustmentRetentionDays = 400

export const adjustmentRetention = createAgeRetention(stockAdjustmentTable)

/** An order can be changed as long as the references of its stock are kept. */
export const orderRetention = createAgeRetention(orderTable)
