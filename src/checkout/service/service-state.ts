import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { type Caller, createEventValues } from '../../catalogue/resource/caller.ts'
import { compile, type Database, databaseNow, lazy, param } from '../../platform/db/database.ts'
import { createStoreStatement } from '../../platform/db/idempotency-keys.ts'
import { insertSelect, setColumns } from '../../platform/db/query.ts'
import { serviceStateTable as table } from '../../platform/db/schema/checkout/service-states.ts'
import { isInScope, type Scope } from '../../platform/db/scope.ts'
import { findServiceState, serviceStateJson } from '../../platform/db/service/service-state.ts'
import { commitNamed } from '../../platform/db/transaction.ts'
import { invalid } from '../../platform/errors.ts'
import type { ParsedBody } from '../../platform/http/validation.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { fanOut, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'
import { resolveUntil } from '../stock/availability.ts'
import { toEventData } from './service-events.ts'
import { listServiceIssues, type ServiceState, serviceRequest, toServiceState } from './service-fields.ts'

const stateWith = (condition: SQL) => sql`from ${table} where ${isInScope(table)} and ${condition}`
/** A running pause that the request repeats: nobody needs to hear of it again. */
const isSamePause = sql`${table.pausedUntil} = ${param('until')} and ${table.pausedUntil} > ${databaseNow} and ${table.message} is ${param('message')}`

const statements = {
  // The events come before the change, because they read the previous state.
  raiseEnded: lazy(() =>
    compile(
      raiseEvent({
        type: 'service.resumed',
        row: toEventData(false),
        // A pause may have ended by itself, but its event is raised by the cron.
        from: stateWith(
          sql`${table.pausedUntil} is not null and (${param('until')} is null or ${table.pausedUntil} <= ${databaseNow})`,
        ),
      }),
    ),
  ),
  raisePaused: lazy(() =>
    compile(
      raiseEvent({
        type: 'service.paused',
        row: toEventData(true, param('until'), param('message')),
        from: sql`where not exists (select 1 ${stateWith(isSamePause)})`,
      }),
    ),
  ),
  write: lazy(() => {
    const pause = { pausedUntil: param('until'), message: param('message') }
    const scope = { merchantId: param('merchantId'), testMode: param('testMode') }
    const insert = insertSelect(table, { ...scope, ...pause, prepMinutes: param('prepMinutes') }, sql`where true`)
    const keep = (flag: string, value: SQL, column: SQL) => sql`iif(${param(flag)}, ${value}, ${column})`
    return compile(
      sql`${insert} on conflict do update set ${setColumns(table, {
        pausedUntil: keep('setsPause', sql`excluded.paused_until`, sql`${table.pausedUntil}`),
        message: keep('setsPause', sql`excluded.message`, sql`${table.message}`),
        prepMinutes: keep('setsMinutes', sql`excluded.prep_minutes`, sql`${table.prepMinutes}`),
      })}`,
    )
  }),
  /** Stores the response to a request with an `Idempotency-Key`, as the venue is after the change. */
  store: createStoreStatement(sql`json_patch(${serviceStateJson}, json_object('at', ${param('now')}))`),
}

const computed = z.object({
  pausedUntil: z.nullish(z.number()),
  message: z.nullish(z.string()),
  prepMinutes: z.nullish(z.number()),
  at: z.number(),
})

/** Reads whether a venue takes orders. */
export async function findService(database: Database, scope: Scope): Promise<ServiceState> {
  const [[row]] = await database.run([findServiceState(), { ...scope }])
  return toServiceState(row, nowInSeconds())
}

/** Pauses a venue, ends its pause, or sets how long orders take. Raises an event if that begins, changes or ends a pause. */
export async function setService(caller: Caller, body: ParsedBody): Promise<ServiceState> {
  const common = createEventValues(caller)
  const { now } = common
  const { idempotency } = caller
  const render = (row: unknown) => {
    const { at, pausedUntil = null, message = null, prepMinutes = null } = computed.parse(row)
    return Response.json(toServiceState({ pausedUntil, message, prepMinutes }, at))
  }
  // When the request is repeated, the end may be in the past.
  if (idempotency) idempotency.renderComputed = render
  const issues = [...body.issues, ...listServiceIssues(body.patch, now)]
  if (issues.length > 0) throw invalid(issues)
  const { paused, until, message, prepMinutes } = serviceRequest.parse(body.patch)
  const values = {
    ...common,
    until: paused ? await resolveUntil(caller, until, now) : null,
    message: message || null,
    prepMinutes,
    setsPause: paused == null ? 0 : 1,
    setsMinutes: prepMinutes === undefined ? 0 : 1,
  }
  const { found, deliveries } = await commitNamed(
    caller,
    {
      operation: 'service.update',
      object: caller.scope.merchantId,
      computed: { store: [statements.store(), values], render },
    },
    values,
    {
      ...(paused != null && { ended: statements.raiseEnded() }),
      ...(paused && { paused: statements.raisePaused() }),
      write: statements.write(),
    },
    { found: findServiceState(), deliveries: fanOut() },
  )
  caller.enqueue(toPendingDeliveries(deliveries))
  return toServiceState(found[0], now)
}
