import type { Caller } from '../../../catalogue/resource/caller.ts'
import { getRestoreStatements } from '../../../catalogue/resource/deleted/restore-statements.ts'
import { createReturnedDetails } from '../../../catalogue/resource/deleted/returned-details.ts'
import type { Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import { createCauseValues, type Write } from '../../../platform/db/transaction.ts'
import { getBatchResource } from '../batch-resource.ts'
import type { BatchOperation } from '../operation.ts'
import type { Read } from '../plan/find-objects.ts'
import type { Step } from '../plan/operation-step.ts'
import { forRows } from '../statements/row-parameters.ts'

/** The part of a batch that raises the events about the details of returning objects. Their rows return with the objects. */
export async function createBatchReturns(caller: Caller, operations: readonly BatchOperation[]) {
  const { scope, cause } = caller
  const returned = await createReturnedDetails(
    scope.merchantId,
    operations.flatMap(({ resource, id = '', restored }) =>
      restored ? [{ resource: getBatchResource(resource).resource, id, kept: restored.kept }] : [],
    ),
  )
  const found: { products?: readonly Row[]; modifiers?: readonly Row[] } = {}
  let planned: ReturnType<typeof returned.plan> = []

  return {
    /** The statements that read the objects that the details name. */
    *listReads(): Iterable<Read> {
      for (const [target, statement, values] of returned.listReads(scope)) {
        yield [
          statement,
          values,
          (rows) => {
            found[target] = rows
          },
        ]
      }
    },

    /** The details have no body. */
    read(): void {},

    /** Plans the events of all objects that return. None of them fails. */
    plan(steps: readonly Step[]): boolean {
      const objects = steps.flatMap(({ id, operation: { resource: path, restored }, created, problem }) =>
        restored && created && !problem ? [{ path, id, item: created.stored.item }] : [],
      )
      planned = returned.plan(found, objects)
      return false
    },

    /** The statements that raise the events. */
    listWrites(values: Values): Write {
      const own = {
        ...values,
        ...createCauseValues({ ...caller, cause: { ...cause, restored: true } }),
        mode: scope.testMode ? 1 : 0,
      }
      return [...Map.groupBy(planned, ({ path }) => path)].flatMap(([path, details]) =>
        forRows(
          getRestoreStatements(getBatchResource(path).resource).insertDetailsEvents,
          own,
          details.map(({ event }) => event),
        ),
      )
    },
  }
}
