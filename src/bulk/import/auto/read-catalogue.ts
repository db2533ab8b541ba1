import * as z from 'zod/mini'
import { changeReferences } from '../../../catalogue/resource/details/detail-references.ts'
import { limits } from '../../../platform/http/fields.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { type ResourcePath, resourcePaths } from '../../../platform/names.ts'
import { createNotices, type FileNotice, ownIdPrefix } from '../../files/items/file-item.ts'
import type { FileRow } from '../rows/file-row.ts'
import { loadImportedDetails } from '../rows/imported-details.ts'
import { getPath, getResource, getSideMember, listCreateFields } from '../rows/imported-resource.ts'

type Row = Readonly<Record<string, unknown>>

/** Members of a catalogue file that describe it. */
const descriptive: ReadonlySet<string> = new Set(['source', 'merchant', 'derived', 'synthetic', 'unmapped'])
/** Number of rows of each list by which a catalogue file is told from lists of other systems. */
const maxSampleRows = 50

const listsOf = (document: Row) =>
  resourcePaths.flatMap((path) => {
    const { [path]: list } = document
    return Array.isArray(list) ? [{ path, list }] : []
  })

const isOwnRow = (path: ResourcePath, row: unknown) => {
  const known = new Set([...listCreateFields(getResource(path)), 'externalId', getSideMember(path)])
  return isObject(row) && Object.keys(row).every((field) => known.has(field))
}

/** Whether a document is a catalogue file: lists by the names of resources, whose rows have the fields of a create. */
export function isCatalogue(document: unknown): document is Row {
  if (!isObject(document)) return false
  const lists = listsOf(document)
  return (
    lists.some(({ list }) => list.length > 0) &&
    lists.every(
      ({ path, list }) => list.slice(0, maxSampleRows).some((row) => isOwnRow(path, row)) || list.length === 0,
    )
  )
}

/** Own id of a row, by which other rows refer to it. */
const toOwnId = (path: ResourcePath, index: number) => `${ownIdPrefix}${path}[${index}]`

/** A value with the indexes in the lists at a path replaced by own ids. Indexes of rows that do not exist stay, and are issues. */
function replaceIndexes(
  value: unknown,
  [step, ...rest]: readonly string[],
  toId: (index: unknown) => unknown,
): unknown {
  if (step === undefined) return Array.isArray(value) ? value.map(toId) : value
  if (step === '*') return Array.isArray(value) ? value.map((inner) => replaceIndexes(inner, rest, toId)) : value
  return isObject(value) && Object.hasOwn(value, step)
    ? { ...value, [step]: replaceIndexes(value[step], rest, toId) }
    : value
}

/** A code for a coupon without one: letters and digits of its title, `10-OFF` for "10% Off". */
function deriveCode({ title, code }: Row): string | undefined {
  if ((code ?? null) !== null || typeof title !== 'string') return undefined
  const parts =
    title
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...parts.join('-')].slice(0, limits.code).join('') || undefined
}

/** Whether a field must be left out because its text is empty: it is optional, and rejects an empty text, as a SKU does. */
function isEmptied(path: ResourcePath, [field, value]: readonly [string, unknown]): boolean {
  if (typeof value !== 'string' || value.trim() !== '') return false
  const { schema } = getResource(path).create
  const type: unknown = schema instanceof z.ZodMiniObject ? schema.shape[field] : undefined
  return type instanceof z.ZodMiniType && !type.safeParse(value).success && type.safeParse(undefined).success
}

/** Fields with the address of a picture. */
const pictureFields: ReadonlySet<string> = new Set(['url', 'banner', 'icon'])

/** A value with each address of a picture that begins with one slash at an origin: pictures beside the service. */
function resolvePictures(value: unknown, origin: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => resolvePictures(inner, origin))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const isRelative = pictureFields.has(key) && typeof inner === 'string' && /^\/(?!\/)/.test(inner)
    return [key, isRelative ? origin + inner : resolvePictures(inner, origin)] as const
  })
  return Object.fromEntries(entries)
}

/** Fields that catalogue files leave out and the API requires. A coupon that loses its products must not become one for all. */
function fillIn(path: ResourcePath, row: Row): Row {
  if (path === 'modifiers') return { ...row, instructions: row['instructions'] ?? '' }
  if (path !== 'coupons') return row
  const code = deriveCode(row)
  const { products, applyToAllProducts } = row
  const isForSome = Array.isArray(products) && products.length > 0 && applyToAllProducts === undefined
  return { ...row, ...(code !== undefined && { code }), ...(isForSome && { applyToAllProducts: false }) }
}

/** The rows of a catalogue file as lines of JSON, with own ids in place of indexes. */
export async function readCatalogueRows(
  document: Row,
  origin: string,
): Promise<{ rows: FileRow[]; notices: readonly FileNotice[] }> {
  const notices = createNotices()
  const lists = listsOf(document)
  const counts = new Map(lists.map(({ path, list }) => [path, list.length]))
  const replaceIn = (path: ResourcePath | undefined) => (index: unknown) =>
    path !== undefined &&
    typeof index === 'number' &&
    Number.isInteger(index) &&
    index >= 0 &&
    index < (counts.get(path) ?? 0)
      ? toOwnId(path, index)
      : index
  const known = new Set<string>(resourcePaths)
  for (const name of Object.keys(document)) {
    if (!known.has(name) && !descriptive.has(name))
      notices.add('part_left_out', `${JSON.stringify(name.slice(0, 100))} is no list of a catalogue file`)
  }
  const rows: FileRow[] = []
  for (const { path, list } of lists) {
    const { references } = getResource(path)
    const details = await loadImportedDetails(path)
    for (const [index, given] of list.entries()) {
      const sent = isObject(given) ? Object.entries(given).filter((entry) => !isEmptied(path, entry)) : []
      const filled = fillIn(path, Object.fromEntries(sent))
      const replaced = references.reduce<unknown>(
        (body, reference) => replaceIndexes(body, reference.path, replaceIn(getPath(reference.target))),
        filled,
      )
      const { externalId, ...body } = isObject(replaced) ? replaced : filled
      const side = body['details']
      const line = {
        ...body,
        ...(body['images'] !== undefined && { images: resolvePictures(body['images'], origin) }),
        ...(body['branding'] !== undefined && { branding: resolvePictures(body['branding'], origin) }),
        ...(isObject(side) && {
          details: changeReferences(side, details?.references ?? [], (reference, _, target) =>
            replaceIn(target)(reference),
          ),
        }),
        ...{ resource: path, id: toOwnId(path, index) },
        ...(externalId !== undefined && {
          externalId: typeof externalId === 'number' ? String(externalId) : externalId,
        }),
      }
      rows.push({ row: rows.length + 1, raw: JSON.stringify(isObject(given) ? line : given) })
    }
  }
  return { rows, notices: notices.list() }
}
