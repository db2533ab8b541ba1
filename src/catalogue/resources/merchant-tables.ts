import { getTableColumns, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { param } from '../../platform/db/database.ts'
import { type MerchantTable, ownTable, partTable } from '../../platform/db/home/merchant-table.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { availabilityTable, optionAvailabilityTable } from '../../platform/db/schema/availability.ts'
import { chargeTable } from '../../platform/db/schema/checkout/charges.ts'
import { codeBatchTable, couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponLimitTable } from '../../platform/db/schema/checkout/coupon-limits.ts'
import { orderTable } from '../../platform/db/schema/checkout/orders.ts'
import { redemptionTable } from '../../platform/db/schema/checkout/redemptions.ts'
import { serviceStateTable } from '../../platform/db/schema/checkout/service-states.ts'
import {
  backupCaptureTable,
  backupChangeTable,
  backupCheckTable,
  backupTable,
  restoreTable,
} from '../../platform/db/schema/directory/backups.ts'
import { counterTable } from '../../platform/db/schema/directory/counters.ts'
import { erasureTable } from '../../platform/db/schema/directory/erasures.ts'
import { failedRequestTable } from '../../platform/db/schema/directory/failed-requests.ts'
import { homeObjectTable, homeTable, moveChangeTable, moveTable } from '../../platform/db/schema/directory/homes.ts'
import { noticeMarkTable, noticeTable } from '../../platform/db/schema/directory/notices.ts'
import { operatorTable } from '../../platform/db/schema/directory/operators.ts'
import { platformKeyTable } from '../../platform/db/schema/directory/platform-keys.ts'
import { platformBacklogTable, platformWebhookTable } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { operatorSessionTable, sessionTable } from '../../platform/db/schema/directory/sessions.ts'
import {
  invitationTable,
  passkeyTable,
  usedChallengeTable,
  userTable,
} from '../../platform/db/schema/directory/users.ts'
import { deliveryTable, eventTable, subscriptionTable } from '../../platform/db/schema/events.ts'
import { externalIdTable } from '../../platform/db/schema/external-ids.ts'
import { idempotencyKeyTable } from '../../platform/db/schema/idempotency-keys.ts'
import { importChunkTable, importIssueTable, importTable } from '../../platform/db/schema/imports/imports.ts'
import { importMappingTable } from '../../platform/db/schema/imports/mappings.ts'
import { keyTable } from '../../platform/db/schema/keys.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { changeSetTable } from '../../platform/db/schema/objects/change-sets.ts'
import { detailTable, translationTable } from '../../platform/db/schema/objects/details.ts'
import { productLabelTable } from '../../platform/db/schema/objects/product-labels.ts'
import { pictureTable } from '../../platform/db/schema/pictures.ts'
import { goneWebhookTable, purgeTable } from '../../platform/db/schema/purges.ts'
import { releaseOperationTable, releaseTable } from '../../platform/db/schema/releases/releases.ts'
import { stagedValueTable } from '../../platform/db/schema/releases/staged-values.ts'
import type { ResourceTable } from '../../platform/db/schema/resource-columns.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import { tagRequestTable } from '../../platform/db/schema/resources/tag-requests.ts'
import { tagNameTable, tagTable } from '../../platform/db/schema/resources/tags.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { scanCountTable, scanHourTable, scanReceiptTable } from '../../platform/db/schema/scan-counts.ts'
import { settingTable } from '../../platform/db/schema/settings.ts'
import { stockAdjustmentTable } from '../../platform/db/schema/stock-adjustments.ts'
import { platformHooks } from '../../platform/outbox/platform-hooks.ts'
import type { ResourceDefinition } from '../resource/definition.ts'
import { resourceList } from './registry.ts'

const ofResource = (table: ResourceTable) => ownTable(table, table.testMode, table.id)
/** A table whose rows belong to objects of a resource. */
const ofObjects = (table: ResourceTable, column: SQLiteColumn, ...key: SQLiteColumn[]) =>
  partTable(ofResource(table), table.seq, column, ...key)

const definitions: readonly ResourceDefinition[] = resourceList
const imports = ownTable(importTable, importTable.testMode, importTable.id)
const releases = ownTable(releaseTable, releaseTable.testMode, releaseTable.id)

/** Tables of side resources. */
const sideTables: readonly SQLiteTable[] = [detailTable, translationTable]
/** Columns of the primary key, in its order. */
const listKey = (table: SQLiteTable) => getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns)

/** All data of a merchant, in an order in which it can be copied: a row refers only to rows of tables before it. */
export const merchantTables: readonly MerchantTable[] = [
  ...definitions.map(({ table }) => ofResource(table)),
  ...definitions.flatMap(({ table, references }) =>
    references.map(({ links }) => ofObjects(table, links.owner, links.target)),
  ),
  ofObjects(couponTable, couponLimitTable.coupon),
  ofObjects(tagTable, tagNameTable.tag, tagNameTable.name),
  ownTable(externalIdTable, externalIdTable.testMode, externalIdTable.resource, externalIdTable.externalId),
  ...sideTables.map((table) => ownTable(table, ...listKey(table).filter(({ name }) => name !== 'merchantId'))),
  ownTable(availabilityTable, availabilityTable.testMode, availabilityTable.product),
  ownTable(
    optionAvailabilityTable,
    optionAvailabilityTable.testMode,
    optionAvailabilityTable.modifier,
    optionAvailabilityTable.option,
  ),
  ownTable(chargeTable, chargeTable.testMode),
  ownTable(pictureTable, pictureTable.testMode, pictureTable.digest),
  ownTable(eventTable, eventTable.testMode, eventTable.id),
  ownTable(changeSetTable, changeSetTable.testMode, changeSetTable.id),
  ofObjects(webhookTable, deliveryTable.webhook, deliveryTable.event),
  ownTable(stockAdjustmentTable, stockAdjustmentTable.testMode, stockAdjustmentTable.reference),
  ownTable(redemptionTable, redemptionTable.testMode, redemptionTable.id),
  ownTable(codeBatchTable, codeBatchTable.testMode, codeBatchTable.id),
  ownTable(couponCodeTable, couponCodeTable.testMode, couponCodeTable.codeKey),
  ownTable(orderTable, orderTable.testMode, orderTable.reference),
  ownTable(serviceStateTable, serviceStateTable.testMode),
  imports,
  partTable(imports, importTable.id, importChunkTable.importId, importChunkTable.position),
  partTable(imports, importTable.id, importIssueTable.importId, importIssueTable.id),
  releases,
  partTable(releases, releaseTable.id, releaseOperationTable.releaseId, releaseOperationTable.target),
  ownTable(importMappingTable, importMappingTable.testMode, importMappingTable.resource, importMappingTable.headings),
  ownTable(scanCountTable, scanCountTable.tag, scanCountTable.day, scanCountTable.channel),
  ownTable(scanHourTable, scanHourTable.testMode, scanHourTable.day),
  ownTable(auditTable, auditTable.testMode, auditTable.id),
]

/**
 * Deliveries of a merchant's events to platform webhooks, found by the events. They move and are deleted with the merchant, but no backup has them.
 */
export const platformDeliveries: MerchantTable = {
  table: deliveryTable,
  rows: sql`${eventTable} cross join ${platformHooks} as hook cross join ${deliveryTable}
    on ${deliveryTable.webhook} = hook.seq and ${deliveryTable.event} = ${eventTable.id}
    where exists (select 1 from ${platformHooks}) and ${eventTable.merchantId} = ${param('merchantId')} and ${eventTable.testMode} = 0`,
  key: [eventTable.id, deliveryTable.webhook],
  identity: [deliveryTable.webhook, deliveryTable.event],
  parent: [webhookTable.seq, deliveryTable.webhook],
  owner: deliveryTable.merchantId,
}

/** The columns of a table that refer to others, each with the column that it refers to. */
const listReferences = ({ table, parent }: MerchantTable): [SQLiteColumn, SQLiteColumn][] => [
  ...getTableConfig(table).foreignKeys.flatMap((key): [SQLiteColumn, SQLiteColumn][] => {
    const { columns, foreignColumns } = key.reference()
    return columns[0] && foreignColumns[0] ? [[columns[0], foreignColumns[0]]] : []
  }),
  ...(parent ? [[parent[1], parent[0]] satisfies [SQLiteColumn, SQLiteColumn]] : []),
]
/** Columns with row numbers (`seq`) of objects, each with the table of the objects. They follow from the foreign keys and the parents. */
export const rowReferences: ReadonlyMap<SQLiteColumn, ResourceTable> = new Map(
  merchantTables.flatMap(listReferences).flatMap(([column, target]): [SQLiteColumn, ResourceTable][] => {
    const found = definitions.find(({ table }) => table.seq === target)
    return found ? [[column, found.table]] : []
  }),
)
/** Columns `object` with row numbers of objects of the resource in the column `resource`: of side resources and external ids. */
export const sideColumns: ReadonlySet<SQLiteColumn> = new Set(
  merchantTables.flatMap(({ table }) => {
    const { resource, object } = getTableColumns(table)
    return resource && object ? [object] : []
  }),
)

/** Tables that are maintained by triggers on the tables of `merchantTables`. The full-text indexes are written by the resources. */
export const derivedTables: readonly SQLiteTable[] = [
  subscriptionTable,
  productLabelTable,
  purgeTable,
  goneWebhookTable,
]
/** Tables of the directory of all merchants. */
export const directoryTables: readonly SQLiteTable[] = [
  merchantTable,
  keyTable,
  userTable,
  passkeyTable,
  usedChallengeTable,
  noticeTable,
  noticeMarkTable,
  invitationTable,
  sessionTable,
  operatorTable,
  operatorSessionTable,
  platformKeyTable,
  platformWebhookTable,
  platformBacklogTable,
  failedRequestTable,
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
/** Rows that move with a merchant and are deleted with it, but are in no backup and no export: they expire within the hour. */
export const passingTables: readonly MerchantTable[] = [
  ownTable(tagRequestTable, tagRequestTable.testMode, tagRequestTable.id),
  ownTable(stagedValueTable, stagedValueTable.id),
]
/** Rows of merchants that move with them, but are needed for one day at most: no backup has them. */
export const transientTables: readonly SQLiteTable[] = [
  idempotencyKeyTable,
  scanReceiptTable,
  tagRequestTable,
  stagedValueTable,
  moveChangeTable,
  backupCaptureTable,
  backupChangeTable,
]
