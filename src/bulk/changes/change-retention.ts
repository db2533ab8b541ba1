import { sql } from 'drizzle-orm'
import { byKey } from '../../platform/by-index.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { createNext, listedMerchant, listedScopes } from '../../platform/db/purge-times.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { changeSetTable as table } from '../../platform/db/schema/objects/change-sets.ts'

/** How long change sets are kept, in days: as long as the events with their values. */
export const changeRetentionDays = 30

const isInMode = (merchantId: typeof listedMerchant) =>
  sql`${table.merchantId} = ${merchantId} and ${table.testMode} = mode`
const first = (merchantId: typeof listedMerchant) =>
  sql`select min(${table.id}) from ${table} where ${isInMode(merchantId)}`

/** Purges change sets, except those of merchants whose data is elsewhere or is being restored. */
export const changeSetRetention = {
  purge: lazy(() => {
    const key = sql`${table.merchantId}, ${table.testMode}, ${table.id}`
    return compile(sql`
      delete from ${byKey(table)} where (${key}) in (
        select ${key} from ${listedScopes} cross join ${byKey(table)}
        where ${isHere(listedMerchant)} and ${isInMode(listedMerchant)} and ${table.id} < ${param('before')} limit ${param('limit')}
      ) returning 1 as gone`)
  }),
  next: createNext(first(listedMerchant)),
  oldest: lazy(() => {
    const merchant = sql`${merchantTable.id}`
    return compile(sql`
      select min(oldest) as oldest from (select (${first(merchant)}) as oldest
        from ${merchantTable} cross join (select 0 as mode union all select 1) where ${isHere(merchant)})`)
  }),
}
