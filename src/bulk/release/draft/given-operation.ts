import type * as z from 'zod/mini'
import { limitRules } from '../../../checkout/coupon-limits.ts'
import { availabilityRules } from '../../../checkout/stock/availability.ts'
import { optionAvailabilityRules } from '../../../checkout/stock/option-availability.ts'
import type { Issue, IssueCode } from '../../../platform/errors.ts'
import { type ParsedBody, parseFields } from '../../../platform/http/validation.ts'
import { detailedPaths } from '../../../platform/names.ts'
import { getBatchResource } from '../../batch/batch-resource.ts'
import type { DetailedBatch } from '../../batch/details/detailed-batch.ts'
import { isTooLarge } from '../../batch/plan/plan-bodies.ts'
import type { releaseOperation } from '../release-fields.ts'
import type { ReleaseParts } from '../release-view.ts'

/** An operation of a request, and its position there. */
export type GivenOperation = z.output<typeof releaseOperation>

type PointedIssue = Issue & { pointer: string }
const createIssue = (pointer: string, code: IssueCode, message: string): PointedIssue => ({ pointer, code, message })

const partsOf = {
  details: { paths: detailedPaths, name: 'products, modifiers and menus' },
  availability: { paths: ['products', 'modifiers'], name: 'products and modifiers' },
  limits: { paths: ['coupons'], name: 'coupons' },
} as const

/** Issues of members that are missing, or that an operation does not accept. */
function* listMemberIssues(operation: GivenOperation, at: string): Iterable<PointedIssue> {
  const { op, resource, id, externalId, ref, body } = operation
  const isNew = op === 'create' || op === 'upsert'
  const reject = (name: string) => createIssue(`${at}/${name}`, 'unknown_field', `is not a member of ${op}`)
  if (isNew && id !== undefined) yield reject('id')
  if (!isNew && ref !== undefined) yield reject('ref')
  if (isNew && body === undefined) yield createIssue(`${at}/body`, 'required', 'must be given')
  if (op === 'upsert' && externalId === undefined) yield createIssue(`${at}/externalId`, 'required', 'must be given')
  if (!isNew && id === undefined && externalId === undefined)
    yield createIssue(`${at}/id`, 'required', 'must be given, or externalId')
  if (!isNew && id !== undefined && externalId !== undefined)
    yield createIssue(`${at}/externalId`, 'conflict', 'must not be given with id')
  const given = (['details', 'availability', 'limits'] as const).filter((name) => operation[name] !== undefined)
  if (op === 'update' && body === undefined && given.length === 0)
    yield createIssue(`${at}/body`, 'required', 'must be given, or details, availability or limits')
  if (op === 'delete') for (const name of body ? ['body', ...given] : given) yield reject(name)
  for (const name of given) {
    const { paths, name: owners } = partsOf[name]
    if (op !== 'delete' && !paths.some((path) => path === resource))
      yield createIssue(`${at}/${name}`, 'unknown_field', `is a member for ${owners} only`)
  }
}

/** Issues of several operations of a request. */
function* listRepeated(operations: readonly GivenOperation[]): Iterable<PointedIssue> {
  const seen = new Set<string>()
  for (const [index, { resource, id, externalId, ref }] of operations.entries()) {
    for (const [name, value] of Object.entries({ id, externalId, ref })) {
      if (value === undefined) continue
      const key = JSON.stringify([name === 'ref' ? '' : resource, name, value])
      if (seen.has(key))
        yield createIssue(`/operations/${index}/${name}`, 'duplicate', 'was used by an earlier operation')
      seen.add(key)
    }
  }
}

/** Issues of the shape of operations. */
export const listShapeIssues = (operations: readonly GivenOperation[]): PointedIssue[] => [
  ...operations.flatMap((operation, index) => [...listMemberIssues(operation, `/operations/${index}`)]),
  ...listRepeated(operations),
]

/** Validates the fields of an operation whose names of objects are replaced with ids. */
export function parseParts(
  { resource, body, details, availability, limits }: GivenOperation,
  isCreate: boolean,
  detailed: DetailedBatch | undefined,
): { parts: ReleaseParts; issues: readonly PointedIssue[] } {
  const { resource: definition, updateRules } = getBatchResource(resource)
  const parsed: Partial<Record<keyof ReleaseParts, ParsedBody>> = {
    ...(body && { body: parseFields(isCreate ? definition.create : updateRules, body) }),
    ...(details && detailed && { details: parseFields(detailed.definition.body, details) }),
    ...(availability && {
      availability:
        resource === 'products'
          ? parseFields(availabilityRules, availability)
          : parseFields(optionAvailabilityRules, availability),
    }),
    ...(limits && { limits: parseFields(limitRules, limits) }),
  }
  const issues: PointedIssue[] = []
  const parts: ReleaseParts = {}
  for (const [name, { patch, issues: found }] of Object.entries(parsed)) {
    for (const issue of found) issues.push({ ...issue, pointer: `/${name}${'pointer' in issue ? issue.pointer : ''}` })
    Reflect.set(parts, name, patch)
  }
  if (body && !isCreate) {
    for (const field of Object.keys(definition.counters))
      if (Object.hasOwn(body, field))
        issues.push(createIssue(`/body/${field}`, 'unknown_field', 'is a counter, which a release does not change'))
  }
  for (const name of ['body', 'details'] as const)
    if (parts[name] && isTooLarge(parts[name])) issues.push(createIssue(`/${name}`, 'too_large', 'is too large'))
  return { parts, issues }
}
