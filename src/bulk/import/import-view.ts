import * as z from 'zod/mini'
import type { RowOf } from '../../platform/db/query.ts'
import { importFormats, importMappings, importMatches } from '../../platform/db/schema/imports/imports.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { type ResourcePath, resourcePaths } from '../../platform/names.ts'
import { type ChangeSet, toChangeSetId } from '../../platform/outbox/change-sets.ts'
import { readingView, toReadingView } from './auto/reading-view.ts'
import { readStoredReading } from './auto/stored-reading.ts'
import { askingDays } from './import-limits.ts'
import type { importFields } from './statements/import-statements.ts'

/** A row of the table of imports. */
export type StoredImport = RowOf<typeof importFields>

const visibleStates = ['asking', 'checking', 'ready', 'failed', 'applying', 'done', 'cancelled'] as const
const count = (text: string) => z.int().check(z.describe(text))
const seconds = (text: string) => z.int().check(z.describe(`${text}, in seconds since 1970-01-01 UTC.`))

/** A notice of the check about rows without issues. */
const importNotice = z.object({
  code: z
    .enum(['counter_kept', 'counter_set', 'existing_kept', 'looks_like_existing', 'allergens_kept'])
    .check(
      z.describe(
        '`looks_like_existing`: rows will create objects although others have their SKU, barcode or title. `counter_kept`: a counter of the service differs from the value in the file, and stays unchanged. `counter_set`: the import sets it to the value in the file. `existing_kept`: objects differ from the file and stay unchanged, because of `existing=keep`. `allergens_kept`: products or options get another name, and their allergens, additives and diets stay as stated for the earlier one: check them.',
      ),
    ),
  resource: z.enum(resourcePaths).check(z.describe('Resource of the rows.')),
  field: z
    .optional(z.string())
    .check(z.describe('Name of the field. Absent if the notice is about objects as a whole.')),
  count: count('Number of rows.'),
  message: z.string().check(z.describe('Explanation of the notice for people.')),
})

const importOutcomes = z.object({
  created: count('Number of objects that were created.'),
  updated: count('Number of objects that were updated.'),
  unchanged: count('Number of rows whose object had all values already, or was kept.'),
})

/** Numbers of checked rows by what they will do. */
const planned = z.object({
  creates: z._default(z.int(), 0),
  updates: z._default(z.int(), 0),
  unchanged: z._default(z.int(), 0),
  pricesUp: z._default(z.int(), 0),
  pricesDown: z._default(z.int(), 0),
  /** Objects that the file does not name. Absent before the check ends, and in imports of earlier releases. */
  deletes: z.optional(z.int()),
  /** Whether deleting this many must be confirmed. */
  isManyDeletes: z.optional(z.boolean()),
})
/** The counts that the check of an import stored. */
export const readPlanned = ({ planned: stored }: Pick<StoredImport, 'planned'>) => planned.parse(stored)

const plannedView = z.object({
  creates: count('Number of objects that will be created.'),
  updates: count('Number of objects that will be updated.'),
  unchanged: count('Number of objects that have all values already.'),
  deletes: z
    .optional(z.int())
    .check(z.describe('Number of objects that will be deleted. Absent without `delete`; see `…/deletions`.')),
  needsConfirmation: z
    .optional(z.boolean())
    .check(z.describe('Whether applying requires `confirmDeletes`. Absent without `delete`.')),
  leftOut: count('Number of rows with issues.'),
  changes: z
    .object({
      price: z
        .object({ up: count('Number of prices that rise.'), down: count('Number of prices that fall.') })
        .check(z.describe('Changes of prices of existing objects.')),
    })
    .check(z.describe('Changes of prices. Zero with `mapping=strict`.')),
})

/** Whether somebody must confirm how many objects an import deletes. Without a maximum, only imports with `mapping=auto` ask. */
export const needsConfirmation = (
  { mapping, confirmDeletes }: Pick<StoredImport, 'mapping' | 'confirmDeletes'>,
  { count, isMany }: { count: number; isMany: boolean },
): boolean => (confirmDeletes === null ? mapping === 'auto' && isMany : count > confirmDeletes)

function toPlannedView(stored: StoredImport): z.output<typeof plannedView> | undefined {
  if (['uploading', 'asking', 'checking'].includes(stored.state)) return undefined
  const { creates, updates, unchanged, pricesUp, pricesDown, deletes, isManyDeletes } = readPlanned(stored)
  return {
    ...{ creates, updates, unchanged, deletes, leftOut: stored.failed },
    needsConfirmation:
      deletes === undefined ? undefined : needsConfirmation(stored, { count: deletes, isMany: isManyDeletes === true }),
    changes: { price: { up: pricesUp, down: pricesDown } },
  }
}

/** An import in responses. */
export const importView = z.object({
  id: z.string().check(z.describe('Unique identifier. Ids sort by time of creation.')),
  resource: z
    .optional(z.enum(resourcePaths))
    .check(z.describe('Resource of all objects. Absent if the lines of the file name several.')),
  format: z.enum(importFormats).check(z.describe('Format of the file.')),
  mapping: z
    .enum(importMappings)
    .check(
      z.describe(
        '`strict`: columns have the names of fields. `auto`: the service found out what the file contains. `live`: a copy of the catalogue of live mode.',
      ),
    ),
  match: z.enum([...importMatches, 'auto']).check(z.describe('Field that selects the object that a row updates.')),
  existing: z
    .optional(z.enum(['keep']))
    .check(z.describe('`keep` if objects that exist stay as they are. Absent otherwise.')),
  delete: z
    .optional(z.enum(['missing']))
    .check(z.describe('`missing` if applying deletes the objects that the file does not name. Absent otherwise.')),
  counters: z
    .optional(z.enum(['set']))
    .check(z.describe('`set` if the import sets counters of the service to the values in the file. Absent otherwise.')),
  state: z
    .enum(visibleStates)
    .check(
      z.describe(
        '`asking`: questions of the reading are open, see `…/mapping`. `checking`: rows are checked, and nothing is written. `ready`: can be applied. `failed`: no row is usable, or an internal error stopped the import: see its issues. `applying`: waits for earlier imports, or rows are applied. `done`, `cancelled`, `failed`: rows that were applied stay.',
      ),
    ),
  rows: count('Number of rows in the file.'),
  checked: count('Number of rows that were checked.'),
  applied: count('Number of rows that were applied: created, updated or unchanged.'),
  created: count('Number of objects that were created.'),
  updated: count('Number of objects that were updated.'),
  unchanged: count('Number of rows whose object already had all values, or was kept.'),
  deleted: count('Number of objects that were deleted because the file does not name them.'),
  failed: count('Number of rows with issues. They are not applied.'),
  revision: count('Number of the mapping. It increases when the import is mapped again.'),
  reading: z.optional(readingView).check(z.describe('Findings about a file with `mapping=auto`.')),
  check: z
    .optional(plannedView)
    .check(z.describe('Expected effects of applying, by the check. Absent before the check ends.')),
  outcomes: z
    .record(z.string(), importOutcomes)
    .check(z.describe('Numbers of applied rows by resource. Resources without applied rows are absent.')),
  notices: z.array(importNotice).check(z.describe('Notices of the check. Rows with notices are applied.')),
  changeSet: z
    .optional(z.string())
    .check(z.describe('Id of the change set of the applied rows. Absent if nothing was applied.')),
  createdAt: seconds('Time of the upload'),
  updatedAt: seconds('Time of the last progress'),
})
export type ImportView = z.output<typeof importView>

/** The change set of what an import applies. Undefined until applying is requested. */
export const findImportSet = ({ id, queuedAt }: Pick<StoredImport, 'id' | 'queuedAt'>): ChangeSet | undefined =>
  queuedAt === null ? undefined : { id: toChangeSetId(id, queuedAt), kind: 'import' }

const pathList = z.array(z.enum(resourcePaths))
/** Whether the rows of an import are those of our own files, which say the whole object. */
export function isOwnFile({ reading: stored }: Pick<StoredImport, 'reading'>): boolean {
  const reading = readStoredReading(stored)
  return reading === undefined || reading.preset === 'export' || reading.isOwnLines === true
}

/** The resources of the objects that an import may delete: those of the rows of its file. A mapping adds menus and modifiers. */
export function listDeletable(
  stored: Pick<StoredImport, 'resources' | 'mapping' | 'reading'>,
): readonly ResourcePath[] {
  const isOwn = isOwnFile(stored)
  return getResources(stored).filter((path) => isOwn || (path !== 'menus' && path !== 'modifiers'))
}

/** The resources in the file of an import. */
export const getResources = ({ resources }: Pick<StoredImport, 'resources'>) => pathList.parse(resources)

const differing = z.record(z.string(), z.int())
/**
 * Number of checked rows by the counter that differs, `<resource>.<field>`, by the resource whose object is kept and differs, or by the resource of
 * rows that look like objects that exist, `similar:<resource>`, or that give objects with allergens another name, `renamed:<resource>`.
 */
export const readDiffering = ({ differing: stored }: Pick<StoredImport, 'differing'>) => differing.parse(stored)

/** Name of the number of rows that will create objects although others have their keys. */
export const nameSimilar = (resource: string) => `similar:${resource}`

/** Name of the number of rows that give objects another name, whose allergens stay. */
export const nameRenamed = (resource: string) => `renamed:${resource}`

const outcomes = z.record(z.string(), importOutcomes)
/** Numbers of applied rows by resource. */
export const readOutcomes = ({ outcomes: stored }: Pick<StoredImport, 'outcomes'>) => outcomes.parse(stored)

function toNotices({ setCounters, ...stored }: StoredImport): z.output<typeof importNotice>[] {
  return Object.entries(readDiffering(stored)).flatMap(([name, count]): z.output<typeof importNotice>[] => {
    const similar = resourcePaths.find((path) => name === nameSimilar(path))
    if (similar) {
      const message = `${count} ${similar} will be created although others have their SKU, barcode or title`
      return [{ code: 'looks_like_existing', resource: similar, count, message }]
    }
    const renamed = resourcePaths.find((path) => name === nameRenamed(path))
    if (renamed) {
      const message = `${count} ${renamed} get another name, and keep what is stated about their allergens: check it`
      return [{ code: 'allergens_kept', resource: renamed, field: 'allergens', count, message }]
    }
    const resource = resourcePaths.find((path) => name === path || name.startsWith(`${path}.`))
    if (resource === undefined) return []
    if (name === resource) {
      return [{ code: 'existing_kept', resource, count, message: `${count} ${resource} differ from the file and stay` }]
    }
    const field = name.slice(resource.length + 1)
    const effect = setCounters ? 'is set to the value in the file' : 'stays unchanged: the service counts it'
    const message = `${field} of ${count} ${resource} differs and ${effect}`
    return [{ code: setCounters ? 'counter_set' : 'counter_kept', resource, field, count, message }]
  })
}

/** Whether an import has waited too long for answers. It counts as cancelled. */
export const isAbandoned = ({ state, updatedAt }: Pick<StoredImport, 'state' | 'updatedAt'>): boolean =>
  state === 'asking' && updatedAt <= nowInSeconds() - askingDays * daySeconds

/** Converts an import to what responses show. `first` are the first rows of its file as they came, for samples. */
export function toImportView(stored: StoredImport, first: readonly (string | readonly string[])[] = []): ImportView {
  const { id, format, match, rows, checked, applied, created, updated, unchanged, deleted, failed } = stored
  const [only, another] = getResources(stored)
  const reading = readStoredReading(stored.reading)
  return {
    id,
    resource: another === undefined ? only : undefined,
    format,
    mapping: stored.mapping,
    match,
    existing: stored.keepExisting ? 'keep' : undefined,
    delete: stored.deleteMissing ? 'missing' : undefined,
    counters: stored.setCounters ? 'set' : undefined,
    state: stored.state === 'uploading' ? 'checking' : isAbandoned(stored) ? 'cancelled' : stored.state,
    rows,
    checked,
    applied,
    created,
    updated,
    unchanged,
    deleted,
    failed,
    revision: stored.revision,
    reading: reading && toReadingView(reading, first),
    check: toPlannedView(stored),
    outcomes: readOutcomes(stored),
    notices: toNotices(stored),
    changeSet: applied + deleted > 0 ? findImportSet(stored)?.id : undefined,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  }
}
