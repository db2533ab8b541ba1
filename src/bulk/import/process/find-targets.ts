import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { ImportMatch } from '../../../platform/db/schema/imports/imports.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { readSku } from '../rows/row-keys.ts'
import type { RowObject } from '../rows/row-object.ts'
import { getTargetStatements } from '../statements/target-statements.ts'

/** An object that a row may update. */
export interface Target {
  id: string
  version: number
  externalId: string | undefined
  /** Text of the column `metadata`. */
  metadata: unknown
  /** JSON object of its counters. Inactive counters are null. */
  counters: unknown
}

/** The objects that the keys of rows select. */
interface Targets {
  byId: ReadonlyMap<string, Target>
  byExternalId: ReadonlyMap<string, Target>
  bySku: ReadonlyMap<string, readonly Target[]>
}

const toTarget = (row: Row): Target => ({
  id: String(row['id']),
  version: Number(row['version']),
  externalId: row['external_id'] === null ? undefined : String(row['external_id']),
  metadata: row['metadata'],
  counters: row['counters'],
})
const toMap = (rows: readonly Row[] = []) => new Map(rows.map((row) => [String(row['key']), toTarget(row)]))

/** Finds the objects that rows of one resource name, in one round trip. */
export async function findTargets(
  { database, scope }: Caller,
  path: ResourcePath,
  match: ImportMatch,
  objects: readonly RowObject[],
): Promise<Targets> {
  const statements = getTargetStatements(path)
  const list = (keys: readonly unknown[]) => ({
    ...scope,
    keys: JSON.stringify(keys.filter((key) => typeof key === 'string')),
  })
  const skus = match === 'sku' ? objects.map(readSku) : []
  const reads = [
    [statements.byId(scope), list(objects.map(({ id }) => id))],
    [statements.byExternalId(scope), list(objects.map(({ externalId }) => externalId))],
  ] as const
  const [byId, byExternalId, bySku = []]: Row[][] =
    match === 'sku' ? await database.run(...reads, [statements.bySku(scope), list(skus)]) : await database.run(...reads)
  return {
    byId: toMap(byId),
    byExternalId: toMap(byExternalId),
    bySku: new Map(
      Array.from(
        Map.groupBy(bySku, (row) => String(row['key'])),
        ([key, rows]) => [key, rows.map(toTarget)],
      ),
    ),
  }
}

/** The object that a row updates; undefined if it creates one. */
type Selected = { target: Target | undefined; issue?: undefined } | { issue: RowIssue }

const ambiguous = (name: string): Selected => ({
  issue: { pointer: `/${name}`, code: 'ambiguous', message: 'selects more than one object' },
})

/** Selects the object of a row. */
export function selectTarget({ byId, byExternalId, bySku }: Targets, match: ImportMatch, object: RowObject): Selected {
  const { id, externalId } = object
  const named = externalId === undefined ? undefined : byExternalId.get(externalId)
  const identified = id === undefined ? undefined : byId.get(id)
  const [withSku, another] = bySku.get(readSku(object) ?? '') ?? []
  if (another) return ambiguous('sku')
  if (match !== 'sku' && named && identified && named.id !== identified.id) return ambiguous(match)
  const target = { externalId: named ?? identified, id: identified, sku: withSku }[match]
  if (target && externalId !== undefined && target.externalId !== externalId) {
    const message = `is not the external id of ${target.id}; set it with POST …/${target.id}/external-id`
    return { issue: { pointer: '/externalId', code: 'conflict', message } }
  }
  return { target }
}
