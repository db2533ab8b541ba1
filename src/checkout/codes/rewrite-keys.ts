import { and, asc, eq, sql } from 'drizzle-orm'
import { byIndex } from '../../platform/by-index.ts'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { isHere, isSettled } from '../../platform/db/home/home.ts'
import { db, setColumns, typed } from '../../platform/db/query.ts'
import { couponCodeTable } from '../../platform/db/schema/checkout/coupon-codes.ts'
import { couponTable as coupons } from '../../platform/db/schema/resources/coupons.ts'
import type { Bindings } from '../../platform/env.ts'
import { foldCode } from '../../platform/lib/languages/code-keys.ts'
import { log } from '../../platform/lib/log.ts'

/** Limits of one run: coupons that it reads, and those of them whose keys change, of which each takes a statement. */
const rewriteBounds = { read: 500, changed: 50 } as const

const fields = {
  seq: coupons.seq,
  id: coupons.id,
  merchantId: coupons.merchantId,
  code: coupons.code,
  codeKey: coupons.codeKey,
}
/** Coupons with an old key, except damaged ones and those of merchants whose data is elsewhere, or is being moved or restored. */
const isOld = and(
  eq(coupons.keyForm, sql`0`),
  sql`typeof(${coupons.code}) = 'text' and typeof(${coupons.codeKey}) = 'text'`,
  isHere(coupons.merchantId),
  isSettled(coupons.merchantId),
)
/** The coupon has not changed since it was read. */
const isUnchanged = sql`${isOld} and ${coupons.code} = ${param('code')} and ${coupons.codeKey} = ${param('codeKey')}`
const other = sql`${coupons} as other`
const isTaken = sql`(exists (select 1 from ${other} where other.merchant_id = ${coupons.merchantId} and other.test_mode = ${coupons.testMode}
    and other.code_key = ${param('newKey')} and other.seq <> ${coupons.seq})
  or exists (select 1 from ${couponCodeTable} where ${couponCodeTable.merchantId} = ${coupons.merchantId}
    and ${couponCodeTable.testMode} = ${coupons.testMode} and ${couponCodeTable.codeKey} = ${param('newKey')}))`
const written = { keyForm: coupons.keyForm }

const statements = {
  read: lazy(() =>
    typed(fields, (select) =>
      db
        .select(select)
        .from(byIndex(coupons, 'coupons_old_keys'))
        .where(isOld)
        .orderBy(asc(coupons.seq))
        .limit(param('limit')),
    ),
  ),
  /** Marks the coupons `:seqs`, whose keys are the same in both forms. */
  mark: lazy(() =>
    compile(sql`
      update ${coupons} set ${setColumns(coupons, { keyForm: sql`1` })} from json_each(${param('same')}) as same
      where ${coupons.seq} = same.value ->> '$.seq' and ${coupons.code} = same.value ->> '$.code' and ${isOld}`),
  ),
  /** Writes the new key of a coupon. If another coupon or a single-use code has it, the coupon keeps the old one. */
  rewrite: lazy(() =>
    typed(
      written,
      () => sql`
        update ${coupons} set ${setColumns(coupons, {
          codeKey: sql`iif(${isTaken}, ${coupons.codeKey}, ${param('newKey')})`,
          keyForm: sql`iif(${isTaken}, 2, 1)`,
        })}
        where ${coupons.seq} = ${param('seq')} and ${isUnchanged} returning key_form as "keyForm"`,
    ),
  ),
}

/**
 * Rewrites the keys of coupons that an earlier release or a backup made, oldest first. A run does a bounded part, and the next run continues. A clash is
 * logged with the ids of the coupons. It raises no event: no response shows keys.
 */
export async function rewriteCodeKeys(env: Pick<Bindings, 'REQUEST_ID'>, database: Database): Promise<void> {
  const [found] = await database.run([statements.read(), { limit: rewriteBounds.read }])
  if (found.length === 0) return
  const same = found.filter(({ code, codeKey }) => foldCode(code) === codeKey)
  const changed = found.filter(({ code, codeKey }) => foldCode(code) !== codeKey).slice(0, rewriteBounds.changed)
  const [, ...results] = await database.run(
    [statements.mark(), { same: JSON.stringify(same.map(({ seq, code }) => ({ seq, code }))) }] as const,
    ...changed.map((coupon) => [statements.rewrite(), { ...coupon, newKey: foldCode(coupon.code) }] as const),
  )
  const clashes = changed.filter((_, index) => results[index]?.[0]?.['keyForm'] === 2)
  for (const [merchant, coupons] of Map.groupBy(clashes, ({ merchantId }) => merchantId)) {
    log(env, 'codes of coupons clash', { merchant, coupons: coupons.map(({ id }) => id) })
  }
}

/** Returns a row if a coupon has a key of an earlier release. */
export const findOldKey = lazy(() =>
  typed({ seq: coupons.seq }, (select) =>
    db.select(select).from(byIndex(coupons, 'coupons_old_keys')).where(isOld).limit(1),
  ),
)
