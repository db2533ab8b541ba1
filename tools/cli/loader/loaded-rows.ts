import * as z from 'zod/mini'
import { resources } from '../../../src/catalogue/resources/registry.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import { type CatalogueFile, type CatalogueRow, type ListName, lists } from './catalogue-file.ts'
import { type RowTarget, replaceIndexes } from './row-references.ts'

/** A row of a file and the state of its loading. */
export interface LoadingRow {
  list: ListName
  /** Position in the file: `coupons[0]`. It is the row's own id in the import. */
  place: string
  title: string
  /** The external id, of the file or derived from the title. */
  externalId?: string | undefined
  source: CatalogueRow
  /** Why the row is rejected. Empty: it is not. */
  reasons: string[]
  /** Required fields that the file lacks; sent empty. */
  filled: readonly string[]
  /** Code of a coupon without one, derived from its title. */
  derivedCode?: string | undefined
  /** Fields whose empty text the API rejects; left out. */
  emptied: readonly string[]
  /** Rejected rows that it refers to; left out. */
  lost: readonly Pick<LoadingRow, 'place'>[]
}

/** A readable title of a row. */
function getTitle({ title, firstName, lastName, metadata }: CatalogueRow): string {
  const values = Array.isArray(metadata)
    ? metadata.map((entry: unknown) => (isObject(entry) ? entry['value'] : undefined))
    : []
  const isText = (part: unknown) => typeof part === 'string'
  const [names = []] = [[title], [firstName, lastName], values]
    .map((parts) => parts.filter(isText))
    .filter(({ length }) => length > 0)
  return names.join(' ')
}

const maxShownTitle = 60

/** Position and title of a row, on one line. Line breaks in the title are escaped. */
export function getRowName({ place, title }: Pick<LoadingRow, 'place' | 'title'>): string {
  const characters = [...title]
  const short = characters.length > maxShownTitle ? `${characters.slice(0, maxShownTitle - 1).join('')}…` : title
  return title === '' ? place : `${place} ${JSON.stringify(short)}`
}

/**
 * Derives the code of a coupon without one from the letters and digits of its title: `10-OFF` for "10% Off". It depends only on the title, so that a
 * second load finds the coupon.
 */
function deriveCode(list: ListName, { title, code }: CatalogueRow): string | undefined {
  if (list !== 'coupons' || (code ?? null) !== null || typeof title !== 'string') return undefined
  const parts =
    title
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...parts.join('-')].slice(0, limits.code).join('') || undefined
}

/** Optional fields whose empty text the API rejects. An empty SKU means no SKU. */
function listEmptied(list: ListName, row: CatalogueRow): readonly string[] {
  const { [list]: resource } = resources
  const { schema }: { schema: unknown } = resource.create
  const fields: Readonly<Record<string, unknown>> = schema instanceof z.ZodMiniObject ? schema.shape : {}
  return Object.entries(row).flatMap(([field, value]) => {
    const type = fields[field]
    if (typeof value !== 'string' || value.trim() !== '' || !(type instanceof z.ZodMiniType)) return []
    return !type.safeParse(value).success && type.safeParse(undefined).success ? [field] : []
  })
}

/** Whether a value contains a number too large for JSON, which would be sent as null. */
const holdsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsInfinity)
    : typeof value === 'number' && !Number.isFinite(value)

/** Maximum number of characters of a title that an external id contains; leaves room for a number. */
const maxKeyTitle = 120

/**
 * Gives each row without an external id one that is derived from its title, so that an update finds its object again. Rows with the
 * same title are numbered in the order of the file.
 */
function deriveExternalIds(rows: readonly LoadingRow[]) {
  const taken = new Set(rows.map(({ externalId }) => externalId))
  for (const row of rows) {
    if (row.externalId !== undefined) continue
    const title = row.title.replace(/\p{Cc}/gu, ' ').trim()
    const base = [...title].slice(0, maxKeyTitle).join('').trim() || row.place
    let key = base === '.' || base === '..' ? row.place : base
    for (let number = 2; taken.has(key); number++) key = `${base} #${number}`.slice(-limits.externalId)
    taken.add(key)
    row.externalId = key
  }
}

function createRow(list: ListName, index: number, { externalId, ...source }: CatalogueRow): LoadingRow {
  const isKey = typeof externalId === 'string' || typeof externalId === 'number'
  const reasons = isKey || (externalId ?? null) === null ? [] : ['/externalId must be a text']
  if (holdsInfinity(source)) reasons.push('has a number that is too large')
  return {
    list,
    place: `${list}[${index}]`,
    title: getTitle(source),
    externalId: isKey ? String(externalId) : undefined,
    source,
    reasons,
    // The API requires the instructions of a modifier, which catalogues rarely contain.
    filled: list === 'modifiers' && (source['instructions'] ?? null) === null ? ['instructions'] : [],
    derivedCode: deriveCode(list, source),
    emptied: listEmptied(list, source),
    lost: [],
  }
}

/** The rows of a file, each behind those that it refers to. `update` derives external ids. */
export const createRows = (catalogue: CatalogueFile, update: boolean): readonly LoadingRow[] =>
  lists.flatMap((list) => {
    const rows = (catalogue[list] ?? []).map((row, index) => createRow(list, index, row))
    if (update) deriveExternalIds(rows)
    return rows
  })

type RowsByPlace = ReadonlyMap<string, LoadingRow>

const findRow = (byPlace: RowsByPlace, { list, index }: RowTarget) => byPlace.get(`${list}[${index}]`)

/** The rows that a row refers to. */
export function listTargets({ list, source }: LoadingRow, byPlace: RowsByPlace): readonly LoadingRow[] {
  const targets = new Set<LoadingRow>()
  replaceIndexes(list, source, (named) => {
    const target = findRow(byPlace, named)
    if (target) targets.add(target)
    return undefined
  })
  return [...targets]
}

/**
 * The line of an import for a row: references by index become the own ids of their rows, those to rejected rows are left out. Rejects
 * the row if an index does not exist.
 */
export function toImportLine(row: LoadingRow, byPlace: RowsByPlace): string {
  const { list, place, externalId, source, filled, derivedCode, emptied } = row
  const lost = new Set<LoadingRow>()
  const body = replaceIndexes(list, source, (named, pointer) => {
    const target = findRow(byPlace, named)
    if (!target) row.reasons.push(`${pointer} ${named.index} is not an index of ${named.list} in the file`)
    else if (target.reasons.length > 0) lost.add(target)
    return target && target.reasons.length === 0 ? target.place : undefined
  })
  row.lost = [...lost]
  return JSON.stringify({
    ...Object.fromEntries(Object.entries(body).filter(([field]) => !emptied.includes(field))),
    // Whatever the row says: a coupon for products that were rejected must not become one for all products.
    ...(list === 'coupons' && lost.size > 0 && { applyToAllProducts: false }),
    ...Object.fromEntries(filled.map((field) => [field, ''])),
    ...(derivedCode !== undefined && { code: derivedCode }),
    ...{ resource: list, id: place, externalId },
  })
}
