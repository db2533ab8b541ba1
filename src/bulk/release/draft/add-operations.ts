import type { Caller } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { invalid } from '../../../platform/errors.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { findCurrent } from '../plan/find-current.ts'
import { releaseStatements, type StoredRelease } from '../release-statements.ts'
import { listScopes, readOperation } from '../release-view.ts'
import { type GivenOperation, listShapeIssues } from './given-operation.ts'
import { planDraft } from './plan-draft.ts'
import { listSizeIssues, toOperationRow } from './write-release.ts'

/** The release after a change: a failed one is a draft again. */
export const toChanged = (before: StoredRelease): StoredRelease => ({
  ...before,
  ...(before.state === 'failed' && { state: 'draft', publishAt: null, scheduledBy: null, failure: null }),
  version: before.version + 1,
  updatedAt: Math.max(nowInSeconds(), before.updatedAt + 1),
})

/** Scopes that putting operations into a release requires: those to read the objects. */
export function requireDraftScopes(
  grantedScopes: readonly string[] | undefined,
  operations: readonly GivenOperation[],
) {
  requireScopes(
    grantedScopes,
    listScopes(
      operations.map(({ resource }) => resource),
      'read',
    ),
  )
}

/** Reads the objects of operations, those of deletions too. */
export const findGiven = (caller: Pick<Caller, 'database' | 'scope'>, given: readonly GivenOperation[]) =>
  findCurrent(
    caller,
    given.map((operation) =>
      operation.op === 'delete' ? { ...operation, op: 'update' as const, body: {} } : operation,
    ),
  )

/** Plans the operations that a request adds to a release. Throws `invalid_request`. */
export async function planOperations(caller: Caller, release: StoredRelease, given: readonly GivenOperation[]) {
  const shape = listShapeIssues(given)
  if (shape.length > 0) throw invalid(shape)
  const { database, scope } = caller
  const current = await findGiven(caller, given)
  const targets = given.flatMap(({ resource, id, externalId }) => [
    ...(id === undefined ? [] : [id]),
    ...(externalId === undefined ? [] : [current.findId(resource, externalId) ?? '']),
  ])
  const values = { ...scope, release: release.id, targets: JSON.stringify(targets) }
  const [stored] = await database.run([releaseStatements.listNamed(), values])
  const rows = stored.map(readOperation)
  const { written, removed, drafted, issues } = planDraft(given, rows, current)
  const bytesBefore = new Map(stored.map(({ path, target, bytes }) => [`${path} ${target}`, bytes]))
  const findBytes = ({ path, target }: { path: string; target: string }) => bytesBefore.get(`${path} ${target}`)
  const replaced = [...written, ...removed].reduce((sum, operation) => sum + (findBytes(operation) ?? 0), 0)
  const added = written.filter((operation) => findBytes(operation) === undefined).length
  const after = {
    ...release,
    changes: release.changes + added - removed.length,
    bytes: release.bytes - replaced + written.reduce((sum, operation) => sum + toOperationRow(operation).bytes, 0),
  }
  const all = [...issues, ...listSizeIssues(after)]
  if (all.length > 0) throw invalid(all)
  return { after, written, removed, drafted }
}
