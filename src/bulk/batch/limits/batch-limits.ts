import type { Caller } from '../../../catalogue/resource/caller.ts'
import { listPrevious } from '../../../catalogue/resource/details/plan-details.ts'
import type { CouponLimits } from '../../../checkout/coupon-limit-fields.ts'
import type { Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import type { BatchOperation } from '../operation.ts'
import type { Read } from '../plan/find-objects.ts'
import { forRows } from '../statements/row-parameters.ts'
import { limitStatements } from './limit-statements.ts'
import { createLimitsPlanner, readStoredLimits } from './limits-planner.ts'

/** The part of a batch that reads, plans and writes the limits of coupons. */
export function createBatchLimits({ scope }: Pick<Caller, 'scope'>, operations: readonly BatchOperation[]) {
  const rows = new Map<string, Row>()
  const found = { rows, automatic: 0 }
  const planner = createLimitsPlanner(found)
  const known = operations.filter(
    ({ op, resource, limits }) => resource === 'coupons' && (op === 'delete' || (limits && op !== 'create')),
  )

  return {
    read: planner.read,
    plan: planner.plan,

    /** The limits of a coupon as they were read. Throws `DamagedError`. */
    getLimits: (id: string): CouponLimits => readStoredLimits(rows.get(id)).limits,

    /** The statements that read limits, and the number of automatic coupons. */
    *listReads(): Iterable<Read> {
      if (known.length > 0) {
        const keys = {
          ids: JSON.stringify(known.flatMap(({ id }) => id ?? [])),
          externalIds: JSON.stringify(
            known.flatMap(({ id, externalId }) => (id === undefined ? (externalId ?? []) : [])),
          ),
        }
        yield [
          limitStatements.find(),
          { ...scope, ...keys },
          (read) => {
            for (const row of read) rows.set(String(row['id']), row)
          },
        ]
      }
      if (!operations.some(({ limits }) => limits?.['automatic'])) return
      const statement = limitStatements.countAutomatic()
      yield [
        statement,
        { ...scope },
        ([row]) => {
          if (row) found.automatic = statement.read(row).count
        },
      ]
    },

    /** The statements that write the planned limits. */
    listWrites(values: Values): Write {
      const changes = planner
        .listChanged()
        .flatMap(({ id, limits }) => (limits?.change ? [{ id, ...limits.change }] : []))
      const turned = changes.filter(({ limits, before }) => limits.automatic !== before.automatic)
      const isRoomTaken = turned.some(({ limits }) => limits.automatic)
      return [
        ...forRows(
          limitStatements.write,
          values,
          changes.map(({ id, version, limits: { automatic: _, ...data } }) => ({ id, expected: version, ...data })),
        ),
        ...forRows(
          limitStatements.insertEvents,
          values,
          changes.map(({ id, version, limits, before }) => ({
            id,
            expected: version,
            row: { id, limits },
            previous: listPrevious(before, limits),
          })),
        ),
        ...forRows(
          limitStatements.setAutomatic,
          values,
          turned.map(({ id, limits: { automatic } }) => ({ id, automatic })),
        ),
        ...(isRoomTaken ? [[limitStatements.requireRoom(), values] as const] : []),
      ]
    },
  }
}
