import type { Context } from 'hono'
import type { KeyScope } from '../../auth/api-keys.ts'
import { requireScopes } from '../../auth/authenticate.ts'
import { notFound } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import type { ResourcePath } from '../../names.ts'
import { getResources, type StoredImport } from '../import-view.ts'
import { setsStock } from '../process/counters.ts'
import { importStatements } from '../statements/import-statements.ts'

/** The scopes that applying an import of these resources requires. */
export const listWriteScopes = (
  paths: Iterable<ResourcePath>,
  { setCounters }: Pick<StoredImport, 'setCounters'>,
): KeyScope[] =>
  [...paths].flatMap((path): KeyScope[] => [
    `${path}:write`,
    ...(setCounters && setsStock(path) ? (['stock:write'] as const) : []),
  ])

/** Reads an import. Throws `not_found`, and `forbidden` unless the key has the scope `<resource>:<right>` of each resource in the file. */
export async function findImport(c: Context<Env>, id: string, right: 'read' | 'write'): Promise<StoredImport> {
  const { database, scope } = c.var
  const [[found]] = await database.run([importStatements.find(), { ...scope, import: id }])
  if (!found || found.state === 'uploading') throw notFound()
  requireScopes(
    c.var.grantedScopes,
    getResources(found).map((path) => `${path}:${right}` as const),
  )
  return found
}
