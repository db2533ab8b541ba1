import { inArray, lt, min } from 'drizzle-orm'
import { overdueImportSeconds } from '../../bulk/import/overdue-imports.ts'
import { oldestPruning, overduePruningSeconds } from '../../bulk/pruning.ts'
import { type Database, lazy } from '../../platform/db/database.ts'
import { db, typed } from '../../platform/db/query.ts'
import { availabilityTable, furtherNotice } from '../../platform/db/schema/availability.ts'
import { deliveryTable } from '../../platform/db/schema/events.ts'
import { importTable } from '../../platform/db/schema/imports/imports.ts'
import { cleanForever, pictureTable } from '../../platform/db/schema/pictures.ts'
import { overdueSeconds } from '../../webhooks/backlog.ts'
import { hasState } from '../../webhooks/rows/conditions.ts'
import { nextRetirement } from '../../webhooks/rows/scrub-secrets.ts'
import { inspect, retainedTables } from '../maintenance/maintenance.ts'

const dueAt = min(deliveryTable.dueAt)
const soldOutUntil = min(availabilityTable.soldOutUntil)
const updatedAt = min(importTable.updatedAt)
const checkAt = min(pictureTable.checkAt)
const cleanAt = min(pictureTable.cleanAt)
const isOpen = inArray(importTable.state, ['uploading', 'checking', 'applying'])

const statements = {
  delivery: lazy(() => typed({ dueAt }, (select) => db.select(select).from(deliveryTable).where(hasState('pending')))),
  mark: lazy(() =>
    typed({ soldOutUntil }, (select) =>
      db.select(select).from(availabilityTable).where(lt(availabilityTable.soldOutUntil, furtherNotice)),
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
  const [[delivery], [mark], [picture], [cleaning], [openImport], [retirement]] = await database.run(
    [statements.delivery(), {}],
    [statements.mark(), {}],
    [statements.picture(), {}],
    [statements.cleaning(), {}],
    [statements.openImport(), {}],
    [nextRetirement(), {}],
  )
  const pruned = (await database.run(...oldestPruning().map((statement) => [statement, {}] as const))).flat()
  const retained = await inspect(database, nowMs, retainedTables)
  const seconds = [
    delivery?.dueAt && delivery.dueAt + overdueSeconds,
    mark?.soldOutUntil,
    picture?.checkAt,
    cleaning?.cleanAt,
    retirement?.at,
    openImport?.updatedAt && openImport.updatedAt + overdueImportSeconds.step,
    ...pruned.map(({ updatedAt }) => updatedAt && updatedAt + overduePruningSeconds),
    ...retained.map(({ oldestAt, retentionSeconds }) => oldestAt && oldestAt + retentionSeconds + 1),
  ].filter((at) => at !== undefined && at !== null)
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1000
}
