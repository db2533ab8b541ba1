import { inArray, isNull, sql } from 'drizzle-orm'
import { allOf, compile, lazy, param } from '../../platform/db/database.ts'
import { columnParam, db } from '../../platform/db/query.ts'
import { tagNameTable } from '../../platform/db/schema/resources/tag-names.ts'
import { tagTable } from '../../platform/db/schema/resources/tags.ts'
import { captureStatements } from './capture.ts'
import { removeRows } from './clean-up.ts'
import type { Work } from './work.ts'

/** Statements that remove rows of an earlier move from the shared database, in one invocation. */
const removalsAtOnce = 200

/** Sets the merchant of names that earlier releases stored without. Capturing changes and the directory need it. */
const nameMerchant = lazy(() =>
  compile(
    db
      .update(tagNameTable)
      .set({ merchantId: columnParam(tagNameTable.merchantId, 'merchantId') })
      .where(
        allOf(
          isNull(tagNameTable.merchantId),
          inArray(
            tagNameTable.tag,
            sql`(select ${tagTable.seq} from ${tagTable} where ${tagTable.merchantId} = ${param('merchantId')})`,
          ),
        ),
      ),
  ),
)

/** Lets the source capture the changes of all tables of this release. Repeatable: changes that are captured stay. */
export async function captureChanges({ merchantId, source }: Work): Promise<void> {
  const values = { merchantId }
  await source.database.run(...captureStatements.install().map((statement) => [statement, {}] as const), [
    nameMerchant(),
    values,
  ])
  if (source.home !== 'd1') await source.database.run([captureStatements.begin(), values])
}

/**
 * Lets the source capture changes, and empties the target. Repeatable: nothing is copied before. Returns false if the target is not empty
 * yet.
 */
export async function prepare(work: Work): Promise<boolean> {
  const { merchantId, source, target } = work
  await source.database.run([captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }])
  await captureChanges(work)
  await target.setPart('target')
  return target.home !== 'd1' || (await removeRows(target.database, merchantId, removalsAtOnce)) > 0
}
