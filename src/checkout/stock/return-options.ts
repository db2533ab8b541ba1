import { and, lte, sql } from 'drizzle-orm'
import { insertOptionEvent } from '../../catalogue/events/option-events.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { optionAvailabilityTable as table } from '../../platform/db/schema/availability.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import type { Bindings } from '../../platform/env.ts'
import { createId } from '../../platform/lib/ids.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { enqueueDeliveries } from '../../platform/outbox/enqueue-deliveries.ts'
import { fanOutAll, toPendingDeliveries } from '../../platform/outbox/fan-out.ts'

/** Limits of one run: marks in one transaction, and transactions. */
const returnedOptionBounds = { marks: 5_000, rounds: 20 } as const

/** The mark has expired. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(table.soldOutUntil, param('now')), isHere(table.merchantId))

/** `:scopes` is a JSON list of merchants and modes, each with its marks: a JSON list of `[modifier, option]`. */
const scope = {
  from: sql`from json_each(${param('scopes')}) as due`,
  merchantId: sql`due.value ->> '$.merchantId'`,
  testMode: sql`due.value ->> '$.testMode'`,
}
const isMarked = sql`${table.merchantId} = ${scope.merchantId} and ${table.testMode} = ${scope.testMode}
  and ${table.modifier} = marked.value ->> 0 and ${table.option} = marked.value ->> 1`
const markedRows = sql`json_each(due.value -> '$.marks') as marked cross join ${table} on ${isMarked}`

const scopeFields = {
  merchantId: table.merchantId,
  testMode: sql<number>`${table.testMode}`,
  marks: sql<string>`json_group_array(json_array(${table.modifier}, ${table.option}))`,
  count: sql<number>`count(*)`,
}
const eventFields = { id: eventTable.id, merchantId: eventTable.merchantId }

const statements = {
  /** The marks that ended first, by merchant and mode. */
  findDue: lazy(() => {
    const ended = sql`select * from ${table} where ${isDue} order by ${table.soldOutUntil} limit ${param('limit')}`
    return typed(
      scopeFields,
      () =>
        sql`select ${selectList(scopeFields)} from (${ended}) as ${table} group by ${table.merchantId}, ${table.testMode}`,
    )
  }),
  raise: lazy(() => {
    const changed = sql`(select json_group_array(json_object('modifier', ${table.modifier}, 'option', ${table.option}))
      from ${markedRows} where ${isDue})`
    const insert = insertOptionEvent({ type: 'option.back_in_stock', changed, scope })
    return typed(eventFields, () => sql`${insert} returning ${selectList(eventFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`delete from ${table} where ${isDue} and (${table.merchantId}, ${table.testMode}, ${table.modifier}, ${table.option}) in (
        select ${scope.merchantId}, ${scope.testMode}, marked.value ->> 0, marked.value ->> 1 ${scope.from}, json_each(due.value -> '$.marks') as marked)`,
    ),
  ),
}

/**
 * Deletes the marks of options that have ended, and raises `option.back_in_stock`. A mark has no effect from its end on, so only the event depends on
 * this run. Returns the number of events.
 */
export async function returnOptions(env: Bindings, database: Database, nowMs: number): Promise<number> {
  const now = toSeconds(nowMs)
  const limit = returnedOptionBounds.marks
  let count = 0
  for (let round = 0; round < returnedOptionBounds.rounds; round++) {
    const [due] = await database.run([statements.findDue(), { now, limit }])
    if (due.length === 0) break
    const scopes = due.map(({ merchantId, testMode, marks }) => ({ merchantId, testMode, marks: JSON.parse(marks) }))
    const values = {
      now,
      atMs: nowMs,
      event: createId('evt'),
      baseUrl: null,
      scopes: JSON.stringify(scopes),
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
    if (due.reduce((sum, each) => sum + each.count, 0) < limit) break
  }
  return count
}
