import { lt, min, type SQL, sql } from 'drizzle-orm'
import { oldestUndo, overdueUndoSeconds } from '../../bulk/changes/undo/overdue-undos.ts'
import { overdueImportSeconds } from '../../bulk/import/overdue-imports.ts'
import { oldestPruning, overduePruningSeconds } from '../../bulk/pruning.ts'
import { findReindex, toReindexTime } from '../../bulk/reindex.ts'
import { findNextRelease } from '../../bulk/release/publish/find-due.ts'
import { findOldKey } from '../../checkout/codes/rewrite-keys.ts'
import { type Database, lazy } from '../../platform/db/database.ts'
import { purgeTimes } from '../../platform/db/purge-times.ts'
import { db, selectList, typed } from '../../platform/db/query.ts'
import { availabilityTable, furtherNotice, optionAvailabilityTable } from '../../platform/db/schema/availability.ts'
import { serviceStateTable } from '../../platform/db/schema/checkout/service-states.ts'
import { deliveryTable, parkedUntil } from '../../platform/db/schema/events.ts'
import { importTable } from '../../platform/db/schema/imports/imports.ts'
import { cleanForever, pictureTable } from '../../platform/db/schema/pictures.ts'
import { tagRequestTable } from '../../platform/db/schema/resources/tag-requests.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { callLimits } from '../../storefront/tags/calls/call-limits.ts'
import { overdueSeconds } from '../../webhooks/backlog.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { nextRetirement } from '../../webhooks/rows/scrub-secrets.ts'
import { inspect } from '../maintenance/purges.ts'
import { retainedTables } from '../maintenance/retained-tables.ts'

const pending = sql`${deliveryTable} indexed by deliveries_due where ${hasState('pending')}`
const nextHook = (after: SQL) => sql`(select min(${deliveryTable.webhook}) from ${pending} and ${after})`
/** One index lookup for each webhook with pending deliveries: each can have many. */
const pendingHooks = sql`
  with recursive hook(seq) as (
    select ${nextHook(sql`true`)}
    union all select ${nextHook(sql`${deliveryTable.webhook} > hook.seq`)} from hook where hook.seq is not null
  )`
const dueAt = {
  dueAt: sql<
    number | null
  >`min((select min(${deliveryTable.dueAt}) from ${pending} and ${deliveryTable.webhook} = hook.seq and ${deliveryTable.dueAt} < ${parkedUntil}))`,
}
const soldOutUntil = min(availabilityTable.soldOutUntil)
const optionUntil = min(optionAvailabilityTable.soldOutUntil)
const pausedUntil = min(serviceStateTable.pausedUntil)
const calledAt = min(tagRequestTable.at)
const updatedAt = min(importTable.updatedAt)
const checkAt = min(pictureTable.checkAt)
const cleanAt = min(pictureTable.cleanAt)
const isOpen = sql`${importTable.state} in ('uploading', 'checking', 'applying')`

const statements = {
  delivery: lazy(() => typed(dueAt, () => sql`${pendingHooks} select ${selectList(dueAt)} from hook`)),
  mark: lazy(() =>
    typed({ soldOutUntil }, (select) =>
      db.select(select).from(availabilityTable).where(lt(availabilityTable.soldOutUntil, furtherNotice)),
    ),
  ),
  optionMark: lazy(() =>
    typed({ optionUntil }, (select) =>
      db.select(select).from(optionAvailabilityTable).where(lt(optionAvailabilityTable.soldOutUntil, furtherNotice)),
    ),
  ),
  pause: lazy(() =>
    typed({ pausedUntil }, (select) =>
      db.select(select).from(serviceStateTable).where(lt(serviceStateTable.pausedUntil, furtherNotice)),
    ),
  ),
  call: lazy(() => typed({ calledAt }, (select) => db.select(select).from(tagRequestTable))),
  picture: lazy(() => typed({ checkAt }, (select) => db.select(select).from(pictureTable))),
  cleaning: lazy(() =>
    typed({ cleanAt }, (select) => db.select(select).from(pictureTable).where(lt(pictureTable.cleanAt, cleanForever))),
  ),
  openImport: lazy(() => typed({ updatedAt }, (select) => db.select(select).from(importTable).where(isOpen))),
}

/** Rows of `purges` that are read at a time: mostly, one of the first expires before the others are due. */
const purgesOfPage = 3

/** A row of `purges`. */
interface Purge {
  name: string
  dueAt: number
}

/** When rows of the tables that `purges` name can expire next, in seconds. Where the oldest row takes many reads, this is when the table is due. */
async function findExpiries(database: Database, nowMs: number, purges: readonly Purge[]): Promise<number[]> {
  const dueAt = new Map(purges.map((purge) => [purge.name, purge.dueAt]))
  const ofMerchant = purges.flatMap(({ name, dueAt }) => (name.startsWith('mer_') ? [dueAt] : []))
  const listed = retainedTables.flatMap((table) => {
    const due = table.statements.next ? ofMerchant : [dueAt.get(table.name) ?? []].flat()
    return due.length === 0 ? [] : [{ table, due: Math.max(...due) }]
  })
  const [probed, inspected] = [
    listed.flatMap(({ table: { statements }, due }) => (statements.any ? [{ due, any: statements.any }] : [])),
    listed.filter(({ table }) => !table.statements.any),
  ]
  const found = probed.length === 0 ? [] : await database.run(...probed.map(({ any }) => [any(), {}] as const))
  const states = await inspect(
    database,
    nowMs,
    inspected.map(({ table }) => table),
  )
  return [
    ...probed.flatMap(({ due }, index) => ((found[index] ?? []).length === 0 ? [] : [due])),
    ...states.flatMap(({ oldestAt, retentionSeconds }, index) =>
      oldestAt === undefined ? [] : [Math.max(oldestAt + retentionSeconds + 1, inspected[index]?.due ?? 0)],
    ),
  ]
}

/** When a row can expire next, in seconds; infinite if nothing is stored. Tables that are due later than a row that was found are not read. */
async function findNextExpiry(database: Database, nowMs: number): Promise<number> {
  let next = Number.POSITIVE_INFINITY
  let last = { dueAt: -1, row: 0 }
  while (next > last.dueAt) {
    const [purges] = await database.run([purgeTimes.list(), { ...last, limit: purgesOfPage }])
    next = Math.min(next, ...(await findExpiries(database, nowMs, purges)))
    const end = purges.at(-1)
    if (!end || purges.length < purgesOfPage) break
    last = end
  }
  return next
}

/** Returns the time of the next sweep or purge of an object, in milliseconds. Undefined if nothing is pending. */
export async function findNextDue(database: Database, nowMs: number): Promise<number | undefined> {
  const [
    [delivery],
    [mark],
    [optionMark],
    [pause],
    [call],
    [release],
    [picture],
    [cleaning],
    [openImport],
    [retirement],
    [gone],
    [oldKey],
    [undo],
    [unindexed],
  ] = await database.run(
    [statements.delivery(), {}],
    [statements.mark(), {}],
    [statements.optionMark(), {}],
    [statements.pause(), {}],
    [statements.call(), {}],
    [findNextRelease(), {}],
    [statements.picture(), {}],
    [statements.cleaning(), {}],
    [statements.openImport(), {}],
    [nextRetirement(), {}],
    [purgeTimes.findGone(), {}],
    [findOldKey(), {}],
    [oldestUndo(), {}],
    [findReindex(), {}],
  )
  const pruned = (await database.run(...oldestPruning().map((statement) => [statement, {}] as const))).flat()
  const seconds = [
    delivery?.dueAt && delivery.dueAt + overdueSeconds,
    mark?.soldOutUntil,
    optionMark?.optionUntil,
    pause?.pausedUntil,
    call?.calledAt && call.calledAt + callLimits.seconds,
    release?.publishAt,
    picture?.checkAt,
    cleaning?.cleanAt,
    retirement?.at,
    await findNextExpiry(database, nowMs),
    undo?.updatedAt && undo.updatedAt + overdueUndoSeconds,
    openImport?.updatedAt && openImport.updatedAt + overdueImportSeconds.step,
    toReindexTime(unindexed, toSeconds(nowMs)),
    (gone ?? oldKey) && toSeconds(nowMs),
    ...pruned.map(({ updatedAt }) => updatedAt && updatedAt + overduePruningSeconds),
  ].filter((at) => at !== undefined && at !== null)
  const next = Math.min(...seconds)
  return Number.isFinite(next) ? next * 1000 : undefined
}
