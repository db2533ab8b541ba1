import * as z from 'zod/mini'
import { invitationRetention, invitationSeconds } from '../../admin/account/members/invitation-statements.ts'
import { challengeSeconds } from '../../admin/account/passkeys/challenge.ts'
import { noticeRetention } from '../../admin/account/passkeys/notices.ts'
import { challengeRetention } from '../../admin/account/passkeys/passkey-statements.ts'
import { sessionRetention } from '../../admin/account/session-statements.ts'
import { deleteClosedMerchants } from '../../admin/delete-closed.ts'
import { importRetentionDays, importRowRetentionDays } from '../../bulk/import/import-limits.ts'
import { enqueueOverdueImports } from '../../bulk/import/overdue-imports.ts'
import {
  chunkRetention,
  importIssueRetention,
  importRetention,
} from '../../bulk/import/statements/maintenance-statements.ts'
import { enqueueOverduePruning } from '../../bulk/pruning.ts'
import { adjustmentRetention, adjustmentRetentionDays } from '../../checkout/stock/adjustment-retention.ts'
import { returnToStock } from '../../checkout/stock/return-to-stock.ts'
import { operatorSessionRetention } from '../../platform/auth/operator-sessions.ts'
import { sessionSeconds } from '../../platform/auth/sessions.ts'
import { auditRetention, auditRetentionDays } from '../../platform/db/audit-log.ts'
import { counterNames, setCounter } from '../../platform/db/counters.ts'
import type { Database, Statement } from '../../platform/db/database.ts'
import { directoryDatabase, sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { replaySeconds } from '../../platform/db/idempotency-keys.ts'
import type { Row } from '../../platform/db/row.ts'
import type { Bindings } from '../../platform/env.ts'
import { keyRetention } from '../../platform/http/idempotency.ts'
import { isMisconfigured } from '../../platform/http/public-url.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt, getCreationMs } from '../../platform/lib/ids.ts'
import { log } from '../../platform/lib/log.ts'
import { nowInSeconds, toSeconds } from '../../platform/lib/time.ts'
import { cleanPictures } from '../../storefront/media/clean-pictures.ts'
import { sweepPictures } from '../../storefront/media/sweep-pictures.ts'
import { sweepReservedNames } from '../../storefront/tags/reserved-names.ts'
import { receiptRetention, receiptRetentionDays } from '../../storefront/tags/scans/scan-receipts.ts'
import { runNightly } from '../../tenancy/backup/nightly.ts'
import { cleanUpMoves } from '../../tenancy/move/clean-up.ts'
import { enqueueIdleMoves } from '../../tenancy/move/move-consumer.ts'
import { deliveryRetention, eventRetention, retentionDays } from '../../webhooks/event-retention.ts'
import { scrubSecrets } from '../../webhooks/rows/scrub-secrets.ts'
import { enqueueOverdue } from '../../webhooks/scheduled.ts'

/** A table whose rows expire `seconds` after they were inserted. */
interface Retained {
  name: string
  seconds: number
  /** Prefix of the ids, which contain the time. Without it a column contains the time, in seconds. */
  idPrefix?: string
  statements: { purge: () => Statement; oldest: () => Statement }
}

const sessionRows = { seconds: sessionSeconds.total, idPrefix: 'ses' } as const
const importRows = { seconds: importRowRetentionDays * daySeconds, idPrefix: 'imp' } as const

/** The tables whose rows expire. The purge deletes the rows of each table that are older than its retention. */
export const retainedTables: readonly Retained[] = [
  { name: 'deliveries', seconds: retentionDays * daySeconds, idPrefix: 'evt', statements: deliveryRetention },
  { name: 'events', seconds: retentionDays * daySeconds, idPrefix: 'evt', statements: eventRetention },
  { name: 'scan_receipts', seconds: receiptRetentionDays * daySeconds, idPrefix: 'scan', statements: receiptRetention },
  { name: 'idempotency_keys', seconds: replaySeconds, statements: keyRetention },
  { name: 'stock_adjustments', seconds: adjustmentRetentionDays * daySeconds, statements: adjustmentRetention },
  { name: 'imports', seconds: importRetentionDays * daySeconds, idPrefix: 'imp', statements: importRetention },
  { name: 'import_chunks', ...importRows, statements: chunkRetention },
  { name: 'import_issues', ...importRows, statements: importIssueRetention },
  { name: 'sessions', ...sessionRows, statements: sessionRetention },
  { name: 'operator_sessions', ...sessionRows, statements: operatorSessionRetention },
  { name: 'invitations', seconds: invitationSeconds, idPrefix: 'inv', statements: invitationRetention },
  { name: 'used_challenges', seconds: challengeSeconds, idPrefix: 'chl', statements: challengeRetention },
  { name: 'notices', seconds: auditRetentionDays * daySeconds, idPrefix: 'ntc', statements: noticeRetention },
  { name: 'audit', seconds: auditRetentionDays * daySeconds, idPrefix: 'aud', statements: auditRetention },
]

/** Maximum number of queries of the purges in one run. An invocation has 1,000, which the sweeps share. */
const purgeQueries = 800

/**
 * Limits of the purges in one run; a run starts every minute. `rows` is per statement, `rounds` is statements per table, and `ms` is the time after
 * which no round starts.
 */
export const purgeBounds = {
  rows: 1_000,
  rounds: Math.floor(purgeQueries / retainedTables.length),
  ms: 20_000,
} as const

/** State of a table: the time of its oldest row, and the seconds since that row expired. */
export const retainedView = z.object({
  name: z.string(),
  retentionSeconds: z.int(),
  oldestAt: z.optional(z.int()),
  overdueSeconds: z.int(),
})

const oldestRow = z.object({ oldest: z.nullable(z.union([z.string(), z.int()])) })

/** The statements that read the oldest row of each table. `toStates` converts their rows. */
export const readOldest = (tables: readonly Retained[]) =>
  tables.map(({ statements }) => [statements.oldest(), {}] as const)

/** States of tables, from the rows that `readOldest` returned. */
export const toStates = (tables: readonly Retained[], results: readonly (readonly Row[])[], nowMs: number) =>
  tables.map(({ name, seconds }, index): z.output<typeof retainedView> => {
    const { oldest = null } = oldestRow.parse(results[index]?.[0] ?? { oldest: null })
    const state = { name, retentionSeconds: seconds, overdueSeconds: 0 }
    if (oldest === null) return state
    const oldestAt = typeof oldest === 'number' ? oldest : toSeconds(getCreationMs(oldest))
    return { ...state, oldestAt, overdueSeconds: Math.max(0, toSeconds(nowMs) - seconds - oldestAt) }
  })

/** Reads how long the purges of some tables are overdue. */
export async function inspect(database: Database, nowMs: number, tables: readonly Retained[]) {
  return tables.length === 0 ? [] : toStates(tables, await database.run(...readOldest(tables)), nowMs)
}

/**
 * Deletes the expired rows of every table until none is left or a limit of the run is reached; the next run continues. Logs the number of
 * deleted rows, and the state of the tables that still have expired rows. Returns the number for each table.
 */
export async function purgeExpired(
  env: Bindings,
  nowMs: number,
  database: Database = sharedDatabase(env),
): Promise<Readonly<Record<string, number>>> {
  const startMs = Date.now()
  const deleted: Record<string, number> = {}
  let behind = retainedTables
  for (let round = 0; round < purgeBounds.rounds && behind.length > 0; round++) {
    if (Date.now() - startMs >= purgeBounds.ms) break
    const unfinished: Retained[] = []
    for (const table of behind) {
      const { name, seconds, idPrefix, statements } = table
      const beforeMs = nowMs - seconds * 1000
      const before = idPrefix === undefined ? toSeconds(beforeMs) : createIdAt(idPrefix, beforeMs)
      try {
        const [rows = []] = await database.run([
          statements.purge(),
          { before, beforeSeconds: toSeconds(beforeMs), limit: purgeBounds.rows },
        ])
        deleted[name] = (deleted[name] ?? 0) + rows.length
        if (rows.length === purgeBounds.rows) unfinished.push(table)
      } catch (error) {
        log(env, 'purge failed', { table: name, error: String(error) })
      }
    }
    behind = unfinished
  }
  const unfinished = await inspect(database, nowMs, behind)
  log(env, 'purged', { deleted, behind: unfinished })
  return deleted
}

/** Sweeps and purges a database with merchants' data. A failure of one task does not stop the next. */
export async function maintain(env: Bindings, database: Database): Promise<void> {
  const now = nowInSeconds()
  try {
    await returnToStock(env, database, Date.now())
  } catch (error) {
    log(env, 'products not returned to stock', { error: String(error) })
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
  // The consumers do nothing while the configuration is invalid.
  const isIdle = isMisconfigured(env)
  try {
    if (!isIdle) await enqueueOverdueImports(env, database, now)
  } catch (error) {
    log(env, 'overdue imports not enqueued', { error: String(error) })
  }
  try {
    if (!isIdle) await enqueueOverduePruning(env, database, now)
  } catch (error) {
    log(env, 'pruning not enqueued', { error: String(error) })
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
    await maintain(env, sharedDatabase(env))
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
