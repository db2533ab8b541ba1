import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { merchantTables } from '../../catalogue/resources/merchant-tables.ts'
import { resourceList } from '../../catalogue/resources/registry.ts'
import { lazy, param } from '../../platform/db/database.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { getRowBytes } from '../../platform/db/home/row-pages.ts'
import { db, typed } from '../../platform/db/query.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Env } from '../../platform/http/context.ts'
import { resourceIdentities, resourceNames, resourcePaths } from '../../platform/names.ts'
import { retentionDays } from '../../webhooks/event-retention.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { findMerchant } from '../stored-merchant.ts'

const countByMode = z
  .object({
    live: z.int().check(z.describe('Number of live objects.')),
    test: z.int().check(z.describe('Number of test objects.')),
  })
  .check(z.describe('Number of objects by mode.'))

/** Usage of a merchant. */
export const usageView = z.object({
  objects: z.record(z.enum(resourcePaths), countByMode).check(z.describe('Number of objects by resource and mode.')),
  bytes: z.int().check(z.describe('Size of all stored values in bytes, without indexes.')),
  deliveries: z
    .object({
      pending: z.int().check(z.describe('Number of deliveries that wait for an attempt.')),
      failed: z
        .int()
        .check(z.describe(`Number of deliveries of the last ${retentionDays} days whose attempts have all failed.`)),
      oldestPendingAt: z
        .optional(z.int())
        .check(
          z.describe(
            'Time of the oldest pending delivery, in seconds since 1970-01-01 UTC. Absent: no pending delivery.',
          ),
        ),
    })
    .check(z.describe('Deliveries to webhooks.')),
})

const modes = ['live', 'test'] as const

const isOfMerchant = ({ merchantId }: { merchantId: SQLiteColumn }) => sql`${merchantId} = ${param('merchantId')}`
/** The deliveries in a state, by the partial index that has them. */
const ofState = {
  pending: sql`${deliveryTable} indexed by deliveries_due on ${hasState('pending')}`,
  failed: sql`${deliveryTable} indexed by deliveries_lost on ${hasState('failed', 'cancelled')} and ${hasState('failed')}`,
}
const countDeliveries = (state: keyof typeof ofState, result = sql`count(*)`) =>
  sql`(select ${result} from ${webhookTable} cross join ${ofState[state]} and ${deliveryTable.webhook} = ${webhookTable.seq}
    where ${isOfMerchant(webhookTable)})`

/** Counts of the objects, by path and mode. */
const countFields: Readonly<Record<string, SQL<number>>> = Object.fromEntries(
  resourceList.flatMap(({ name, table }) =>
    modes.map((mode, testMode) => {
      const isCounted = sql`${isOfMerchant(table)} and ${table.testMode} = ${sql.raw(String(testMode))}`
      return [`${name} ${mode}`, sql<number>`(select count(*) from ${table} where ${isCounted})`]
    }),
  ),
)
const totalFields = {
  bytes: sql<number>`${sql.join(
    merchantTables.map((each) => sql`coalesce((select sum(${getRowBytes(each)}) from ${each.rows}), 0)`),
    sql` + `,
  )}`,
  pending: sql<number>`${countDeliveries('pending')}`,
  failed: sql<number>`${countDeliveries('failed')}`,
  oldestPendingAt: sql<number | null>`${countDeliveries('pending', sql`min(${deliveryTable.createdAt})`)}`,
}
const single = sql`(select 1)`
const statements = {
  counts: lazy(() => typed(countFields, (select) => db.select(select).from(single))),
  totals: lazy(() => typed(totalFields, (select) => db.select(select).from(single))),
}

/** Route for operators: the usage of a merchant. Reads all its rows. */
export const usageRoutes = new Hono<Env>().get('/', async (c) => {
  const { id: merchantId } = await findMerchant(c.var.database, c.req.param('merchantId') ?? '')
  const [[counts], [totals]] = await merchantDatabase(c.env, { merchantId, home: undefined }).run(
    [statements.counts(), { merchantId }],
    [statements.totals(), { merchantId }],
  )
  if (!counts || !totals) throw new Error('no row was returned')
  const { bytes, pending, failed, oldestPendingAt } = totals
  const objects = Object.fromEntries(
    resourceNames.map((name) => [
      resourceIdentities[name].path,
      { live: counts[`${name} live`] ?? 0, test: counts[`${name} test`] ?? 0 },
    ]),
  )
  const usage = { objects, bytes, deliveries: { pending, failed, oldestPendingAt: oldestPendingAt ?? undefined } }
  return c.json(usageView.parse(usage), 200)
})
