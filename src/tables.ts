/** Read by drizzle-kit, which looks for exported tables. */
import * as resources from './resources/index.ts'

export { keys, merchants, settings } from './core/accounts.ts'
export { auditTable } from './core/audit.ts'
export { idempotencyKeys } from './core/idempotency.ts'
export { deliveries, events, subscriptions } from './core/outbox.ts'
export { couponProducts } from './resources/coupons.ts'
export { menuProducts } from './resources/menus.ts'
export { productModifiers } from './resources/products.ts'
export { tagNames } from './resources/tags.ts'
export { scanCounts, scanReceipts } from './scan/counts.ts'

export const coupons = resources.coupons.table
export const customers = resources.customers.table
export const menus = resources.menus.table
export const modifiers = resources.modifiers.table
export const products = resources.products.table
export const tags = resources.tags.table
export const webhooks = resources.webhooks.table
