import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { compile, type Database, lazy, param, type Values } from '../db/database.ts'
import type { Row } from '../db/row.ts'
import type { Bindings } from '../env.ts'
import * as field from '../http/fields.ts'
import { enqueueDeliveries } from '../outbox/enqueue-deliveries.ts'

/** A delivery that is due for longer than this has lost its message, or is parked, in seconds. */
export const overdueSeconds = 30
/** Deliveries of one webhook that are released at once when its endpoint accepts a call again. */
export const waveSize = 50

/** SQL for the overdue deliveries of the webhooks in `:webhooks`, at most `:most` of each, the ones that are due longest first. */
export const overdueOfEach = sql`
  select d.webhook, d.event
  from json_each(${param('webhooks')}) as hook cross join deliveries as d
  where d.webhook = hook.value and d.event in (
    select event from deliveries indexed by deliveries_due
    where state = 'pending' and webhook = hook.value and due_at <= ${param('before')} and leased_until <= ${param('now')}
    order by due_at limit ${param('most')})`

/**
 * Makes overdue deliveries due now, and returns them for their messages. Whoever asks next does not get the same ones: they are not
 * overdue any more until their messages have had time to be handled.
 */
export const releaseStatement = lazy(() =>
  compile(sql`
    update deliveries set due_at = ${param('now')} where (webhook, event) in (${overdueOfEach})
    returning webhook, event, attempt, slow`),
)

const released = z.object({ webhook: z.number(), event: z.string(), attempt: z.number(), slow: field.zeroOrOne })

/** A row of `releaseStatement`, as the queue's message needs it. */
export function toPendingDelivery(row: Row) {
  const { attempt, ...delivery } = released.parse(row)
  return { ...delivery, n: attempt + 1 }
}

/** Releases the next wave of a webhook's backlog. The last message of a full wave carries `more`, which releases the wave after it. */
export async function releaseWave(
  env: Bindings,
  database: Database,
  { merchant, webhook, before, now }: Values & { merchant: string; webhook: number; before: number; now: number },
): Promise<void> {
  const values = { webhooks: JSON.stringify([webhook]), before, now, most: waveSize }
  const [rows = []] = await database.run([releaseStatement(), values])
  const wave = rows.map((row) => ({ ...toPendingDelivery(row), merchant }))
  const last = wave.length === waveSize ? wave.length - 1 : undefined
  await enqueueDeliveries(
    env,
    wave.map((delivery, index) => (index === last ? { ...delivery, more: true } : delivery)),
  )
}
