import { sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { releaseTable as table } from '../../platform/db/schema/releases/releases.ts'

const isOfMerchantHere = isHere(table.merchantId)
const expired = sql`select rowid from ${table} where ${table.id} < ${param('before')} and ${isOfMerchantHere} limit ${param('limit')}`

/** Statements of the purge of releases, whose operations go with them. Rows of merchants whose data is elsewhere, or is being restored, stay. */
export const releaseRetention = {
  purge: lazy(() => compile(sql`delete from ${table} where rowid in (${expired}) returning 1 as gone`)),
  oldest: lazy(() =>
    compile(sql`select ${table.id} as oldest from ${table} where ${isOfMerchantHere} order by ${table.id} limit 1`),
  ),
}
