import * as z from 'zod/mini'
import type { Caller } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import { releaseVerbs } from '../../../platform/db/schema/releases/releases.ts'
import type { Scope } from '../../../platform/db/scope.ts'
import type { Bindings } from '../../../platform/env.ts'
import { ApiError, invalid } from '../../../platform/errors.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { log } from '../../../platform/lib/log.ts'
import { findGiven } from '../draft/add-operations.ts'
import { type GivenOperation, listShapeIssues } from '../draft/given-operation.ts'
import { planDraft } from '../draft/plan-draft.ts'
import { readRelease } from '../draft/write-release.ts'
import { planRelease } from '../plan/plan-release.ts'
import { releasedPaths } from '../release-limits.ts'
import { releaseStatements } from '../release-statements.ts'
import {
  isOpenRelease,
  listScopes,
  type ReleaseOperation,
  readOperation,
  releaseStateConflict,
  storedParts,
} from '../release-view.ts'
import { layOver } from './overlay.ts'
import { toPlannedLists } from './planned-rows.ts'

/** Key of the operations of a preview in KV, beside tags and venues. */
const toKey = ({ merchantId, testMode }: Scope, draft: string) => `d:${merchantId}:${Number(testMode)}:${draft}`

const storedDraft = z.array(
  z.object({
    path: z.enum(releasedPaths),
    target: z.string(),
    verb: z.enum(releaseVerbs),
    externalId: z.optional(z.string()),
    parts: storedParts,
    base: z.record(z.string(), z.unknown()),
  }),
)

/** The operations of a release that is not published, for a preview. Throws `not_found`, `conflict` and `forbidden`. */
export async function readShown(
  { database, scope }: Pick<Caller, 'database' | 'scope'>,
  release: string,
  grantedScopes: readonly string[] | undefined,
): Promise<readonly ReleaseOperation[]> {
  requireScopes(grantedScopes, ['releases:read'])
  const stored = await readRelease({ database, scope }, release)
  if (!isOpenRelease(stored)) throw releaseStateConflict(stored, 'shown')
  const [rows] = await database.run([releaseStatements.listAll(), { ...scope, release }])
  const operations = rows.map(readOperation)
  requireScopes(
    grantedScopes,
    listScopes(
      operations.map(({ path }) => path),
      'read',
    ),
  )
  return operations
}

/** Operations of a release, and the operations of a request that follow them. */
interface Shown {
  earlier: readonly ReleaseOperation[]
  operations: readonly GivenOperation[]
}

/** Stores operations that a preview shows. Returns their id. Throws `invalid_request`. */
export async function storeDraft(
  env: Bindings,
  caller: Pick<Caller, 'database' | 'scope'>,
  { earlier, operations: given }: Shown,
  seconds: number,
): Promise<string> {
  const shape = listShapeIssues(given)
  if (shape.length > 0) throw invalid(shape)
  const current = await findGiven(caller, given)
  const { written, drafted, issues } = planDraft(given, earlier, current)
  if (issues.length > 0) throw invalid(issues)
  const replaced = new Set(drafted.map(({ resource, id }) => `${resource} ${id}`))
  const kept = earlier.filter(({ path, target }) => !replaced.has(`${path} ${target}`))
  const draft = createId('draft')
  try {
    // A new key was never read, so no place has cached that it is missing.
    await env.TAGS.put(toKey(caller.scope, draft), JSON.stringify([...kept, ...written]), { expirationTtl: seconds })
  } catch (error) {
    log(env, 'KV write failed', { error: String(error) })
    throw new ApiError('unavailable', 'KV does not respond. Repeat the request.', [], { 'retry-after': '2' })
  }
  return draft
}

/** The catalogue after the operations of a preview. Undefined if they have expired. */
export async function openStoredDraft(
  env: Bindings,
  database: Database,
  scope: Scope,
  draft: string,
): Promise<Database | undefined> {
  const { success, data } = storedDraft.safeParse(await env.TAGS.get(toKey(scope, draft), { type: 'json' }))
  if (!success) return undefined
  database.usePrimary()
  const validationContext = { allowInsecureWebhooks: false, ownHosts: [] }
  return layOver(database, scope, toPlannedLists(await planRelease({ database, scope, validationContext }, data)))
}
