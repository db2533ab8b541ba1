import { ApiError, type RestoreResult } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { readNames } from '../../app/operations.ts'
import { describeError } from '../../app/problems.ts'
import { hasScope } from '../../app/session.ts'
import { getLabel } from '../../screens/tables/table-label.ts'

/** Resources whose deleted objects the service restores, by the prefix of their ids. */
const restorables = {
  prod: 'products',
  mod: 'modifiers',
  menu: 'menus',
  coup: 'coupons',
  cus: 'customers',
  tag: 'tags',
} as const
export type Restorable = (typeof restorables)[keyof typeof restorables]

/** The resources whose objects the session may restore. */
export const listRestorable = () => Object.values(restorables).filter((resource) => hasScope(`${resource}:write`))
/** The resource of a scope, if its deleted objects can be restored. */
export const findRestorable = (scope: string) =>
  Object.values(restorables).find((resource) => scope.startsWith(`${resource}:`))
const findResource = (id: string) => Object.entries(restorables).find(([prefix]) => id.startsWith(`${prefix}_`))?.[1]

/** A deleted object. `operation`, `object` and `key` name its actor as entries of the audit log do. */
export interface DeletedEntry {
  resource: Restorable
  id: string
  title: string
  deletedAt: number
  operation: ''
  object: string
  key: string
}

/** Reads a page of the deleted objects of a resource, the last deleted first. */
export async function readDeleted(
  resource: Restorable,
  query: { limit: number; cursor?: string },
): Promise<{ items: DeletedEntry[]; cursor: string | undefined }> {
  const { items, cursor } = await api()[resource].deleted(query).page()
  const entries = items.map(({ id, title, deletedAt, by = 'system', object }) => ({
    ...{ resource, id, deletedAt, operation: '' as const, object: id, key: by },
    title: 'alias' in object ? getLabel(object) : title,
  }))
  return { items: entries, cursor }
}

/** The titles of objects that are deleted, as far as the session may read them. */
async function readDeletedTitles(ids: readonly string[]): Promise<string[]> {
  const byResource = Map.groupBy(ids, findResource)
  const lists = await Promise.all(
    [...byResource].map(async ([resource, wanted]) => {
      if (!resource || !hasScope(`${resource}:read`)) return []
      const { items } = await readDeleted(resource, { limit: 100 })
      return items.filter(({ id }) => wanted.includes(id)).map(({ title }) => title)
    }),
  )
  return lists.flat()
}

/** A restored object in words: where it stands again, and what did not return. */
export async function describeRestored(
  resource: Restorable,
  title: string,
  { omitted, placed }: RestoreResult,
): Promise<string> {
  const { object, history: texts } = t()
  const taken = omitted.find(({ field }) => field === 'externalId')
  const gone = omitted.filter(({ field }) => field !== 'externalId').map(({ id }) => id)
  const [places, missing] = await Promise.all([readNames(placed), readDeletedTitles(gone)])
  const isPlaced = resource === 'products' || resource === 'modifiers'
  const parts = [
    object.restored(title),
    places.length > 0 && texts.placedIn(places.join(', ')),
    isPlaced && placed.length === 0 && texts.placedNowhere[resource],
    gone.length > 0 &&
      (missing.length < gone.length ? texts.withoutSome(gone.length) : texts.without(missing.join(', '))),
    taken && texts.idTaken(taken.id),
  ]
  return parts.filter(Boolean).join(' ')
}

/** Why an object could not be restored, in words. */
export function describeRestoreError(error: unknown): string {
  const { history: texts } = t()
  if (!(error instanceof ApiError)) return describeError(error)
  if (error.status === 410 || error.status === 404) return texts.tooLate
  if (error.status === 409 && error.errors.some((issue) => 'pointer' in issue && issue.pointer === '/code'))
    return texts.codeTaken
  return describeError(error)
}
