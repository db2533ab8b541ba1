import { and, eq, gte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { listScopesOfEvents } from '../../catalogue/events/event-scopes.ts'
import { findMissingScopes, requireScopes } from '../../platform/auth/authenticate.ts'
import { lazy, param } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import type { Env } from '../../platform/http/context.ts'
import { hasState, isWebhook } from '../rows/conditions.ts'
import { isEventInScope } from '../rows/stored-event.ts'
import { getValues } from './delivery-request.ts'

const ofWebhook = eq(deliveryTable.webhook, db.select({ seq: webhookTable.seq }).from(webhookTable).where(isWebhook))
const selectTypes = (where: ReturnType<typeof and>) =>
  typed({ type: eventTable.type }, (select) =>
    db
      .selectDistinct(select)
      .from(deliveryTable)
      .innerJoin(eventTable, and(isEventInScope, eq(eventTable.id, deliveryTable.event)))
      .where(and(ofWebhook, where)),
  )

const statements = {
  ofDelivery: lazy(() => selectTypes(eq(deliveryTable.event, param('event')))),
  lost: lazy(() => selectTypes(and(gte(deliveryTable.event, param('fromId')), hasState('failed', 'cancelled')))),
  subscribed: lazy(() =>
    typed({ events: sql<string>`${webhookTable.events}` }, (select) =>
      db.select(select).from(webhookTable).where(isWebhook),
    ),
  ),
}

const typeList = z.catch(z.array(z.string()), ['*'])

/** Deliveries that a request sends again: one delivery, or all that failed or were cancelled since an event id. */
type Resent = { event: string } | { fromId: string }

/**
 * Requires that the key or the role may read the events that the request sends again. With the scopes of all events, this needs no further round
 * trip. Deliveries may belong to events that the webhook no longer subscribes to.
 */
export async function requireReadable(c: Context<Env>, resent: Resent): Promise<void> {
  const { database, grantedScopes } = c.var
  if (!findMissingScopes(grantedScopes, listScopesOfEvents(['*']))) return
  database.usePrimary()
  const values = { ...getValues(c), ...resent }
  const isOne = 'event' in resent
  const [types, subscribed] = await database.run(
    [isOne ? statements.ofDelivery() : statements.lost(), values],
    [statements.subscribed(), values],
  )
  const wanted = isOne ? [] : subscribed.flatMap(({ events }) => typeList.parse(JSON.parse(events)))
  requireScopes(grantedScopes, listScopesOfEvents([...types.map(({ type }) => type), ...wanted]))
}
