import type { Reference } from '../../../catalogue/resource/definition.ts'
import { withoutNulls } from '../../../catalogue/resource/merge-patch.ts'
import type { Issue } from '../../../platform/errors.ts'
import { createId } from '../../../platform/lib/ids.ts'
import { isObject } from '../../../platform/lib/schema-guard.ts'
import { batchResources, getBatchResource } from '../../batch/batch-resource.ts'
import { type ObjectName, resolveNames } from '../../batch/body-names.ts'
import { replaceNames } from '../../batch/details/detailed-batch.ts'
import { type Current, getTitle } from '../plan/find-current.ts'
import { type ReleasedPath, releasedPaths } from '../release-limits.ts'
import type { ReleaseOperation, ReleaseParts } from '../release-view.ts'
import { type GivenOperation, parseParts } from './given-operation.ts'
import { findBase, getPointed, listSetValues, mergeParts } from './pointers.ts'

/** The operations of a release on some objects, after a request has added some. */
interface DraftPlan {
  written: readonly ReleaseOperation[]
  removed: readonly Pick<ReleaseOperation, 'path' | 'target'>[]
  /** The objects of the operations of the request. */
  drafted: readonly { index: number; resource: ReleasedPath; id: string }[]
  issues: readonly Issue[]
}

/** An operation of a request with its object. */
interface Target {
  given: GivenOperation
  at: string
  id: string
  /** The operation of the release on the object. */
  earlier: ReleaseOperation | undefined
  verb: ReleaseOperation['verb'] | 'none'
}

const toKey = (path: string, id: string) => `${path} ${id}`

/** Finds objects by the names that a request can use: ids, refs of the request, and external ids of stored and of new objects. */
function createNames(current: Current, rows: readonly ReleaseOperation[]) {
  const deleted = new Set(rows.flatMap(({ verb, path, target }) => (verb === 'delete' ? [toKey(path, target)] : [])))
  const created = new Map(
    rows.flatMap(({ path, target, externalId }) =>
      externalId === undefined ? [] : [[toKey(path, externalId), target] as const],
    ),
  )
  const refs = new Map<string, string>()
  return {
    add({ resource, ref, externalId }: GivenOperation, id: string) {
      if (ref !== undefined) refs.set(ref, id)
      if (externalId !== undefined) created.set(toKey(resource, externalId), id)
    },
    /** The object with an external id, after the operations of the release. */
    findId(path: ReleasedPath, externalId: string): string | undefined {
      const stored = current.findId(path, externalId)
      const isKept = stored !== undefined && !deleted.has(toKey(path, stored))
      return isKept ? stored : created.get(toKey(path, externalId))
    },
    resolve(path: ReleasedPath, name: ObjectName): string | undefined {
      if ('id' in name) return name.id
      return 'ref' in name ? refs.get(name.ref) : this.findId(path, name.externalId)
    },
  }
}
type Names = ReturnType<typeof createNames>

const unresolved = (pointer: string): Issue => ({
  pointer,
  code: 'unresolved_reference',
  message: 'does not name an object of the release or of the catalogue',
})

const pathOf = ({ target }: Pick<Reference, 'target'>) => {
  const path = batchResources.find(({ resource }) => resource.table === target)?.resource.path
  return releasedPaths.find((known) => known === path)
}

/** An operation with ids in place of all other names. */
function withIds(given: GivenOperation, at: string, names: Names, current: Current) {
  const issues: Issue[] = []
  const toId = (path: ReleasedPath | undefined, name: ObjectName, pointer: string) => {
    const id = path && names.resolve(path, name)
    if (id === undefined) issues.push(unresolved(`${at}${pointer}`))
    // It does not exist, so that it has no other issue.
    return id ?? createId('none')
  }
  let body: unknown = given.body
  for (const reference of getBatchResource(given.resource).resource.references) {
    body = resolveNames(body, reference, (name) => toId(pathOf(reference), name, `/body${name.pointer}`))
  }
  const detailed = current.detailed.find(({ batch }) => batch.resource.path === given.resource)
  const details =
    given.details &&
    detailed &&
    replaceNames(detailed, given.details, ({ target, name }) => toId(target, name, name.pointer))
  return { operation: { ...given, ...(isObject(body) && { body }), ...(details && { details }) }, detailed, issues }
}

/** Finds the object of an operation; a new object gets its id. */
function toTarget(
  given: GivenOperation,
  index: number,
  names: Names,
  rows: ReadonlyMap<string, ReleaseOperation>,
): Target {
  const { op, resource, externalId } = given
  const at = `/operations/${index}`
  const named =
    given.id ?? (op === 'create' || externalId === undefined ? undefined : names.findId(resource, externalId))
  const isNew = op === 'create' || (op === 'upsert' && named === undefined)
  const id = isNew ? createId(getBatchResource(resource).resource.idPrefix) : (named ?? '')
  return {
    given,
    at,
    id,
    earlier: rows.get(toKey(resource, id)),
    verb: isNew ? 'create' : op === 'delete' ? 'delete' : 'update',
  }
}

/** Values before the release, of the fields that it sets now. Those of fields that it has set already stay. */
function toBase(parts: ReleaseParts, earlier: ReleaseOperation | undefined, before: ReleaseParts) {
  const known = earlier?.base ?? {}
  return Object.fromEntries(
    [...listSetValues(parts).keys()].map((pointer) => {
      const own = findBase(known, pointer)
      return [pointer, own ? own.value : getPointed(before, pointer)]
    }),
  )
}

/** Merges the operations of a request into those of a release, `rows`: all on the same objects, and those with external ids. */
export function planDraft(
  given: readonly GivenOperation[],
  rows: readonly ReleaseOperation[],
  current: Current,
): DraftPlan {
  const byObject = new Map(rows.map((row) => [toKey(row.path, row.target), row]))
  const names = createNames(current, rows)
  const issues: Issue[] = []
  const written: ReleaseOperation[] = []
  const removed: Pick<ReleaseOperation, 'path' | 'target'>[] = []
  const targets = given.map((operation, index) => {
    const target = toTarget(operation, index, names, byObject)
    if (target.verb === 'create') names.add(operation, target.id)
    return target
  })
  const seen = new Set<string>()
  for (const { given: operation, at, id, earlier, verb } of targets) {
    const { resource: path, externalId } = operation
    const member = operation.id === undefined ? 'externalId' : 'id'
    if (seen.has(toKey(path, id)) && id !== '') {
      issues.push({
        pointer: `${at}/${member}`,
        code: 'duplicate',
        message: 'names the object of an earlier operation',
      })
    }
    seen.add(toKey(path, id))
    const { operation: named, detailed, issues: unnamed } = withIds(operation, at, names, current)
    const isCreate = verb === 'create'
    const { parts, issues: found } = parseParts(named, isCreate, detailed)
    issues.push(...unnamed, ...found.map((issue) => ({ ...issue, pointer: `${at}${issue.pointer}` })))
    const stored = isCreate ? undefined : current.toParts(path, id, parts)
    if (!isCreate && !stored && earlier?.verb !== 'create') {
      issues.push({
        pointer: `${at}/${member}`,
        code: 'not_found',
        message: 'does not name an object that this key can access',
      })
      continue
    }
    const title = stored?.title ?? getTitle(parts.body ?? {})
    if (verb === 'delete') {
      if (earlier?.verb === 'create') removed.push({ path, target: id })
      else written.push({ path, target: id, verb, title, parts: {}, base: {} })
      continue
    }
    if (earlier?.verb === 'delete') {
      issues.push({
        pointer: `${at}/${member}`,
        code: 'conflict',
        message: 'is deleted by an earlier operation of the release',
      })
      continue
    }
    if (isCreate) {
      const body = withoutNulls(parts.body ?? {})
      const complete = { ...parts, ...(isObject(body) && { body }) }
      written.push({ path, target: id, verb, externalId, title, parts: complete, base: {} })
      continue
    }
    const isNew = earlier?.verb === 'create'
    const merged = earlier ? mergeParts(earlier.parts, parts, { isCreate: isNew, stored: stored?.parts }) : parts
    written.push({
      ...{ path, target: id, verb: isNew ? 'create' : 'update', externalId: earlier?.externalId },
      title: isNew ? getTitle(merged.body ?? {}) : title,
      parts: merged,
      base: isNew ? {} : toBase(merged, earlier, stored?.parts ?? {}),
    })
  }
  const drafted = targets.map(({ given: { resource }, id }, index) => ({ index, resource, id }))
  return { written, removed, drafted, issues }
}
