import { desc } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { mayReadEvent } from '../../catalogue/events/event-scopes.ts'
import { getEventResource } from '../../catalogue/events/event-types.ts'
import { hasScope } from '../../platform/auth/authenticate.ts'
import { lazy } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import type { Env } from '../../platform/http/context.ts'
import { query } from '../../platform/http/validation.ts'
import { resourceIdentities, resourcePaths } from '../../platform/names.ts'
import { isEventInScope } from '../rows/stored-event.ts'

/** Number of newest events that a request reads. If more are new, every part counts as changed. */
const readEvents = 3

/** Parts of a merchant's data that a response can name. */
const pulseParts = [...resourcePaths, 'stock', 'service', 'orders'] as const
type Part = (typeof pulseParts)[number]

export const pulseQuery = z.strictObject({
  after: z
    .optional(
      z
        .string({ error: 'must not be repeated' })
        .check(z.regex(/^\d{1,15}$/, { error: 'must be the cursor of a previous response' })),
    )
    .check(z.describe('`cursor` of the previous response. Absent: returns the current cursor.')),
})

export const pulseView = z.object({
  cursor: z.string(),
  resources: z.array(z.enum(pulseParts)),
  requests: z.boolean(),
})

const newest = lazy(() =>
  typed({ seq: eventTable.seq, type: eventTable.type }, (select) =>
    db.select(select).from(eventTable).where(isEventInScope).orderBy(desc(eventTable.seq)).limit(readEvents),
  ),
)

/** Whether an event changes the open calls of guests. */
const isOfCalls = (type: string) => type === 'tag.requested' || type === 'tag.request_done'

/** The parts that an event of a type changes. */
function listParts(type: string): Part[] {
  const resource = getEventResource(type)
  const parts: Part[] = resource === undefined ? [] : [resourceIdentities[resource].path]
  const [noun = '', verb = ''] = type.split('.')
  if (noun === 'order') parts.push('orders')
  if (noun === 'service') parts.push('service')
  if (noun === 'stock') parts.push('products', 'stock')
  if (noun === 'option') parts.push('modifiers')
  if (verb === 'sold_out' || verb === 'back_in_stock') parts.push('stock')
  return parts
}

/** The scope of a part: orders are events, and the state of the service belongs to stock. */
const scopeOf = (part: Part) =>
  part === 'orders' ? 'events:read' : part === 'service' ? 'stock:read' : (`${part}:read` as const)

/** Tells whether something has changed since an earlier request, in one statement of three rows. */
export const pulseRoutes = new Hono<Env>().get('/', query(pulseQuery), async (c) => {
  const { database, scope, grantedScopes } = c.var
  const { after } = c.req.valid('query')
  // Devices whose clock is wrong follow that of the service. Servers that are not behind a proxy do not send it.
  c.header('date', new Date().toUTCString())
  const [events] = await database.run([newest(), { ...scope }])
  const last = events[0]?.seq ?? 0
  const cursor = `${last}`
  if (cursor === after) return c.body(null, 204)
  if (after === undefined) return c.json({ cursor, resources: [], requests: false }, 200)
  const unread = events.filter(({ seq }) => seq > Number(after))
  // Also after a restore, whose events may begin again.
  const isComplete = last > Number(after) && last - Number(after) <= unread.length
  const readable = unread.filter(({ type }) => mayReadEvent(grantedScopes, type))
  const changed = new Set<Part>(isComplete ? readable.flatMap(({ type }) => listParts(type)) : pulseParts)
  const resources = pulseParts.filter((part) => changed.has(part) && hasScope(grantedScopes, scopeOf(part)))
  const requests = !isComplete || readable.some(({ type }) => isOfCalls(type))
  return c.json({ cursor, resources, requests }, 200)
})
