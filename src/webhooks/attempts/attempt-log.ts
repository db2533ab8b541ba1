import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { param } from '../../platform/db/database.ts'
import { deliveryTable, eventTable } from '../../platform/db/schema/events.ts'
import { literal } from '../rows/conditions.ts'
import { isEventInScope } from '../rows/stored-event.ts'
import type { CallOutcome } from '../send.ts'

/** Maximum number of attempts in a delivery's log, and of latest attempts with their response. In total well below D1's 2 MB per row. */
const logLimits = { attempts: 100, responses: 10 } as const

/** One attempt in a delivery's log. */
export const attemptView = z.object({
  number: z.int(),
  at: z.int(),
  status: z.optional(z.int()),
  durationMs: z.int(),
  error: z.optional(z.string()),
  response: z.optional(z.string()),
})
const attemptList = z.array(attemptView)

/** The attempts of a delivery; undefined if the stored list is damaged. */
export const parseAttempts = (stored: unknown) => attemptList.safeParse(stored).data

/** An attempt as JSON for the log. */
export const toLogEntry = (number: number, at: number, { retryAfter: _retryAfter, ...outcome }: CallOutcome) =>
  JSON.stringify({ number, at, ...outcome })

/** JSON path of the element before the last `count`. Matches nothing in a shorter list. */
const pathFromEnd = (count: number, member = ''): SQL => literal(`$[#-${count + 1}]${member}`)

/** The index avoids reading the row of the event, which may be large. */
const isErased = sql`exists (select 1 from ${eventTable} indexed by events_erased
  where ${isEventInScope} and ${eventTable.id} = ${param('event')} and ${eventTable.erasedAt} is not null)`
/** SQL for `:entry`. If the customer of the event was erased, the response is left out, because endpoints may echo what they receive. */
const entry = sql`iif(${isErased}, json_remove(${param('entry')}, '$.response'), ${param('entry')})`

/** SQL for the log with `:entry` appended and without what exceeds the limits. */
export const appendToLog = sql`json_remove(json_insert(${deliveryTable.attempts}, '$[#]', json(${entry})),
  ${pathFromEnd(logLimits.responses, '.response')}, ${pathFromEnd(logLimits.attempts)})`
