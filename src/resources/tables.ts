/** Read by drizzle-kit, which looks for exported tables. */
import * as resources from './index.ts'

export { keys, merchants } from '../core/accounts.ts'
export { deliveries, events } from '../core/outbox.ts'
export { couponProducts } from './coupons.ts'
export { menuProducts } from './menus.ts'
export { productModifiers } from './products.ts'

export const coupons = resources.coupons.table
export const customers = resources.customers.table
export const menus = resources.menus.table
export const modifiers = resources.modifiers.table
export const products = resources.products.table
export const tags = resources.tags.table
export const webhooks = resources.webhooks.table
