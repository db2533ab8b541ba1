import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Statement, Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import type { ImportMatch } from '../../../platform/db/schema/imports/imports.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { StoredImport } from '../import-view.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { readSku, readTitle } from '../rows/row-keys.ts'
import type { RowObject } from '../rows/row-object.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { getTargetStatements } from '../statements/target-statements.ts'

/** A row and its parsed values. */
export interface ReadRow {
  row: number
  object: RowObject
  /** Number of the row among those with the same title. Undefined: the first. */
  copy?: number | undefined
}

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
  /** By title and number among the objects with it. */
  byTitle: ReadonlyMap<string, Target>
}

/** The object that a row selects. */
export const toTarget = (row: Row): Target => ({
  id: String(row['id']),
  version: Number(row['version']),
  externalId: row['external_id'] === null ? undefined : String(row['external_id']),
  metadata: row['metadata'],
  counters: row['counters'],
})
const toMap = (rows: readonly Row[] = []) => new Map(rows.map((row) => [String(row['key']), toTarget(row)]))

const toCopyKey = (title: string, copy: number) => `${copy} ${title}`
const toGroups = (rows: readonly Row[] = []) =>
  new Map(
    Array.from(
      Map.groupBy(rows, (row) => String(row['key'])),
      ([key, group]) => [key, group.map(toTarget)] as const,
    ),
  )

/** Finds the objects that rows of one resource name, in one round trip. */
export async function findTargets(
  { database, scope }: Caller,
  path: ResourcePath,
  match: ImportMatch,
  rows: readonly ReadRow[],
): Promise<Targets> {
  const objects = rows.map(({ object }) => object)
  const statements = getTargetStatements(path)
  const list = (keys: readonly unknown[]) => ({
    ...scope,
    keys: JSON.stringify(keys.filter((key) => typeof key === 'string')),
  })
  const reads: [Statement, Values][] = [
    [statements.byId(scope), list(objects.map(({ id }) => id))],
    [statements.byExternalId(scope), list(objects.map(({ externalId }) => externalId))],
  ]
  if (match === 'sku') reads.push([statements.bySku(scope), list(objects.map(readSku))])
  if (match === 'title') {
    const titles = new Set(objects.map((object) => readTitle(object, scope.testMode)))
    const copies = rows.map(({ copy = 1 }) => copy)
    const range = { first: Math.min(...copies), last: Math.max(...copies) }
    reads.push([statements.byTitle(scope), { ...list([...titles]), ...range }])
  }
  const [byId, byExternalId, others]: Row[][] = await database.run(...reads)
  return {
    byId: toMap(byId),
    byExternalId: toMap(byExternalId),
    bySku: match === 'sku' ? toGroups(others) : new Map(),
    byTitle: new Map(others?.map((row) => [toCopyKey(String(row['key']), Number(row['nth'])), toTarget(row)])),
  }
}

/** Keys that can select the object of a row. */
export const matchKeys = ['externalId', 'id', 'sku', 'upc', 'title'] as const
export type MatchKey = (typeof matchKeys)[number]

/** The object that a row updates, and the key that selects it; undefined if the row creates one. */
export type Selected =
  | { target: Target | undefined; how: MatchKey | undefined; issue?: undefined }
  | { issue: RowIssue }

const ambiguous = (name: string): Selected => ({
  issue: { pointer: `/${name}`, code: 'ambiguous', message: 'selects more than one object' },
})

/** The n-th object with the title of the n-th row with it. Undefined if both have an external id: these differ. */
function selectTitled({ byTitle }: Targets, { object, copy = 1 }: ReadRow, testMode: boolean): Target | undefined {
  const title = readTitle(object, testMode)
  const titled = title === undefined ? undefined : byTitle.get(toCopyKey(title, copy))
  return titled?.externalId !== undefined && object.externalId !== undefined ? undefined : titled
}

/** Selects the object of a row. */
export function selectTarget(targets: Targets, match: ImportMatch, row: ReadRow, testMode: boolean): Selected {
  const { byId, byExternalId, bySku } = targets
  const { object } = row
  const { id, externalId } = object
  const named = externalId === undefined ? undefined : byExternalId.get(externalId)
  const identified = id === undefined ? undefined : byId.get(id)
  const [withSku, another] = bySku.get(readSku(object) ?? '') ?? []
  if (another) return ambiguous('sku')
  if (match !== 'sku' && named && identified && named.id !== identified.id) return ambiguous(match)
  const known = named ?? identified
  const knownBy = named ? 'externalId' : 'id'
  if (match === 'title' && !known) {
    const titled = selectTitled(targets, row, testMode)
    return { target: titled, how: titled && 'title' }
  }
  const target = { externalId: known, id: identified, sku: withSku, title: known }[match]
  if (target && externalId !== undefined && target.externalId !== externalId) {
    const message = `is not the external id of ${target.id}; set it with POST …/${target.id}/external-id`
    return { issue: { pointer: '/externalId', code: 'conflict', message } }
  }
  const how = { externalId: knownBy, title: knownBy, id: 'id', sku: 'sku' } as const
  return { target, how: target && how[match] }
}

/** A row and the object that it selects. */
interface SelectedObject {
  row: number
  target: Target
  how: string | undefined
}

/** Whether two rows can select one object by different keys. */
export const hasSeveralKeys = ({ match }: StoredImport) => match !== 'sku' && match !== 'id'

/** Finds out which rows select an object that an earlier row of another step selects by another key, in one round trip. */
export async function findRepeated(
  { database, scope }: Caller,
  stored: StoredImport,
  resource: ResourcePath,
  selected: readonly SelectedObject[],
): Promise<ReadonlySet<number>> {
  if (!hasSeveralKeys(stored) || selected.length === 0) return new Set()
  const named = selected.flatMap(({ how, target }) => (how === 'externalId' ? [] : (target.externalId ?? [])))
  const [rows] = await database.run([
    chunkStatements.findSelected(),
    {
      ...scope,
      ...{ import: stored.id, resource },
      ids: JSON.stringify(selected.map(({ target }) => target.id)),
      externalIds: JSON.stringify(named),
    },
  ])
  const firstRows = new Map<string, number>()
  for (const { key, row } of rows) {
    firstRows.set(String(key), Math.min(Number(row), firstRows.get(String(key)) ?? Number.POSITIVE_INFINITY))
  }
  const isEarlier = (key: string, row: number) => (firstRows.get(key) ?? row) < row
  return new Set(
    selected.flatMap(({ row, target: { id, externalId }, how }) => {
      const isNamed = how !== 'externalId' && externalId !== undefined && isEarlier(`external ${externalId}`, row)
      return isNamed || isEarlier(`id ${id}`, row) ? [row] : []
    }),
  )
}
