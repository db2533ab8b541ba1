import * as z from 'zod/mini'
import { hasScope } from '../../../platform/auth/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { createCursor, pageSize, readPosition } from '../../../platform/http/pagination.ts'
import { resourcePaths } from '../../../platform/names.ts'
import type { FieldChanges } from './plan/net-changes.ts'
import { type ChangedObject, readObjects } from './read-objects.ts'
import type { StoredUndo } from './undo-store.ts'
import { toUndoView, undoView } from './undo-view.ts'

const fieldsView = (text: string) => z.optional(z.record(z.string(), z.unknown())).check(z.describe(text))
const detailsView = z.object({
  before: fieldsView('The old values of changed details, `null` for absent ones.'),
  after: fieldsView('The new values of changed details.'),
})

/** An object of a change set in responses. */
const objectView = z.object({
  resource: z.enum(resourcePaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  change: z
    .enum(['created', 'updated', 'deleted', 'none'])
    .check(z.describe('Effect of the set on the object. `none`: created and deleted.')),
  before: fieldsView(
    'The object before the set, if it was deleted; else the old values of changed fields, `null` for absent ones. Absent for created objects, and for objects that the key cannot read.',
  ),
  after: fieldsView(
    'The object after the set, if it was created; else the new values of changed fields. Absent for deleted objects, and for objects that the key cannot read.',
  ),
  details: z
    .optional(detailsView)
    .check(z.describe('Old and new values of changed members of the details. Absent if they did not change.')),
})

/** A change set with its objects, in responses. */
export const changeObjectsView = z.extend(z.partial(undoView, { conflicts: true, conflictCount: true }), {
  objects: z
    .array(objectView)
    .check(
      z.describe('Objects that the set changed, also by its effects, in the order of their first changes: one page.'),
    ),
})

const pick = (changes: FieldChanges, side: 'before' | 'after') =>
  Object.fromEntries(Array.from(changes, ([field, change]) => [field, change[side]]))

function toObjectView(
  { resource, id, change }: ChangedObject,
  granted: readonly string[] | undefined,
): z.output<typeof objectView> {
  const { existed, exists, fields, details, last } = change
  const named = { resource, id }
  const kind = existed ? (exists ? 'updated' : 'deleted') : exists ? 'created' : 'none'
  if (!hasScope(granted, `${resource}:read`)) return { ...named, change: kind }
  return {
    ...named,
    change: kind,
    ...(existed && { before: exists ? pick(fields, 'before') : { ...last, ...pick(fields, 'before') } }),
    ...(exists && { after: existed ? pick(fields, 'after') : last }),
    ...(details.size > 0 && { details: { before: pick(details, 'before'), after: pick(details, 'after') } }),
  }
}

/** Reads a page of the objects of a change set, and the cursor of the next one. */
export async function readObjectPage(
  database: Database,
  scope: Scope,
  changeSet: string,
  query: { limit?: number | undefined; cursor?: string | undefined },
) {
  const list = `objects of ${changeSet}`
  const ascending = { ...query, order: 'asc' } as const
  const { after = '0' } = readPosition(list, scope, ascending)
  const rows = query.limit ?? pageSize.default
  const page = await readObjects(database, scope, { changeSet, after: Number(after), rows })
  return {
    objects: page.objects,
    next: page.next === undefined ? undefined : createCursor(list, scope, ascending, String(page.next)),
  }
}

/** A change set with objects, as a key may see them. */
export function toObjectsView(
  stored: StoredUndo,
  objects: readonly ChangedObject[],
  granted: readonly string[] | undefined,
): z.output<typeof changeObjectsView> {
  const { conflicts, conflictCount, ...set } = toUndoView(stored, granted)
  return {
    ...set,
    ...(stored.kind === 'undo' && { conflicts, conflictCount }),
    objects: objects.map((object) => toObjectView(object, granted)),
  }
}
