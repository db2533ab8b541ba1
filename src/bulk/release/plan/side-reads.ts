import { and, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { selectNamed } from '../../../catalogue/resource/external-ids.ts'
import { coupons } from '../../../catalogue/resources/coupons.ts'
import { modifiers } from '../../../catalogue/resources/modifiers.ts'
import { products } from '../../../catalogue/resources/products.ts'
import type { CouponLimits } from '../../../checkout/coupon-limit-fields.ts'
import { readSelectedLimits, selectLimits } from '../../../checkout/coupon-limit-rows.ts'
import { toUntil } from '../../../checkout/stock/availability.ts'
import { lazy, type Statement } from '../../../platform/db/database.ts'
import { db, listed, selectList, typed } from '../../../platform/db/query.ts'
import { availabilityTable, optionAvailabilityTable } from '../../../platform/db/schema/availability.ts'
import { couponLimitTable } from '../../../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../../../platform/db/schema/resources/coupons.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { Read } from '../../batch/plan/find-objects.ts'
import type { ReleaseParts } from '../release-view.ts'

const isProduct = sql`(${productTable.id} in ${listed('ids')} or ${productTable.seq} in (${selectNamed(products)}))`
const isModifier = sql`(${modifierTable.id} in ${listed('ids')} or ${modifierTable.seq} in (${selectNamed(modifiers)}))`
const isCoupon = sql`(${couponTable.id} in ${listed('ids')} or ${couponTable.seq} in (${selectNamed(coupons)}))`

const automatic = alias(couponTable, 'automatic')
const markFields = { id: availabilityTable.product, until: availabilityTable.soldOutUntil }
const optionFields = {
  id: optionAvailabilityTable.modifier,
  option: optionAvailabilityTable.option,
  until: optionAvailabilityTable.soldOutUntil,
}
const limitFields = {
  id: couponTable.id,
  limits: sql<string | null>`${selectLimits}`,
  version: sql<number>`coalesce((select ${couponLimitTable.version} from ${couponLimitTable} where ${couponLimitTable.coupon} = ${couponTable.seq}), 0)`,
  automatic: sql<number>`(select count(*) from ${couponTable} as ${automatic} where ${and(isInScope(automatic), sql`${automatic.automatic} = 1`)})`,
}

const statements = {
  marks: lazy(() =>
    typed(markFields, (select) =>
      db
        .select(select)
        .from(availabilityTable)
        .where(
          and(
            isInScope(availabilityTable),
            sql`${availabilityTable.product} in (select ${productTable.id} from ${productTable} where ${and(isInScope(productTable), isProduct)})`,
          ),
        ),
    ),
  ),
  options: lazy(() =>
    typed(optionFields, (select) =>
      db
        .select(select)
        .from(optionAvailabilityTable)
        .where(
          and(
            isInScope(optionAvailabilityTable),
            sql`${optionAvailabilityTable.modifier} in (select ${modifierTable.id} from ${modifierTable} where ${and(isInScope(modifierTable), isModifier)})`,
          ),
        ),
    ),
  ),
  limits: lazy(() =>
    typed(
      limitFields,
      () => sql`select ${selectList(limitFields)} from ${couponTable} where ${and(isInScope(couponTable), isCoupon)}`,
    ),
  ),
}

/** An operation that names its object by an id or by an external id, with parts that are stored beside objects. */
interface SideOperation extends Pick<ReleaseParts, 'availability'> {
  limits?: object | undefined
  resource: string
  id?: string | undefined
  externalId?: string | undefined
}

/** The limits of a coupon as they are stored. */
interface StoredLimits {
  limits: CouponLimits
  /** 0 for a coupon that never had limits. */
  version: number
}

/** Reads availability and limits of the objects of operations, among other reads of one round trip. */
export function createSideReads(scope: Scope, operations: readonly SideOperation[]) {
  const marks = new Map<string, number>()
  const optionMarks = new Map<string, Map<string, number>>()
  const limits = new Map<string, StoredLimits>()
  let automaticCount = 0

  function* read<Row>(
    path: string,
    part: 'availability' | 'limits',
    statement: () => Statement<Row>,
    take: (row: Row) => void,
  ): Iterable<Read> {
    const own = operations.filter((operation) => operation.resource === path && operation[part])
    if (own.length === 0) return
    const keys = {
      ids: JSON.stringify(own.flatMap(({ id }) => id ?? [])),
      externalIds: JSON.stringify(own.flatMap(({ id, externalId }) => (id === undefined ? (externalId ?? []) : []))),
    }
    yield [statement(), { ...scope, ...keys }, (rows) => rows.map(statement().read).forEach(take)]
  }

  const toMark = (until: number | undefined) => {
    const end = toUntil(until ?? null, nowInSeconds())
    return { soldOut: end !== undefined, ...(end !== undefined && { until: end }) }
  }

  return {
    *listReads(): Iterable<Read> {
      yield* read('products', 'availability', statements.marks, ({ id, until }) => marks.set(id, until))
      yield* read('modifiers', 'availability', statements.options, ({ id, option, until }) => {
        const own = optionMarks.get(id) ?? new Map<string, number>()
        optionMarks.set(id, own.set(option, until))
      })
      yield* read('coupons', 'limits', statements.limits, ({ id, limits: text, version, automatic }) => {
        automaticCount = automatic
        const read = text === null ? {} : readSelectedLimits(text, { id, merchantId: scope.merchantId })
        limits.set(id, { limits: read, version })
      })
    },
    findLimits: (coupon: string): StoredLimits => limits.get(coupon) ?? { limits: {}, version: 0 },
    /** Number of automatic coupons. */
    countAutomatic: () => automaticCount,
    /** Availability and limits of an object, as an operation states them. */
    toParts(path: string, id: string, { availability, limits: given }: ReleaseParts): ReleaseParts {
      if (path === 'products' && availability) return { availability: toMark(marks.get(id)) }
      if (path === 'modifiers' && availability) {
        const named = Object.keys(Object(availability['options']))
        const own = optionMarks.get(id)
        return {
          availability: { options: Object.fromEntries(named.map((option) => [option, toMark(own?.get(option))])) },
        }
      }
      return path === 'coupons' && given ? { limits: { ...(limits.get(id)?.limits ?? {}) } } : {}
    },
  }
}
export type ReleaseSides = ReturnType<typeof createSideReads>
