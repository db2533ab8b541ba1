import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { createAgeRetention } from '../../platform/purge-statements.ts'

/** How long a reference of a stock adjustment is kept, in days. */
export const adjustmentRetentionDays = 400

export const adjustmentRetention = createAgeRetention(stockAdjustmentTable)
