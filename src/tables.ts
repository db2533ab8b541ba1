/** Read by drizzle-kit, which looks for exported tables. */
import * as resources from './resources/registry.ts'

export { idempotencyKeyTable as idempotencyKeys } from './db/idempotency-keys.ts'
export { keyTable as keys, merchantTable as merchants, settingTable as settings } from './db/schema/accounts.ts'
export { auditTable } from './db/schema/audit.ts'
export {
  deliveryTable as deliveries,
  eventTable as events,
  subscriptionTable as subscriptions,
} from './db/schema/events.ts'
export { scanCountTable as scanCounts, scanReceiptTable as scanReceipts } from './db/schema/scans.ts'
export { couponProducts } from './resources/coupons.ts'
export { menuProducts } from './resources/menus.ts'
export { productModifiers } from './resources/products.ts'
export { tagNameTable as tagNames } from './resources/tags.ts'

export const coupons = resources.coupons.table
export const customers = resources.customers.table
export const menus = resources.menus.table
export const modifiers = resources.modifiers.table
export const products = resources.products.table
export const tags = resources.tags.table
export const webhooks = resources.webhooks.table
