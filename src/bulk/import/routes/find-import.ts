import type { Context } from 'hono'
import { listScopesOfEvents } from '../../../catalogue/events/event-scopes.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import { ApiError, notFound } from '../../../platform/errors.ts'
import type { Env } from '../../../platform/http/context.ts'
import type { ResourcePath } from '../../../platform/names.ts'
import { chunksPerReading } from '../import-limits.ts'
import { getResources, type StoredImport } from '../import-view.ts'
import { setsStock } from '../process/counters.ts'
import { chunkRows } from '../rows/stored-rows.ts'
import { autoStatements } from '../statements/auto-statements.ts'
import { importStatements } from '../statements/import-statements.ts'

/** The scopes that applying an import of these resources requires. */
export const listWriteScopes = (
  paths: Iterable<ResourcePath>,
  { setCounters }: Pick<StoredImport, 'setCounters'>,
): string[] =>
  [...paths].flatMap((path): string[] => [
    `${path}:write`,
    // Its steps run without the request, so importing webhooks requires the scopes to read all events that they could send.
    ...(path === 'webhooks' ? listScopesOfEvents(['*']) : []),
    ...(setCounters && setsStock(path) ? (['stock:write'] as const) : []),
  ])

/** The error of a request for a mapping that was replaced. */
export const mappingChanged = () =>
  new ApiError('mapping_changed', 'Somebody else has changed the mapping. Retrieve the import again.')

/** The error of an operation that the state of an import does not allow. */
export const stateConflict = ({ state }: Pick<StoredImport, 'state'>, verb: string) =>
  new ApiError('conflict', `An import in the state ${state} cannot be ${verb}.`)

/** The first rows of a file as they came. */
export async function readFirstRows(
  { database, scope }: { database: Database; scope: Scope },
  { id, mapping }: StoredImport,
) {
  if (mapping !== 'auto') return []
  const [[chunk]] = await database.run([
    autoStatements.rawChunk(),
    { ...scope, import: id, after: -2 * chunksPerReading },
  ])
  return chunk ? chunkRows.parse(chunk.rows).map(({ raw }) => raw) : []
}

/** Reads an import. Throws `not_found`, and `forbidden` unless the key has the scope `<resource>:<right>` of each resource in the file. */
export async function findImport(c: Context<Env>, id: string, right: 'read' | 'write'): Promise<StoredImport> {
  const { database, scope } = c.var
  // Only the latest state can justify the rejection of applying or cancelling.
  if (right === 'write') database.usePrimary()
  const find = async () => (await database.run([importStatements.find(), { ...scope, import: id }]))[0][0]
  const found = await database.findNamed(find, (stored) => stored !== undefined && stored.state !== 'uploading')
  if (!found || found.state === 'uploading') throw notFound()
  requireScopes(
    c.var.grantedScopes,
    getResources(found).map((path) => `${path}:${right}` as const),
  )
  return found
}
