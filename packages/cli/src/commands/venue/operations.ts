import { isRecord } from '../../files.ts'
import { findSimilar } from '../../similar.ts'
import type { FileIssue } from './file-issues.ts'
import { toPointer } from './json-pointer.ts'
import { type LiveObject, type LiveVenue, nameOf } from './live-venue.ts'
import { mapAllReferences } from './references.ts'
import {
  countedFields,
  type ReferencePath,
  referencePaths,
  type VenueResource,
  venueResources,
} from './venue-fields.ts'
import type { VenueFile, VenueObject } from './venue-file.ts'

/** An operation of a batch, with what it changes. */
export interface VenueStep {
  resource: VenueResource
  key: string
  /** The object of the service; undefined if the step creates it. */
  live: LiveObject | undefined
  operation: {
    op: 'upsert' | 'update' | 'delete'
    resource: VenueResource
    id?: string
    externalId?: string
    body?: Record<string, unknown>
    details?: Record<string, unknown>
    limits?: Record<string, unknown>
  }
  /** Names of objects that the file creates, and to which this object refers. */
  created: ReadonlySet<string>
}

/** An id that the service makes. An external id can have this form, but only that of an existing object. */
const idForm = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/

/** The pointer of a member of an operation, in the file: fields of the body stand beside `details` and `limits`. */
export function toFilePointer({ resource, key }: Pick<VenueStep, 'resource' | 'key'>, pointer: string): string {
  return toPointer([resource, key]) + pointer.replace(/^\/body(?=\/|$)/, '')
}

/** The fields of an object without those that the service counts, if the object exists. */
const withoutCounted = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !countedFields.has(name)))

/** The operations that make a venue like a file. Throws `FileError` for unknown references. */
export function listSteps(file: VenueFile, venue: LiveVenue): VenueStep[] {
  const issues: FileIssue[] = []
  const named = new Set(file.objects.map(({ resource, key }) => nameOf(resource, key)))

  /** A reference as the service takes it. */
  function resolve(text: string, to: ReferencePath['to'], pointer: string, created: Set<string>): unknown {
    const live = venue.find(to, text)
    if (live) return live.id
    if (named.has(nameOf(to, text))) {
      created.add(nameOf(to, text))
      return { externalId: text }
    }
    const objects = [...file.objects, ...venue.objects].filter(({ resource }) => resource === to)
    const keys = objects.flatMap((each) => ('key' in each ? each.key : (each.externalId ?? [])))
    const similar = findSimilar(text, keys)
    const hint = similar === undefined ? '' : `: did you mean ${similar}?`
    issues.push({ pointer, message: `${text} must be one of the ${to} of the file or the venue${hint}` })
    return undefined
  }

  function toStep({ resource, key, body, details, limits }: VenueObject): VenueStep {
    const created = new Set<string>()
    const live = venue.find(resource, key)
    if (!live && idForm.test(key)) {
      issues.push({ pointer: toPointer([resource, key]), message: 'must be the id of an object, or an external id' })
    }
    const resolveAll = (value: Record<string, unknown>, paths: readonly ReferencePath[], member: string) =>
      mapAllReferences(value, paths, (reference, to, pointer) =>
        typeof reference === 'string'
          ? resolve(reference, to, toPointer([resource, key]) + member + pointer, created)
          : reference,
      )
    const { body: ofBody, details: ofDetails } = referencePaths[resource]
    const resolved = resolveAll(body, ofBody, '')
    return {
      resource,
      key,
      live,
      created,
      operation: {
        resource,
        ...(live && live.externalId === undefined ? { op: 'update', id: live.id } : { op: 'upsert', externalId: key }),
        body: live ? withoutCounted(resolved) : resolved,
        ...(details && { details: resolveAll(details, ofDetails, '/details') }),
        ...(limits && { limits }),
      },
    }
  }

  const steps = file.objects.map(toStep)
  if (issues.length > 0) throw file.toError(issues)
  // Objects that name created ones of their own resource follow them, if they are in another batch.
  const rankOf = ({ resource, created }: VenueStep) =>
    venueResources.indexOf(resource) * 2 + (Array.from(created).some((name) => name.startsWith(`${resource}/`)) ? 1 : 0)
  return steps.sort((a, b) => rankOf(a) - rankOf(b))
}

/** Deletions of the objects with an external id that a file does not name, of the resources that it has. Menus first. */
export function listDeletions({ objects, resources }: VenueFile, venue: LiveVenue): VenueStep[] {
  const kept = new Set(objects.map(({ resource, key }) => venue.find(resource, key)?.id))
  return venue.objects
    .flatMap((live): VenueStep[] => {
      const { resource, id, externalId } = live
      if (externalId === undefined || !resources.has(resource) || kept.has(id)) return []
      return [{ resource, key: externalId, live, created: new Set(), operation: { op: 'delete', resource, id } }]
    })
    .sort((a, b) => venueResources.indexOf(b.resource) - venueResources.indexOf(a.resource))
}

/** The operation without references to objects that no operation of its batch creates, so that a dry run can check the rest. */
export function withoutUnknown({ operation, resource }: VenueStep, known: ReadonlySet<string>): VenueStep['operation'] {
  let omitted = 0
  const omit = (reference: unknown, to: string) => {
    if (!isRecord(reference) || known.has(`${to}/${reference['externalId']}`)) return reference
    omitted++
    return undefined
  }
  const { body, details, ...others } = operation
  const { body: ofBody, details: ofDetails } = referencePaths[resource]
  const checkedBody = body && mapAllReferences(body, ofBody, omit)
  const inBody = omitted
  const checkedDetails = details && mapAllReferences(details, ofDetails, omit)
  return {
    ...others,
    ...(checkedBody && { body: checkedBody }),
    ...(checkedDetails && omitted === inBody && { details: checkedDetails }),
  }
}
