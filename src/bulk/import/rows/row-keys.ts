import { code, exactText, externalId, limits } from '../../../platform/http/fields.ts'
import { getParameterIssues } from '../../../platform/http/validation.ts'
import type { RowIssue } from './file-row.ts'
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
