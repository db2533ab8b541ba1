import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Reference } from '../../../catalogue/resource/definition.ts'
import type { Values } from '../../../platform/db/database.ts'
import type { Row } from '../../../platform/db/row.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { ownIdPrefix } from '../../files/items/file-item.ts'
import { readStoredReading } from '../auto/stored-reading.ts'
import type { StoredImport } from '../import-view.ts'
import { getPath, getResource } from '../rows/imported-resource.ts'
import type { RowObject } from '../rows/row-object.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'
import { getTargetStatements } from '../statements/target-statements.ts'

/** Replaces an element of a list of references. Undefined removes the element. */
type Replace = (element: unknown) => unknown

/** A value with the elements of the lists at a path replaced. */
function replaceAt(value: unknown, [step, ...rest]: readonly string[], replace: Replace): unknown {
  if (step === undefined) {
    if (!Array.isArray(value)) return value
    return value.map(replace).filter((element) => element !== undefined)
  }
  if (step === '*') return Array.isArray(value) ? value.map((element) => replaceAt(element, rest, replace)) : value
  return isObject(value) && step in value ? { ...value, [step]: replaceAt(value[step], rest, replace) } : value
}

/** The id or external id in a reference: a string, or `{"externalId": …}`. */
export function readReference(element: unknown): { id?: string; externalId?: string } {
  if (typeof element === 'string') return { id: element, externalId: element }
  const externalId = isObject(element) ? element['externalId'] : undefined
  return typeof externalId === 'string' ? { externalId } : {}
}

/** The objects that the references of some rows to one resource name. */
export interface Known {
  /** Objects by the file's own id, by id and by external id. */
  ofFile: ReadonlyMap<string, string>
  ids: ReadonlyMap<string, string>
  externalIds: ReadonlyMap<string, string>
  /** Keys of rows of the file that are not yet applied. */
  pending: ReadonlySet<string>
}

const toMap = (rows: readonly Row[] = []) => new Map(rows.map(({ key, id }) => [String(key), String(id)]))

/** The objects that the keys of references to a resource name. */
export async function findKnown(
  { database, scope }: Caller,
  importId: string,
  path: ResourcePath,
  keys: ReadonlySet<string>,
): Promise<Known> {
  const values: Values = { ...scope, import: importId, resource: path, keys: JSON.stringify([...keys]) }
  const targets = getTargetStatements(path)
  const [ofFile, ids, externalIds, fileIds, fileExternalIds] = await database.run(
    [chunkStatements.findObjectIds(), values],
    [targets.idsById(scope), values],
    [targets.idsByExternalId(scope), values],
    [chunkStatements.findFileIds(), values],
    [chunkStatements.findExternalIds(), values],
  )
  return {
    ofFile: toMap(ofFile),
    ids: toMap(ids),
    externalIds: toMap(externalIds),
    pending: new Set([...fileIds, ...fileExternalIds].map(({ key }) => String(key))),
  }
}

/** Replaces a reference by the id of its object. During the check, leaves out references to rows of the file. */
export function resolveReference(
  { ofFile, ids, externalIds, pending }: Known,
  element: unknown,
  isCheck: boolean,
): unknown {
  const { id, externalId = '' } = readReference(element)
  const byId = id === undefined ? undefined : (ofFile.get(id) ?? ids.get(id))
  const found = byId ?? externalIds.get(externalId)
  if (found !== undefined) return found
  return isCheck && pending.has(externalId) ? undefined : element
}

const isOwnId = (element: unknown) => typeof element === 'string' && element.startsWith(ownIdPrefix)

/** The bodies of rows of one resource, with references by external ids and by the file's own ids replaced by ids. */
export async function mapReferences(
  caller: Caller,
  stored: StoredImport,
  path: ResourcePath,
  objects: readonly RowObject[],
  isCheck: boolean,
): Promise<RowObject['body'][]> {
  // A row of a catalogue file is written without its references to rows with issues.
  const isCatalogue = readStoredReading(stored.reading)?.kind === 'catalogue'
  let bodies = objects.map(({ body }) => body)
  for (const reference of getResource(path).references) {
    const target = getPath(reference.target)
    const keys = collectKeys(bodies, reference)
    if (target === undefined || keys.size === 0) continue
    const known = await findKnown(caller, stored.id, target, keys)
    bodies = bodies.map((body) => {
      const replaced = replaceAt(body, reference.path, (element) => {
        const found = resolveReference(known, element, isCheck)
        return isCatalogue && isOwnId(found) ? undefined : found
      })
      return isObject(replaced) ? replaced : body
    })
  }
  return bodies
}

function collectKeys(bodies: readonly RowObject['body'][], { path }: Reference): Set<string> {
  const keys = new Set<string>()
  const collect: Replace = (element) => {
    for (const key of Object.values(readReference(element))) keys.add(key)
    return element
  }
  for (const body of bodies) replaceAt(body, path, collect)
  return keys
}
