import type { Issue } from '../../errors.ts'
import type { CatalogueRow, ListName } from './catalogue-file.ts'
import { isRecord, type ListRules, listRules, swapReferences } from './list-rules.ts'

/** A row of a file on its way into a merchant. */
export interface LoadingRow {
  /** Where it is in the file: `coupons[0]`. */
  place: string
  title: string
  /** What is sent: ids where the file has indexes. */
  body: CatalogueRow
  /** What the service would store; absent where it would refuse the row. */
  draft?: CatalogueRow
  outcome?: 'created' | 'existing' | 'refused'
  /** The id of the object it became. */
  id?: string
  /** Why it was refused. */
  reasons: readonly string[]
  /** Fields that the file lacks and the API insists on, sent empty. */
  filled: readonly string[]
  /** The code that a coupon of the file lacks, derived from its title. */
  derivedCode?: string | undefined
  /** Fields with an empty text that the API does not take, left out. */
  emptied: readonly string[]
  /** Refused rows that it named, left out. */
  lost: readonly LoadingRow[]
  /** It was sent, and no answer came. */
  isUncertain: boolean
}

/** What a person would call a row. */
function getTitle({ title, firstName, lastName, metadata }: CatalogueRow): string {
  const values = Array.isArray(metadata)
    ? metadata.map((entry: unknown) => (isRecord(entry) ? entry['value'] : undefined))
    : []
  const isText = (part: unknown) => typeof part === 'string'
  const [names = []] = [[title], [firstName, lastName], values]
    .map((parts) => parts.filter(isText))
    .filter(({ length }) => length > 0)
  return names.join(' ')
}

/** A number too large for JSON would be sent as null, and so be lost without a word. */
const holdsInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsInfinity)
    : typeof value === 'number' && !Number.isFinite(value)

const maxTitleLength = 60

/** Where a row is and what it is called, on one line whatever characters its title has. */
export function getRowName({ place, title }: Pick<LoadingRow, 'place' | 'title'>): string {
  const characters = [...title]
  const short = characters.length > maxTitleLength ? `${characters.slice(0, maxTitleLength - 1).join('')}…` : title
  return title === '' ? place : `${place} ${JSON.stringify(short)}`
}

/** The API insists on a modifier's instructions, and no catalogue has them. */
const lacksInstructions = (list: ListName, row: CatalogueRow) =>
  list === 'modifiers' && (row['instructions'] ?? null) === null

const longestCode = 64

/**
 * The code for a coupon without one: the letters and digits of its title, `10-OFF` for "10% Off". It depends on the title alone, so that
 * another load of the file finds the coupon.
 */
function deriveCode(list: ListName, { title, code }: CatalogueRow): string | undefined {
  if (list !== 'coupons' || (code ?? null) !== null || typeof title !== 'string') return undefined
  const messages =
    title
      .normalize('NFKC')
      .toUpperCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return [...messages.join('-')].slice(0, longestCode).join('') || undefined
}

/** Makes ready a row whose references lead to `targets`. */
export function prepareRow(
  list: ListName,
  index: number,
  row: CatalogueRow,
  targets: readonly LoadingRow[],
  testMode: boolean,
): LoadingRow {
  const kind = listRules[list]
  const reasons: string[] = []
  const lost = new Set<LoadingRow>()
  const filled = lacksInstructions(list, row) ? ['instructions'] : []
  const swapped = swapReferences(kind, row, (reference, pointer) => {
    if (typeof reference !== 'number') return [reference]
    const target = targets[reference]
    if (target?.id !== undefined) return [target.id]
    if (target) lost.add(target)
    else reasons.push(`${pointer} ${reference} is not the index of one of the file's ${kind.references?.to}`)
    return []
  })
  const derivedCode = deriveCode(list, row)
  const complete = {
    ...swapped,
    ...Object.fromEntries(filled.map((field) => [field, ''])),
    ...(derivedCode === undefined ? {} : { code: derivedCode }),
  }
  const referring = lost.size > 0 ? kind.whenLacking(complete) : complete
  const emptied = emptyFields(kind, referring)
  const body = withoutFields(referring, emptied)
  const { patch, issues } = kind.applyPatch(body)
  if (holdsInfinity(row)) reasons.push(...issues.map(describeIssue))
  const loading: LoadingRow = {
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
  if (reasons.length > 0) loading.outcome = 'refused'
  // The one field that follows from the key, where it is one that clients may write.
  else if (issues.length === 0) loading.draft = kind.readOnly.has('testMode') ? patch : { testMode, ...patch }
  return loading
}

const withoutFields = (row: CatalogueRow, fields: readonly string[]): CatalogueRow =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)))

const getPointer = (issue: Issue) => ('pointer' in issue ? issue.pointer : '')
const describeIssue = (issue: Issue) => `${getPointer(issue)} ${issue.message}`

/** Optional fields with a text that the API takes only when there is something in it: an empty SKU is none. */
function emptyFields(kind: ListRules, body: CatalogueRow): readonly string[] {
  const empty = Object.keys(body).filter((field) => {
    const value = body[field]
    return typeof value === 'string' && value.trim() === ''
  })
  if (empty.length === 0) return []
  const faulty = (row: CatalogueRow, field: string) =>
    kind.applyPatch(row).issues.some((issue) => getPointer(issue) === `/${field}`)
  return empty.filter((field) => faulty(body, field) && !faulty(withoutFields(body, [field]), field))
}
