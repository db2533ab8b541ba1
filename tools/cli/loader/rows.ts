import type { Issue } from '../../../src/platform/errors.ts'
import { limits } from '../../../src/platform/http/fields.ts'
import { isObject } from '../../../src/platform/lib/schema-guard.ts'
import type { ApiObject } from './api-connection.ts'
import type { CatalogueRow, ListName } from './catalogue-file.ts'
import { getListRules, type ListRules, swapReferences } from './list-rules.ts'

/** A row of a file and the state of its loading. */
export interface LoadingRow {
  /** Position in the file: `coupons[0]`. */
  place: string
  title: string
  /** The row's own id in the source system. */
  externalId?: string | undefined
  /** Request body: ids instead of the file's indexes. */
  body: CatalogueRow
  /** The object that the service would store; undefined if it would reject the row. */
  draft?: CatalogueRow
  /** The object that an update finds for the row. */
  stored?: ApiObject
  outcome?: 'created' | 'updated' | 'existing' | 'rejected'
  /** Id of the created or existing object. */
  id?: string
  /** Reason why the row was rejected. */
  reasons: readonly string[]
  /** Required fields that the file lacks; sent empty. */
  filled: readonly string[]
  /** Code of a coupon without one, derived from its title. */
  derivedCode?: string | undefined
  /** Fields whose empty text the API rejects; left out. */
  emptied: readonly string[]
  /** Rejected rows that it refers to; left out. */
  lost: readonly LoadingRow[]
  /** The row was sent, but no response arrived. */
  isUncertain: boolean
}

/** A readable title of a row, or of an object. */
export function getTitle({ title, firstName, lastName, metadata }: CatalogueRow): string {
  const values = Array.isArray(metadata)
    ? metadata.map((entry: unknown) => (isObject(entry) ? entry['value'] : undefined))
    : []
  const isText = (part: unknown) => typeof part === 'string'
  const [names = []] = [[title], [firstName, lastName], values]
    .map((parts) => parts.filter(isText))
    .filter(({ length }) => length > 0)
  return names.join(' ')
}

/** Whether a value contains a number too large for JSON, which would be sent as null. */
const holdsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsInfinity)
    : typeof value === 'number' && !Number.isFinite(value)

const maxTitleLength = 60

/** Position and title of a row, on one line. Line breaks in the title are escaped. */
export function getRowName({ place, title }: Pick<LoadingRow, 'place' | 'title'>): string {
  const characters = [...title]
  const short = characters.length > maxTitleLength ? `${characters.slice(0, maxTitleLength - 1).join('')}…` : title
  return title === '' ? place : `${place} ${JSON.stringify(short)}`
}

/** Whether a modifier lacks `instructions`, which the API requires and catalogues rarely contain. */
const lacksInstructions = (list: ListName, row: CatalogueRow) =>
  list === 'modifiers' && (row['instructions'] ?? null) === null

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

/** Prepares a row for loading; `targets` are the rows that it can refer to. */
export function prepareRow(
  list: ListName,
  index: number,
  { externalId, ...row }: CatalogueRow,
  targets: readonly LoadingRow[],
  testMode: boolean,
): LoadingRow {
  const kind = getListRules(list)
  const reasons: string[] = []
  const lost = new Set<LoadingRow>()
  const filled = lacksInstructions(list, row) ? ['instructions'] : []
  const swapped = swapReferences(kind, row, (reference, pointer) => {
    if (typeof reference !== 'number') return [reference]
    const target = targets[reference]
    if (target?.id !== undefined) return [target.id]
    if (target) lost.add(target)
    else reasons.push(`${pointer} ${reference} is not an index of ${kind.references?.to} in the file`)
    return []
  })
  const derivedCode = deriveCode(list, row)
  const complete = {
    ...swapped,
    ...Object.fromEntries(filled.map((field) => [field, ''])),
    ...(derivedCode === undefined ? {} : { code: derivedCode }),
  }
  const referring = lost.size > 0 ? kind.withMissingReferences(complete) : complete
  const emptied = emptyFields(kind, referring)
  const body = withoutFields(referring, emptied)
  const { patch, issues } = kind.applyPatch(body)
  if (holdsInfinity(row)) reasons.push(...issues.map(describeIssue))
  const isKey = typeof externalId === 'string' || typeof externalId === 'number'
  if (!isKey && (externalId ?? null) !== null) reasons.push('/externalId must be a text')
  const loading: LoadingRow = {
    externalId: isKey ? String(externalId) : undefined,
    place: `${list}[${index}]`,
    title: getTitle(row),
    body,
    reasons,
    filled,
    derivedCode,
    emptied,
    lost: [...lost],
    isUncertain: false,
  }
  if (reasons.length > 0) loading.outcome = 'rejected'
  // The key decides `testMode`, unless clients can set it.
  else if (issues.length === 0) loading.draft = kind.readOnly.has('testMode') ? patch : { testMode, ...patch }
  return loading
}

const withoutFields = (row: CatalogueRow, fields: readonly string[]): CatalogueRow =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)))

const getPointer = (issue: Issue) => ('pointer' in issue ? issue.pointer : '')
const describeIssue = (issue: Issue) => `${getPointer(issue)} ${issue.message}`

/** Optional fields whose empty text the API rejects. An empty SKU means no SKU. */
function emptyFields(kind: ListRules, body: CatalogueRow): readonly string[] {
  const empty = Object.keys(body).filter((field) => {
    const value = body[field]
    return typeof value === 'string' && value.trim() === ''
  })
  if (empty.length === 0) return []
  const hasIssue = (row: CatalogueRow, field: string) =>
    kind.applyPatch(row).issues.some((issue) => getPointer(issue) === `/${field}`)
  return empty.filter((field) => hasIssue(body, field) && !hasIssue(withoutFields(body, [field]), field))
}
