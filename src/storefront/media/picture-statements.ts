import { and, eq, lte, sql } from 'drizzle-orm'
import { byIndex, byKey } from '../../platform/by-index.ts'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/home/home.ts'
import { columnParam, db, insertSelect, listed, selectList, setColumns, typed } from '../../platform/db/query.ts'
import { eventTable } from '../../platform/db/schema/events.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { cleanForever, pictureTable as table } from '../../platform/db/schema/pictures.ts'
import { menuTable } from '../../platform/db/schema/resources/menus.ts'
import { productTable } from '../../platform/db/schema/resources/products.ts'
import { isInScope } from '../../platform/db/scope.ts'
import { limits } from '../../platform/http/fields.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { digestLength, picturePath } from './picture-name.ts'

/** Number of days from the last use of a picture to its deletion, and between two checks of its use. */
export const pictureRetentionDays = 30
const pictureCheckDays = 7
/** Maximum number of pictures that are checked in one transaction. */
const picturesPerCheck = 100

const isPicture = allOf(isInScope(table), eq(table.digest, param('digest')))
const ofMerchant = eq(table.merchantId, param('merchantId'))

const unusedAfter = sql.raw(`${pictureRetentionDays * daySeconds}`)
const nextCheckAfter = sql.raw(`${pictureCheckDays * daySeconds}`)
const now = param('now')
const clean = sql.raw(`${cleanForever}`)

const byCleaning = byIndex(table, 'pictures_clean')
const isUnclean = and(lte(table.cleanAt, now), isHere(table.merchantId))

/** SQL for "the deletion of an object that can be restored", in both modes. */
const isRestorable = (
  name: 'product' | 'menu',
) => sql`${eventTable.merchantId} = ${param('merchantId')} and ${eventTable.testMode} in (0, 1)
  and ${eventTable.type} = ${sql.raw(`'${name}.deleted'`)} and ${eventTable.kept} is not null and json_valid(${eventTable.row})`

/** Addresses in deleted objects that can be restored. A list of its own, because D1 combines at most five terms. */
const deletedUrls = sql`select image.value ->> '$.url' as url
    from ${eventTable} cross join json_each(case when json_valid(${eventTable.row}) then ${eventTable.row} end, '$.images') as image
    where ${isRestorable('product')}
  union all select ${eventTable.row} ->> '$.branding.banner' from ${eventTable} where ${isRestorable('menu')}
  union all select ${eventTable.row} ->> '$.branding.icon' from ${eventTable} where ${isRestorable('menu')}`

/** The digests in the addresses of the merchant's products and menus, in both modes, also of deleted ones that can be restored, and of its logo. */
const usedDigests = sql`select substr(url, instr(url, ${sql.raw(`'${picturePath}'`)}) + ${sql.raw(`${picturePath.length}`)}, ${sql.raw(`${digestLength}`)}) from (
  select image.value ->> '$.url' as url from ${productTable} cross join json_each(${productTable.images}) as image
    where ${productTable.merchantId} = ${param('merchantId')}
  union all select ${menuTable.branding} ->> '$.banner' from ${menuTable} where ${menuTable.merchantId} = ${param('merchantId')}
  union all select ${menuTable.branding} ->> '$.icon' from ${menuTable} where ${menuTable.merchantId} = ${param('merchantId')}
  union all select url from (${deletedUrls})
  union all select ${merchantTable.logo} from ${merchantTable} where ${merchantTable.id} = ${param('merchantId')})
  where instr(url, ${sql.raw(`'${picturePath}'`)}) > 0`
const unusedSince = sql`iif(${table.digest} in used, null, coalesce(${table.unusedSince}, ${now}))`

export const pictureStatements = {
  find: lazy(() => typed({ deleting: table.deleting }, (select) => db.select(select).from(table).where(isPicture))),
  /** Records a picture, unless the merchant's pictures then exceed the quota or the picture is being deleted. Returns a row if it did. */
  record: lazy(() => {
    const sum = db
      .select({ sum: sql`coalesce(sum(${table.bytes}), 0)` })
      .from(table)
      .where(ofMerchant)
    const known = db.select({ one: sql`1` }).from(table).where(isPicture)
    const insert = insertSelect(
      table,
      {
        merchantId: param('merchantId'),
        testMode: param('testMode'),
        digest: param('digest'),
        widths: param('widths'),
        bytes: param('bytes'),
        isLogo: sql`0`,
        unusedSince: now,
        checkAt: sql`${now} + ${unusedAfter}`,
        deleting: sql`0`,
        cleanAt: clean,
      },
      sql`where exists ${known} or ${sum} + ${param('bytes')} <= ${sql.raw(`${limits.pictureQuotaBytes}`)}`,
    )
    const touched = setColumns(table, { unusedSince: now, checkAt: sql`${now} + ${unusedAfter}` })
    return typed(
      { digest: table.digest },
      () => sql`${insert} on conflict do update set ${touched} where not ${table.deleting} returning digest`,
    )
  }),
  /** The merchant of the picture whose check is overdue the longest. */
  findOverdue: lazy(() =>
    typed({ merchantId: table.merchantId }, (select) =>
      db
        .select(select)
        .from(table)
        .where(and(lte(table.checkAt, now), isHere(table.merchantId)))
        .orderBy(table.checkAt)
        .limit(1),
    ),
  ),
  /**
   * Checks the overdue pictures of a merchant, unless it has moved. Returns the pictures to delete. They are unused, and can no longer be recorded
   * again.
   */
  check: lazy(() => {
    const overdue = sql`(${table.testMode}, ${table.digest}) in (select ${table.testMode}, ${table.digest} from ${table}
      where ${ofMerchant} and ${table.checkAt} <= ${now} order by ${table.checkAt} limit ${sql.raw(`${picturesPerCheck}`)})`
    const change = setColumns(table, {
      unusedSince,
      deleting: sql`${table.deleting} or coalesce(${unusedSince} + ${unusedAfter} <= ${now}, 0)`,
      // A picture to delete stays overdue until its row is deleted.
      checkAt: sql`iif(${table.deleting}, ${table.checkAt}, coalesce(${unusedSince} + ${unusedAfter}, ${now} + ${nextCheckAfter}))`,
    })
    const fields = { digest: table.digest, widths: table.widths, deleting: table.deleting }
    return typed(
      fields,
      () => sql`with used as materialized (${usedDigests})
        update ${table} set ${change} where ${and(ofMerchant, overdue, isHere(table.merchantId))} returning digest, widths, deleting`,
    )
  }),
  /** A picture whose files must be cleaned. */
  findCleaning: lazy(() =>
    typed({ digest: table.digest }, (select) => db.select(select).from(byCleaning).where(isUnclean).limit(1)),
  ),
  /** Claims the picture whose files have waited longest, until `:retryAt`. */
  claimCleaning: lazy(() => {
    const key = sql`${table.merchantId}, ${table.testMode}, ${table.digest}`
    const overdue = sql`select ${key} from ${byCleaning} where ${isUnclean} order by ${table.cleanAt} limit 1`
    const fields = {
      merchantId: table.merchantId,
      testMode: table.testMode,
      digest: table.digest,
      widths: table.widths,
    }
    const change = setColumns(table, { cleanAt: param('retryAt') })
    return typed(
      fields,
      () => sql`update ${byKey(table)} set ${change} where (${key}) in (${overdue}) returning ${selectList(fields)}`,
    )
  }),
  /** Records that the files of a picture are clean, and their size. */
  finishCleaning: lazy(() =>
    compile(
      db
        .update(table)
        .set({ cleanAt: cleanForever, bytes: columnParam(table.bytes, 'bytes') })
        .where(and(isPicture, isHere(table.merchantId))),
    ),
  ),
  /** Makes the next checks delete all pictures of a merchant. */
  expire: lazy(() => compile(db.update(table).set({ deleting: true, checkAt: 0 }).where(ofMerchant))),
  /** Deletes the rows of pictures whose files are deleted. */
  remove: lazy(() =>
    compile(db.delete(table).where(and(ofMerchant, table.deleting, sql`${table.digest} in ${listed('digests')}`))),
  ),
}
