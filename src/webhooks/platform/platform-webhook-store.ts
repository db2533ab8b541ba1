import { count, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { allOf, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, insertSelect, listed, parseJson, type RowOf, typed } from '../../platform/db/query.ts'
import { platformWebhookTable as table } from '../../platform/db/schema/directory/platform-webhooks.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { createPageStatements } from '../../platform/http/keyset-list.ts'
import { parseSecrets } from '../secrets.ts'
import { platformWebhookLimits, type platformWebhookView } from './platform-webhook-fields.ts'

const fields = {
  id: table.id,
  seq: table.seq,
  version: table.version,
  title: table.title,
  url: table.url,
  events: sql<string>`${table.events}`,
  merchants: sql<string | null>`${table.merchants}`,
  active: table.active,
  disabledReason: table.disabledReason,
  failures: table.failures,
  failingSince: table.failingSince,
  filter: table.filter,
  filterVersion: table.filterVersion,
  shapes: table.shapes,
  createdBy: table.createdBy,
  createdAt: table.createdAt,
  updatedAt: table.updatedAt,
}
type StoredPlatformWebhook = RowOf<typeof fields>

const isNamed = eq(table.id, param('id'))
const isAsRead = allOf(isNamed, eq(table.version, param('expected')))
const total = db.select({ total: count() }).from(table)
const returned = { id: table.id }

export const platformWebhookStatements = {
  list: createPageStatements(fields),
  find: lazy(() => typed(fields, (select) => db.select(select).from(table).where(isNamed))),
  findSecrets: lazy(() =>
    typed({ secrets: sql<string>`${table.secrets}` }, (select) => db.select(select).from(table).where(isNamed)),
  ),
  /** The merchants of `:merchants` that exist. */
  findMerchants: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(sql`${merchantTable.id} in ${listed('merchants')}`),
    ),
  ),
  insert: lazy(() =>
    typed(returned, () =>
      insertSelect(
        table,
        {
          id: param('id'),
          version: sql`1`,
          title: param('title'),
          url: param('url'),
          events: columnParam(table.events, 'events'),
          merchants: columnParam(table.merchants, 'merchants'),
          active: sql`1`,
          bearerToken: param('bearerToken'),
          secrets: columnParam(table.secrets, 'secrets'),
          failures: sql`0`,
          filterVersion: sql`0`,
          createdBy: param('createdBy'),
          createdAt: param('createdAt'),
          updatedAt: param('createdAt'),
        },
        sql`where (${total}) < ${platformWebhookLimits.webhooks} returning id`,
      ),
    ),
  ),
  /** Changes a webhook that still has the version that was read. With `:resets`, its endpoint counts as sound. */
  update: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          version: sql`${table.version} + 1`,
          title: columnParam(table.title, 'title'),
          url: columnParam(table.url, 'url'),
          events: columnParam(table.events, 'events'),
          merchants: columnParam(table.merchants, 'merchants'),
          active: columnParam(table.active, 'active'),
          disabledReason: sql`iif(${param('active')}, null, ${table.disabledReason})`,
          failures: sql`iif(${param('resets')}, 0, ${table.failures})`,
          failingSince: sql`iif(${param('resets')}, null, ${table.failingSince})`,
          probeAt: sql`iif(${param('resets')}, null, ${table.probeAt})`,
          updatedAt: columnParam(table.updatedAt, 'now'),
        })
        .where(isAsRead)
        .returning(select),
    ),
  ),
  /** Writes the filter if its version is still `:filterVersion` - 1. */
  updateFilter: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({
          filter: columnParam(table.filter, 'filter'),
          filterVersion: columnParam(table.filterVersion, 'filterVersion'),
          shape: columnParam(table.shape, 'shape'),
          shapes: columnParam(table.shapes, 'shapes'),
        })
        .where(allOf(isNamed, sql`${table.filterVersion} = ${param('filterVersion')} - 1`))
        .returning(select),
    ),
  ),
  /** Replaces the secrets if they are still `:expected`. */
  replaceSecrets: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({ secrets: sql`${param('secrets')}` })
        .where(allOf(isNamed, sql`${table.secrets} = ${param('expected')}`))
        .returning(select),
    ),
  ),
  replaceToken: lazy(() =>
    typed(returned, (select) =>
      db
        .update(table)
        .set({ bearerToken: columnParam(table.bearerToken, 'token') })
        .where(isNamed)
        .returning(select),
    ),
  ),
  remove: lazy(() => typed(fields, (select) => db.delete(table).where(isNamed).returning(select))),
}

const texts = z.array(z.string())
const createDamage = (id: string, field: string) =>
  new DamagedError({ table: 'platform_webhooks', id, merchantId: '', fields: [field] })

function readList(id: string, field: string, json: string): string[] {
  const { success, data } = texts.safeParse(parseJson(json))
  if (!success) throw createDamage(id, field)
  return data
}

/** A platform webhook as responses show it. */
export const toPlatformView = (row: StoredPlatformWebhook): z.output<typeof platformWebhookView> => {
  const { id, title, url, active, failures, createdBy, createdAt, updatedAt } = row
  return {
    id,
    title,
    url,
    events: readList(id, 'events', row.events),
    merchants: row.merchants === null ? 'all' : readList(id, 'merchants', row.merchants),
    active,
    disabledReason: row.disabledReason ?? undefined,
    failures,
    failingSince: row.failingSince ?? undefined,
    createdBy,
    createdAt,
    updatedAt,
  }
}

/** The latest state of the platform webhook in the path. */
export async function findPlatformWebhook(c: Context<Env>, id: string): Promise<StoredPlatformWebhook> {
  c.var.database.usePrimary()
  const [[row]] = await c.var.database.run([platformWebhookStatements.find(), { id }])
  if (!row) throw notFound()
  return row
}

/** The latest secrets of a platform webhook, and their stored text. */
export async function findPlatformSecrets(c: Context<Env>, id: string) {
  c.var.database.usePrimary()
  const [[row]] = await c.var.database.run([platformWebhookStatements.findSecrets(), { id }])
  if (!row) throw notFound()
  const secrets = parseSecrets(row.secrets)
  if (!secrets) throw createDamage(id, 'secrets')
  return { expected: row.secrets, secrets }
}
