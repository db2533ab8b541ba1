import * as z from 'zod/mini'
import { openRecord } from '../../../platform/lib/open-record.ts'
import { resourcePaths } from '../../../platform/names.ts'
import type { FileLine } from './read-line.ts'

const issue = z.object({
  column: z.optional(z.string()),
  pointer: z.optional(z.string()),
  code: z.string(),
  message: z.string(),
  value: z.optional(z.string()),
  severity: z.optional(z.enum(['notice', 'repeated'])),
})
const entries = z.array(z.object({ key: z.string(), value: z.string() }))
const record = openRecord(z.unknown())

/** A row of an import with `mapping=auto`, as the reading of its file stores it. */
const preparedLine = z.object({
  resource: z.optional(z.enum(resourcePaths)),
  id: z.optional(z.string()),
  externalId: z.optional(z.string()),
  body: record,
  metadata: z.optional(z.object({ entries, hidden: z.optional(z.array(z.string())) })),
  details: z.optional(record),
  isExported: z.optional(z.boolean()),
  unique: z.optional(z.array(z.string())),
  shown: z.optional(
    z.object({
      sections: z.optional(z.array(z.string())),
      sizes: z.optional(z.array(z.object({ label: z.string(), price: z.optional(z.unknown()) }))),
    }),
  ),
  issues: z.array(issue),
})

const sources = z.object({ rows: z.optional(z.array(z.int())) })

/** Rows of the file that an object has, if it has several. */
export function listSourceRows(raw: string | readonly string[]): readonly number[] {
  return String(raw) === '' ? [] : (sources.parse(JSON.parse(String(raw))).rows ?? [])
}

/** An erased row is empty. */
const erased: FileLine = {
  kind: 'object',
  object: {
    resource: undefined,
    id: undefined,
    externalId: undefined,
    body: {},
    issues: [{ code: 'invalid_format', message: 'was erased with the data of a person' }],
  },
}

/** Reads a row that the reading of a file has stored. */
export function readPreparedLine(raw: string | readonly string[]): FileLine {
  if (String(raw) === '') return erased
  const { id, externalId, issues, resource, metadata, ...line } = preparedLine.parse(JSON.parse(String(raw)))
  const cells = metadata && { entries: metadata.entries, hidden: metadata.hidden }
  // The row is known to name its object, so other rows of the file are unaffected.
  return {
    kind: 'object',
    object: { ...line, metadata: cells, resource, id, externalId, issues: [], valueIssues: issues },
  }
}
