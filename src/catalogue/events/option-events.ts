import { type SQL, sql } from 'drizzle-orm'
import { databaseNow } from '../../platform/db/database.ts'
import { optionAvailabilityTable as table } from '../../platform/db/schema/availability.ts'
import { maxListedProducts } from './event-data.ts'
import type { EventName } from './event-types.ts'
import { raiseEvent } from './raise-event.ts'

interface OptionEvent {
  type: Extract<EventName, 'option.sold_out' | 'option.back_in_stock'>
  /** SQL for the options that changed, as a JSON list of `{modifier, option}`. The event is raised unless it is empty. */
  changed: SQL
  /** Condition on marks that the change leaves as they are. Default: all. */
  isKept?: SQL
  /** SQL that selects `modifier` and `option` of those that the change marks: `union all select …`. */
  also?: SQL
  /** Where the merchant and the mode come from. */
  scope: { from: SQL; merchantId: SQL; testMode: SQL }
}

/** SQL that inserts an event with the options that changed and the complete list. Takes `:event`, `:atMs`, `:now` and `:baseUrl`. */
export function insertOptionEvent({ type, changed, isKept = sql`true`, also = sql``, scope }: OptionEvent): SQL {
  const { from, merchantId, testMode } = scope
  const max = sql.raw(String(maxListedProducts))
  const soldOut = sql`select modifier, option, row_number() over (order by modifier, option) as place from (
    select ${table.modifier} as modifier, ${table.option} as option from ${table}
      where ${table.merchantId} = ${merchantId} and ${table.testMode} = ${testMode} and ${table.soldOutUntil} > ${databaseNow} and ${isKept}
    ${also} order by modifier, option limit ${max} + 1)`
  const data = sql`(select json_object(
      'options', json(${changed}),
      'soldOut', json_group_array(json_object('modifier', modifier, 'option', option)) filter (where place <= ${max}),
      'truncated', json(iif(count(*) > ${max}, 'true', 'false')))
    from (${soldOut}))`
  return raiseEvent({
    type,
    row: data,
    from: sql`${from} where json_array_length(${changed}) > 0`,
    scope: { merchantId, testMode },
  })
}
