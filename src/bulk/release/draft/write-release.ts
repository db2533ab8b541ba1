import { busy, maxWriteAttempts, pauseAfter, withObjectLock } from '../../../catalogue/resource/object-lock.ts'
import type { Actor } from '../../../platform/db/transaction.ts'
import { commit, isUndoneIf, type Write } from '../../../platform/db/transaction.ts'
import { ApiError, type Issue, notFound } from '../../../platform/errors.ts'
import { isPreconditionMet, type Precondition, preconditionFailed, toState } from '../../../platform/http/etag.ts'
import { toJsonLists } from '../../../platform/lib/encoding/json-lists.ts'
import { releaseLimits } from '../release-limits.ts'
import { releaseStatements, type StoredRelease } from '../release-statements.ts'
import { isOpenRelease, type ReleaseOperation, releaseStateConflict } from '../release-view.ts'

const utf8 = new TextEncoder()

/** Reads a release from the latest state. Throws `not_found`. */
export async function readRelease(
  { database, scope }: Pick<Actor, 'database' | 'scope'>,
  id: string,
): Promise<StoredRelease> {
  const find = async () => (await database.run([releaseStatements.find(), { ...scope, release: id }]))[0][0]
  const found = await database.findNamed(find)
  if (!found) throw notFound()
  return found
}

/** Requires that a release can be changed, and is in the state that a request names. */
export function requireOpen(stored: StoredRelease, condition: Precondition | undefined, verb: string): void {
  if (condition && !isPreconditionMet(condition, toState(stored.version, stored))) throw preconditionFailed()
  if (!isOpenRelease(stored)) throw releaseStateConflict(stored, verb)
}

/** An operation as a row, with its size. */
export function toOperationRow({ path, target, verb, externalId, title, parts, base }: ReleaseOperation) {
  const texts = { parts: JSON.stringify(parts), base: JSON.stringify(base) }
  const bytes = utf8.encode(texts.parts).length + utf8.encode(texts.base).length
  return { path, target, verb, externalId, title, ...texts, bytes }
}

const tooMany = (pointer: string, message: string): Issue => ({ pointer, code: 'too_many', message })

/** Issues of a release with too many operations, or too large ones. */
export function* listSizeIssues({ changes, bytes }: Pick<StoredRelease, 'changes' | 'bytes'>): Iterable<Issue> {
  if (changes > releaseLimits.changes)
    yield tooMany('/operations', `must leave the release with at most ${releaseLimits.changes} operations`)
  if (bytes > releaseLimits.bytes)
    yield tooMany('/operations', `must leave the release within ${releaseLimits.bytes} bytes`)
}

/** The problem of one more release than a merchant can have open. */
export const tooManyOpen = () =>
  new ApiError('too_many', `A merchant can have ${releaseLimits.open} releases in each mode that are not published.`)

/** A change of a release that was read, and the operations that it writes and removes. */
interface ReleaseChange {
  /** The release before the change. Absent: it is new. */
  before?: StoredRelease | undefined
  after: StoredRelease
  written?: readonly ReleaseOperation[]
  removed?: readonly Pick<ReleaseOperation, 'path' | 'target'>[]
  /** Name in the audit log, without the resource. */
  verb: string
  response: Response
}

/** The statements that write a release and its operations, if the release is as it was read. */
export function listReleaseWrites({
  before,
  after,
  written = [],
  removed = [],
}: Omit<ReleaseChange, 'response' | 'verb'>): Write {
  const { merchantId, testMode, id: release } = after
  const values = { merchantId, testMode, release }
  const lists = (rows: readonly object[]) => toJsonLists(rows).map((list) => ({ ...values, rows: list }))
  return [
    ...(before ? [[releaseStatements.requireVersion(), { ...values, expected: before.version }] as const] : []),
    ...(before ? [] : [[releaseStatements.insert(), { ...after }] as const]),
    ...lists(removed).map((named) => [releaseStatements.remove(), named] as const),
    ...lists(written.map(toOperationRow)).map((named) => [releaseStatements.write(), named] as const),
    ...(before ? [[releaseStatements.update(), { ...after, ...values }] as const] : []),
  ]
}

/** Changes a release; `plan` reads it and plans the change, again if somebody else has changed it since it was read. Returns the response. */
export const changeRelease = (
  actor: Actor,
  key: string,
  plan: () => Promise<ReleaseChange | Response>,
): Promise<Response> =>
  withObjectLock(JSON.stringify(['release', actor.scope, key]), async () => {
    // Only the latest state can justify a rejection.
    actor.database.usePrimary()
    for (let attempt = 0; attempt < maxWriteAttempts; attempt++) {
      const change = await plan()
      if (change instanceof Response) return change
      const operation = { operation: `releases.${change.verb}`, object: change.after.id, response: change.response }
      try {
        await commit(actor, operation, listReleaseWrites(change))
        return change.response
      } catch (error) {
        if (!isUndoneIf(error)) throw error
        await pauseAfter(attempt)
      }
    }
    throw busy()
  })
