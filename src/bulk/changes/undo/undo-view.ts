import * as z from 'zod/mini'
import { hasScope } from '../../../platform/auth/authenticate.ts'
import { resourcePaths } from '../../../platform/names.ts'
import { changeSetView, toChangeSetView } from '../change-set-view.ts'
import { conflictReasons } from './plan/plan-undo.ts'
import type { ObjectConflict, UndoOutcome } from './undo-objects.ts'
import { maxListedConflicts, type StoredUndo } from './undo-store.ts'

const conflictView = z.object({
  resource: z.enum(resourcePaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  reason: z
    .enum(conflictReasons)
    .check(
      z.describe(
        '`changed`: somebody else has changed the fields since. `deleted`: the object is deleted. `unknown`: the earlier values are not kept, or were removed with those of a person. `rejected`: the service does not accept the earlier values any more.',
      ),
    ),
  fields: z
    .optional(z.array(z.string()))
    .check(
      z.describe(
        'Names of the fields that stay; those of details, limits and availability begin with the name of the part and a dot. Absent for the object as a whole, and for objects that the key cannot read.',
      ),
    ),
})

const conflicts = {
  conflictCount: z.int().check(z.describe('Number of objects that stay as they are, in whole or in part.')),
  conflicts: z
    .array(conflictView)
    .check(
      z.describe(
        `Objects and fields that stay as they are. At most ${maxListedConflicts.toLocaleString('en')} are listed.`,
      ),
    ),
}

/** An undo in responses. */
export const undoView = z.extend(changeSetView, conflicts)

/** A dry run of an undo in responses. */
export const undoPlanView = z.object({
  dryRun: z.literal(true).check(z.describe('Nothing was changed.')),
  undoes: z.string().check(z.describe('Id of the change set that would be undone.')),
  counts: changeSetView.shape.counts.check(z.describe('Changes that the undo would make.')),
  ...conflicts,
})

type Granted = readonly string[] | undefined

/** Conflicts as a key may see them. */
const showConflicts = (all: readonly ObjectConflict[], granted: Granted): z.output<typeof conflictView>[] =>
  all.slice(0, maxListedConflicts).map(({ resource, id, reason, fields }) => ({
    resource,
    id,
    reason,
    ...(fields.length > 0 && hasScope(granted, `${resource}:read`) && { fields: [...fields] }),
  }))

/** An undo with the conflicts in resources that the key may read. */
export const toUndoView = (stored: StoredUndo, granted: Granted): z.output<typeof undoView> => ({
  ...toChangeSetView(stored),
  conflictCount: stored.conflictCount,
  conflicts: showConflicts(stored.conflicts, granted),
})

/** The result of a dry run of an undo. */
export const toUndoPlanView = (
  undoes: string,
  { counts, conflicts: found }: UndoOutcome,
  granted: Granted,
): z.output<typeof undoPlanView> => ({
  dryRun: true,
  undoes,
  counts,
  conflictCount: found.length,
  conflicts: showConflicts(found, granted),
})
