import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { lazy } from '../../platform/db/database.ts'
import { sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { homeFields, toCacheableHome } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { db, listed, type RowOf, typed } from '../../platform/db/query.ts'
import { homeTable } from '../../platform/db/schema/directory/homes.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { isServed, merchantTable } from '../../platform/db/schema/merchants.ts'
import { webhookTable as table } from '../../platform/db/schema/resources/webhooks.ts'
import type { Env } from '../../platform/http/context.ts'
import { createPageStatements, readPage } from '../../platform/http/keyset-list.ts'
import { nextLink } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { retentionDays } from '../../webhooks/event-retention.ts'
import { literal } from '../../webhooks/rows/conditions.ts'
import { merchantQuery } from '../merchant-routes.ts'
import { matchesSearch } from '../stored-merchant.ts'

/** Maximum number of failed deliveries that are counted for a webhook. */
export const maxCounted = 1_000

/** A webhook that fails, in responses. */
export const failingWebhookView = z.object({
  id: z.string().check(z.describe('Id of the webhook.')),
  title: z.string().check(z.describe('Name of the webhook.')),
  mode: z.enum(['live', 'test']).check(z.describe('Mode of the webhook.')),
  active: z.boolean().check(z.describe('Whether the service sends events to the webhook.')),
  disabledReason: z.optional(z.string()).check(z.describe('Reason why the service deactivated the webhook.')),
  failures: z.int().check(z.describe('Failed attempts since the last success.')),
  failingSince: z
    .optional(z.int())
    .check(z.describe('Time of the first of these failures, in seconds since 1970-01-01 UTC. Absent: no failures.')),
  failed: z
    .int()
    .check(
      z.describe(
        `Number of deliveries of the last ${retentionDays} days whose attempts have all failed. At most ${maxCounted.toLocaleString('en')}.`,
      ),
    ),
  merchant: z
    .object({
      id: z.string().check(z.describe('Id of the merchant.')),
      name: z.string().check(z.describe('Name of the venue.')),
    })
    .check(z.describe('The merchant of the webhook.')),
})

const failed = db
  .select({ one: sql`1` })
  .from(sql`${deliveryTable} indexed by deliveries_lost`)
  .where(
    and(
      eq(deliveryTable.webhook, table.seq),
      sql`${deliveryTable.state} = 'failed'`,
      sql`${deliveryTable.state} in ('failed', 'cancelled')`,
    ),
  )
  .limit(maxCounted)
const fields = {
  id: table.id,
  merchantId: table.merchantId,
  testMode: table.testMode,
  title: table.title,
  active: table.active,
  disabledReason: table.disabledReason,
  failures: table.failures,
  failingSince: table.failingSince,
  failed: sql<number>`(select count(*) from ${failed})`,
}
const isFailing = or(
  isNotNull(table.disabledReason),
  and(sql`${table.active} = ${literal(1)}`, sql`${table.failures} > 0`),
)

const merchantFields = { id: merchantTable.id, name: merchantTable.name, ...homeFields }
const statements = {
  merchants: createPageStatements(
    merchantFields,
    and(isServed, matchesSearch),
    sql`${merchantTable} left join ${homeTable} on ${homeTable.merchantId} = ${merchantTable.id}`,
  ),
  /** The failing webhooks of merchants in one database. */
  find: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(sql`${table.merchantId} in ${listed('ids')}`, isFailing))
        .orderBy(desc(table.merchantId), desc(table.id)),
    ),
  ),
}

/** The failing webhooks of a page of merchants: one statement for merchants in the shared database, and one for each other merchant. */
async function findFailing(c: Context<Env>, merchants: readonly RowOf<typeof merchantFields>[]) {
  const located = merchants.map((row) => ({ id: row.id, home: toCacheableHome(row) }))
  const [elsewhere, here] = [located.filter(({ home }) => home !== 'd1'), located.filter(({ home }) => home === 'd1')]
  const pages = await Promise.all(
    [
      ...(here.length === 0 ? [] : [{ database: sharedDatabase(c.env), ids: here.map(({ id }) => id) }]),
      ...elsewhere.map(({ id, home }) => ({ database: merchantDatabase(c.env, { merchantId: id, home }), ids: [id] })),
    ].map(async ({ database, ids }) => {
      const [rows] = await database.run([statements.find(), { ids: JSON.stringify(ids) }])
      return rows
    }),
  )
  return pages.flat()
}

/** Route for operators: the failing webhooks of all merchants, in pages of merchants. */
export const failingWebhookRoutes = new Hono<Env>().get('/', query(merchantQuery), async (c) => {
  const filters = c.req.valid('query')
  const { items, next } = await readPage(
    c.var.database,
    statements.merchants,
    'failing webhooks',
    { q: filters.q },
    filters,
  )
  const found = Map.groupBy(await findFailing(c, items), ({ merchantId }) => merchantId)
  const webhooks = items.flatMap(({ id, name }) =>
    (found.get(id) ?? []).map(
      ({ merchantId: _, testMode, disabledReason, failingSince, ...webhook }): z.output<typeof failingWebhookView> => ({
        ...webhook,
        mode: testMode ? 'test' : 'live',
        disabledReason: disabledReason ?? undefined,
        failingSince: failingSince ?? undefined,
        merchant: { id, name },
      }),
    ),
  )
  if (next !== undefined) c.header('Link', nextLink(c.req.url, next))
  return c.json(webhooks, 200)
})
