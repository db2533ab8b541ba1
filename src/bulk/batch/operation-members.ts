import type { Issue, IssueCode } from '../../platform/errors.ts'
import { detailedPaths } from '../../platform/names.ts'
import { type OperationKind, operationKinds } from './operation.ts'

type Members = Readonly<
  Record<'id' | 'externalId' | 'ref' | 'ifMatch' | 'body' | 'details' | 'limits', 'required' | 'optional' | 'none'>
>

/** Members that an operation accepts. `update` and `delete` require one of `id` and `externalId`. */
const membersByKind: Readonly<Record<OperationKind, Members>> = {
  create: {
    id: 'none',
    externalId: 'optional',
    ref: 'optional',
    ifMatch: 'none',
    body: 'required',
    details: 'optional',
    limits: 'optional',
  },
  update: {
    id: 'optional',
    externalId: 'optional',
    ref: 'none',
    ifMatch: 'optional',
    body: 'required',
    details: 'optional',
    limits: 'optional',
  },
  upsert: {
    id: 'none',
    externalId: 'required',
    ref: 'optional',
    ifMatch: 'optional',
    body: 'required',
    details: 'optional',
    limits: 'optional',
  },
  delete: {
    id: 'optional',
    externalId: 'optional',
    ref: 'none',
    ifMatch: 'optional',
    body: 'none',
    details: 'none',
    limits: 'none',
  },
}

/** An operation as sent. Empty if it is not an object. */
export interface RawOperation {
  pointer: string
  raw: Readonly<Record<string, unknown>>
}

/** An issue of a member of an operation. */
export const createIssue = (pointer: string, code: IssueCode, message: string): Issue & { pointer: string } => ({
  pointer,
  code,
  message,
})

/** Members beside the body that only some resources have. */
const sideMembers: Readonly<Record<string, { has(path: unknown): boolean; message: string }>> = {
  details: {
    has: (path) => detailedPaths.some((known) => known === path),
    message: 'is a member for products, modifiers, menus and tags only',
  },
  limits: { has: (path) => path === 'coupons', message: 'is a member for coupons only' },
}

/** Issues of members that are missing, or that this kind of operation does not accept. */
export function* listMemberIssues({ raw, pointer }: RawOperation): Iterable<Issue & { pointer: string }> {
  const kind = operationKinds.find((known) => known === raw['op'])
  if (!kind) return
  for (const [name, use] of Object.entries(membersByKind[kind])) {
    const isGiven = raw[name] !== undefined
    if (isGiven && use === 'none') {
      yield createIssue(`${pointer}/${name}`, 'unknown_field', `is not a member of ${kind}`)
    }
    const side = sideMembers[name]
    if (isGiven && side && use !== 'none' && !side.has(raw['resource'])) {
      yield createIssue(`${pointer}/${name}`, 'unknown_field', side.message)
    }
    if (!isGiven && use === 'required') yield createIssue(`${pointer}/${name}`, 'required', 'must be given')
  }
  if (kind !== 'update' && kind !== 'delete') return
  const [hasId, hasExternalId] = [raw['id'] !== undefined, raw['externalId'] !== undefined]
  if (!hasId && !hasExternalId) yield createIssue(`${pointer}/id`, 'required', 'must be given, or externalId')
  if (hasId && hasExternalId) yield createIssue(`${pointer}/externalId`, 'conflict', 'must not be given with id')
}
