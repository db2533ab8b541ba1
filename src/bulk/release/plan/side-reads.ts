import { and, sql } from 'drizzle-orm'
import { selectNamed } from '../../../catalogue/resource/external-ids.ts'
import { modifiers } from '../../../catalogue/resources/modifiers.ts'
import { products } from '../../../catalogue/resources/products.ts'
import { toUntil } from '../../../checkout/stock/availability.ts'
import { lazy, type Statement } from '../../../platform/db/database.ts'
import { db, listed, typed } from '../../../platform/db/query.ts'
import { availabilityTable, optionAvailabilityTable } from '../../../platform/db/schema/availability.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { productTable } from '../../../platform/db/schema/resources/products.ts'
import { isInScope, type Scope } from '../../../platform/db/scope.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { Read } from '../../batch/plan/find-objects.ts'
import type { ReleaseParts } from '../release-view.ts'

const isProduct = sql`(${productTable.id} in ${listed('ids')} or ${productTable.seq} in (${selectNamed(products)}))`
const isModifier = sql`(${modifierTable.id} in ${listed('ids')} or ${modifierTable.seq} in (${selectNamed(modifiers)}))`

const markFields = { id: availabilityTable.product, until: availabilityTable.soldOutUntil }
const optionFields = {
  id: optionAvailabilityTable.modifier,
  option: optionAvailabilityTable.option,
  until: optionAvailabilityTable.soldOutUntil,
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
}

/** An operation that names its object by an id or by an external id, with parts that are stored beside objects. */
interface SideOperation extends Pick<ReleaseParts, 'availability'> {
  resource: string
  id?: string | undefined
  externalId?: string | undefined
}

/** Reads availability of the objects of operations, among other reads of one round trip. */
export function createSideReads(scope: Scope, operations: readonly SideOperation[]) {
  const marks = new Map<string, number>()
  const optionMarks = new Map<string, Map<string, number>>()

  function* read<Row>(path: string, statement: () => Statement<Row>, take: (row: Row) => void): Iterable<Read> {
    const own = operations.filter((operation) => operation.resource === path && operation.availability)
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
      yield* read('products', statements.marks, ({ id, until }) => marks.set(id, until))
      yield* read('modifiers', statements.options, ({ id, option, until }) => {
        const own = optionMarks.get(id) ?? new Map<string, number>()
        optionMarks.set(id, own.set(option, until))
      })
    },
    /** Availability of an object, as an operation states them. */
    toParts(path: string, id: string, { availability }: ReleaseParts): ReleaseParts {
      if (path === 'products' && availability) return { availability: toMark(marks.get(id)) }
      if (path === 'modifiers' && availability) {
        const named = Object.keys(Object(availability['options']))
        const own = optionMarks.get(id)
        return {
          availability: { options: Object.fromEntries(named.map((option) => [option, toMark(own?.get(option))])) },
        }
      }
      return {}
    },
  }
}
