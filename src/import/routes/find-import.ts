import type { Context } from 'hono'
import { requireScopes } from '../../auth/authenticate.ts'
import { notFound } from '../../errors.ts'
import type { Env } from '../../http/context.ts'
import { getResources, type StoredImport } from '../import-view.ts'
import { importStatements } from '../statements/import-statements.ts'

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
