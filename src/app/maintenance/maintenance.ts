import { deleteClosedMerchants } from '../../admin/delete-closed.ts'
import { enqueueOverdueUndos } from '../../bulk/changes/undo/overdue-undos.ts'
import { enqueueOverdueImports } from '../../bulk/import/overdue-imports.ts'
import { enqueueOverduePruning } from '../../bulk/pruning.ts'
import { reindex } from '../../bulk/reindex.ts'
import { findDue, maxPublished } from '../../bulk/release/publish/find-due.ts'
import { rewriteCodeKeys } from '../../checkout/codes/rewrite-keys.ts'
import { resumeService } from '../../checkout/service/resume-service.ts'
import { returnOptions } from '../../checkout/stock/return-options.ts'
import { returnToStock } from '../../checkout/stock/return-to-stock.ts'
import { counterNames, setCounter } from '../../platform/db/counters.ts'
import type { Database } from '../../platform/db/database.ts'
import { directoryDatabase, sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { merchantDatabase } from '../../platform/db/home/merchant-connection.ts'
import type { Bindings } from '../../platform/env.ts'
import { isMisconfigured } from '../../platform/http/public-url.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { cleanPictures } from '../../storefront/media/clean-pictures.ts'
import { sweepPictures } from '../../storefront/media/sweep-pictures.ts'
import { deleteOldCalls } from '../../storefront/tags/calls/old-calls.ts'
import { sweepReservedNames } from '../../storefront/tags/reserved-names.ts'
import { runNightly } from '../../tenancy/backup/nightly.ts'
import { cleanUpMoves } from '../../tenancy/move/clean-up.ts'
import { enqueueIdleMoves } from '../../tenancy/move/move-consumer.ts'

import { sweepPlatform } from '../../webhooks/platform/platform-sweep.ts'
import { scrubSecrets } from '../../webhooks/rows/scrub-secrets.ts'
import { enqueueOverdue } from '../../webhooks/scheduled.ts'
import { purgeExpired } from './purges.ts'

/** Publishes releases that are due. */
async function publishReleases(
  env: Bindings,
  database: Database,
  connect: (merchantId: string) => Database = () => database,
): Promise<void> {
  try {
    const [found] = await database.run([findDue(), { limit: maxPublished }])
    if (found.length === 0) return
    const { publishDue } = await import('../../bulk/release/publish/due-releases.ts')
    await publishDue(env, found, connect)
  } catch (error) {
    log(env, 'releases not published', { error: String(error) })
  }
}

/**
 * Sweeps and purges a database with merchants' data. A failure of one task does not stop the next. `connect` returns the database of a merchant for
 * writes that a move can fence.
 */
export async function maintain(
  env: Bindings,
  database: Database,
  connect?: (merchantId: string) => Database,
): Promise<void> {
  const now = nowInSeconds()
  if (!isMisconfigured(env)) await publishReleases(env, database, connect)
  try {
    await returnToStock(env, database, Date.now())
  } catch (error) {
    log(env, 'products not returned to stock', { error: String(error) })
  }
  try {
    await returnOptions(env, database, Date.now())
  } catch (error) {
    log(env, 'options not returned', { error: String(error) })
  }
  try {
    await resumeService(env, database, Date.now())
  } catch (error) {
    log(env, 'pauses not ended', { error: String(error) })
  }
  try {
    await deleteOldCalls(database, now)
  } catch (error) {
    log(env, 'calls not deleted', { error: String(error) })
  }
  try {
    await sweepPictures(env, database, Date.now())
  } catch (error) {
    log(env, 'unused pictures not deleted', { error: String(error) })
  }
  try {
    await cleanPictures(env, database, now)
  } catch (error) {
    log(env, 'pictures not cleaned', { error: String(error) })
  }
  try {
    await scrubSecrets(env, database, now)
  } catch (error) {
    log(env, 'secrets not scrubbed', { error: String(error) })
  }
  try {
    await rewriteCodeKeys(env, database)
  } catch (error) {
    log(env, 'codes of coupons not rewritten', { error: String(error) })
  }
  try {
    await reindex(database, now)
  } catch (error) {
    log(env, 'search terms not written', { error: String(error) })
  }
  // The consumers do nothing while the configuration is invalid.
  const isIdle = isMisconfigured(env)
  try {
    if (!isIdle) await enqueueOverdueImports(env, database, now)
  } catch (error) {
    log(env, 'overdue imports not enqueued', { error: String(error) })
  }
  try {
    if (!isIdle) await enqueueOverdueUndos(env, database, now)
  } catch (error) {
    log(env, 'overdue undos not enqueued', { error: String(error) })
  }
  try {
    if (!isIdle) await enqueueOverduePruning(env, database, now)
  } catch (error) {
    log(env, 'pruning not enqueued', { error: String(error) })
  }
  try {
    if (!isIdle) await sweepPlatform(env, database, now, connect !== undefined)
  } catch (error) {
    log(env, 'deliveries not enqueued', { error: String(error) })
  }
  try {
    if (!isIdle) await enqueueOverdue(env, database, now)
  } finally {
    await purgeExpired(env, Date.now(), database)
  }
}

/** Runs every minute, for the directory and the shared database. Objects run `maintain` in their alarms. */
export async function runScheduled(env: Bindings): Promise<void> {
  const [directory, now] = [directoryDatabase(env), nowInSeconds()]
  await sweepReservedNames(env, now).catch((error: unknown) => {
    log(env, 'reserved names not swept', { error: String(error) })
  })
  try {
    await maintain(env, sharedDatabase(env), (merchantId) => merchantDatabase(env, { merchantId, home: undefined }))
    if (!isMisconfigured(env)) await setCounter(directory, counterNames.sweptAt, now)
  } finally {
    await deleteClosedMerchants(env, directory, now).catch((error: unknown) => {
      log(env, 'closed merchants not deleted', { error: String(error) })
    })
    await enqueueIdleMoves(env, directory, now).catch((error: unknown) => {
      log(env, 'moves not enqueued', { error: String(error) })
    })
    await cleanUpMoves(env, directory, now).catch((error: unknown) => {
      log(env, 'moves not cleaned up', { error: String(error) })
    })
    await runNightly(env, directory, now).catch((error: unknown) => {
      log(env, 'backups not enqueued', { error: String(error) })
    })
  }
}
