import { and, lte, sql } from 'drizzle-orm'
import { insertOptionEvent } from '../../catalogue/events/option-events.ts'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { selectList, typed } from '../../platform/db/query.ts'
import { optionAvailabilityTable as table } from '../../platform/db/schema/availability.ts'
import type { Bindings } from '../../platform/env.ts'
import { markedOfScope, returnedFields, returnMarks, scope } from './return-marks.ts'

/** The mark has expired. Each statement checks the home of the merchant, which can change between two statements. */
const isDue = and(lte(table.soldOutUntil, param('now')), isHere(table.merchantId))

/** The marks of a scope, which lists them as `[modifier, option]`. */
const marksOfScope = sql`${markedOfScope} cross join ${table}
  on ${table.merchantId} = ${scope.merchantId} and ${table.testMode} = ${scope.testMode}
  and ${table.modifier} = marked.value ->> 0 and ${table.option} = marked.value ->> 1`

const scopeFields = {
  merchantId: table.merchantId,
  testMode: sql<number>`${table.testMode}`,
  ended: sql<string>`json_group_array(json_array(${table.modifier}, ${table.option}))`,
  marks: sql<number>`count(*)`,
}

const statements = {
  findDue: lazy(() => {
    const ended = sql`select * from ${byIndex(table, 'option_availability_until')} where ${isDue} order by ${table.soldOutUntil} limit ${param('marks')}`
    return typed(
      scopeFields,
      () => sql`
        select ${selectList(scopeFields)} from (${ended}) as ${table}
        group by ${table.merchantId}, ${table.testMode} limit ${param('limit')}`,
    )
  }),
  raise: lazy(() => {
    const changed = sql`(select json_group_array(json_object('modifier', ${table.modifier}, 'option', ${table.option}))
      from ${marksOfScope} where ${isDue})`
    const insert = insertOptionEvent({ type: 'option.back_in_stock', changed, scope })
    return typed(returnedFields, () => sql`${insert} returning ${selectList(returnedFields)}`)
  }),
  deleteDue: lazy(() =>
    compile(
      sql`delete from ${byKey(table)} where ${isDue} and (${table.merchantId}, ${table.testMode}, ${table.modifier}, ${table.option}) in (
        select ${scope.merchantId}, ${scope.testMode}, marked.value ->> 0, marked.value ->> 1 ${scope.from} cross join ${markedOfScope})`,
    ),
  ),
}

/**
 * Deletes the marks of options that have ended, and raises `option.back_in_stock`. A mark has no effect from its end on, so only the event depends on
 * this run. Returns the number of events.
 */
export const returnOptions = (env: Bindings, database: Database, nowMs: number): Promise<number> =>
  returnMarks(env, database, nowMs, statements)
