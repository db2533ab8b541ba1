import { coupons } from './coupons.ts'
import { customers } from './customers.ts'
import { menus } from './menus.ts'
import { modifiers } from './modifiers.ts'
import { products } from './products.ts'
import { tags } from './tags.ts'
import { webhooks } from './webhooks.ts'

/** The resources of a merchant. Statements, tables, batches, imports, exports, moves, events and the document follow from this list. */
export const resources = { coupons, customers, menus, modifiers, products, tags, webhooks }

/** All resources of a merchant. */
export const resourceList = Object.values(resources)
