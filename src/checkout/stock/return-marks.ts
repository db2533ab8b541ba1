import { sql } from 'drizzle-orm'
import { type Database, param, type Statement } from '../../platform/db/database.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { withoutCause } from '../../platform/db/transaction.ts'
import type { Bindings } from '../../platform/env.ts'
import { createId } from '../../platform/lib/ids.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { enqueueDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { fanOutAll, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'

/** Limits of one run: marks, and merchants in a mode, in one transaction, and transactions. */
export const returnBounds = { marks: 5_000, scopes: 500, rounds: 20 } as const

/** `:scopes` is a JSON list of merchants and modes, each with what its marks name: `ended`, the text of a JSON list. */
export const scope = {
  from: sql`from json_each(${param('scopes')}) as due`,
  merchantId: sql`due.value ->> '$.merchantId'`,
  testMode: sql`due.value ->> '$.testMode'`,
}
/** The entries of `ended` of a scope, as `marked`. */
export const markedOfScope = sql`json_each(due.value ->> '$.ended') as marked`

/** Columns of the events of a run. */
export const returnedFields = { id: eventTable.id, merchantId: eventTable.merchantId }

/** A scope whose marks have ended. */
interface EndedScope {
  merchantId: string
  testMode: number
  ended: string
  /** Number of its marks. */
  marks: number
}

/** The statements about one kind of marks. */
interface MarkStatements {
  /** At most `:limit` scopes of the `:marks` marks that ended first. */
  findDue(): Statement<EndedScope>
  raise(): Statement<{ id: string; merchantId: string }>
  deleteDue(): Statement
}

/** Deletes marks that have ended, and raises their events. Returns the number of events. */
export async function returnMarks(
  env: Bindings,
  database: Database,
  nowMs: number,
  statements: MarkStatements,
): Promise<number> {
  const now = toSeconds(nowMs)
  let count = 0
  for (let round = 0; round < returnBounds.rounds; round++) {
    const [due] = await database.run([
      statements.findDue(),
      { now, marks: returnBounds.marks, limit: returnBounds.scopes },
    ])
    if (due.length === 0) break
    const values = {
      now,
      atMs: nowMs,
      event: createId('evt'),
      baseUrl: null,
      ...withoutCause,
      scopes: JSON.stringify(due),
      merchants: JSON.stringify([...new Set(due.map(({ merchantId }) => merchantId))]),
    }
    const [events, , deliveries] = await database.run(
      [statements.raise(), values],
      [statements.deleteDue(), values],
      [fanOutAll(), values],
    )
    const owners = new Map(events.map(({ id, merchantId }) => [id, merchantId]))
    const pending = toPendingDeliveries(deliveries).flatMap((delivery) => {
      const merchant = owners.get(delivery.event)
      return merchant === undefined ? [] : [{ ...delivery, merchant }]
    })
    await enqueueDeliveries(env, pending)
    count += events.length
    const marks = due.reduce((sum, scope) => sum + scope.marks, 0)
    if (due.length < returnBounds.scopes && marks < returnBounds.marks) break
  }
  return count
}
