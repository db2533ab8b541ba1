import { sql } from 'drizzle-orm'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import { changePlaces } from '../../../catalogue/resource/details/detail-references.ts'
import { allOf, lazy } from '../../../platform/db/database.ts'
import { db, listed, parseJson, typed } from '../../../platform/db/query.ts'
import { modifierTable } from '../../../platform/db/schema/resources/modifiers.ts'
import { isInScope } from '../../../platform/db/scope.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import type { ImportedDetails } from '../rows/imported-details.ts'
import type { RowObject } from '../rows/row-object.ts'
import { chunkStatements } from '../statements/chunk-statements.ts'

type Details = NonNullable<RowObject['details']>

const findOptions = lazy(() =>
  typed({ id: modifierTable.id, options: sql<string>`${modifierTable.options}` }, (select) =>
    db
      .select(select)
      .from(modifierTable)
      .where(allOf(isInScope(modifierTable), sql`${modifierTable.id} in ${listed('keys')}`)),
  ),
)

/** Key of an option of the file among the file's own ids: the control character makes it different from all of them. */
const toOptionKey = (option: string) => `\u001e${option}`

interface Option {
  id?: unknown
  label?: unknown
}
const listOptions = (value: unknown): Option[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Ids of stored options by the ids that a file gives to these options, or to others with the same labels. */
function matchOptions(sent: unknown, stored: unknown): [string, string][] {
  const all = listOptions(stored)
  const known = new Set(all.map(({ id }) => id))
  const given = listOptions(sent)
  const taken = new Set(given.map(({ id }) => id))
  const free = all.filter(({ id }) => !taken.has(id))
  return given.flatMap(({ id, label }): [string, string][] => {
    if (typeof id !== 'string') return []
    if (known.has(id)) return [[id, id]]
    const index = free.findIndex((option) => (option.label ?? '') === (label ?? ''))
    const [same] = index === -1 ? [] : free.splice(index, 1)
    return typeof same?.id === 'string' ? [[id, same.id]] : []
  })
}

/**
 * Ids of the options of modifiers that a file names and that stay as they are, by the keys of the file's options: those of other rows
 * name options by the ids in the file.
 */
export async function mapKeptOptions(
  { database, scope }: Caller,
  resource: string,
  kept: readonly { id: string; body: RowObject['body'] }[],
): Promise<Record<string, string>> {
  const named =
    resource === 'modifiers' ? kept.filter(({ body }) => listOptions(body['options']).some(({ id }) => id)) : []
  if (named.length === 0) return {}
  const keys = JSON.stringify(named.map(({ id }) => id))
  const [found] = await database.run([findOptions(), { ...scope, keys }])
  const stored = new Map(found.map(({ id, options }) => [id, parseJson(options)]))
  const pairs = named.flatMap(({ id, body }) => matchOptions(body['options'], stored.get(id)))
  if (pairs.every(([sent, own]) => sent === own)) return {}
  return Object.fromEntries(listUnambiguous(pairs).map(([sent, own]) => [toOptionKey(sent), own]))
}

/** Pairs whose key stands for one value only: several modifiers may have options with the same id. */
const listUnambiguous = (pairs: readonly [key: string, value: string][]) =>
  Array.from(Map.groupBy(pairs, ([key]) => key)).flatMap(([key, all]): [string, string][] => {
    const [value, another] = new Set(all.map((pair) => pair[1]))
    return value !== undefined && another === undefined ? [[key, value]] : []
  })

/** Details that name options by the ids of kept modifiers instead of those in the file. */
export async function renameKeptOptions(
  { database, scope }: Caller,
  importId: string,
  { optionPaths }: ImportedDetails,
  all: readonly Details[],
): Promise<readonly Details[]> {
  const keys = new Set<string>()
  const collect = (value: unknown) => {
    if (typeof value === 'string') keys.add(toOptionKey(value))
    for (const name of isObject(value) ? Object.keys(value) : []) keys.add(toOptionKey(name))
    return value
  }
  for (const details of all) changePlaces(details, optionPaths, collect)
  if (keys.size === 0) return all
  const resource: ResourcePath = 'modifiers'
  const values = { ...scope, import: importId, resource, keys: JSON.stringify([...keys]) }
  const [found = []] = await database.run([chunkStatements.findObjectIds(), values])
  if (found.length === 0) return all
  const ids = new Map(listUnambiguous(found.map(({ key, id }) => [String(key), String(id)])))
  const rename = (name: string) => ids.get(toOptionKey(name)) ?? name
  return all.map((details) =>
    changePlaces(details, optionPaths, (value) => {
      if (typeof value === 'string') return rename(value)
      if (!isObject(value)) return value
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), inner]))
    }),
  )
}
