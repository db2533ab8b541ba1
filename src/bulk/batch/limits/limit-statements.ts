import { eq, sql } from 'drizzle-orm'
import { raiseEvent } from '../../../catalogue/events/raise-event.ts'
import { selectNamed } from '../../../catalogue/resource/external-ids.ts'
import { coupons } from '../../../catalogue/resources/coupons.ts'
import { maxAutomatic } from '../../../checkout/coupon-limit-fields.ts'
import { createLimitValues, storedLimits } from '../../../checkout/coupon-limit-rows.ts'
import { compile, lazy } from '../../../platform/db/database.ts'
import { db, insertSelect, listed, setColumns, typed } from '../../../platform/db/query.ts'
import { couponLimitTable as table } from '../../../platform/db/schema/checkout/coupon-limits.ts'
import { couponTable } from '../../../platform/db/schema/resources/coupons.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { sqlName } from '../../../platform/db/sql-name.ts'
import { undoIf } from '../../../platform/db/transaction.ts'
import { member, rows } from '../statements/row-parameters.ts'

/** Number of automatic coupons of the merchant in the mode. */
const automaticCount = sql<number>`(select count(*) from ${couponTable} where ${isInScope(couponTable)} and ${couponTable.automatic} = 1)`
const isNamed = sql`${isInScope(couponTable)} and ${couponTable.id} = ${member('id')}`

/** Statements about the limits of coupons, each for all coupons of a list. */
export const limitStatements = {
  /** The limits of `:ids` and of the coupons with `:externalIds`. */
  find: lazy(() =>
    typed(storedLimits, (select) =>
      db
        .select(select)
        .from(couponTable)
        .leftJoin(table, eq(table.coupon, couponTable.seq))
        .where(
          sql`${couponTable.seq} in (
            select ${couponTable.seq} from ${couponTable} where ${isInScope(couponTable)} and ${couponTable.id} in ${listed('ids')}
            union ${selectNamed(coupons)}) and ${isInScope(couponTable)}`,
        ),
    ),
  ),

  countAutomatic: lazy(() => typed({ count: automaticCount }, (select) => db.select(select).from(sql`(select 1)`))),

  /** Writes limits. Undoes the batch, by violating the NOT NULL of `version`, unless those of each coupon are at its version `expected`. */
  write: lazy(() => {
    const insert = insertSelect(
      table,
      {
        coupon: couponTable.seq,
        ...createLimitValues((_, name) => member(name)),
        version: sql`${member('expected')} + 1`,
      },
      sql`from ${rows} cross join ${couponTable} where ${isNamed}`,
    )
    const changed = createLimitValues((_, name) => sql`excluded.${sql.identifier(sqlName(name))}`)
    const version = sql`case when ${table.version} = excluded.version - 1 then excluded.version end`
    return compile(sql`${insert} on conflict do update set ${setColumns(table, { ...changed, version })}`)
  }),

  insertEvents: lazy(() =>
    compile(
      raiseEvent({
        type: 'coupon.limits_changed',
        object: couponTable.id,
        version: sql`${member('expected')} + 1`,
        row: sql`named.value -> '$.row'`,
        previous: sql`named.value -> '$.previous'`,
        position: sql`named.key + 1`,
        from: sql`from ${rows} cross join ${couponTable} where ${isNamed}`,
      }),
    ),
  ),

  setAutomatic: lazy(() =>
    compile(sql`
      update ${couponTable} set ${setColumns(couponTable, { automatic: member('automatic') })}
      from ${rows} where ${isNamed}`),
  ),

  /** Undoes the batch if another request made coupons automatic in between. */
  requireRoom: lazy(() => compile(undoIf(sql`${automaticCount} > ${sql.raw(String(maxAutomatic))}`))),
}
