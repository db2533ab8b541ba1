import * as z from 'zod/mini'
import { changeKinds, changeStates } from '../../platform/db/schema/objects/change-sets.ts'
import type { StoredChangeSet } from './change-statements.ts'

const count = (text: string) => z.int().check(z.describe(text))
const seconds = (text: string) => z.int().check(z.describe(`${text}, in seconds since 1970-01-01 UTC.`))

/** A change set in responses. */
export const changeSetView = z.object({
  id: z.string().check(z.describe('Unique identifier.')),
  kind: z
    .enum(changeKinds)
    .check(
      z.describe(
        '`batch`: one batch, or several with the same header `Change-Set`. `import`: the rows of a file. `release`: a published release. `restore`: a restored object. `undo`: an undone change set.',
      ),
    ),
  at: seconds('Time of the first change'),
  updatedAt: seconds('Time of the last change, or of the last progress of the undo'),
  by: z.string().check(z.describe('Id of the API key or the member that made the changes, or `operator`.')),
  name: z.optional(z.string()).check(z.describe('The header `Change-Set` of its batches.')),
  counts: z
    .object({
      created: count('Number of objects that were created.'),
      updated: count('Number of changes of objects that existed.'),
      deleted: count('Number of objects that were deleted.'),
    })
    .check(z.describe('Changes by the operations of the set, without their effects on other objects.')),
  state: z
    .enum(changeStates)
    .check(z.describe('`done`: can be undone. `undoing`: an undo is under way. `undone`: it was undone.')),
  undoneBy: z.optional(z.string()).check(z.describe('Id of the change set that undoes this one.')),
  undoes: z.optional(z.string()).check(z.describe('Id of the change set that this one undoes.')),
})
export type ChangeSetView = z.output<typeof changeSetView>

/** A stored change set as responses show it. */
export const toChangeSetView = ({
  id,
  kind,
  actor,
  name,
  created,
  updated,
  deleted,
  state,
  undoneBy,
  undoes,
  createdAt,
  updatedAt,
}: StoredChangeSet): ChangeSetView => ({
  id,
  kind,
  at: createdAt,
  updatedAt,
  by: actor,
  name: name ?? undefined,
  counts: { created, updated, deleted },
  state,
  undoneBy: undoneBy ?? undefined,
  undoes: undoes ?? undefined,
})
