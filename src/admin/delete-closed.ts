import { and, eq, lte, ne, notExists, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { merchantTables, passingTables, platformDeliveries } from '../catalogue/resources/merchant-tables.ts'
import { failureStatements } from '../platform/auth/failures/failure-statements.ts'
import { compile, type Database, lazy, param } from '../platform/db/database.ts'
import { sharedDatabase } from '../platform/db/home/d1-connection.ts'
import { createDeletion, rowsPerDeletion } from '../platform/db/home/delete-rows.ts'
import { homeStatements } from '../platform/db/home/home.ts'
import { merchantDatabase } from '../platform/db/home/merchant-connection.ts'
import { eraseObject } from '../platform/db/home/object-connection.ts'
import { db, typed } from '../platform/db/query.ts'
import { homeObjectTable, homeTable } from '../platform/db/schema/directory/homes.ts'
import { sessionTable } from '../platform/db/schema/directory/sessions.ts'
import { invitationTable, passkeyTable, userTable } from '../platform/db/schema/directory/users.ts'
import { keyTable } from '../platform/db/schema/keys.ts'
import { merchantTable } from '../platform/db/schema/merchants.ts'
import { pictureTable } from '../platform/db/schema/pictures.ts'
import { tagNameTable } from '../platform/db/schema/resources/tags.ts'
import type { Bindings } from '../platform/env.ts'
import { log } from '../platform/lib/log.ts'
import { pictureStatements } from '../storefront/media/picture-statements.ts'
import { sweepPictures } from '../storefront/media/sweep-pictures.ts'
import { changeStatements } from '../tenancy/backup/capture-changes.ts'
import { captureStatements } from '../tenancy/move/capture.ts'
import { discardLeft } from '../tenancy/move/clean-up.ts'
import { moveStatements } from '../tenancy/move/move-statements.ts'

/** Limits of one run: rows per statement, statements, and merchants. */
export const deletionBounds = { rows: rowsPerDeletion, statements: 60, merchants: 5 } as const
/** Time between the end of the grace period and the deletion, in seconds, because clocks of isolates may differ. */
export const deletionDelaySeconds = 60

/** Names of tags are kept after deletion, so that printed codes return `410`. The sweep of pictures deletes pictures with their files. */
const outliving: readonly SQLiteTable[] = [tagNameTable, pictureTable]
const deletedTables = [...passingTables, ...merchantTables, platformDeliveries].filter(
  ({ table }) => !outliving.includes(table),
)
const deleteRows = createDeletion(deletedTables)

const statements = {
  due: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(lte(merchantTable.deletesAt, param('before')))
        .orderBy(merchantTable.deletesAt)
        .limit(deletionBounds.merchants),
    ),
  ),
  sessions: lazy(() => compile(db.delete(sessionTable).where(eq(sessionTable.merchantId, param('merchantId'))))),
  /** Deletes the passkeys of persons who are members of only this merchant. */
  passkeys: lazy(() => {
    const memberships = (condition: SQL) => sql`select ${userTable.person} from ${userTable} where ${condition}`
    const isMember = sql`${passkeyTable.person} in (${memberships(eq(userTable.merchantId, param('merchantId')))})`
    const isOther = and(eq(userTable.person, passkeyTable.person), ne(userTable.merchantId, param('merchantId')))
    return compile(db.delete(passkeyTable).where(and(isMember, notExists(db.select().from(userTable).where(isOther)))))
  }),
  invitations: lazy(() =>
    compile(db.delete(invitationTable).where(eq(invitationTable.merchantId, param('merchantId')))),
  ),
  members: lazy(() => compile(db.delete(userTable).where(eq(userTable.merchantId, param('merchantId'))))),
  keys: lazy(() => compile(db.delete(keyTable).where(eq(keyTable.merchantId, param('merchantId'))))),
  /** Deletes the home. The merchant's row is its parent. */
  home: lazy(() => compile(db.delete(homeTable).where(eq(homeTable.merchantId, param('merchantId'))))),
  objects: lazy(() => compile(db.delete(homeObjectTable).where(eq(homeObjectTable.merchantId, param('merchantId'))))),
  /** Deletes the merchant if none of its rows is left. */
  merchant: lazy(() => {
    const remaining = deletedTables.map(({ rows }) => notExists(sql`(select 1 from ${rows})`))
    return typed({ id: merchantTable.id }, (select) =>
      db
        .delete(merchantTable)
        .where(and(eq(merchantTable.id, param('merchantId')), ...remaining))
        .returning(select),
    )
  }),
}

/**
 * Erases the object of a merchant, deletes its rows in the shared database and its keys, then the merchant. Returns the remaining number of
 * statements.
 */
async function deleteMerchant(env: Bindings, directory: Database, merchantId: string, budget: number): Promise<number> {
  const [[home = 'd1'], moves] = await directory.run(
    [homeStatements.find(), { merchantId }],
    [moveStatements.findLeft(), { merchantId }],
  )
  if (home !== 'd1') {
    const object = merchantDatabase(env, { merchantId, home })
    await object.run([pictureStatements.expire(), { merchantId }])
    // The object has the only list of its files, so it is erased by a run that finds no files left.
    if ((await sweepPictures(env, object, Date.now())) > 0) return 0
    await eraseObject(env, merchantId, home)
  }
  await discardLeft(env, moves)
  const database = sharedDatabase(env)
  const left = await deleteRows(database, merchantId, budget - 1)
  if (left <= 0) return 0
  await database.run([pictureStatements.expire(), { merchantId }], [changeStatements.endAll(), { merchantId }])
  const results = await directory.run(
    [statements.sessions(), { merchantId }],
    [statements.passkeys(), { merchantId }],
    [statements.invitations(), { merchantId }],
    [statements.members(), { merchantId }],
    [statements.keys(), { merchantId }],
    [failureStatements.removeOfMerchant(), { merchantId }],
    [statements.home(), { merchantId }],
    [statements.objects(), { merchantId }],
    [moveStatements.removeMoves(), { merchantId }],
    [captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }],
    [statements.merchant(), { merchantId }],
  )
  if (results.at(-1)?.length) log(env, 'merchant deleted', { merchant: merchantId })
  return left - 1 - results.length
}

/** Deletes the data of merchants whose grace period has ended. A run does a bounded part, and the next run continues. */
export async function deleteClosedMerchants(env: Bindings, directory: Database, now: number): Promise<void> {
  const [due] = await directory.run([statements.due(), { before: now - deletionDelaySeconds }])
  let left: number = deletionBounds.statements
  for (const { id } of due) {
    if (left <= 0) return
    try {
      left = await deleteMerchant(env, directory, id, left)
    } catch (error) {
      // The next run tries again. An object that does not respond does not delay other merchants.
      log(env, 'closed merchant not deleted', { merchant: id, error: String(error) })
    }
  }
}
