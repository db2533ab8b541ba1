import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Row } from '../../../platform/db/row.ts'
import type { Env } from '../../../platform/http/context.ts'
import { createCursor, listFields, nextLink, pageSize, readPosition } from '../../../platform/http/pagination.ts'
import { query } from '../../../platform/http/validation.ts'
import { type ResourcePath, resourcePaths } from '../../../platform/names.ts'
import { listDeletable } from '../import-view.ts'
import { getMissingPrefix } from '../live/live-origin.ts'
import { getResource } from '../rows/imported-resource.ts'
import { titleSeparators } from '../rows/row-keys.ts'
import { getMissingStatements } from '../statements/missing-statements.ts'
import { findImport } from './find-import.ts'

/** Query of the list of deletions. */
export const deletionQuery = z.strictObject({
  limit: listFields.limit,
  cursor: listFields.cursor,
  resource: z
    .optional(z.enum(resourcePaths, { error: `must be one of ${resourcePaths.join(', ')}` }))
    .check(z.describe('Resource of the objects. Default: the first one of the file.')),
})

/** An object that an import will delete, in responses. */
export const deletionView = z.object({
  resource: z.enum(resourcePaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  externalId: z.string().check(z.describe('External id of the object, which the file does not have.')),
  title: z.string().check(z.describe('Title of the object, or the fields by which people know it.')),
})

/** Parts of titles that are no text for people. */
const flags: ReadonlySet<string> = new Set(['testMode'])

function toDeletion(resource: ResourcePath, row: Row): z.output<typeof deletionView> {
  const { titleFields } = getResource(resource)
  const parts = String(row['title']).split(titleSeparators.field)
  const texts = parts.filter((part, index) => part !== '' && !flags.has(titleFields[index] ?? ''))
  const title = texts.join(' ').replaceAll(titleSeparators.value, ' ')
  return { resource, id: String(row['id']), externalId: String(row['external_id']), title }
}

/** Lists the objects that an import will delete. */
export const deletionRoutes = new Hono<Env>().get('/:id/deletions', query(deletionQuery), async (c) => {
  const found = await findImport(c, c.req.param('id'), 'read')
  const { database, scope } = c.var
  const { resource: wanted, ...selection } = c.req.valid('query')
  const resource = listDeletable(found).find((path) => wanted === undefined || path === wanted)
  const willDelete = found.deleteMissing && !found.hasUnreadableRow && found.state === 'ready'
  if (!willDelete || resource === undefined) return c.json([], 200)
  const list = `deletions of ${found.id} ${resource}`
  const keyset = { ...selection, order: 'asc' as const }
  const { after = '' } = readPosition(list, scope, keyset)
  const limit = selection.limit ?? pageSize.default
  const prefix = getMissingPrefix(found)
  const values = { ...scope, import: found.id, resource, uploadedAt: found.createdAt, after, limit: limit + 1, prefix }
  const [rows = []] = await database.run([getMissingStatements(resource).list(scope), values])
  const shown = rows.slice(0, limit).map((row) => toDeletion(resource, row))
  const last = shown.at(-1)
  if (rows.length > limit && last) {
    c.header('Link', nextLink(c.req.url, createCursor(list, scope, keyset, last.id)))
  }
  return c.json(shown, 200)
})
