import * as z from 'zod/mini'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import type { Row } from '../../../platform/db/row.ts'
import { code } from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { ownIdPrefix } from '../../files/items/file-item.ts'
import type { RowIssue } from '../rows/file-row.ts'
import { readSku, readTitle } from '../rows/row-keys.ts'
import type { RowObject } from '../rows/row-object.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { getTargetStatements } from '../statements/target-statements.ts'
import { type ReadRow, type Selected, type Target, toTarget } from './find-targets.ts'

/** Fields of an object that a row may change, as they are. */
export interface TargetFacts {
  sku?: string | null
  upc?: string | null
  price?: number
  modifiers?: unknown
  sections?: unknown
}

export interface AutoTargets {
  byId: ReadonlyMap<string, readonly Target[]>
  byExternalId: ReadonlyMap<string, readonly Target[]>
  bySku: ReadonlyMap<string, readonly Target[]>
  byUpc: ReadonlyMap<string, readonly Target[]>
  byTitle: ReadonlyMap<string, readonly Target[]>
  facts: ReadonlyMap<string, TargetFacts>
}

/** Resources whose objects a title can select. Modifiers that a mapping adds are created, or found by their external id. */
const titled: readonly ResourcePath[] = ['products', 'menus', 'customers', 'tags', 'coupons', 'webhooks']
/** Two objects with a title are one too many. */
const titleRange = { first: 1, last: 2 }

const group = (rows: readonly Row[] = []) =>
  new Map(
    Array.from(
      Map.groupBy(rows, (row) => String(row['key'])),
      ([key, same]) => [key, same.map(toTarget)] as const,
    ),
  )

/** Numbers of zeros that a spreadsheet may have removed from the start of a code. */
const lostZeros = [1, 2, 3, 4, 5, 6]
/** The codes that a code of digits may have been before a spreadsheet read it as a number. */
const listLonger = (text: string | undefined): string[] =>
  text !== undefined && /^[1-9]\d*$/.test(text) ? lostZeros.map((zeros) => '0'.repeat(zeros) + text) : []
const withLonger = (codes: readonly (string | undefined)[]) => codes.flatMap((text) => [text, ...listLonger(text)])

const readUpc = ({ body }: RowObject): string | undefined => code.safeParse(body['upc']).data

/** Finds the objects that rows may select, and what their updates depend on. */
export async function findAutoTargets(
  { database, scope }: Caller,
  path: ResourcePath,
  rows: readonly ReadRow[],
  isOwn = false,
): Promise<AutoTargets> {
  const objects = rows.map(({ object }) => object)
  const statements = getTargetStatements(path)
  const keys = (values: readonly (string | undefined)[]) => ({
    ...scope,
    keys: JSON.stringify([...new Set(values.filter((value) => value !== undefined))]),
  })
  const isProduct = path === 'products'
  const titles = titled.includes(path) || isOwn ? objects.map((object) => readTitle(object, scope.testMode)) : []
  const [byId, byExternalId, byTitle, bySku, byUpc]: Row[][] = await database.run(
    [statements.byId(scope), keys(objects.map(({ id }) => id))],
    [statements.byExternalId(scope), keys(objects.map(({ externalId }) => externalId))],
    [statements.byTitle(scope), { ...keys(titles), ...titleRange }],
    ...(isProduct
      ? [
          [statements.bySku(scope), keys(withLonger(objects.map(readSku)))] as const,
          [statements.byUpc(scope), keys(withLonger(objects.map(readUpc)))] as const,
        ]
      : []),
  )
  const targets = {
    byId: group(byId),
    byExternalId: group(byExternalId),
    byTitle: group(byTitle),
    bySku: group(bySku),
    byUpc: group(byUpc),
  }
  const ids = [...new Set(Object.values(targets).flatMap((found) => [...found.values()].flat().map(({ id }) => id)))]
  return { ...targets, facts: ids.length === 0 ? new Map() : await readFacts({ database, scope }, path, ids) }
}

async function readFacts(
  { database, scope }: Pick<Caller, 'database' | 'scope'>,
  path: ResourcePath,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TargetFacts>> {
  const values = { ...scope, keys: JSON.stringify(ids) }
  if (path === 'products') {
    const [found] = await database.run([autoStatements.productFacts(), values])
    return new Map(found.map(({ id, ...facts }) => [id, facts]))
  }
  if (path !== 'menus') return new Map()
  const [found] = await database.run([autoStatements.menuSections(), values])
  return new Map(found.map(({ id, sections }) => [id, { sections }]))
}

const ambiguous = (name: string, message = 'selects more than one object'): Selected => ({
  issue: { pointer: `/${name}`, code: 'ambiguous', message },
})

/** The issue of a row whose SKU or barcode lost zeros: no object has it, but one has it with zeros. */
export function findLostZeros({ bySku, byUpc }: AutoTargets, { object }: ReadRow): RowIssue | undefined {
  const codes = [
    ['sku', bySku, readSku(object)],
    ['upc', byUpc, readUpc(object)],
  ] as const
  for (const [field, found, value] of codes) {
    if (value === undefined || found.has(value)) continue
    const known = listLonger(value).find((longer) => found.has(longer))
    if (known === undefined) continue
    const message = `lost zeros in a spreadsheet: ${known} is known; format the column as text there, and enter it again`
    return { pointer: `/${field}`, code: 'damaged_by_spreadsheet', message, value }
  }
  return undefined
}

/** Whether a row and an object both have a key, and these differ. */
const differs = (own: string | undefined, other: string | null | undefined) =>
  own !== undefined && (other ?? undefined) !== undefined && own !== other

/**
 * The object of a row: the first key of external id, id, SKU, barcode and title that finds objects decides. A SKU, a barcode and a title count only
 * if no other row has them. A title does not select an object with another external id, SKU or barcode.
 */
export function selectAutoTarget(targets: AutoTargets, { object }: ReadRow, testMode: boolean): Selected {
  const { id, externalId, unique = [] } = object
  const [sku, upc, title] = [readSku(object), readUpc(object), readTitle(object, testMode)]
  const find = (found: ReadonlyMap<string, readonly Target[]>, key: string | undefined) =>
    key === undefined ? [] : (found.get(key) ?? [])
  const steps = [
    ['externalId', find(targets.byExternalId, externalId), true],
    ['id', find(targets.byId, id), true],
    ['sku', find(targets.bySku, sku), unique.includes('sku')],
    ['upc', find(targets.byUpc, upc), unique.includes('upc')],
  ] as const
  for (const [name, found, isUnique] of steps) {
    const [target, another] = found
    if (!target) continue
    return another || !isUnique ? ambiguous(name) : { target, how: name }
  }
  const [target, another] = find(targets.byTitle, title)
  if (!target) return { target: undefined, how: undefined }
  if (another || !unique.includes('title')) return ambiguous('title')
  const facts = targets.facts.get(target.id)
  if (differs(externalId, target.externalId) || differs(sku, facts?.sku) || differs(upc, facts?.upc)) {
    return ambiguous('title', 'is the title of an object with another external id, SKU or barcode')
  }
  return { target, how: 'title' }
}

/** Prefix of keys of objects that rows with issues may name, among the file's own ids. */
const sparedPrefix = '\u001d'

/** The objects that rows with issues may name by any key, so that they are not deleted as missing. */
export async function listSpared(
  caller: Caller,
  path: ResourcePath,
  rows: readonly ReadRow[],
): Promise<Readonly<Record<string, string>>> {
  if (rows.length === 0) return {}
  const { byId, byExternalId, bySku, byUpc, byTitle } = await findAutoTargets(caller, path, rows, true)
  const found = [byId, byExternalId, bySku, byUpc, byTitle].flatMap((targets) => [...targets.values()].flat())
  return Object.fromEntries(found.map(({ id }) => [`${sparedPrefix}${id}`, id]))
}

/** A notice for each key of a row that creates an object, if another object has this key. */
export function listSimilar(targets: AutoTargets, { object }: ReadRow, testMode: boolean): RowIssue[] {
  const keys = [
    ['sku', 'SKU', targets.bySku, readSku(object)],
    ['upc', 'barcode', targets.byUpc, readUpc(object)],
    ['title', 'title', targets.byTitle, readTitle(object, testMode)],
  ] as const
  return keys.flatMap(([field, name, found, key]): RowIssue[] => {
    if (key === undefined || !found.has(key)) return []
    const message = `creates an object although another one has the same ${name}`
    const value = object.body[field]
    const place = object.resource === 'products' ? { pointer: `/${field}` } : {}
    return [
      {
        ...place,
        code: 'looks_like_existing',
        message,
        value: typeof value === 'string' ? value : undefined,
        severity: 'notice',
      },
    ]
  })
}

const section = z.looseObject({ title: z.optional(z.string()), items: z.array(z.string()) })
const sections = z.array(section)

/** The sections of a menu with those of a file: products that are on the menu stay where they are. References to rows with issues are left out. */
function mergeSections(current: unknown, wanted: unknown): unknown {
  const added = sections.safeParse(wanted).data
  if (!added) return wanted
  const merged = [...(sections.safeParse(current).data ?? [])]
  const placed = new Set(merged.flatMap(({ items }) => items))
  for (const { title = '', items } of added) {
    const fresh = items.filter((item) => !item.startsWith(ownIdPrefix) && !placed.has(item))
    const index = merged.findIndex((each) => each.title?.trim().toLowerCase() === title.trim().toLowerCase())
    const { [index]: known } = merged
    if (known) merged[index] = { ...known, items: [...known.items, ...fresh] }
    else if (fresh.length > 0) merged.push({ title, items: fresh })
  }
  return merged
}

/** The body of a row, with what its object keeps: its other modifiers, and the products on its menu. */
export function keepOtherParts(
  path: ResourcePath,
  body: RowObject['body'],
  facts: TargetFacts | undefined,
): RowObject['body'] {
  if (path === 'menus') return { ...body, sections: mergeSections(facts?.sections, body['sections']) }
  const { modifiers } = body
  if (path !== 'products' || !Array.isArray(modifiers) || !Array.isArray(facts?.modifiers)) return body
  const kept = facts.modifiers.filter((modifier) => typeof modifier === 'string' || isObject(modifier))
  return { ...body, modifiers: [...new Set([...kept, ...modifiers])] }
}
