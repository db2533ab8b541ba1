import { and, eq } from 'drizzle-orm'
import { lazy, param } from '../../../platform/db/database.ts'
import { db, typed } from '../../../platform/db/query.ts'
import type { Row } from '../../../platform/db/row.ts'
import { subscriptionTable as table } from '../../../platform/db/schema/events.ts'
import { type Actor, commit, type Operation, type Write } from '../../../platform/db/transaction.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Step } from '../plan/operation-step.ts'
import { stageValues } from './stage-values.ts'

/** Maximum number of deliveries that one transaction writes. */
export const maxDeliveries = 20_000

const findSubscriptions = lazy(() =>
  typed({ type: table.type, webhook: table.webhook }, (select) =>
    db
      .select(select)
      .from(table)
      .where(and(eq(table.merchantId, param('merchantId')), eq(table.testMode, param('testMode')))),
  ),
)

/** Numbers of planned events by their types. */
function countEvents(steps: readonly Step[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const add = (type: string) => void counts.set(type, (counts.get(type) ?? 0) + 1)
  for (const { batch, kind, problem, created, change, details } of steps) {
    if (problem) continue
    const { name } = batch.resource
    if (kind === 'delete') add(`${name}.deleted`)
    else if (created) add(`${name}.created`)
    else if (change) add(`${name}.updated`)
    if (details?.change) add(`${name}.details_updated`)
  }
  return counts
}

/** Throws `too_many` if the planned events have more deliveries than one transaction writes. Filters of webhooks are not applied. */
async function requireDeliverable({ database, scope }: Actor, steps: readonly Step[]): Promise<void> {
  const [subscriptions] = await database.run([findSubscriptions(), { ...scope }])
  const hooks = Map.groupBy(subscriptions, ({ type }) => type)
  const toHooks = (type: string) => hooks.get(type)?.map(({ webhook }) => webhook) ?? []
  let deliveries = 0
  for (const [type, count] of countEvents(steps)) {
    deliveries += count * new Set([...toHooks(type), ...toHooks('*')]).size
  }
  if (deliveries <= maxDeliveries) return
  const message = `The changes have ${deliveries} deliveries to webhooks. One transaction writes at most ${maxDeliveries}.`
  throw invalid([{ pointer: '', code: 'too_many', message }])
}

/** Runs one transaction of many objects: their rows are written beside in chunks, and copied from there. */
export async function commitStaged(
  actor: Actor,
  operation: Operation,
  writes: Write,
  steps: readonly Step[],
): Promise<Row[][]> {
  const { database, scope } = actor
  await requireDeliverable(actor, steps)
  const staged = await stageValues(database, scope.merchantId, writes)
  try {
    return await commit(actor, operation, staged.writes, staged.end)
  } catch (error) {
    // Values that stay are purged.
    await staged.discard().catch(() => undefined)
    throw error
  }
}
