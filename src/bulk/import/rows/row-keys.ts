import * as z from 'zod/mini'
import { code, exactText, externalId, limits } from '../../../platform/http/fields.ts'
import { getParameterIssues } from '../../../platform/http/validation.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { RowIssue } from './file-row.ts'
import { getResource } from './imported-resource.ts'
import type { RowObject } from './row-object.ts'

/** Ids of a file come from the service or from another system. They are stored with each chunk. */
const keySchemas = { id: exactText({ max: limits.externalId }), externalId }

/** The text of a key, or the issues of an invalid key. Both are undefined for a row without the key. */
export function readKey(name: keyof typeof keySchemas, value: unknown): { text?: string; issues: readonly RowIssue[] } {
  if (value === undefined || value === null) return { issues: [] }
  const pointer = `/${name}`
  if (typeof value !== 'string') return { issues: [{ pointer, code: 'invalid_type', message: 'must be a string' }] }
  const issues = getParameterIssues(keySchemas[name], name, value)
  if (issues.length === 0) return { text: value, issues: [] }
  return { issues: issues.map(({ code, message }) => ({ pointer, code, message, value })) }
}

/** The SKU of a row as stored, without surrounding white space. Undefined if it is missing or invalid. */
export const readSku = ({ body }: Pick<RowObject, 'body'>): string | undefined => code.safeParse(body['sku']).data

/** Between the values of a title, and between values of metadata. No client can send them in a text without white space around it. */
export const titleSeparators = { field: '\u001f', value: '\u001e' } as const

/** A value of a title as `selectTitle` makes it of a column. */
function toTitlePart(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((entry) => (isObject(entry) ? String(entry['value'] ?? '') : '')).join(titleSeparators.value)
  }
  return typeof value === 'boolean' ? String(Number(value)) : String(value ?? '')
}

/** The title of a row as it is stored. Undefined if a part of it is not valid. */
export function readTitle({ resource, body, metadata }: RowObject, testMode: boolean): string | undefined {
  if (resource === undefined) return undefined
  const {
    create: { schema },
    titleFields,
  } = getResource(resource)
  const values: Readonly<Record<string, unknown>> = {
    testMode,
    ...body,
    ...(metadata && { metadata: metadata.entries }),
  }
  const parts: string[] = []
  for (const field of titleFields) {
    const type: unknown = schema instanceof z.ZodMiniObject ? schema.shape[field] : undefined
    if (values[field] === undefined || values[field] === null || !(type instanceof z.ZodMiniType)) {
      parts.push(toTitlePart(field === 'testMode' ? testMode : undefined))
      continue
    }
    const { success, data } = type.safeParse(values[field])
    if (!success) return undefined
    parts.push(toTitlePart(data))
  }
  return parts.join(titleSeparators.field)
}
