import { type Caller, createSenders } from '../../../catalogue/resource/caller.ts'
import type { Database } from '../../../platform/db/database.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { merchantDatabase } from '../../../platform/db/home/merchant-connection.ts'
import type { Bindings, Waiting } from '../../../platform/env.ts'
import { ApiError } from '../../../platform/errors.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import type { UndoMessage } from '../../../platform/messages.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { writeTagChanges } from '../../../storefront/tags/kv-sync.ts'
import { readObjects, readStock } from './read-objects.ts'
import { type UndoKind, type UndoOutcome, undoObjects } from './undo-objects.ts'
import {
  endUndoing,
  findUndo,
  recordStep,
  type StoredUndo,
  type UndoProgress,
  undoStepConstraint,
} from './undo-store.ts'

/** Objects of one step, and steps and milliseconds of one message. */
export const undoBounds = { objects: 250, steps: 8, ms: 15_000 }

/** The changes of a pass, and the resource whose objects it changes, if it is of one. */
function toPass(pass: Exclude<UndoProgress['passes'][number], 'stock'>): {
  kinds: ReadonlySet<UndoKind>
  path?: ResourcePath
} {
  if (pass === 'update') return { kinds: new Set(['none', 'update']) }
  return typeof pass === 'string'
    ? { kinds: new Set(['delete']), path: pass }
    : { kinds: new Set(['restore']), path: pass.restore }
}

/** A caller for the steps of an undo, on behalf of the key and the request that asked for it. */
const createUndoCaller = (
  env: Bindings,
  context: Waiting,
  database: Database,
  { merchantId, testMode }: Pick<StoredUndo, 'merchantId'> & { testMode: boolean },
  { actor, id }: Pick<StoredUndo, 'actor' | 'id'>,
  { requestId, baseUrl, ownHosts }: UndoProgress,
): Caller => ({
  database,
  scope: { merchantId, testMode },
  actor,
  requestId,
  changeSet: id,
  validationContext: { allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS), endpoints: env, ownHosts },
  renderContext: { baseUrl },
  ...createSenders(env, merchantId, (sending) => context.waitUntil(sending)),
})

/** Halves the objects of a step until their bytes fit one transaction. */
async function undoFitting<Item>(items: readonly Item[], undo: (some: readonly Item[]) => Promise<UndoOutcome>) {
  for (let count = items.length; ; count = Math.ceil(count / 2)) {
    try {
      return await undo(items.slice(0, count))
    } catch (error) {
      if (count <= 1 || !(error instanceof ApiError && error.code === 'batch_too_large')) throw error
    }
  }
}

/** Makes the next step of an undo. Returns whether steps are left. */
async function makeStep(env: Bindings, caller: Caller, stored: StoredUndo, progress: UndoProgress, context: Waiting) {
  const { database, scope } = caller
  const { id, step, conflicts: known } = stored
  const undoes = stored.undoes ?? ''
  const [pass, ...later] = progress.passes
  const undo = { id, kind: 'undo' } as const
  if (pass === undefined) {
    const now = nowInSeconds()
    const last = { undo, undoes, step, known, conflicts: [], next: undefined, now }
    await database.run(...recordStep(caller, last), ...endUndoing(caller, undoes, now))
    return false
  }
  const finishWith =
    (next: UndoProgress) =>
    ({ conflicts }: UndoOutcome) =>
      recordStep(caller, { undo, undoes, step, known, conflicts, next, now: nowInSeconds() })
  const endPass = { ...progress, passes: later, after: 0 }
  const onTagChanges = (changes: Parameters<typeof writeTagChanges>[3]) =>
    writeTagChanges(env, context, scope.merchantId, changes)
  if (pass === 'stock') {
    const rows = undoBounds.objects
    const page = await readStock(caller, { changeSet: undoes, after: progress.after, rows })
    const stock = { differences: page.stock, reference: `${id}:${step}` }
    const finish = finishWith(page.next === undefined ? endPass : { ...progress, after: page.next })
    await undoObjects(caller, [], { undoes, undo, stock, finish, onTagChanges })
    return true
  }
  const page = await readObjects(database, scope, {
    changeSet: undoes,
    after: progress.after,
    rows: undoBounds.objects,
  })
  const { kinds, path } = toPass(pass)
  const isWanted = ({ resource }: { resource: ResourcePath }) => path === undefined || resource === path
  await undoFitting(page.objects, (taken) => {
    const end = taken.length < page.objects.length ? taken.at(-1)?.seq : page.next
    const finish = finishWith(end === undefined ? endPass : { ...progress, after: end })
    return undoObjects(caller, taken.filter(isWanted), { undoes, undo, kinds, finish, onTagChanges })
  })
  return true
}

/** Whether a step was undone because another message made it. */
const isOutdated = (error: unknown) => error instanceof ConstraintError && error.subject === undoStepConstraint

/** Makes the next steps of an undo, up to the limit of one message. Returns whether steps are left. */
export async function runUndo(env: Bindings, context: Waiting, message: UndoMessage): Promise<boolean> {
  const startMs = Date.now()
  const scope = { merchantId: message.merchant, testMode: message.testMode }
  const database = merchantDatabase(env, { merchantId: message.merchant, home: undefined })
  database.usePrimary()
  for (let steps = 0; steps < undoBounds.steps && Date.now() - startMs < undoBounds.ms; steps++) {
    const stored = await findUndo(database, scope, message.undo)
    if (!stored?.progress) return false
    const caller = createUndoCaller(env, context, database, scope, stored, stored.progress)
    try {
      if (!(await makeStep(env, caller, stored, stored.progress, context))) return false
    } catch (error) {
      if (isOutdated(error)) return false
      throw error
    }
  }
  return true
}
