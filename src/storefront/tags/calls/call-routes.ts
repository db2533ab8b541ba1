import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import { createCaller, createEventValues } from '../../../catalogue/resource/caller.ts'
import { parseJson } from '../../../platform/db/query.ts'
import { type CallKind, callKinds } from '../../../platform/db/schema/resources/tag-requests.ts'
import { commitNamed } from '../../../platform/db/transaction.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import { idempotent } from '../../../platform/http/idempotency.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import { callStatements, readCallingVenue } from './call-statements.ts'
import { takeCall } from './take-call.ts'

/** An open call, as the API shows it. */
export const callView = z.object({
  tag: z.string().check(z.describe('Id of the tag of the table.')),
  kind: z.enum(callKinds).check(z.describe('`call`: somebody is to come. `bill`: the guest wants to pay.')),
  requestedAt: z.int().check(z.describe('Time of the call, in seconds since 1970-01-01 UTC.')),
  metadata: z
    .array(
      z.object({
        key: z.string().check(z.describe('Name of the entry.')),
        value: z.string().check(z.describe('Value of the entry.')),
      }),
    )
    .check(z.describe('Metadata of the tag that guests see, such as the name of the table.')),
})
export const callsView = z.object({
  kinds: z
    .array(z.enum(callKinds))
    .check(z.describe('Calls that the hosted menu takes, by `menuBar` of the merchant. Empty: it takes none.')),
  requests: z.array(callView).check(z.describe('The open calls, the oldest first.')),
})
export const finishedView = z.object({
  tag: z.string().check(z.describe('Id of the tag of the table.')),
  kind: z.enum(callKinds).check(z.describe('Kind of the call.')),
  done: z.literal(true).check(z.describe('Always `true`.')),
})

const storedMetadata = z.array(z.object({ key: z.string(), value: z.string(), visible: z.boolean() }))
/** Entries that guests see. A damaged list is shown as an empty one. */
const toShown = (json: string) =>
  (storedMetadata.safeParse(parseJson(json)).data ?? []).flatMap(({ key, value, visible }) =>
    visible ? { key, value } : [],
  )

/** The form of the hosted menu. */
export const guestCallRoutes = new Hono<Env>().post('/:merchantId/requests', takeCall)

/** Open calls of guests. */
export const callListRoutes = new Hono<Env>().get('/', async (c) => {
  const { database, scope } = c.var
  const [[venue], calls] = await database.run(
    [callStatements.venue(), { ...scope }],
    [callStatements.list(), { ...scope }],
  )
  const { actions = [] } = (venue && readCallingVenue(venue).menuBar) ?? {}
  return c.json(
    {
      kinds: callKinds.filter((kind) => actions.includes(kind)),
      requests: calls.map(({ tag, kind, at, metadata }) => ({
        tag,
        kind,
        requestedAt: at,
        metadata: toShown(metadata),
      })),
    } satisfies z.output<typeof callsView>,
    200,
  )
})

async function finish(c: Context<Env>, tag: string, kind: CallKind): Promise<Response> {
  const response = c.json({ tag, kind, done: true } satisfies z.output<typeof finishedView>, 200)
  const caller = createCaller(c)
  const { found, deliveries } = await commitNamed(
    caller,
    { response },
    { ...createEventValues(caller), tag, kind },
    { raise: callStatements.raiseDone(), finish: callStatements.finish() },
    { found: callStatements.find(), deliveries: fanOut() },
  )
  if (found.length === 0) throw notFound()
  caller.enqueue(toPendingDeliveries(deliveries))
  return response
}

/** Marks a call of a guest as done. */
export const finishRoutes = new Hono<Env>().post('/:id/requests/:kind/done', idempotent, (c) => {
  const { id, kind: name } = c.req.param()
  const kind = callKinds.find((each) => each === name)
  if (kind === undefined) throw notFound()
  return finish(c, id, kind)
})
