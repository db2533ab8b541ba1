import { sql } from 'drizzle-orm'
import { insertOptionEvent } from '../../catalogue/events/option-events.ts'
import { nextHistoryVersion, raiseEvent } from '../../catalogue/events/raise-event.ts'
import { insertSoldOutEvent } from '../../catalogue/events/sold-out-events.ts'
import { compile, databaseNow, lazy, param, type Values } from '../../platform/db/database.ts'
import { insertSelect, setColumns } from '../../platform/db/query.ts'
import { availabilityTable, optionAvailabilityTable as optionTable } from '../../platform/db/schema/availability.ts'
import { modifierTable } from '../../platform/db/schema/resources/modifiers.ts'
import { isOutOfStock, productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { isSoldOut, joinAvailability } from '../../platform/db/sold-out.ts'
import type { Write } from '../../platform/db/transaction.ts'

/** The marks of the JSON list `:marks`: `[id, end or null]` of products. */
const marks = sql`json_each(${param('marks')}) as mark`
const [markedId, markedUntil] = [sql`mark.value ->> 0`, sql`mark.value ->> 1`]
const markedProducts = sql`${marks} cross join ${productTable} on ${isInScope(productTable)} and ${productTable.id} = ${markedId}`
const listProducts = (condition: ReturnType<typeof sql>) =>
  sql`(select json_group_array(${productTable.id}) from ${markedProducts} ${joinAvailability} where ${condition})`
const withEnd = sql`select ${markedId} from ${marks} where ${markedUntil} is not null`
const withoutEnd = sql`select ${markedId} from ${marks} where ${markedUntil} is null`

/** Options of the JSON list `:marks`: `[modifier, option, end or null]`. */
const [ofModifier, ofOption, optionUntil] = [sql`mark.value ->> 0`, sql`mark.value ->> 1`, sql`mark.value ->> 2`]
const options = sql`json_each(case when json_valid(${modifierTable.options}) then ${modifierTable.options} end) as part`
const named = sql`(select ${ofModifier} as modifier, ${ofOption} as option, ${optionUntil} as until from ${marks}
  cross join ${modifierTable} on ${isInScope(modifierTable)} and ${modifierTable.id} = ${ofModifier} cross join ${options}
  where part.value ->> '$.id' = ${ofOption}) as named`
const markOfNamed = sql`${optionTable} on ${isInScope(optionTable)} and ${optionTable.modifier} = named.modifier and ${optionTable.option} = named.option`
const listOptions = (condition: ReturnType<typeof sql>) =>
  sql`(select json_group_array(json_object('modifier', named.modifier, 'option', named.option)) from ${named} left join ${markOfNamed} where ${condition})`
const isNamed = sql`(${optionTable.modifier}, ${optionTable.option}) in (select ${ofModifier}, ${ofOption} from ${marks})`
const after = {
  isKept: sql`not (${isNamed})`,
  also: sql`union all select named.modifier, named.option from ${named} where named.until is not null`,
  scope: { from: sql``, merchantId: sql`${param('merchantId')}`, testMode: sql`${param('testMode')}` },
}

const presentEnd = sql`iif(${availabilityTable.soldOutUntil} > ${databaseNow}, ${availabilityTable.soldOutUntil}, null)`
const presentOptionEnd = sql`iif(${optionTable.soldOutUntil} > ${databaseNow}, ${optionTable.soldOutUntil}, null)`
/** Each modifier with options that change, and their ends after and before. Grouped, so that the marks are read once and not for each modifier. */
const changedModifiers = sql`(select named.modifier as modifier, json_group_object(named.option, named.until) as later,
    json_group_object(named.option, ${presentOptionEnd}) as earlier
  from ${named} left join ${markOfNamed} where ${presentOptionEnd} is not named.until group by named.modifier) as changed`
const toOptions = (ends: ReturnType<typeof sql>) =>
  sql`json_object('id', ${modifierTable.id}, 'options', json(${ends}))`

const statements = {
  /** Record the changes for the history of the objects, before the changes. */
  record: lazy(() =>
    compile(
      raiseEvent({
        type: 'product.availability_changed',
        object: productTable.id,
        version: nextHistoryVersion('product.availability_changed', productTable.id),
        row: sql`json_object('id', ${productTable.id}, 'until', ${markedUntil})`,
        previous: sql`json_object('until', ${presentEnd})`,
        position: sql`mark.key + 1`,
        from: sql`from ${markedProducts} ${joinAvailability} where ${presentEnd} is not ${markedUntil}`,
      }),
    ),
  ),
  recordOptions: lazy(() =>
    compile(
      raiseEvent({
        type: 'modifier.availability_changed',
        object: modifierTable.id,
        version: nextHistoryVersion('modifier.availability_changed', modifierTable.id),
        row: toOptions(sql`changed.later`),
        previous: toOptions(sql`changed.earlier`),
        position: sql`row_number() over (order by ${modifierTable.seq})`,
        from: sql`from ${changedModifiers} cross join ${modifierTable}
          where ${isInScope(modifierTable)} and ${modifierTable.id} = changed.modifier`,
      }),
    ),
  ),
  // The events come before the change, because they read the previous state.
  raiseSoldOut: lazy(() =>
    compile(
      insertSoldOutEvent({
        type: 'product.sold_out',
        changed: listProducts(sql`${markedUntil} is not null and not ${isSoldOut}`),
        also: sql`union ${withEnd} except ${withoutEnd}`,
      }),
    ),
  ),
  raiseBackInStock: lazy(() =>
    compile(
      insertSoldOutEvent({
        type: 'product.back_in_stock',
        changed: listProducts(
          sql`${markedUntil} is null and ${availabilityTable.soldOutUntil} is not null and not (${isOutOfStock(productTable)})`,
        ),
        also: sql`union ${withEnd} except ${withoutEnd}`,
      }),
    ),
  ),
  clear: lazy(() =>
    compile(
      sql`delete from ${availabilityTable} where ${isInScope(availabilityTable)} and ${availabilityTable.product} in (${withoutEnd})`,
    ),
  ),
  mark: lazy(() => {
    const { merchantId, testMode, id: product } = productTable
    const tail = sql`from ${markedProducts} where ${markedUntil} is not null`
    const insert = insertSelect(availabilityTable, { merchantId, testMode, product, soldOutUntil: markedUntil }, tail)
    return compile(
      sql`${insert} on conflict do update set ${setColumns(availabilityTable, { soldOutUntil: sql`excluded.sold_out_until` })}`,
    )
  }),
  raiseOptionsSoldOut: lazy(() => {
    const isChanged = sql`named.until is not null and coalesce(${optionTable.soldOutUntil}, 0) <= ${databaseNow}`
    return compile(insertOptionEvent({ type: 'option.sold_out', changed: listOptions(isChanged), ...after }))
  }),
  raiseOptionsBack: lazy(() => {
    const isChanged = sql`named.until is null and ${optionTable.soldOutUntil} is not null`
    return compile(insertOptionEvent({ type: 'option.back_in_stock', changed: listOptions(isChanged), ...after }))
  }),
  clearOptions: lazy(() =>
    compile(
      sql`delete from ${optionTable} where ${isInScope(optionTable)} and (${optionTable.modifier}, ${optionTable.option}) in (
        select named.modifier, named.option from ${named} where named.until is null)`,
    ),
  ),
  markOptions: lazy(() => {
    const row = { merchantId: param('merchantId'), testMode: param('testMode') }
    const columns = { modifier: sql`named.modifier`, option: sql`named.option`, soldOutUntil: sql`named.until` }
    const insert = insertSelect(optionTable, { ...row, ...columns }, sql`from ${named} where named.until is not null`)
    return compile(
      sql`${insert} on conflict do update set ${setColumns(optionTable, { soldOutUntil: sql`excluded.sold_out_until` })}`,
    )
  }),
}

/** Marks of a change: the end of each in seconds, null to remove it. */
export interface Marks {
  products: readonly (readonly [id: string, until: number | null])[]
  options: readonly (readonly [modifier: string, option: string, until: number | null])[]
}

/** Ids of the objects that have marks. */
export const listMarked = ({ products, options: ofModifiers }: Marks): ReadonlySet<string> =>
  new Set([...products.map(([id]) => id), ...ofModifiers.map(([id]) => id)])

/** Statements that set and remove marks as sold out, and raise their events. Those of objects that do not exist have no effect. */
export function markMany({ products, options: ofModifiers }: Marks, values: Values): Write {
  const ofProducts = { ...values, marks: JSON.stringify(products) }
  const ofOptions = { ...values, marks: JSON.stringify(ofModifiers) }
  return [
    ...(products.length === 0
      ? []
      : [
          statements.raiseSoldOut,
          statements.raiseBackInStock,
          statements.record,
          statements.clear,
          statements.mark,
        ].map((statement) => [statement(), ofProducts] as const)),
    ...(ofModifiers.length === 0
      ? []
      : [
          statements.raiseOptionsSoldOut,
          statements.raiseOptionsBack,
          statements.recordOptions,
          statements.clearOptions,
          statements.markOptions,
        ].map((statement) => [statement(), ofOptions] as const)),
  ]
}
