import { sql } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { listScopesOfEvents } from '../../catalogue/events/event-scopes.ts'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { type Caller, createCaller, createEventValues } from '../../catalogue/resource/caller.ts'
import { recordTitled } from '../../catalogue/resource/deleted/title.ts'
import { isSameJson, merge } from '../../catalogue/resource/merge-patch.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../catalogue/resource/object-lock.ts'
import { webhooks } from '../../catalogue/resources/webhooks.ts'
import { requireScopes } from '../../platform/auth/authenticate.ts'
import { DamagedError } from '../../platform/db/damaged-rows.ts'
import { allOf, compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db, parseJson, typed } from '../../platform/db/query.ts'
import { webhookTable as table } from '../../platform/db/schema/resources/webhooks.ts'
import type { Scope } from '../../platform/db/scope.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import {
  createStateTag,
  getPrecondition,
  isPreconditionMet,
  type Precondition,
  preconditionFailed,
  revalidate,
  toShownState,
} from '../../platform/http/etag.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { isWebhook } from '../rows/conditions.ts'
import {
  filterFields,
  filterView,
  getFilterIssues,
  listWidened,
  toStoredFilter,
  type WebhookFilter,
} from './filter-fields.ts'
import { maxBodyShapes, parseShapes, replaceShape } from './shapes.ts'

const filterRules = { schema: filterFields, partial: filterFields, readOnly: new Set<string>() }

const storedFields = {
  merchantId: table.merchantId,
  filter: table.filter,
  events: table.events,
  version: sql<number>`coalesce(${table.filterVersion}, 0)`,
  shapes: table.shapes,
}

const statements = {
  find: lazy(() => typed(storedFields, (select) => db.select(select).from(table).where(isWebhook))),
  /** Writes the filter if its version is still `:version` - 1. */
  write: lazy(() =>
    typed({ seq: table.seq }, (select) =>
      db
        .update(table)
        .set({
          filter: columnParam(table.filter, 'filter'),
          filterVersion: columnParam(table.filterVersion, 'version'),
          shape: columnParam(table.shape, 'shape'),
          shapes: columnParam(table.shapes, 'shapes'),
        })
        .where(allOf(isWebhook, sql`coalesce(${table.filterVersion}, 0) = ${param('version')} - 1`))
        .returning(select),
    ),
  ),
  raise: lazy(() =>
    compile(
      raiseEvent({
        type: 'webhook.filter_updated',
        row: sql`json_object('id', ${table.id}, 'filter', json(${param('shown')}))`,
        version: sql`${table.filterVersion}`,
        from: sql`from ${table} where ${isWebhook} and changes() > 0`,
      }),
    ),
  ),
}

const subscribed = z.array(z.string())

/** Reads the filter of a webhook. Throws `not_found`, or `DamagedError` for a damaged one. */
async function findFilter(database: Database, scope: Scope, id: string) {
  const find = async () => (await database.run([statements.find(), { ...scope, id }]))[0][0]
  const row = await database.findNamed(find)
  if (!row) throw notFound()
  const filter = row.filter === null ? {} : filterView.safeParse(parseJson(row.filter)).data
  const shapes = parseShapes(row.shapes)
  if (!filter || !shapes) {
    const fields = [...(filter ? [] : ['filter']), ...(shapes ? [] : ['shapes'])]
    throw new DamagedError({ table: 'webhooks', id, merchantId: row.merchantId, fields })
  }
  return { filter, shapes, version: row.version, events: subscribed.safeParse(row.events).data ?? ['*'] }
}

interface FilterChange {
  id: string
  body: ParsedBody
  condition: Precondition | undefined
  respond: (filter: WebhookFilter, version: number) => Response
}

/** Merges a body into the filter of a webhook. It concerns later events only: stored deliveries keep their shape. */
function changeFilter(caller: Caller, { id, body, condition, respond }: FilterChange): Promise<Response> {
  const { database, scope } = caller
  return withObjectLock(JSON.stringify(['webhook filter', scope, id]), async () => {
    // Only the latest state can justify a skipped write.
    database.usePrimary()
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const before = await findFilter(database, scope, id)
      if (condition && !isPreconditionMet(condition, toShownState(before.version, before.filter)))
        throw preconditionFailed()
      if (body.issues.length > 0) throw invalid(body.issues)
      const filter = filterView.parse(merge(before.filter, body.patch))
      const issues = getFilterIssues(filter)
      if (issues.length > 0) throw invalid(issues)
      if (isSameJson(filter, before.filter)) return respond(filter, before.version)
      const widened = listWidened(before.filter, filter, before.events)
      requireScopes(caller.validationContext.grantedScopes, listScopesOfEvents(widened))
      const common = createEventValues(caller)
      const { shapes, current } = replaceShape(before.shapes, filter, common.now)
      if (shapes.length > maxBodyShapes)
        throw new ApiError('too_many', `The shape of bodies can change ${maxBodyShapes} times in 30 days.`)
      const version = before.version + 1
      const response = respond(filter, version)
      const { changed, deliveries } = await commitNamed(
        caller,
        { operation: 'webhooks.filter.update', object: id, record: recordTitled(webhooks), response },
        {
          ...common,
          id,
          version,
          filter: JSON.stringify(toStoredFilter(filter)),
          shown: JSON.stringify(filter),
          shape: current,
          shapes: JSON.stringify(shapes),
        },
        { changed: statements.write(), raised: statements.raise() },
        { deliveries: fanOut() },
      )
      if (changed.length > 0) {
        caller.enqueue(toPendingDeliveries(deliveries))
        return response
      }
      await pauseAfter(attempt)
    }
    throw busy()
  })
}

const show = (c: Context<Env>, filter: WebhookFilter, version: number) =>
  c.json(filter, 200, { ETag: createStateTag({ version }, filter) })

/** Routes of the filter of a webhook: which events it gets, and with which fields. */
export const filterRoutes = new Hono<Env>()
  .get('/:id/filter', revalidate, async (c) => {
    const { filter, version } = await findFilter(c.var.database, c.var.scope, c.req.param('id'))
    return show(c, filter, version)
  })
  .post('/:id/filter', jsonBody(filterRules), idempotent, (c) =>
    changeFilter(createCaller(c), {
      id: c.req.param('id'),
      body: c.req.valid('json'),
      condition: getPrecondition(c),
      respond: (filter, version) => show(c, filter, version),
    }),
  )
