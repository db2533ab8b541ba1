import type { Caller } from '../../../catalogue/resource/caller.ts'
import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../../catalogue/resource/object-lock.ts'
import { listMarked, markMany } from '../../../checkout/many/mark-many.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import { ConstraintError } from '../../../platform/db/database-errors.ts'
import { createAuditEntry } from '../../../platform/db/transaction.ts'
import { ApiError, type Issue, notFound } from '../../../platform/errors.ts'
import type { Precondition } from '../../../platform/http/etag.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { type ChangeSet, toChangeSetId } from '../../../platform/outbox/change-sets.ts'
import { toIssueCode } from '../../batch/problems.ts'
import { writeBatch } from '../../batch/write/write-batch.ts'
import { listReleaseWrites, requireOpen } from '../draft/write-release.ts'
import { planRelease, type ReleasePlan } from '../plan/plan-release.ts'
import type { ReleaseFailure } from '../release-fields.ts'
import { releaseStatements, type StoredRelease } from '../release-statements.ts'
import { listScopes, type ReleaseOperation, readOperation, requireOther } from '../release-view.ts'
import { releaseEvents } from './release-events.ts'

/** Maximum number of errors and of conflicts that a failed release keeps. */
const maxKept = 20

/** A release that cannot be published as it is. */
export class ReleaseRejected extends ApiError {
  readonly failure: ReleaseFailure

  constructor(failure: ReleaseFailure, code: 'batch_failed' | 'release_conflict', issues: readonly Issue[]) {
    super(code, failure.message, issues)
    this.failure = failure
  }
}

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** Throws the errors and conflicts of a plan. */
function requirePublishable({ errors, conflicts }: ReleasePlan, overwrite: boolean): void {
  const hasConflicts = !overwrite && conflicts.length > 0
  if (errors.length === 0 && !hasConflicts) return
  const code = errors.length > 0 ? 'batch_failed' : 'release_conflict'
  const message =
    errors.length > 0
      ? `${plural(errors.length, 'error')}. Nothing was published.`
      : `Somebody else has changed ${plural(conflicts.length, 'field')} of the release. Nothing was published.`
  const issues = [
    ...errors.map(({ id, pointer = '', code, message }) => ({
      pointer: `/${id}${pointer}`,
      code: toIssueCode(code),
      message,
    })),
    ...(hasConflicts ? conflicts : []).map(({ id, field }) => ({
      ...{ pointer: `/${id}${field}`, code: 'conflict' as const },
      message: 'was changed since it was put into the release',
    })),
  ]
  const failure = { code, message, errors: errors.slice(0, maxKept), conflicts: conflicts.slice(0, maxKept) }
  throw new ReleaseRejected(failure, code, issues)
}

/** Numbers of objects that a release creates, changes and deletes. */
function countObjects({ pairs }: ReleasePlan) {
  const count = (kind: string) => pairs.filter(({ step }) => step.kind === kind).length
  return { created: count('create'), updated: count('update'), deleted: count('delete') }
}

/** Data of the events of a release. */
export const toEventText = ({ id, title, changes }: StoredRelease, more: object) =>
  JSON.stringify({ id, title, changes, ...more })

/** Reads a release and its operations. */
export async function readWhole(caller: Pick<Caller, 'database' | 'scope'>, release: string) {
  const values = { ...caller.scope, release }
  const { find, listAll, findPublishBy } = releaseStatements
  const read = () => caller.database.run([find(), values], [listAll(), values], [findPublishBy(), values])
  const [[stored], rows, [merchant]] = await caller.database.findNamed(read, ([[row]]) => row !== undefined)
  if (!stored) throw notFound()
  return { stored, operations: rows.map(readOperation), publishBy: merchant?.publishBy }
}

/** How a release is published. */
interface Publication {
  overwrite: boolean
  condition?: Precondition | undefined
  /** Scopes of the caller. */
  grantedScopes: readonly string[] | undefined
  /** Publishes only a release that is still scheduled, and due. */
  isScheduled?: boolean
  /** Creates the response, which is stored if the request has an `Idempotency-Key`. */
  respond?: (stored: StoredRelease) => Response
}

/** Plans and writes a release once, in one transaction. Throws a `ConstraintError` if another writer interfered. */
async function attempt(caller: Caller, id: string, publication: Publication): Promise<StoredRelease> {
  const { overwrite, condition, grantedScopes, isScheduled = false, respond } = publication
  caller.database.usePrimary()
  const { stored: before, operations, publishBy } = await readWhole(caller, id)
  if (before.state === 'published') return before
  if (isScheduled && before.state !== 'scheduled') return before
  requireOpen(before, condition, 'published')
  requireOther(publishBy, before, caller.actor)
  requireScopes(
    grantedScopes,
    listScopes(
      operations.map(({ path }: ReleaseOperation) => path),
      'write',
    ),
  )
  const plan = await planRelease(caller, operations)
  requirePublishable(plan, overwrite)
  const now = nowInSeconds()
  const changeSet: ChangeSet = { id: toChangeSetId(id, plan.nowMs), kind: 'release' }
  const after: StoredRelease = {
    ...before,
    ...{ state: 'published', failure: null, publishedAt: now, publishedBy: caller.actor, changeSet: changeSet.id },
    ...{ version: before.version + 1, updatedAt: Math.max(now, before.updatedAt + 1) },
  }
  const event = toEventText(after, { ...countObjects(plan), publishedBy: caller.actor })
  await writeBatch(
    { ...caller, changeSet: changeSet.id, cause: { release: id } },
    {
      changeSet,
      steps: plan.steps,
      marked: listMarked(plan.side.marks),
      sides: [
        ...plan.current.planners,
        {
          listWrites: (values) => [
            ...markMany(plan.side.marks, values),
            [releaseEvents.published(), { ...values, release: event }],
          ],
        },
      ],
      nowMs: plan.nowMs,
      finish: [...listReleaseWrites({ before, after }), createAuditEntry(caller, 'releases.publish', id)],
      dryRun: false,
      response: caller.idempotency && respond?.(after),
    },
  )
  return after
}

/**
 * Publishes a release: all of its changes in one transaction, or none. Throws `ReleaseRejected` for errors and conflicts. Has no effect on a
 * published release. Releases and batches of a merchant take turns within an isolate.
 */
export const publishRelease = (caller: Caller, id: string, publication: Publication): Promise<StoredRelease> =>
  withObjectLock(JSON.stringify(['batch', caller.scope.merchantId]), async () => {
    for (let turn = 0; turn < maxWriteAttempts; turn++) {
      try {
        return await attempt(caller, id, publication)
      } catch (error) {
        if (!(error instanceof ConstraintError) || error.kind === 'check') throw error
        await pauseAfter(turn)
      }
    }
    throw busy()
  })
