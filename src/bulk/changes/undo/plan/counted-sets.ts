import type { Caller } from '../../../../catalogue/resource/caller.ts'
import { lazy } from '../../../../platform/db/database.ts'
import { db, typed } from '../../../../platform/db/query.ts'
import { changeSetTable as table } from '../../../../platform/db/schema/objects/change-sets.ts'
import { getBatchResource } from '../../../batch/batch-resource.ts'
import { isChangeSet } from '../../change-statements.ts'
import type { ChangedObject } from '../read-objects.ts'

const findKind = lazy(() => typed({ kind: table.kind }, (select) => db.select(select).from(table).where(isChangeSet)))

/**
 * Whether a set may have set counters of the service: an import with `counters=set`, or the undo of one. Counters that a batch sets are ordinary edits,
 * which an undo leaves as they are.
 */
export async function mayHaveCounted(
  { database, scope }: Pick<Caller, 'database' | 'scope'>,
  changeSet: string,
  objects: readonly ChangedObject[],
): Promise<boolean> {
  const hasCounters = objects.some(({ resource, change: { fields } }) =>
    Object.keys(getBatchResource(resource).resource.counters).some((field) => fields.has(field)),
  )
  if (!hasCounters) return false
  const [[found]] = await database.run([findKind(), { ...scope, changeSet }])
  return found?.kind === 'import' || found?.kind === 'undo'
}
