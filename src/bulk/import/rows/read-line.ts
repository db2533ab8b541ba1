import { isObject } from '../../../platform/lib/schema-guard.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { errorColumn } from './csv-header.ts'
import type { RowIssue } from './file-row.ts'
import { getResource, getSideMember, isResourcePath } from './imported-resource.ts'
import { readKey } from './row-keys.ts'
import type { RowObject } from './row-object.ts'

/** A line of a JSON Lines file: an object, or the first or last line of an export. */
export type FileLine = { kind: 'object'; object: RowObject } | { kind: 'export' | 'end' }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreadable = (resource: ResourcePath | undefined, issue: RowIssue): FileLine => ({
  kind: 'object',
  object: { resource, id: undefined, externalId: undefined, body: {}, issues: [issue] },
})

const withoutReadOnly = (resource: ResourcePath, object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !getResource(resource).create.readOnly.has(key)))

/** Removes the details, or the limits, from a line, and returns them, if the objects of the resource have such. */
function takeSide(resource: ResourcePath, line: Readonly<Record<string, unknown>>) {
  const member = getSideMember(resource)
  if (member === undefined) return { fields: line }
  const { [member]: side, ...fields } = line
  return { member, side, fields }
}

const listSideIssues = (member: string, side: unknown): RowIssue[] =>
  side === undefined || side === null || isObject(side)
    ? []
    : [{ pointer: `/${member}`, code: 'invalid_type', message: 'must be an object' }]

/** Reads a line. `only` is the resource that the request names. */
export function readLine(text: string, only: ResourcePath | undefined): FileLine {
  const line = parse(text)
  if (line === undefined) return unreadable(only, { code: 'invalid_format', message: 'is not JSON' })
  if (!isObject(line)) return unreadable(only, { code: 'invalid_type', message: 'must be an object' })
  if (isObject(line['export']) && Object.keys(line).length === 1) return { kind: 'export' }
  if (isObject(line['end']) && Object.keys(line).length === 1) return { kind: 'end' }

  const { resource: named = only, [errorColumn]: _error, externalId, ...rest } = line
  if (!isResourcePath(named) || (only !== undefined && named !== only)) {
    const message = only === undefined ? 'must be the name of a resource' : `must be ${only}, or absent`
    const code = named === undefined ? 'required' : 'invalid_value'
    return unreadable(only, { pointer: '/resource', code, message })
  }
  const { member = '', side, fields } = takeSide(named, rest)
  const { object } = fields
  const isExported = isObject(object)
  const { id, ...body } = isExported ? object : fields
  const [ownId, external] = [readKey('id', id), readKey('externalId', externalId)]
  return {
    kind: 'object',
    object: {
      resource: named,
      id: ownId.text,
      externalId: external.text,
      body: isExported ? withoutReadOnly(named, body) : body,
      details: isObject(side) && Object.keys(side).length > 0 ? side : undefined,
      isExported,
      issues: [...ownId.issues, ...external.issues, ...listSideIssues(member, side)],
    },
  }
}
