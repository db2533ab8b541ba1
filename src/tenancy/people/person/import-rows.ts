import { readJsonValues } from './json-values.ts'
import { redactOrder, redactValues, splitUnreadable } from './order.ts'
import { judge, type Labelled, type OtherPeople, type Owner } from './ownership.ts'
import { type Person, redactText } from './person.ts'

/** A stored row of a chunk. */
export interface ImportRow {
  row: number
  raw: string | readonly string[]
}

/** Cells of the header row, and the resource that the file names. */
interface ImportedFile {
  header: readonly string[]
  resource: string
}

/** The rest of a row: nothing, or a row without the person. */
type RedactedRow = { kind: 'empty' } | { kind: 'changed'; raw: string | readonly string[] }

/** A member or column that contains external ids of customers, unless the file names another resource. */
const toOuterKey = (key: string, resource: string) =>
  key.toLowerCase() === 'externalid' && (resource === '' || resource === 'customers') ? 'customer' : ''

const delimiters = /[,;|\t]/

/** The values of a row in any format: cells, values of an object, or the parts of another text. */
export function listRowValues(raw: ImportRow['raw'], { header, resource }: ImportedFile): Labelled[] {
  if (typeof raw === 'string') {
    const values = readJsonValues(raw)?.values
    return values?.map(({ text, key }) => ({ text, key, outerKey: toOuterKey(key, resource) })) ?? splitUnreadable(raw)
  }
  return raw.flatMap((cell, index) => {
    const text = cell.replace(/^'/, '')
    const parts = delimiters.test(text) ? splitUnreadable(text) : []
    const key = header[index] ?? ''
    const outerKey = toOuterKey(key, resource)
    return [{ text, key, outerKey }, ...parts.map((part) => ({ ...part, key, outerKey }))]
  })
}

function redactLine(person: Person, others: OtherPeople, line: string, owner: Owner): string | undefined {
  const document = readJsonValues(line)
  if (!document) return redactText(person, line, 'own')
  // In a line with several people, each object is checked separately.
  return redactOrder(person, others, line) ?? (owner === 'other' ? undefined : redactValues(person, line, document))
}

/** A row without the person. Undefined if the row belongs to somebody else or does not contain the person. */
export function redactRow(
  person: Person,
  others: OtherPeople,
  { raw }: Pick<ImportRow, 'raw'>,
  file: ImportedFile,
): RedactedRow | undefined {
  const owner = judge(person, others, listRowValues(raw, file))
  if (owner === 'person') return { kind: 'empty' }
  if (typeof raw === 'string') {
    const left = redactLine(person, others, raw, owner)
    return left === undefined || left === raw ? undefined : { kind: 'changed', raw: left }
  }
  if (owner === 'other') return undefined
  const cells = raw.map((cell) => redactText(person, cell, 'own'))
  return cells.some((cell, index) => cell !== raw[index]) ? { kind: 'changed', raw: cells } : undefined
}

/** A header without the person, because a file without a header has a row there. Undefined if it does not contain the person. */
export function redactHeader(person: Person, others: OtherPeople, header: readonly string[]): string[] | undefined {
  const isPersons = judge(person, others, listRowValues(header, { header: [], resource: '' })) === 'person'
  const cells = header.map((cell) => redactText(person, cell, isPersons ? 'all' : 'own'))
  return cells.some((cell, index) => cell !== header[index]) ? cells : undefined
}
