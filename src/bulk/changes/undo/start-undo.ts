import { listScopesOfEvents } from '../../../catalogue/events/event-scopes.ts'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { ResourceChange } from '../../../catalogue/resource/routes.ts'
import { maxPrunedTogether } from '../../../catalogue/resource/statements/prune-statements.ts'
import type { TagItem } from '../../../catalogue/resources/tags.ts'
import type { StockDifference } from '../../../checkout/many/return-counts.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { isUndoneIf } from '../../../platform/db/transaction.ts'
import { ApiError, invalid, notFound } from '../../../platform/errors.ts'
import { limits } from '../../../platform/http/fields.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { type ChangeSet, changeSetPrefix } from '../../../platform/outbox/change-sets.ts'
import { batchResources } from '../../batch/batch-resource.ts'
import { releaseLimits } from '../../release/release-limits.ts'
import { type ChangedObject, readObjects, readStock, summarize, toResource } from './read-objects.ts'
import { planObjects, type UndoOutcome, undoObjects } from './undo-objects.ts'
import { findUndo, isImportApplying, markUndone, recordStep, type StoredUndo, type UndoProgress } from './undo-store.ts'

/** Maximum number of objects of which a dry run reads the present state. */
const maxPlannedObjects = 20_000

/** The result of a request to undo a change set. */
type UndoResult = { kind: 'planned'; outcome: UndoOutcome } | { kind: 'stored'; stored: StoredUndo; isNew: boolean }

interface UndoRequest {
  dryRun: boolean
  onTagChanges(changes: readonly ResourceChange<TagItem>[]): Promise<void>
}

/** The resources that an undo of events of these types changes. */
const listResources = (types: readonly string[]) => [...new Set(types.flatMap((type) => toResource(type) ?? []))]

/** Type of the events of stock that an import has counted. */
const stockType = 'stock.changed'

/** Resources with events of a verb, those before others that these name. */
const listPaths = (types: readonly string[], verb: string) =>
  batchResources.flatMap(({ resource: { name, path } }) => (types.includes(`${name}.${verb}`) ? [path] : []))

/** Deleted objects return first, after those that they name. Created ones are deleted last, before those that they name. */
const listPasses = (types: readonly string[]): UndoProgress['passes'] => [
  ...(types.includes(stockType) ? ['stock' as const] : []),
  ...listPaths(types, 'deleted').map((restore) => ({ restore })),
  'update',
  ...listPaths(types, 'created').toReversed(),
]

/** The content of a set that fits one transaction. */
interface Whole {
  objects: readonly ChangedObject[]
  stock: readonly StockDifference[]
}

/** Maximum number of objects of a set that are undone in one transaction. A release is reverted as it was published: at one moment. */
const maxTogether = (kind: StoredUndo['kind']) =>
  kind === 'release' ? releaseLimits.changes + maxPrunedTogether : limits.operations

/** All objects of a set, if they are at most `most` and fit one transaction. */
async function readAll(
  caller: Caller,
  changeSet: string,
  types: readonly string[],
  most: number,
): Promise<Whole | undefined> {
  const { database, scope } = caller
  const all: ChangedObject[] = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const page = await readObjects(database, scope, { changeSet, after, rows: limits.operations })
    all.push(...page.objects)
    if (all.length > most) return undefined
    after = page.next
  }
  if (!types.includes(stockType)) return { objects: all, stock: [] }
  const { stock, next } = await readStock(caller, { changeSet, after: 0, rows: limits.operations })
  return next === undefined ? { objects: all, stock } : undefined
}

/** Plans the undo of a set of any size, page by page. */
async function planAll(caller: Caller, changeSet: string): Promise<UndoOutcome> {
  const counts = { created: 0, updated: 0, deleted: 0 }
  const conflicts: UndoOutcome['conflicts'][number][] = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const page = await readObjects(caller.database, caller.scope, { changeSet, after, rows: limits.operations })
    const outcome = await planObjects(caller, changeSet, page.objects)
    counts.created += outcome.counts.created
    counts.updated += outcome.counts.updated
    counts.deleted += outcome.counts.deleted
    conflicts.push(...outcome.conflicts)
    after = page.next
  }
  return { counts, conflicts }
}

const isTooLarge = (error: unknown) => error instanceof ApiError && error.code === 'batch_too_large'

/** Undoes all objects of a set in one transaction. Returns false if they have too many bytes for one. */
async function undoAtOnce(
  caller: Caller,
  changeSet: string,
  undo: ChangeSet,
  { objects, stock }: Whole,
  { onTagChanges }: UndoRequest,
): Promise<boolean> {
  try {
    await undoObjects(caller, objects, {
      undoes: changeSet,
      undo,
      stock: { differences: stock, reference: `${undo.id}:0` },
      onTagChanges,
      finish({ conflicts }) {
        const now = nowInSeconds()
        const step = { undo, undoes: changeSet, step: 0, known: [], conflicts, next: undefined, now }
        return [...markUndone(caller, changeSet, undo, 'undone', now), ...recordStep(caller, step)]
      },
    })
    return true
  } catch (error) {
    if (isTooLarge(error)) return false
    throw error
  }
}

/** Begins an undo in steps: it is recorded as the next step of the set. */
async function begin(caller: Caller, changeSet: string, undo: ChangeSet, types: readonly string[]): Promise<void> {
  const now = nowInSeconds()
  const { ownHosts } = caller.validationContext
  const next: UndoProgress = {
    passes: listPasses(types),
    after: 0,
    ownHosts: [...ownHosts],
    ...(caller.requestId !== undefined && { requestId: caller.requestId }),
    ...(caller.renderContext.baseUrl !== undefined && { baseUrl: caller.renderContext.baseUrl }),
  }
  await caller.database.run(
    ...markUndone(caller, changeSet, undo, 'undoing', now),
    ...recordStep(caller, { undo, undoes: changeSet, step: 0, known: [], conflicts: [], next, now }),
  )
}

/** The undo of a set that was undone, or is being undone. */
async function findEarlier({ database, scope }: Caller, { undoneBy }: StoredUndo): Promise<UndoResult | undefined> {
  const stored = undoneBy === null ? undefined : await findUndo(database, scope, undoneBy)
  return stored && { kind: 'stored', stored, isNew: false }
}

/** Undoes a change set, or plans it. A set that was undone, or is being undone, has the result of the first request. */
export async function undoChangeSet(
  caller: Caller,
  granted: readonly string[] | undefined,
  changeSet: string,
  request: UndoRequest,
): Promise<UndoResult> {
  const { database, scope } = caller
  database.usePrimary()
  const found = await findUndo(database, scope, changeSet)
  if (!found) throw notFound()
  const { types, count } = await summarize(database, scope, changeSet)
  requireScopes(granted, [
    ...listResources(types).map((path) => `${path}:write` as const),
    ...(types.includes(stockType) ? ['stock:write' as const] : []),
  ])
  const earlier = found.state === 'done' ? undefined : await findEarlier(caller, found)
  if (earlier) return earlier
  if (found.kind === 'import' && (await isImportApplying(database, scope, changeSet))) {
    throw new ApiError('conflict', 'The import is still being applied. Undo it when it is done, or cancel it first.')
  }
  if (found.progress) throw new ApiError('conflict', 'This undo is still under way. Undo it when it is done.')
  if (request.dryRun) {
    if (count > maxPlannedObjects) {
      const message = `can plan at most ${maxPlannedObjects} objects; the change set has ${count}`
      throw invalid([{ parameter: 'dryRun', code: 'too_many', message }])
    }
    return { kind: 'planned', outcome: await planAll(caller, changeSet) }
  }
  const undo: ChangeSet = { id: createId(changeSetPrefix), kind: 'undo' }
  try {
    const most = maxTogether(found.kind)
    const whole = count > most ? undefined : await readAll(caller, changeSet, types, most)
    const isDone = whole !== undefined && (await undoAtOnce(caller, changeSet, undo, whole, request))
    if (!isDone) {
      // Its steps run without the request: nobody compares the scopes with the events of a webhook.
      if (listResources(types).includes('webhooks')) requireScopes(granted, listScopesOfEvents(['*']))
      await begin(caller, changeSet, undo, types)
    }
  } catch (error) {
    // Another request undoes the set at the same time. A batch that lost this race is busy.
    const isLost = isUndoneIf(error) || (error instanceof ApiError && error.code === 'busy')
    const current = isLost ? await findUndo(database, scope, changeSet) : undefined
    const first = current && current.state !== 'done' ? await findEarlier(caller, current) : undefined
    if (first) return first
    throw error
  }
  const stored = await findUndo(database, scope, undo.id)
  if (!stored) throw notFound()
  return { kind: 'stored', stored, isNew: true }
}
