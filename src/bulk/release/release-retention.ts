import { sql } from 'drizzle-orm'
import { compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { releaseTable as table } from '../../platform/db/schema/releases/releases.ts'
import { stagedValueTable as staged } from '../../platform/db/schema/releases/staged-values.ts'

const isOfMerchantHere = isHere(table.merchantId)
const expired = sql`select rowid from ${table} where ${table.id} < ${param('before')} and ${isOfMerchantHere} limit ${param('limit')}`

/** Statements of the purge of releases, whose operations go with them. Rows of merchants whose data is elsewhere, or is being restored, stay. */
export const releaseRetention = {
  purge: lazy(() => compile(sql`delete from ${table} where rowid in (${expired}) returning 1 as gone`)),
  oldest: lazy(() =>
    compile(sql`select ${table.id} as oldest from ${table} where ${isOfMerchantHere} order by ${table.id} limit 1`),
  ),
}

const left = sql`select rowid from ${staged} where ${staged.id} < ${param('before')} limit ${param('limit')}`

/** Statements of the purge of staged values that no transaction has deleted. After a move, those of the earlier home too. */
export const stagedRetention = {
  purge: lazy(() => compile(sql`delete from ${staged} where rowid in (${left}) returning 1 as gone`)),
  oldest: lazy(() => compile(sql`select ${staged.id} as oldest from ${staged} order by ${staged.id} limit 1`)),
}
