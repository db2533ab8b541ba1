import { sql } from 'drizzle-orm'
import type { Caller } from '../../../../catalogue/resource/caller.ts'
import type { Draft } from '../../../../catalogue/resource/definition.ts'
import { toLimits } from '../../../../checkout/coupon-limit-rows.ts'
import { databaseNow, lazy } from '../../../../platform/db/database.ts'
import { db, listed, typed } from '../../../../platform/db/query.ts'
import {
  availabilityTable,
  optionAvailabilityTable as optionTable,
} from '../../../../platform/db/schema/availability.ts'
import { isInScope } from '../../../../platform/db/scope.ts'
import { limitStatements } from '../../../batch/limits/limit-statements.ts'
import type { ChangedObject } from '../read-objects.ts'

/** The limits and the marks of an object, as an undo compares them. */
interface CurrentSides {
  limits: Draft
  /** 0 if the coupon has none. */
  limitsVersion: number
  availability: Draft
}

const markFields = { id: availabilityTable.product, until: availabilityTable.soldOutUntil }
const optionFields = { id: optionTable.modifier, option: optionTable.option, until: optionTable.soldOutUntil }
const statements = {
  marks: lazy(() =>
    typed(markFields, (select) =>
      db
        .select(select)
        .from(availabilityTable)
        .where(
          sql`${isInScope(availabilityTable)} and ${availabilityTable.product} in ${listed('ids')} and ${availabilityTable.soldOutUntil} > ${databaseNow}`,
        ),
    ),
  ),
  options: lazy(() =>
    typed(optionFields, (select) =>
      db
        .select(select)
        .from(optionTable)
        .where(
          sql`${isInScope(optionTable)} and ${optionTable.modifier} in ${listed('ids')} and ${optionTable.soldOutUntil} > ${databaseNow}`,
        ),
    ),
  ),
}

const toIds = (objects: readonly ChangedObject[]) => JSON.stringify(objects.map(({ id }) => id))

/** Reads limits and marks of the objects of which a set changed some, and the limits of coupons that it created. One round trip, or none. */
export async function readCurrentSides({ database, scope }: Caller, objects: readonly ChangedObject[]) {
  const marked = objects.filter(({ change: { availability } }) => availability.size > 0)
  const limited = objects.filter(
    ({ resource, change: { limits, existed } }) => resource === 'coupons' && (limits.size > 0 || !existed),
  )
  const sides = new Map<string, CurrentSides>()
  if (marked.length + limited.length === 0) return sides
  const ids = { ids: toIds(marked), externalIds: '[]' }
  const [products, options, limits] = await database.run(
    [statements.marks(), { ...scope, ...ids }],
    [statements.options(), { ...scope, ...ids }],
    [limitStatements.find(), { ...scope, ids: toIds(limited), externalIds: '[]' }],
  )
  const none = { limits: {}, limitsVersion: 0 }
  for (const { id, until } of products) sides.set(id, { ...none, availability: { until } })
  for (const { id, option, until } of options) {
    sides.set(id, { ...none, availability: { ...sides.get(id)?.availability, [option]: until } })
  }
  for (const row of limits) {
    if (row.version === 0) continue
    sides.set(row.id, { limits: toLimits(row), limitsVersion: row.version, availability: {} })
  }
  return sides
}
