import { and, asc, eq, gt } from 'drizzle-orm'
import { compile, type Database, lazy, param } from '../../platform/db/database.ts'
import { createCopyStatement } from '../../platform/db/home/copy-rows.ts'
import { directoryDatabase } from '../../platform/db/home/d1-connection.ts'
import { db } from '../../platform/db/query.ts'
import type { Row } from '../../platform/db/row.ts'
import { auditTable } from '../../platform/db/schema/audit.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { getColumnName } from '../../platform/db/sql-name.ts'
import type { Bindings } from '../../platform/env.ts'
import { createIdAt, getCreationMs } from '../../platform/lib/ids.ts'

/** Audit entries of a page. */
const maxEntries = 1_000
/** Entries may be committed in an order that differs from their ids. Those of this last period, in milliseconds, are read again. */
const overlapMs = 60_000

const operatorEntries = and(eq(auditTable.merchantId, param('merchantId')), eq(auditTable.testMode, false))
const statements = {
  readMerchant: lazy(() =>
    compile(
      db
        .select()
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  copyMerchant: lazy(() => createCopyStatement(merchantTable, merchantTable.id)),
  readEntries: lazy(() =>
    compile(
      db
        .select()
        .from(auditTable)
        .where(and(operatorEntries, gt(auditTable.id, param('after'))))
        .orderBy(asc(auditTable.id))
        .limit(maxEntries),
    ),
  ),
  copyEntries: lazy(() => createCopyStatement(auditTable)),
}

/** State of an object's copies of rows in the directory. */
interface Copies {
  /** `updatedAt` of the copied merchant; 0 without a copy. */
  settingsVersion: number
  /** Id of the last audit entry that was copied. */
  lastEntry: string
}

/**
 * Copies a merchant's row and the audit entries of operators from the directory to the merchant's object, where statements join them. Returns
 * undefined if the merchant does not exist.
 */
export async function renewCopies(
  env: Bindings,
  database: Database,
  merchantId: string,
  lastEntry: string,
): Promise<Copies | undefined> {
  const directory = directoryDatabase(env)
  directory.usePrimary()
  const after = lastEntry === '' ? '' : createIdAt('aud', Math.max(0, getCreationMs(lastEntry) - overlapMs))
  const [merchants, first] = await directory.run(
    [statements.readMerchant(), { merchantId }],
    [statements.readEntries(), { merchantId, after }],
  )
  const [merchant] = merchants
  if (!merchant) return undefined
  await database.run(
    [statements.copyMerchant(), { rows: JSON.stringify([merchant]) }],
    [statements.copyEntries(), { rows: JSON.stringify(first) }],
  )
  const getLast = (entries: readonly Row[], last: string) => String(entries.at(-1)?.['id'] ?? last)
  let [page, last] = [first, getLast(first, lastEntry)]
  // The directory also has entries of the merchant from before a move: more than a page of them can be newer than the overlap.
  while (page.length === maxEntries) {
    ;[page] = await directory.run([statements.readEntries(), { merchantId, after: last }])
    await database.run([statements.copyEntries(), { rows: JSON.stringify(page) }])
    last = getLast(page, last)
  }
  return { settingsVersion: Number(merchant[getColumnName(merchantTable.updatedAt)]), lastEntry: last }
}
