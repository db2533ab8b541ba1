import { type SQLWrapper, sql } from 'drizzle-orm'
import { eventTable } from '../db/schema/events.ts'
import { productLabelTable } from '../db/schema/objects/product-labels.ts'
import { menuTable } from '../db/schema/resources/menus.ts'
import { productTable } from '../db/schema/resources/products.ts'

/** SQL for the part of the type of an event before its point. */
export const noun = sql`substr(${eventTable.type}, 1, instr(${eventTable.type}, '.') - 1)`
/** SQL for the id of the object of an event about one object. */
export const objectId = sql`${eventTable.row} ->> '$.id'`
const ofEvent = (table: typeof productTable | typeof menuTable) => sql`${table.merchantId} = ${eventTable.merchantId}
  and ${table.testMode} = ${eventTable.testMode} and ${table.id} = ${objectId}`
/** SQL for whether the object of an event is visible. Events of details do not record it. */
const isVisible = sql`case
  when json_type(${eventTable.row}, '$.visible') is not null then ${eventTable.row} ->> '$.visible'
  when ${eventTable.type} glob 'product.*' then (select ${productTable.visible} from ${productTable} where ${ofEvent(productTable)})
  when ${eventTable.type} glob 'menu.*' then (select ${menuTable.visible} from ${menuTable} where ${ofEvent(menuTable)})
  end`

const rule = sql`rule.value ->> '$.labelKey'`
const isLabelled = sql`exists (select 1 from ${productLabelTable} cross join ${productTable} on ${productTable.seq} = ${productLabelTable.owner}
  where ${productLabelTable.merchantId} = ${eventTable.merchantId} and ${productLabelTable.testMode} = ${eventTable.testMode}
    and ${productLabelTable.label} = ${rule} and ${ofEvent(productTable)})`
/** Details that a deletion removed: they have the folded labels. */
const wasLabelled = sql`exists (select 1 from json_each(${eventTable.kept}, '$.details') as kept,
  json_each(iif(json_valid(kept.value ->> '$.data'), kept.value ->> '$.data', '{}'), '$.labelKeys') as named where named.value = ${rule})`
/** Labels before a change of details, as people wrote them. SQL folds only ASCII: a change from other letters passes. */
const hadLabel = sql`exists (select 1 from json_each(${eventTable.previous}, '$.labels') as named
  where lower(trim(named.value)) = ${rule} or named.value glob '*[^ -~]*')`
/** SQL for whether the product of an event has or had the label of the rule. A deletion that kept no details passes. */
const matchesLabel = sql`case
  when ${eventTable.type} = 'product.deleted' then ${eventTable.kept} is null or ${wasLabelled}
  else ${isLabelled} or (${eventTable.type} = 'product.details_updated' and ${hadLabel}) end`

/**
 * The filter lets the event pass; see `webhooks/filters/filter-fields.ts`. An event that does not say what changed, or whose object has no such
 * state, passes. Without a filter, or with a damaged one, nothing is left out: no part of it makes the statement fail. `iif` does not evaluate what it
 * does not choose.
 */
export const passesFilter = (filter: SQLWrapper) => sql`(${filter} is null or not json_valid(${filter}) or (
  (json_type(${filter}, '$.changed."' || ${eventTable.type} || '"') is null or ${eventTable.previous} is null or exists (
    select 1 from json_each(${filter}, '$.changed."' || ${eventTable.type} || '"') as named
    where iif(instr(named.value, '"') = 0, json_type(${eventTable.previous}, '$."' || named.value || '"') is not null, true)))
  and not exists (
    select 1 from json_each(${filter}, '$.where') as rule
    where rule.key in (${eventTable.type}, ${noun} || '.*') and iif(rule.type = 'object',
      (rule.value ->> '$.visible' <> ${isVisible}
        and coalesce(rule.value ->> '$.visible' <> ${eventTable.previous} ->> '$.visible', true))
      or (${rule} is not null and not (${matchesLabel})), false))))`
