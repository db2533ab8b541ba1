import * as z from 'zod/mini'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { ResourcePath } from '../../platform/names.ts'
import { operationView, type ReleaseView, releaseFailure } from './release-fields.ts'
import { type ReleasedPath, releasedPaths } from './release-limits.ts'
import type { StoredOperation, StoredRelease } from './release-statements.ts'

const fields = z.record(z.string(), z.unknown())
export const storedParts = z.object({
  body: z.optional(fields),
  details: z.optional(fields),
  availability: z.optional(fields),
  limits: z.optional(fields),
})
/** Fields of an object that a release sets, by where they are stored. */
export type ReleaseParts = z.output<typeof storedParts>
export const partNames = ['body', 'details', 'availability', 'limits'] as const

/** An operation of a release. */
export interface ReleaseOperation extends Pick<StoredOperation, 'target' | 'verb'> {
  path: ReleasedPath
  externalId?: string | undefined
  title?: string | undefined
  parts: ReleaseParts
  /** Values before the release, by JSON pointers into `parts`; null: not set. */
  base: Readonly<Record<string, unknown>>
}

const isReleasedPath = (path: string): path is ReleasedPath => releasedPaths.some((known) => known === path)

/** The released resource of a path. Throws `not_found` for another one. */
export function toReleasedPath(path: string): ReleasedPath {
  if (!isReleasedPath(path)) throw notFound()
  return path
}

/** An operation as stored. */
export const readOperation = ({
  path,
  target,
  verb,
  externalId,
  title,
  parts,
  base,
}: StoredOperation): ReleaseOperation => ({
  path: toReleasedPath(path),
  target,
  verb,
  externalId: externalId ?? undefined,
  title: title ?? undefined,
  parts: storedParts.parse(parts),
  base: fields.parse(base),
})

/** An operation as the API shows it. */
export const toOperationView = ({ path, target, verb, externalId, title, parts, base }: ReleaseOperation) =>
  operationView.parse({ resource: path, id: target, op: verb, externalId, title, ...parts, base })

/** A release as the API shows it. */
export const toReleaseView = (stored: StoredRelease): ReleaseView => ({
  id: stored.id,
  title: stored.title,
  ...(stored.note !== null && { note: stored.note }),
  state: stored.state,
  ...(stored.publishAt !== null && { publishAt: stored.publishAt }),
  version: stored.version,
  changes: stored.changes,
  author: stored.author,
  ...(stored.publishedAt !== null && { publishedAt: stored.publishedAt }),
  ...(stored.publishedBy !== null && { publishedBy: stored.publishedBy }),
  ...(stored.changeSet !== null && { changeSet: stored.changeSet }),
  ...(stored.state === 'failed' && stored.failure !== null && { failure: releaseFailure.parse(stored.failure) }),
  createdAt: stored.createdAt,
  updatedAt: stored.updatedAt,
})

/** The error of a request that the state of a release does not allow. */
export const releaseStateConflict = ({ state }: Pick<StoredRelease, 'state'>, verb: string) =>
  new ApiError('conflict', `A release in the state ${state} cannot be ${verb}.`)

/** Whether a release can still be changed and published. */
export const isOpenRelease = ({ state }: Pick<StoredRelease, 'state'>) =>
  state === 'draft' || state === 'scheduled' || state === 'failed'

/** Throws `forbidden` if the merchant lets only others than the author publish a release, and set its time. */
export function requireOther(
  publishBy: string | null | undefined,
  { author }: Pick<StoredRelease, 'author'>,
  actor: string | undefined,
): void {
  if (publishBy !== 'other' || author !== actor) return
  throw new ApiError(
    'forbidden',
    'Another person than its author must publish a release of this merchant, and set its time (publishBy).',
  )
}

/** The scopes with a right to each of some resources. */
export const listScopes = (paths: Iterable<ResourcePath>, right: 'read' | 'write') =>
  [...new Set(paths)].map((path) => `${path}:${right}` as const)
