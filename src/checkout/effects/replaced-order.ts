import { type SQL, sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { setColumns } from '../../platform/db/query.ts'
import { orderTable as orders } from '../../platform/db/schema/checkout/orders.ts'
import { createAdjustmentStatement, createMissingStatement, isTakable } from '../stock/adjustment-statements.ts'
import { isChanged } from './changed-order.ts'
import { found, isChangeable, isClaimed, keptColumns, listSkipped, ofClaimed, writeRow } from './order-record.ts'
import { isEachReplaceable, settledRedemptions } from './replaced-redemptions.ts'

/**
 * SQL for the difference between what an order takes with `:changes` and what it has taken, the list `taken`: elements `{product, delta}` with their
 * places in `:changes`. Nothing if the stock stays.
 */
const createDifference = (
  taken: SQL,
) => sql`(select json_object('product', moved.product, 'delta', moved.delta) as value, moved.place as key
  from (select part.product as product, round(sum(part.delta), 4) as delta, max(part.place) as place
    from (select given.value ->> '$.product' as product, given.value ->> '$.delta' as delta, given.key as place
        from json_each(${param('changes')}) as given
      union all select had.value ->> '$.product', -(had.value ->> '$.delta'), null from json_each(${taken}) as had) as part
    group by part.product) as moved
  where moved.delta <> 0 and ${param('replacesStock')} order by moved.place is null, moved.place limit -1)`

const difference = createDifference(sql`found.stock`)

/**
 * Marks the order as changed by a higher revision, if the difference can be made. Returns a row if it was marked. The other statements of the
 * transaction follow. Until `settle`, the row has what the order had changed before.
 */
const claim = lazy(() =>
  writeRow(
    {
      ...keptColumns,
      state: sql`'open'`,
      skipped: listSkipped(difference, sql`given.value ->> '$.delta' > 0`),
      revision: param('revision'),
      revisionHash: param('revisionHash'),
    },
    sql`${isChangeable} and ${param('revision')} > coalesce(found.revision, 0) and ${isTakable(difference)}
      and ${isEachReplaceable({ redemptions: sql`found.redemptions`, released: sql`coalesce(found.released, '[]')` })}`,
    setColumns(orders, {
      change: sql`excluded.change`,
      skipped: sql`excluded.skipped`,
      revision: sql`excluded.revision`,
      revisionHash: sql`excluded.revision_hash`,
    }),
  ),
)

const newStock = sql`(select json_group_array(json_object('product', given.value ->> '$.product', 'delta', given.value ->> '$.delta'))
  from json_each(${param('changes')}) as given where given.value ->> '$.delta' <> 0)`

/** Statements that replace the effects of the order `:order`. */
export const replacedOrder = {
  claim,
  /** The units that the order would take and that are not there. */
  findMissing: createMissingStatement(createDifference(sql`(select stock from ${found})`)),
  recordStock: createAdjustmentStatement(
    sql`${isChanged} and ${param('replacesStock')}`,
    createDifference(ofClaimed(sql`${orders.stock}`)),
  ),
  /** Records what the order has changed in all. */
  settle: lazy(() =>
    compile(sql`
      update ${orders} set ${setColumns(orders, {
        stock: sql`iif(${param('replacesStock')}, ${newStock}, ${orders.stock})`,
        ...settledRedemptions,
      })}
      where ${isClaimed}`),
  ),
}
