import { and, lte, sql } from 'drizzle-orm'
import { raiseEvent } from '../../catalogue/events/raise-event.ts'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { db, selectList, typed } from '../../platform/db/query.ts'
import { serviceStateTable as table } from '../../platform/db/schema/checkout/service-states.ts'
import type { Bindings } from '../../platform/env.ts'
import { returnedFields, returnMarks, scope } from '../stock/return-marks.ts'
import { toEventData } from './service-events.ts'

/** The pause has ended. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(table.pausedUntil, param('now')), isHere(table.merchantId))

const scopeFields = {
  merchantId: table.merchantId,
  testMode: sql<number>`${table.testMode}`,
  ended: sql<string>`'[]'`,
  marks: sql<number>`1`,
}

const statements = {
  findDue: lazy(() =>
    typed(scopeFields, (select) =>
      db
        .select(select)
        .from(byIndex(table, 'service_states_until'))
        .where(isDue)
        .orderBy(table.pausedUntil)
        .limit(param('limit')),
    ),
  ),
  raise: lazy(() => {
    const insert = raiseEvent({
      type: 'service.resumed',
      row: toEventData(false),
      from: sql`${scope.from} cross join ${table} on ${table.merchantId} = ${scope.merchantId} and ${table.testMode} = ${scope.testMode} where ${isDue}`,
      scope: { merchantId: table.merchantId, testMode: table.testMode },
    })
    return typed(returnedFields, () => sql`${insert} returning ${selectList(returnedFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`update ${byKey(table)} set paused_until = null, message = null where ${isDue}
        and (${table.merchantId}, ${table.testMode}) in (select ${scope.merchantId}, ${scope.testMode} ${scope.from})`,
    ),
  ),
}

/**
 * Clears pauses that have ended, and raises `service.resumed`. A pause has no effect from its end on, so only the event depends on this run. Returns
 * the number of events.
 */
export const resumeService = (env: Bindings, database: Database, nowMs: number): Promise<number> =>
  returnMarks(env, database, nowMs, statements)
