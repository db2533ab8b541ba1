import type { ResourcePath } from '../../../platform/names.ts'
import { mapPaced } from '../../import/pace.ts'
import type { RowIssue } from '../../import/rows/file-row.ts'
import type { ShownParts } from '../../import/rows/row-object.ts'
import { listInsecure } from '../values/pictures.ts'
import {
  createNotices,
  type FileContent,
  type FileItem,
  type FileModifier,
  type FileNotice,
  type Notices,
  ownIdPrefix,
} from './file-item.ts'
import { listCurrencyOnce } from './other-currency.ts'

/** A modifier that the merchant has. */
export interface KnownModifier {
  id: string
  title: string
  type: string
  options: readonly { id: string; label?: string | undefined }[]
}

/** The menu that the sections of a file are added to. */
export type MenuChoice = { title: string; id?: string | undefined } | 'none'

/** Fields by which `match=auto` may select an object. */
type MatchKey = 'sku' | 'upc' | 'title'

/** A row that the import checks and applies. */
export interface PreparedLine {
  row: number
  /** All rows of the object, if it has several. */
  rows?: readonly number[] | undefined
  resource: ResourcePath
  id?: string | undefined
  externalId?: string | undefined
  body: Readonly<Record<string, unknown>>
  metadata?: readonly { key: string; value: string }[] | undefined
  details?: Readonly<Record<string, unknown>> | undefined
  issues: readonly RowIssue[]
  /** Keys that no other row of the file has. */
  unique: readonly MatchKey[]
  shown?: ShownParts | undefined
}

const limits = { sections: 200, items: 5_000 } as const

/** Own id of a row, by which other rows refer to it. */
export const toOwnId = (row: number) => `${ownIdPrefix}${row}`

const matchKeys = ['sku', 'upc', 'title'] as const satisfies MatchKey[]
/** Objects other than products have titles of several fields. */
const keyOf = ({ resource, body, metadata }: FileItem, field: MatchKey) =>
  field !== 'title' || resource === 'products'
    ? body[field]
    : resource === 'coupons'
      ? body['code']
      : JSON.stringify([body, metadata])

/** Numbers of items with each key. */
function countKeys(items: readonly FileItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    for (const field of matchKeys) {
      const key = JSON.stringify([item.resource, field, keyOf(item, field)])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** Rules of a modifier. Other systems allow more choices than it has options, because each can be chosen several times there. */
function toRules({ min, max, options }: FileModifier) {
  const most = max === undefined ? undefined : Math.min(max, options.length)
  return {
    required: min > 0,
    ...(most !== undefined && most > 1 && { allowedMultiple: true, selectRestriction: most }),
    ...(most !== undefined && min > 1 && min === most && { requireSelectRestriction: true }),
  }
}

/** Finds or creates the modifiers of sizes. */
function createSizes(
  known: readonly KnownModifier[],
  add: (line: Omit<PreparedLine, 'row' | 'issues' | 'unique'>) => string,
) {
  const ids = new Map<string, { modifier: string; options: readonly string[] }>()
  for (const { id, title, type, options } of known) {
    const key = JSON.stringify([title, ...options.map(({ label }) => label ?? '')])
    if (type === 'RADIO' && !ids.has(key))
      ids.set(key, { modifier: id, options: options.map(({ id: option }) => option) })
  }
  return ({ title, options }: NonNullable<FileItem['sizes']>) => {
    const labels = options.map(({ label }) => label)
    const key = JSON.stringify([title, ...labels])
    const found = ids.get(key)
    if (found) return found
    const parts = labels.map((label, index) => ({ id: `size-${index + 1}`, label }))
    const body = { title, instructions: '', type: 'RADIO', rules: { required: true }, options: parts }
    const created = { modifier: add({ resource: 'modifiers', body }), options: parts.map(({ id }) => id) }
    ids.set(key, created)
    return created
  }
}

const insecurePicture = 'guests will not see pictures with http:'

/** Notices of pictures that guests will not see, which are also counted. */
const listPictureNotices = ({ body }: FileItem, notices: Notices): RowIssue[] =>
  listInsecure(body['images']).map((value) => {
    notices.add('not_https', insecurePicture)
    return { pointer: '/images', code: 'not_https', message: insecurePicture, value, severity: 'notice' as const }
  })

/** The sections of a menu in the order of the file. */
function toSections(items: readonly FileItem[]): { title: string; items: string[] }[] {
  const sections = new Map<string, { title: string; items: Set<string> }>()
  for (const { row, id, sections: titles, resource } of items) {
    if (resource !== 'products') continue
    for (const title of titles) {
      const key = title.trim().toLowerCase()
      const section = sections.get(key) ?? { title, items: new Set() }
      section.items.add(id ?? toOwnId(row))
      sections.set(key, section)
    }
  }
  return Array.from(sections.values(), ({ title, items: products }) => ({ title, items: [...products] }))
}

/** Sections and sizes of an object, for previews. */
function toShown({ sections, sizes }: FileItem, menu: MenuChoice): ShownParts | undefined {
  const isListed = menu !== 'none' && sections.length > 0
  if (!isListed && !sizes) return undefined
  return {
    ...(isListed && { sections: [...sections] }),
    ...(sizes && { sizes: sizes.options.map(({ label, price }) => ({ label, price })) }),
  }
}

const count = (sections: readonly { items: readonly string[] }[]) =>
  sections.reduce((sum, { items }) => sum + items.length, 0)

/** The rows of an import: modifiers, then objects, then the menu. Rows that the file does not have are numbered after its last one. */
export async function toPreparedLines(
  { items, modifiers }: FileContent,
  { menu, known, lastRow }: { menu: MenuChoice; known: readonly KnownModifier[]; lastRow: number },
): Promise<{ lines: PreparedLine[]; notices: readonly FileNotice[] }> {
  const notices = createNotices()
  const helpers: PreparedLine[] = []
  let next = lastRow
  const add = (line: Omit<PreparedLine, 'row' | 'issues' | 'unique'>) => {
    next++
    const id = line.id ?? toOwnId(next)
    helpers.push({ ...line, row: next, id, issues: [], unique: [] })
    return id
  }
  const getSizes = createSizes(known, add)
  const byTitle = new Map(known.toReversed().map(({ title, id }) => [title.trim().toLowerCase(), id]))
  const byKey = new Map(
    modifiers.map((modifier) => {
      const { key, externalId, title, max, options } = modifier
      const body = {
        title,
        instructions: '',
        type: max === 1 ? 'RADIO' : 'CHECKBOX',
        rules: toRules(modifier),
        options: options.map(({ label, cost }) => ({ label, additionalCost: cost })),
      }
      return [key, add({ resource: 'modifiers', externalId, body })] as const
    }),
  )
  const counts = countKeys(items)
  const all = await mapPaced(items, (item): PreparedLine => {
    const { row, resource, externalId, metadata, issues, sizes } = item
    const found = sizes && getSizes(sizes)
    const named = item.modifierTitles.flatMap((title) => {
      const id = byTitle.get(title.toLowerCase())
      if (id === undefined) notices.add('modifier_missing', `there is no modifier ${JSON.stringify(title)}`)
      return id ?? []
    })
    const linked = [
      ...(found ? [found.modifier] : []),
      ...named,
      ...item.modifierKeys.flatMap((key) => byKey.get(key) ?? []),
    ]
    const prices = sizes?.options.map(({ label: _, ...size }, index) => [found?.options[index] ?? '', size] as const)
    return {
      ...{ row, rows: item.rows, resource, externalId, metadata },
      id: item.id ?? toOwnId(row),
      body: linked.length > 0 ? { ...item.body, modifiers: [...new Set(linked)] } : item.body,
      details:
        found && prices
          ? { ...item.details, sizes: { modifier: found.modifier, prices: Object.fromEntries(prices) } }
          : item.details,
      issues: [...issues, ...listPictureNotices(item, notices)],
      shown: toShown(item, menu),
      unique: matchKeys.filter((field) => counts.get(JSON.stringify([resource, field, keyOf(item, field)])) === 1),
    }
  })
  const lines = listCurrencyOnce(all, notices)
  const sections = menu === 'none' ? [] : toSections(items)
  if (menu === 'none' || sections.length === 0) return { lines: [...helpers, ...lines], notices: notices.list() }
  const isTooLarge = sections.length > limits.sections || count(sections) > limits.items
  const message = `the menu would have ${sections.length} sections and ${count(sections)} items`
  const menuLine: PreparedLine = {
    row: next + 1,
    resource: 'menus',
    id: menu.id,
    body: { title: menu.title, sections },
    issues: isTooLarge ? [{ pointer: '/sections', code: 'too_many', message }] : [],
    unique: ['title'],
  }
  return { lines: [...helpers, ...lines, menuLine], notices: notices.list() }
}
