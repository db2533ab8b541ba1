import { eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { getColumn, param } from '../database.ts'
import { auditTable } from '../schema/audit.ts'
import { availabilityTable } from '../schema/availability.ts'
import { couponLimitTable } from '../schema/checkout/coupon-limits.ts'
import { redemptionTable } from '../schema/checkout/redemptions.ts'
import { deliveryTable } from '../schema/deliveries.ts'
import { backupCheckTable, backupTable } from '../schema/directory/backups.ts'
import { counterTable } from '../schema/directory/counters.ts'
import { erasureTable } from '../schema/directory/erasures.ts'
import { homeObjectTable, homeTable } from '../schema/directory/homes.ts'
import { moveChangeTable, moveTable } from '../schema/directory/moves.ts'
import { operatorSessionTable } from '../schema/directory/operator-sessions.ts'
import { restoreTable } from '../schema/directory/restores.ts'
import { sessionTable } from '../schema/directory/sessions.ts'
import { invitationTable, passkeyTable, usedChallengeTable, userTable } from '../schema/directory/users.ts'
import { eventTable } from '../schema/events.ts'
import { externalIdTable } from '../schema/external-ids.ts'
import { idempotencyKeyTable } from '../schema/idempotency-keys.ts'
import { importChunkTable } from '../schema/imports/import-chunks.ts'
import { importIssueTable } from '../schema/imports/import-issues.ts'
import { importTable } from '../schema/imports/imports.ts'
import { keyTable } from '../schema/keys.ts'
import { merchantTable } from '../schema/merchants.ts'
import { detailTable, translationTable } from '../schema/objects/details.ts'
import { pictureTable } from '../schema/pictures.ts'
import type { ResourceTable } from '../schema/resource-columns.ts'
import { couponProducts, couponTable } from '../schema/resources/coupons.ts'
import { customerTable } from '../schema/resources/customers.ts'
import { menuProducts, menuTable } from '../schema/resources/menus.ts'
import { modifierTable } from '../schema/resources/modifiers.ts'
import { productModifiers, productTable } from '../schema/resources/products.ts'
import { tagNameTable } from '../schema/resources/tag-names.ts'
import { tagTable } from '../schema/resources/tags.ts'
import { webhookTable } from '../schema/resources/webhooks.ts'
import { scanCountTable } from '../schema/scan-counts.ts'
import { scanReceiptTable } from '../schema/scan-receipts.ts'
import { settingTable } from '../schema/settings.ts'
import { stockAdjustmentTable } from '../schema/stock-adjustments.ts'
import { subscriptionTable } from '../schema/subscriptions.ts'

/** A table with rows of merchants. */
export interface MerchantTable {
  table: SQLiteTable
  /** SQL behind `from`: the rows of `:merchantId`, with `where` as its last clause. */
  rows: SQL
  /** Columns that order the rows of a merchant and are unique among them. The first ones are the parent's. */
  key: readonly SQLiteColumn[]
  /** Columns that identify a row of the table, in the order of an index. */
  identity: readonly SQLiteColumn[]
  /** A column of the rows that they belong to, and the column with its value. Absent where a row has the merchant id. */
  parent?: readonly [parentColumn: SQLiteColumn, column: SQLiteColumn]
}

const isOwn = (table: SQLiteTable) => eq(getColumn(table, 'merchantId'), param('merchantId'))

/** A table with a merchant id. An index begins with the merchant and the key. */
const own = (table: SQLiteTable, ...key: SQLiteColumn[]): MerchantTable => ({
  table,
  rows: sql`${table} where ${isOwn(table)}`,
  key,
  identity: [getColumn(table, 'merchantId'), ...key],
})

/** A table of a resource. */
const resource = (table: ResourceTable) => own(table, table.testMode, table.id)

/** A table whose rows belong to rows of another one: `column` holds the value of `parentColumn`. */
const part = (
  parent: MerchantTable,
  parentColumn: SQLiteColumn,
  column: SQLiteColumn,
  ...key: SQLiteColumn[]
): MerchantTable => ({
  table: column.table,
  rows: sql`${parent.table} cross join ${column.table} on ${column} = ${parentColumn} where ${isOwn(parent.table)}`,
  key: [...parent.key, ...key],
  identity: [column, ...key],
  parent: [parentColumn, column],
})

const products = resource(productTable)
const menus = resource(menuTable)
const coupons = resource(couponTable)
const tags = resource(tagTable)
const webhooks = resource(webhookTable)
const imports = own(importTable, importTable.testMode, importTable.id)

/** All data of a merchant, in an order in which it can be copied: a row refers only to rows of tables before it. */
export const merchantTables: readonly MerchantTable[] = [
  resource(modifierTable),
  products,
  part(products, productTable.seq, productModifiers.owner, productModifiers.target),
  menus,
  part(menus, menuTable.seq, menuProducts.owner, menuProducts.target),
  coupons,
  part(coupons, couponTable.seq, couponProducts.owner, couponProducts.target),
  part(coupons, couponTable.seq, couponLimitTable.coupon),
  resource(customerTable),
  tags,
  part(tags, tagTable.seq, tagNameTable.tag, tagNameTable.name),
  webhooks,
  own(externalIdTable, externalIdTable.testMode, externalIdTable.resource, externalIdTable.externalId),
  own(detailTable, detailTable.testMode, detailTable.resource, detailTable.object),
  own(
    translationTable,
    translationTable.testMode,
    translationTable.resource,
    translationTable.object,
    translationTable.language,
  ),
  own(availabilityTable, availabilityTable.testMode, availabilityTable.product),
  own(pictureTable, pictureTable.testMode, pictureTable.digest),
  own(eventTable, eventTable.testMode, eventTable.id),
  part(webhooks, webhookTable.seq, deliveryTable.webhook, deliveryTable.event),
  own(stockAdjustmentTable, stockAdjustmentTable.testMode, stockAdjustmentTable.reference),
  own(redemptionTable, redemptionTable.testMode, redemptionTable.id),
  imports,
  part(imports, importTable.id, importChunkTable.importId, importChunkTable.position),
  part(imports, importTable.id, importIssueTable.importId, importIssueTable.id),
  own(scanCountTable, scanCountTable.tag, scanCountTable.day, scanCountTable.channel),
  own(auditTable, auditTable.testMode, auditTable.id),
]

/** Tables that are maintained by triggers on the tables of `merchantTables`. The full-text indexes are written by the resources. */
export const derivedTables: readonly SQLiteTable[] = [subscriptionTable]
/** Tables of the directory of all merchants. */
export const directoryTables: readonly SQLiteTable[] = [
  merchantTable,
  keyTable,
  userTable,
  passkeyTable,
  usedChallengeTable,
  invitationTable,
  sessionTable,
  operatorSessionTable,
  settingTable,
  counterTable,
  homeTable,
  homeObjectTable,
  erasureTable,
  backupTable,
  backupCheckTable,
  moveTable,
  restoreTable,
]
/** Tables without a merchant, whose rows matter for a day. */
export const transientTables: readonly SQLiteTable[] = [idempotencyKeyTable, scanReceiptTable, moveChangeTable]
