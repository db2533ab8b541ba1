import { type Caller, createEventValues, createSenders } from '../../../catalogue/resource/caller.ts'
import { requireScopes } from '../../../platform/auth/authenticate.ts'
import type { Database } from '../../../platform/db/database.ts'
import { commit, isUndoneIf } from '../../../platform/db/transaction.ts'
import type { Bindings } from '../../../platform/env.ts'
import { ApiError, merchantSuspended } from '../../../platform/errors.ts'
import { log } from '../../../platform/lib/log.ts'
import { nowInSeconds } from '../../../platform/lib/time.ts'
import { fanOut, toPendingDeliveries } from '../../../platform/outbox/fan-out.ts'
import { toChanged } from '../draft/add-operations.ts'
import { listReleaseWrites, readRelease } from '../draft/write-release.ts'
import type { ReleaseFailure } from '../release-fields.ts'
import { retrySeconds } from '../release-limits.ts'
import type { Due } from './find-due.ts'
import { findRights } from './find-rights.ts'
import { publishRelease, ReleaseRejected, toEventText } from './publish-release.ts'
import { releaseEvents } from './release-events.ts'

/** A caller on behalf of the key or the member that scheduled a release. */
function createCaller(env: Bindings, database: Database, due: Due, later: (work: Promise<void>) => void): Caller {
  const { merchantId, testMode, scheduledBy, baseUrl } = due
  return {
    database,
    scope: { merchantId, testMode },
    actor: scheduledBy ?? 'system',
    validationContext: { allowInsecureWebhooks: Boolean(env.ALLOW_INSECURE_WEBHOOKS), endpoints: env, ownHosts: [] },
    renderContext: { baseUrl: baseUrl ?? undefined },
    ...createSenders(env, merchantId, later),
  }
}

const permanentCodes: readonly string[] = [
  'batch_failed',
  'release_conflict',
  'forbidden',
  'batch_too_large',
  'invalid_request',
]

/** Why a release is not published. Undefined: it is tried again. */
function toFailure(error: unknown, { publishAt }: Due): ReleaseFailure | undefined {
  if (error instanceof ReleaseRejected) return error.failure
  const isOver = nowInSeconds() >= (publishAt ?? 0) + retrySeconds
  const { code, message } =
    error instanceof ApiError ? error : { code: 'unavailable', message: 'The database did not respond.' }
  return isOver || permanentCodes.includes(code) ? { code, message, errors: [], conflicts: [] } : undefined
}

/** Marks a release as failed, and raises `release.failed`. */
async function fail(caller: Caller, { id }: Due, failure: ReleaseFailure): Promise<void> {
  const before = await readRelease(caller, id)
  if (before.state !== 'scheduled') return
  const after = { ...toChanged(before), state: 'failed' as const, failure }
  const { code, message, errors, conflicts } = failure
  const event = toEventText(after, { code, message, errors: errors.length, conflicts: conflicts.length })
  const values = createEventValues(caller)
  try {
    const [, ...results] = await commit(
      caller,
      { operation: 'releases.fail', object: id },
      listReleaseWrites({ before, after }),
      [
        [releaseEvents.failed(), { ...values, release: event }],
        [fanOut(), values],
      ],
    )
    caller.enqueue(toPendingDeliveries(results.at(-1) ?? []))
  } catch (error) {
    // Somebody has changed the release since it was read.
    if (!isUndoneIf(error)) throw error
  }
}

async function publishOne(env: Bindings, caller: Caller, due: Due): Promise<void> {
  try {
    const { isSuspended, exists, scopes } = await findRights(env, due.merchantId, due.scheduledBy ?? '')
    if (isSuspended) throw merchantSuspended()
    if (!exists) throw new ApiError('forbidden', 'Who scheduled the release has no access any more.')
    requireScopes(scopes, ['releases:publish'])
    await publishRelease(caller, due.id, { overwrite: false, grantedScopes: scopes, isScheduled: true })
  } catch (error) {
    const failure = toFailure(error, due)
    if (failure) await fail(caller, due, failure)
    else log(env, 'release not published yet', { merchant: due.merchantId, release: due.id, error: String(error) })
  }
}

/**
 * Publishes scheduled releases whose time has come, one after the other: those of the same second by their ids, so that the second one is judged on
 * the result of the first. `connect` returns the database of a merchant.
 */
export async function publishDue(
  env: Bindings,
  due: readonly Due[],
  connect: (merchantId: string) => Database,
): Promise<void> {
  const sending: Promise<void>[] = []
  for (const release of due) {
    const caller = createCaller(env, connect(release.merchantId), release, (work) => void sending.push(work))
    await publishOne(env, caller, release)
  }
  await Promise.all(sending)
}
