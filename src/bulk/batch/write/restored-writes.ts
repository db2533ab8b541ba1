import { listReturnedRows } from '../../../catalogue/resource/deleted/kept-rows.ts'
import { getRestoreStatements } from '../../../catalogue/resource/deleted/restore-statements.ts'
import type { Write } from '../../../platform/db/transaction.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { forRows } from '../statements/row-parameters.ts'
import type { BatchValues, ResourceWrites } from './resource-writes.ts'

const listRestored = ({ creates }: ResourceWrites) =>
  creates.flatMap(({ id, restored }) => (restored ? [{ id, restored }] : []))

/** Brings back the rows of other tables that the deletions of restored objects removed. They come after the rows of all resources. */
export function returnKeptRows(writes: ResourceWrites, values: BatchValues): Write {
  const restored = listRestored(writes)
  if (restored.length === 0) return []
  const statements = getRestoreStatements(writes.batch.resource)
  const own = { ...values, mode: values.testMode ? 1 : 0 }
  return [
    ...restored
      .filter(({ restored: { isHidden } }) => isHidden)
      .flatMap(({ id }) => statements.takeOver().map((statement) => [statement, { ...own, id }] as const)),
    ...statements.kept().flatMap(({ name, insert }): Write => {
      const rows = restored.flatMap(({ id, restored: { kept } }) => listReturnedRows(kept, name, id))
      return rows.length === 0 ? [] : toJsonLists(rows).map((list) => [insert, { ...own, rows: list }])
    }),
  ]
}

/** The events of restored objects, whose context is `restored`, and what follows from their return. */
export function insertRestoredEvents(writes: ResourceWrites, values: BatchValues, context: string | null): Write {
  const restored = listRestored(writes)
  const { batch } = writes
  return [
    ...forRows(
      batch.write(values).insertEvents,
      { ...values, context },
      restored.map(({ id }) => ({ id, verb: 'created' })),
    ),
    ...(restored.length === 0 ? [] : batch.resource.hooks.restoreStatements()).map(
      (statement) => [statement, { ...values, ids: JSON.stringify(restored.map(({ id }) => id)) }] as const,
    ),
  ]
}
