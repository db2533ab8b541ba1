import { eq, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { lazy, param } from '../../platform/db/database.ts'
import { homeStatements } from '../../platform/db/home/home.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import { getHomeObject, renewObject } from '../../platform/db/home/object-connection.ts'
import { db, typed, withRawRows } from '../../platform/db/query.ts'
import { homeObjectTable, homeTable, moveTable } from '../../platform/db/schema/directory/homes.ts'
import { merchantTable } from '../../platform/db/schema/merchants.ts'
import { commit } from '../../platform/db/transaction.ts'
import { ApiError, invalid, notFound, UnavailableError } from '../../platform/errors.ts'
import { type Env, getActor } from '../../platform/http/context.ts'
import * as field from '../../platform/http/fields.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { jsonBody } from '../../platform/http/request-body.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createId } from '../../platform/lib/ids.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { captureStatements } from '../move/capture.ts'
import { moveStatements } from '../move/move-statements.ts'
import { removeCaptures } from './capture-changes.ts'
import { requireNoRestore } from './restore/open-restore.ts'

/** Maximum age of the state that an object can be recovered to, in days. */
export const recoveryDays = 30

const statements = {
  find: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .select(select)
        .from(merchantTable)
        .where(eq(merchantTable.id, param('merchantId'))),
    ),
  ),
  /** Time since which the object is the home of the merchant. */
  homeSince: lazy(() => {
    const arrival = sql`(select max(${moveTable.endedAt}) from ${moveTable} where ${moveTable.merchantId} = ${homeTable.merchantId}
      and ${moveTable.state} = 'done' and ${moveTable.target} ->> '$.object' = ${homeTable.object})`
    return typed({ at: sql<number>`coalesce(${arrival}, ${homeObjectTable.createdAt})` }, (select) =>
      db
        .select(select)
        .from(homeTable)
        .innerJoin(homeObjectTable, eq(homeObjectTable.object, homeTable.object))
        .where(eq(homeTable.merchantId, param('merchantId'))),
    )
  }),
  /** Marks the object's copy of the merchant as outdated. */
  touch: lazy(() =>
    typed({ id: merchantTable.id }, (select) =>
      db
        .update(merchantTable)
        .set({ updatedAt: sql`max(${merchantTable.updatedAt} + 1, ${param('now')})` })
        .where(eq(merchantTable.id, param('merchantId')))
        .returning(select),
    ),
  ),
}

/** Body of a recovery. */
export const recoverBody = z.strictObject({
  at: field.count
    .check(
      field.rules((seconds) => {
        if (seconds > nowInSeconds()) return { code: 'too_large', message: 'must not be in the future' }
        if (seconds >= nowInSeconds() - recoveryDays * daySeconds) return undefined
        return { code: 'too_small', message: `must be at most ${recoveryDays} days ago` }
      }),
    )
    .check(z.describe(`Time of the data, in seconds since 1970-01-01 UTC. At most ${recoveryDays} days ago.`)),
})
const recoverRules = { schema: recoverBody, partial: z.partial(recoverBody), readOnly: new Set<string>() }

/** A recovery in responses. */
export const recoverView = z.object({
  at: z.int().check(z.describe('Time of the data, in seconds since 1970-01-01 UTC.')),
  erased: z.int().check(z.describe('Number of customers that were erased again.')),
})

const notSupported = (advice: string) => new ApiError('not_supported', advice)

/** Recovers the data of a merchant's object at an earlier time. Mounted under `/admin/merchants/:merchantId/recover`. */
export const recoverRoutes = new Hono<Env>().post('/', jsonBody(recoverRules), idempotent, async (c) => {
  const { patch, issues } = c.req.valid('json')
  if (issues.length > 0) throw invalid(issues)
  const { at } = recoverBody.parse(patch)
  const [merchantId, directory] = [c.req.param('merchantId') ?? '', c.var.database]
  const restore = await requireNoRestore(directory, merchantId)
  const [[merchant], [home = 'd1'], [move], [since]] = await directory.run(
    [statements.find(), { merchantId }],
    [homeStatements.find(), { merchantId }],
    [moveStatements.findLast(), { merchantId }],
    [statements.homeSince(), { merchantId }],
  )
  if (!merchant) throw notFound()
  if (home === 'd1')
    throw notSupported(
      'The data of this merchant is in the shared database. Restore a backup of the merchant, or the whole database with Time Travel.',
    )
  if (move && move.state !== 'done' && move.state !== 'failed')
    throw new ApiError('conflict', 'The merchant is being moved. Recover it when the move has ended.')
  const homeSince = since?.at ?? 0
  // Times are in whole seconds: during the last second, the object may have had only some of the rows.
  if (at <= homeSince)
    throw notSupported(
      `The object has the data of the merchant since ${new Date((homeSince + 1) * 1000).toISOString()}. Restore an earlier backup of the merchant.`,
    )
  if (restore && at >= Math.min(restore.startedAt, restore.settledAt) && at <= (restore.finishedAt ?? 0))
    throw notSupported(
      'The merchant was being restored at that time: it had only some of its rows. Choose a different time.',
    )
  // After a failed call, a stub may be broken.
  const openObject = () => getHomeObject(c.env.HOMES, merchantId, home)
  const mark = createId('mark')
  if (!(await openObject().prepareRecovery(at * 1000, mark)))
    throw notSupported('This platform does not keep earlier data of objects. Restore a backup of the merchant.')
  const operator = { ...getActor(c), scope: { merchantId, testMode: false } }
  await commit(operator, { operation: 'merchants.recover', object: merchantId }, [
    [withRawRows(statements.touch()), { merchantId, now: nowInSeconds() }],
  ])
  await openObject()
    .recover(at * 1000)
    .catch(() => undefined)
  if (await openObject().hasMark(mark)) throw new UnavailableError('the object was not recovered')
  await renewObject(c.env, merchantId, home)
  const database = merchantDatabase(c.env, { merchantId, home })
  // At that time, a move that has failed since may have been running.
  await database.run(
    [captureStatements.stop(), { merchantId }],
    [captureStatements.remove(), { merchantId, last: Number.MAX_SAFE_INTEGER }],
  )
  await removeCaptures(database, merchantId)
  const { reapplyErasures } = await import('../people/reapply-erasures.ts')
  const { erased } = await reapplyErasures(directory, database, merchantId)
  return c.json({ at, erased }, 200)
})
