import * as z from 'zod/mini'
import { auditRetentionDays } from '../../platform/db/audit-log.ts'
import type { Database } from '../../platform/db/database.ts'
import { sharedDatabase } from '../../platform/db/home/d1-connection.ts'
import { purgeTimes } from '../../platform/db/purge-times.ts'
import type { Row } from '../../platform/db/row.ts'
import type { Bindings } from '../../platform/env.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { createIdAt, getCreationMs } from '../../platform/lib/ids.ts'
import { log } from '../../platform/lib/log.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { retentionDays } from '../../webhooks/event-retention.ts'
import { type Retained, retainedTables } from './retained-tables.ts'

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

/** Maximum number of merchants and tables of `purges` that one run takes. */
const maxDue = 500
/** Time until a merchant is due again of which a run has deleted rows, in seconds: each time costs written rows. */
const gatherSeconds = 1_800
/** The shortest time that rows are kept which are purged by merchant, in seconds. */
const shortestSeconds = Math.min(retentionDays, auditRetentionDays) * daySeconds

const timedTables = retainedTables.filter(({ statements: { next } }) => !next)
const isTable = (name: string) => timedTables.some((table) => table.name === name)

/**
 * Reads how long the purges of an object are overdue. Only tables that are due can be; after a failed purge of a merchant's rows, they are due again
 * within `gatherSeconds`. `hasReported`: the last call found overdue rows.
 */
export async function inspectDue(database: Database, nowMs: number, hasReported: boolean) {
  const now = toSeconds(nowMs) + (hasReported ? gatherSeconds : 0)
  const [due] = await database.run([purgeTimes.findDue(), { now, limit: maxDue }])
  const hasMerchant = due.some(({ name }) => !isTable(name))
  const tables = retainedTables.filter(({ name, statements: { next } }) =>
    next ? hasMerchant : due.some((purge) => purge.name === name),
  )
  return inspect(database, nowMs, tables)
}

/** The times at which rows of merchants expire next, of each table that is purged by merchant. */
async function findExpiries(
  database: Database,
  merchants: readonly string[],
): Promise<{ name: string; at: number; table?: string }[]> {
  const listed = retainedTables.flatMap(({ name, seconds, statements: { next } }) =>
    next ? [{ table: name, seconds, next }] : [],
  )
  if (merchants.length === 0) return []
  const values = { merchants: JSON.stringify(merchants) }
  const results = await database.run(...listed.map(({ next }) => [next(), values] as const))
  return listed.flatMap(({ table, seconds }, index) =>
    (results[index] ?? []).flatMap(({ name, id }) =>
      id === null ? [] : [{ name, table, at: toSeconds(getCreationMs(id)) + seconds + 1 }],
    ),
  )
}

/**
 * Sets when merchants and tables are due again. `behind`: the tables that a limit left with expired rows; their merchants stay due, after the others.
 * `hasDeleted`: the run has deleted rows of merchants.
 */
async function postpone(
  database: Database,
  nowMs: number,
  names: readonly string[],
  { behind, hasDeleted }: { behind: ReadonlySet<string>; hasDeleted: boolean },
): Promise<void> {
  if (names.length === 0) return
  const now = toSeconds(nowMs)
  const timed = timedTables.filter(({ name }) => names.includes(name))
  const expiries = await findExpiries(
    database,
    names.filter((name) => !isTable(name)),
  )
  for (const { name, oldestAt, retentionSeconds } of await inspect(database, nowMs, timed)) {
    if (oldestAt !== undefined) expiries.push({ name, at: oldestAt + retentionSeconds + 1 })
  }
  // Rows that come from now on expire later.
  const times = new Map(names.map((name) => [name, now + shortestSeconds]))
  for (const { name, seconds } of timed) times.set(name, now + Math.max(seconds, gatherSeconds))
  for (const { name, at, table = name } of expiries) {
    // An expired row that no limit left belongs to a merchant that is being moved or restored, or to a table whose purge failed.
    const later = at <= now || hasDeleted ? Math.max(at, now + gatherSeconds) : at
    const dueAt = at <= now && behind.has(table) ? now : later
    times.set(name, Math.min(times.get(name) ?? dueAt, dueAt))
  }
  await database.run([purgeTimes.postpone(), { times: JSON.stringify(Object.fromEntries(times)) }])
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
  const [found, gone] = await database.run(
    [purgeTimes.findDue(), { now: toSeconds(nowMs), limit: maxDue }],
    [purgeTimes.findGone(), {}],
  )
  const due = found.map(({ name }) => name)
  const dueMerchants = due.filter((name) => !isTable(name))
  const merchants = JSON.stringify(dueMerchants)
  const failed = new Set<Retained>()
  const hasMerchants = dueMerchants.length + gone.length > 0
  let behind = retainedTables.filter(({ name, statements: { next } }) => (next ? hasMerchants : due.includes(name)))
  for (let round = 0; round < purgeBounds.rounds && behind.length > 0; round++) {
    if (Date.now() - startMs >= purgeBounds.ms) break
    const unfinished: Retained[] = []
    for (const table of behind) {
      const { name, seconds, idPrefix, statements } = table
      const beforeMs = nowMs - seconds * 1000
      const before = idPrefix === undefined ? toSeconds(beforeMs) : createIdAt(idPrefix, beforeMs)
      try {
        const values = { before, beforeSeconds: toSeconds(beforeMs), limit: purgeBounds.rows, merchants }
        const prepared = [statements.prepare, statements.purge].flatMap((build) => build?.() ?? [])
        const rows = (await database.run(...prepared.map((statement) => [statement, values] as const))).at(-1) ?? []
        deleted[name] = (deleted[name] ?? 0) + rows.length
        if (rows.length === purgeBounds.rows) unfinished.push(table)
      } catch (error) {
        log(env, 'purge failed', { table: name, error: String(error) })
        failed.add(table)
      }
    }
    behind = unfinished
  }
  const left = new Set([...behind, ...failed].map(({ name }) => name))
  const hasDeleted = retainedTables.some(({ name, statements }) => statements.next && (deleted[name] ?? 0) > 0)
  // An unfinished table keeps only the merchants due that have expired rows in it.
  const names = due.filter((name) => !(isTable(name) && left.has(name)))
  await postpone(database, nowMs, names, { behind: new Set(behind.map(({ name }) => name)), hasDeleted })
  if (gone.length > 0) await database.run([purgeTimes.forgetWebhooks(), {}])
  const unfinished = await inspect(database, nowMs, behind)
  log(env, 'purged', { deleted, behind: unfinished })
  return deleted
}
