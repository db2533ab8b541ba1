import { desc, eq, gt, sql } from 'drizzle-orm'
import { getLargeColumns, selectDetails } from '../../catalogue/resource/details/details-columns.ts'
import { selectLimits } from '../../checkout/coupon-limit-rows.ts'
import { allOf, compile, getColumn, lazy, param, type Statement } from '../../platform/db/database.ts'
import { columnsWithinShare } from '../../platform/db/page-budget.ts'
import { db, listed, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { externalIdOf } from '../../platform/db/schema/external-ids.ts'
import { couponTable } from '../../platform/db/schema/resources/coupons.ts'
import type { ExportedResource } from './exported-resource.ts'

/** Id of the newest event of the scope. */
export const findLastEvent = lazy(() =>
  typed({ id: eventTable.id }, (select) =>
    db
      .select(select)
      .from(eventTable)
      .where(allOf(eq(eventTable.merchantId, param('merchantId')), eq(eventTable.testMode, param('testMode'))))
      .orderBy(desc(eventTable.seq))
      .limit(1),
  ),
)

/** Name of the column with the external id of an object. */
export const externalIdColumn = 'external_id'
/** Name of the column with the limits of a coupon. */
export const limitsColumn = 'limits'

/** The statements that read all objects of a resource in pages, oldest first, with their external ids and details. */
export function createExportStatements(resource: ExportedResource) {
  const { table, spansModes, details } = resource
  const hasDetails = details !== undefined
  const scoped = (bothModes: boolean) =>
    allOf(eq(table.merchantId, param('merchantId')), bothModes ? undefined : eq(table.testMode, param('testMode')))
  const perReach = (build: (bothModes: boolean) => Statement) => {
    const [own, both] = [lazy(() => build(false)), lazy(() => build(true))]
    return ({ testMode }: { testMode: boolean }) => (spansModes && !testMode ? both() : own())
  }
  const limits = table === couponTable ? sql`, ${selectLimits} as ${sql.identifier(limitsColumn)}` : sql``
  const externalId = sql`${externalIdOf(table)} as ${sql.identifier(externalIdColumn)}${limits}`
  return {
    page: perReach((bothModes) =>
      compile(sql`
        select ${columnsWithinShare(table, getLargeColumns(resource, hasDetails))}, ${externalId} from ${table}
        where ${scoped(bothModes)} and ${gt(table.id, param('after'))}
        order by ${table.id} limit ${param('rows')}`),
    ),

    /** The complete rows `:ids` of a page, of any size. */
    findAll: perReach((bothModes) =>
      compile(sql`
        select ${table}.*, ${externalId}${selectDetails(resource, hasDetails)} from ${table}
        where ${scoped(bothModes)} and ${table.id} in ${listed('ids')}`),
    ),

    /** At most `:limit` different keys of metadata entries, sorted. Damaged metadata has none. */
    metadataKeys: perReach((bothModes) => {
      const metadata = getColumn(table, 'metadata')
      const key = sql`case when entry.type = 'object' then entry.value ->> '$.key' end`
      return compile(sql`
        select distinct ${key} as key
        from ${table}, json_each(case when json_valid(${metadata}) then ${metadata} else '[]' end) as entry
        where ${scoped(bothModes)} and typeof(${key}) = 'text'
        order by key limit ${param('limit')}`)
    }),
  }
}
