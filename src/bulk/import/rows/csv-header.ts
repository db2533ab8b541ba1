import * as z from 'zod/mini'
import { limitView } from '../../../checkout/coupon-limit-fields.ts'
import { unprotectFormula } from '../../csv/cells.ts'
import { hiddenMetadata, limitNames, limitsPrefix, metadataPrefix } from '../../csv/columns.ts'
import type { RowIssue } from './file-row.ts'
import { type ImportedResource, listCreateFields } from './imported-resource.ts'

/** Conversion of the cells of a column to a field. */
export type CsvColumn =
  | { kind: 'ignored' | 'id' | 'externalId' | 'hidden' }
  | { kind: 'metadata'; key: string }
  | { kind: FieldKind; field: string }
  | { kind: 'limit'; name: string; of: FieldKind }

/** Form of the cells of a field. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'pictures'

/** Column that a download of faulty rows adds. */
export const errorColumn = 'error'

function getFieldKind(schema: z.core.$ZodType | undefined, field: string): FieldKind {
  const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema
  if (inner instanceof z.ZodMiniBoolean) return 'boolean'
  if (inner instanceof z.ZodMiniNumber) return 'number'
  if (inner instanceof z.ZodMiniArray) return field === 'images' ? 'pictures' : 'list'
  // Fields that only a create accepts are flags.
  return inner ? 'text' : 'boolean'
}

const limitSchemas = new Map<string, z.core.$ZodType>(Object.entries(limitView.shape))

function toColumn(resource: ImportedResource, name: string): CsvColumn | undefined {
  const lower = name.toLowerCase()
  if (lower === errorColumn) return { kind: 'ignored' }
  if (lower === 'id') return { kind: 'id' }
  if (lower === 'externalid') return { kind: 'externalId' }
  const { shape } = resource.item
  if ('metadata' in shape) {
    if (lower.startsWith(metadataPrefix)) return { kind: 'metadata', key: name.slice(metadataPrefix.length).trim() }
    if (resource.path === 'tags' && lower === hiddenMetadata.toLowerCase()) return { kind: 'hidden' }
    if (lower === 'metadata') return undefined
  }
  if (resource.path === 'coupons' && lower.startsWith(limitsPrefix)) {
    const name = limitNames.find((each) => `${limitsPrefix}${each}`.toLowerCase() === lower)
    return name === undefined ? undefined : { kind: 'limit', name, of: getFieldKind(limitSchemas.get(name), name) }
  }
  const field = listCreateFields(resource).find((each) => each.toLowerCase() === lower)
  return field === undefined ? undefined : { kind: getFieldKind(shape[field], field), field }
}

/** The names of the columns that a file of a resource can have. */
const listColumns = (resource: ImportedResource): string[] => [
  'id',
  'externalId',
  ...listCreateFields(resource).filter((name) => name !== 'metadata'),
  ...(resource.path === 'coupons' ? limitNames.map((name) => `${limitsPrefix}${name}`) : []),
  ...('metadata' in resource.item.shape ? [`${metadataPrefix}NAME`] : []),
]

/** The columns of a header row, and an issue for each unknown or repeated column. Columns without a name are ignored. */
export function readCsvHeader(resource: ImportedResource, header: readonly string[]) {
  const issues: RowIssue[] = []
  const seen = new Set<string>()
  const columns = header.map((cell): CsvColumn => {
    const name = unprotectFormula(cell).trim()
    if (name === '') return { kind: 'ignored' }
    const column = toColumn(resource, name)
    const key = JSON.stringify(column)
    if (!column)
      issues.push({
        column: name,
        code: 'unknown_field',
        message: `is not a column of ${resource.path}: ${listColumns(resource).join(', ')}`,
      })
    else if (seen.has(key)) issues.push({ column: name, code: 'duplicate', message: 'is the name of another column' })
    seen.add(key)
    return column ?? { kind: 'ignored' }
  })
  return { columns, issues }
}
