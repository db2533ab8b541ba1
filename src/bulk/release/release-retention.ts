import { sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { releaseTable as table } from '../../platform/db/schema/releases/releases.ts'
import { stagedValueTable as staged } from '../../platform/db/schema/releases/staged-values.ts'

const isOfMerchantHere = isHere(table.merchantId)
const key = sql`${table.merchantId}, ${table.testMode}, ${table.id}`
const expired = sql`select ${key} from ${byIndex(table, 'releases_id')}
  where ${table.id} < ${param('before')} and ${isOfMerchantHere} limit ${param('limit')}`

/** Statements of the purge of releases, whose operations go with them. Rows of merchants whose data is elsewhere, or is being restored, stay. */
export const releaseRetention = {
  purge: lazy(() => compile(sql`delete from ${byKey(table)} where (${key}) in (${expired}) returning 1 as gone`)),
  oldest: lazy(() =>
    compile(sql`select ${table.id} as oldest from ${table} where ${isOfMerchantHere} order by ${table.id} limit 1`),
  ),
}

const stagedKey = sql`${staged.merchantId}, ${staged.id}`
const left = sql`select ${stagedKey} from ${byIndex(staged, 'staged_values_id')} where ${staged.id} < ${param('before')} limit ${param('limit')}`

/** Statements of the purge of staged values that no transaction has deleted. After a move, those of the earlier home too. */
export const stagedRetention = {
  purge: lazy(() => compile(sql`delete from ${byKey(staged)} where (${stagedKey}) in (${left}) returning 1 as gone`)),
  oldest: lazy(() => compile(sql`select ${staged.id} as oldest from ${staged} order by ${staged.id} limit 1`)),
}
