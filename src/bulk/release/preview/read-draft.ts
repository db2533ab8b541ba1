import { findDayStart, getTomorrow } from '../../../checkout/stock/availability.ts'
import type { BoundStatement, Database } from '../../../platform/db/database.ts'
import { furtherNotice } from '../../../platform/db/schema/availability.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Read } from '../../batch/plan/find-objects.ts'
import { findCurrent, type PlannedOperation } from '../plan/find-current.ts'
import { planFrom, type ReleasePlan } from '../plan/plan-release.ts'
import { releaseStatements, type StoredRelease } from '../release-statements.ts'
import { type ReleaseOperation, readOperation } from '../release-view.ts'

/** Stand for the objects of the operations, and for the objects that these name. No object has such an id. */
const [target, named] = ['release:target', 'release:named']

/** Operations that need all reads that any operation needs. */
const probes: readonly PlannedOperation[] = [
  {
    ...{ op: 'update', resource: 'products', id: target, body: { modifiers: [named] }, availability: {} },
    details: { bundle: { groups: [{ items: [{ product: named }] }] } },
  },
  {
    ...{ op: 'update', resource: 'modifiers', id: target, body: {}, availability: { options: {} } },
    details: { options: { probe: { modifiers: [named] } } },
  },
  { op: 'update', resource: 'menus', id: target, body: { sections: [{ items: [named] }] }, details: {} },
  { op: 'update', resource: 'coupons', id: target, body: { products: [named] }, limits: { automatic: true } },
]

const isOfRelease = 'planned.release_id = ? and planned.merchant_id = ?'
/** Ids of the objects of the operations. */
const targets = `select planned.target as id from release_operations as planned where ${isOfRelease}`
/** All texts of the operations that may be ids. */
const names = `select part.value as id from release_operations as planned cross join json_tree(planned.parts) as part
  where ${isOfRelease} and part.type = 'text' and length(part.value) between 8 and 64`
const sources: ReadonlyMap<unknown, readonly string[]> = new Map([
  [JSON.stringify([target]), [targets]],
  [JSON.stringify([named]), [names]],
  [JSON.stringify([target, named]), [targets, names]],
  [JSON.stringify([named, target]), [targets, names]],
])

/** A statement that reads the objects of the release in place of those of the probes. */
function readOfRelease({ sql, isWrite, values }: BoundStatement, release: readonly string[]): BoundStatement {
  const [first = '', ...parts] = sql.split('?')
  if (parts.length !== values.length) throw new Error('a statement has a question mark that is no parameter')
  let text = first
  const bound: unknown[] = []
  for (const [index, part] of parts.entries()) {
    const selects = sources.get(values[index])
    bound.push(...(selects ? selects.flatMap(() => release) : [values[index]]))
    text += selects ? `(select json_group_array(id) from (${selects.join(' union ')}))` : '?'
    text += part
  }
  return { sql: text, isWrite, values: bound }
}

/** A release, and the plan of its publication. */
interface PlannedRelease {
  stored: StoredRelease
  plan: ReleasePlan
}

/** Reads a release and plans its publication, in one round trip. Undefined if it does not exist. */
export async function planStored(database: Database, scope: Scope, id: string): Promise<PlannedRelease | undefined> {
  const values = { ...scope, release: id }
  let stored: StoredRelease | undefined
  let operations: readonly ReleaseOperation[] = []
  let venue: { timezone: string; dayStartsAt: string } | undefined
  const { find, listAll } = releaseStatements
  const also: Read[] = [
    [find(), values, (rows) => ([stored] = rows.map(find().read))],
    [listAll(), values, (rows) => (operations = rows.map(listAll().read).map(readOperation))],
    [findDayStart(), values, (rows) => ([venue] = rows.map(findDayStart().read))],
  ]
  database.usePrimary()
  const reading = database.through((statement) => readOfRelease(statement, [id, scope.merchantId]))
  const current = await findCurrent({ database: reading, scope }, probes, also)
  if (!stored) return undefined
  const caller = { database, scope, validationContext: { allowInsecureWebhooks: false, ownHosts: [] } }
  const plan = await planFrom(caller, operations, current, (now) => (venue ? getTomorrow(venue, now) : furtherNotice))
  return { stored, plan }
}
