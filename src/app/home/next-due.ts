import { lt, min, sql } from 'drizzle-orm'
import { overdueImportSeconds } from '../../bulk/import/overdue-imports.ts'
import { oldestPruning, overduePruningSeconds } from '../../bulk/pruning.ts'
import { findOldKey } from '../../checkout/codes/rewrite-keys.ts'
import { type Database, lazy } from '../../platform/db/database.ts'
import { purgeTimes } from '../../platform/db/purge-times.ts'
import { db, typed } from '../../platform/db/query.ts'
import { availabilityTable, furtherNotice, optionAvailabilityTable } from '../../platform/db/schema/availability.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { importTable } from '../../platform/db/schema/imports/imports.ts'
import { cleanForever, pictureTable } from '../../platform/db/schema/pictures.ts'
import { webhookTable } from '../../platform/db/schema/resources/webhooks.ts'
import { toSeconds } from '../../platform/lib/time.ts'
import { overdueSeconds } from '../../webhooks/backlog.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { nextRetirement } from '../../webhooks/rows/scrub-secrets.ts'
import { inspect, retainedTables } from '../maintenance/purges.ts'

/** One index lookup for each webhook: each can have many deliveries. */
const dueAt = sql<number | null>`min((
  select min(${deliveryTable.dueAt}) from ${deliveryTable} indexed by deliveries_due
  where ${deliveryTable.webhook} = ${webhookTable.seq} and ${hasState('pending')}))`
const soldOutUntil = min(availabilityTable.soldOutUntil)
const optionUntil = min(optionAvailabilityTable.soldOutUntil)
const updatedAt = min(importTable.updatedAt)
const checkAt = min(pictureTable.checkAt)
const cleanAt = min(pictureTable.cleanAt)
const isOpen = sql`${importTable.state} in ('uploading', 'checking', 'applying')`

const statements = {
  delivery: lazy(() => typed({ dueAt }, (select) => db.select(select).from(webhookTable))),
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
  picture: lazy(() => typed({ checkAt }, (select) => db.select(select).from(pictureTable))),
  cleaning: lazy(() =>
    typed({ cleanAt }, (select) => db.select(select).from(pictureTable).where(lt(pictureTable.cleanAt, cleanForever))),
  ),
  openImport: lazy(() => typed({ updatedAt }, (select) => db.select(select).from(importTable).where(isOpen))),
}

/** Returns the time of the next sweep or purge of an object, in milliseconds. Undefined if nothing is pending. */
export async function findNextDue(database: Database, nowMs: number): Promise<number | undefined> {
  const [
    [delivery],
    [mark],
    [optionMark],
    [picture],
    [cleaning],
    [openImport],
    [retirement],
    [gone],
    [oldKey],
    purges,
  ] = await database.run(
    [statements.delivery(), {}],
    [statements.mark(), {}],
    [statements.optionMark(), {}],
    [statements.picture(), {}],
    [statements.cleaning(), {}],
    [statements.openImport(), {}],
    [nextRetirement(), {}],
    [purgeTimes.findGone(), {}],
    [findOldKey(), {}],
    [purgeTimes.list(), {}],
  )
  const pruned = (await database.run(...oldestPruning().map((statement) => [statement, {}] as const))).flat()
  const dueAt = new Map(purges.map((purge) => [purge.name, purge.dueAt]))
  const merchantDueAt = Math.max(0, ...purges.flatMap(({ name, dueAt }) => (name.startsWith('mer_') ? [dueAt] : [])))
  const retained = await inspect(database, nowMs, retainedTables)
  const seconds = [
    delivery?.dueAt && delivery.dueAt + overdueSeconds,
    mark?.soldOutUntil,
    optionMark?.optionUntil,
    picture?.checkAt,
    cleaning?.cleanAt,
    retirement?.at,
    ...retained.map(({ name, oldestAt, retentionSeconds }) =>
      oldestAt === undefined ? undefined : Math.max(oldestAt + retentionSeconds + 1, dueAt.get(name) ?? merchantDueAt),
    ),
    openImport?.updatedAt && openImport.updatedAt + overdueImportSeconds.step,
    (gone ?? oldKey) && toSeconds(nowMs),
    ...pruned.map(({ updatedAt }) => updatedAt && updatedAt + overduePruningSeconds),
  ].filter((at) => at !== undefined && at !== null)
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1000
}
