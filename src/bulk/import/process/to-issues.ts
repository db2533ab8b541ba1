import type { ImportFormat } from '../../../platform/db/schema/imports/imports.ts'
import { parseJsonPointer } from '../../../platform/lib/encoding/json-pointer.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { OperationResult } from '../../batch/operation.ts'
import { limitsPrefix, metadataPrefix } from '../../csv/columns.ts'
import type { RowIssue } from '../rows/file-row.ts'

type Problem = NonNullable<OperationResult['problem']>
type Body = Readonly<Record<string, unknown>>

const getAt = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
  if (step === undefined) return value
  if (Array.isArray(value)) return getAt(value[Number(step)], rest)
  return isObject(value) ? getAt(value[step], rest) : undefined
}

/** The column of a JSON pointer. */
function toColumn(body: Body, pointer: string): string | undefined {
  const [field, index, ...rest] = parseJsonPointer(pointer)
  // Sizes of a product come from rows with a size, its price and its codes.
  if (field === 'details' && index === 'sizes') return rest[2] ?? 'size'
  if (`${field}.` === limitsPrefix && index !== undefined) return `${limitsPrefix}${index}`
  if (field !== 'metadata' || index === undefined) return field
  const key = getAt(body, [field, index, 'key'])
  return typeof key === 'string' ? `${metadataPrefix}${key}` : field
}

const toText = (value: unknown) =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/** An issue with its position in the notation of the file format. */
export function locateIssue(format: ImportFormat, { pointer, column, ...issue }: RowIssue, body: Body = {}): RowIssue {
  const value = issue.value ?? (pointer === undefined ? undefined : toText(getAt(body, parseJsonPointer(pointer))))
  if (format === 'jsonl' || pointer === undefined) return { ...issue, pointer, column, value }
  return { ...issue, column: toColumn(body, pointer), value }
}

/** The issues of a row whose operation failed. */
export function toIssues(format: ImportFormat, { code, detail, errors = [] }: Problem, body: Body): RowIssue[] {
  const issues: RowIssue[] = errors.map((issue) => ({
    pointer: 'pointer' in issue ? issue.pointer : undefined,
    code: issue.code,
    message: issue.message,
  }))
  const all = issues.length > 0 ? issues : [{ code, message: detail }]
  return all.map((issue) => locateIssue(format, issue, body))
}
