import * as z from 'zod/mini'
import type { Issue } from '../../platform/errors.ts'
import * as field from '../../platform/http/fields.ts'
import { type BodyRules, parseFields } from '../../platform/http/validation.ts'
import { isObject } from '../../platform/lib/schema-guard.ts'
import { resourcePaths } from '../../platform/names.ts'
import { batchResources } from './batch-resource.ts'
import { listNames } from './body-names.ts'
import { type BatchMode, type BatchOperation, batchModes, operationKinds } from './operation.ts'
import { createIssue, listMemberIssues, type RawOperation } from './operation-members.ts'

const { limits } = field

/** Maximum length of a name in a `ref`, without the `#`. */
const maxRefLength = 63
const refForm = new RegExp(`^#[A-Za-z0-9_-]{1,${maxRefLength}}$`)

/** An operation as clients send it. `op` decides which members are required. */
export const operationSchema = z.strictObject({
  op: z
    .enum(operationKinds)
    .check(
      z.describe(
        '`create` and `upsert` require `body`, `upsert` also `externalId`. `update` requires `body`. `update` and `delete` require `id` or `externalId`. An `upsert` updates the object with the external id, or creates it.',
      ),
    ),
  resource: z.enum(resourcePaths).check(z.describe('Resource of the object.')),
  id: z.optional(field.reference).check(z.describe('Id of the object of an `update` or `delete`.')),
  externalId: z
    .optional(field.externalId)
    .check(z.describe('External id of the object. A `create` sets it; it must be unique.')),
  ref: z
    .optional(z.string().check(z.regex(refForm, { error: `must be # and 1 to ${maxRefLength} of A-Z a-z 0-9 _ -` })))
    .check(
      z.describe(
        `Name of the object of a \`create\` or \`upsert\` in this batch: \`#\` and 1 to ${maxRefLength} of \`A-Z a-z 0-9 _ -\`. All bodies of the batch can name the object by it.`,
      ),
    ),
  ifMatch: z
    .optional(z.string())
    .check(z.describe('Entity tag that the object of an `update`, `upsert` or `delete` must have, as in `If-Match`.')),
  body: z
    .optional(z.record(z.string(), z.unknown()))
    .check(
      z.describe(
        'Body of the single operation. An id of an object can be replaced by a `ref` or by `{"externalId": "…"}`.',
      ),
    ),
  details: z
    .optional(z.record(z.string(), z.unknown()))
    .check(
      z.describe(
        `Details of a product, a modifier or a menu, as \`POST …/details\` takes them. They are merged after the bodies of all operations, and name objects like \`body\`. Not for \`delete\`.`,
      ),
    ),
  limits: z
    .optional(z.record(z.string(), z.unknown()))
    .check(
      z.describe(
        'Limits of a coupon, as `POST …/limits` takes them. They are merged after the bodies of all operations. Not for `delete`.',
      ),
    ),
})

const isNotEmpty: field.Rule<readonly unknown[]> = ({ length }) =>
  length === 0 ? { code: 'too_short', message: 'must have at least one element' } : undefined

/** The body of a batch. */
export const envelopeSchema = z.strictObject({
  mode: z
    .optional(z.enum(batchModes))
    .check(
      z.describe(
        '`atomic`: if an operation fails, nothing is changed. `independent`: each operation succeeds or fails alone. Default: `atomic`.',
      ),
    ),
  operations: field
    .list(operationSchema, limits.operations)
    .check(field.rules(isNotEmpty), z.describe('Operations on different objects.')),
})

/** Keys that must be unique among the operations, each with its member. */
function* listUniqueKeys({ op, resource, id, externalId, ref }: RawOperation['raw']): Iterable<[string, string]> {
  if (typeof ref === 'string') yield ['ref', ref]
  if (typeof id === 'string') yield ['id', JSON.stringify([resource, id])]
  if (typeof externalId !== 'string') return
  // A deletion releases the external id, so an object that the batch creates can use it.
  if (op === 'create' || op === 'upsert') yield ['externalId', JSON.stringify([resource, externalId, 'owner'])]
  if (op !== 'create') yield ['externalId', JSON.stringify([resource, externalId, 'target'])]
}

function* listDuplicateIssues(operations: readonly RawOperation[]): Iterable<Issue & { pointer: string }> {
  const seen = new Set<string>()
  for (const { raw, pointer } of operations) {
    const keys = [...listUniqueKeys(raw)].map(([name, value]) => ({ name, key: `${name} ${value}` }))
    const repeated = keys.find(({ key }) => seen.has(key))
    if (repeated) yield createIssue(`${pointer}/${repeated.name}`, 'duplicate', 'was used by an earlier operation')
    for (const { key } of keys) seen.add(key)
  }
}

/** Issues of refs in bodies that are not defined by an operation. */
function* listRefIssues(operations: readonly RawOperation[]): Iterable<Issue & { pointer: string }> {
  const defined = new Set(operations.map(({ raw }) => raw['ref']))
  for (const { raw, pointer } of operations) {
    const known = batchResources.find(({ resource }) => resource.path === raw['resource'])
    for (const reference of known?.resource.references ?? []) {
      for (const name of listNames(raw['body'], reference)) {
        if (!('ref' in name) || defined.has(name.ref)) continue
        yield createIssue(
          `${pointer}/body${name.pointer}`,
          'unresolved_reference',
          'is not the ref of an operation of the batch',
        )
      }
    }
  }
}

const rules: BodyRules<unknown> = {
  schema: envelopeSchema,
  partial: z.partial(envelopeSchema),
  readOnly: new Set(),
  hasOpenParts: true,
}

interface Envelope {
  mode: BatchMode
  operations: readonly BatchOperation[]
  /** Issues of shape, size and refs, and of several operations on the same object. */
  issues: readonly Issue[]
}

/** Body, details and limits of an operation as sent: a record of zod lacks a member named `__proto__`, which their rules report. */
function takeBodies({ raw: { body, details, limits } }: RawOperation) {
  return {
    ...(isObject(body) && { body }),
    ...(isObject(details) && { details }),
    ...(isObject(limits) && { limits }),
  }
}

/** Reads the body of a batch. The operations are complete if there is no issue. */
export function readEnvelope(body: Readonly<Record<string, unknown>>): Envelope {
  const { patch, issues } = parseFields(rules, { ...body })
  const { operations: raws } = body
  const operations = (Array.isArray(raws) ? raws.slice(0, limits.operations) : []).flatMap(
    (raw: unknown, index): RawOperation[] => (isObject(raw) ? [{ raw, pointer: `/operations/${index}` }] : []),
  )
  const reported = new Set(issues.map((issue) => ('pointer' in issue ? issue.pointer : undefined)))
  const more = [
    ...operations.flatMap((operation) => [...listMemberIssues(operation)]),
    ...listDuplicateIssues(operations),
    ...listRefIssues(operations),
  ].filter(({ pointer }) => !reported.has(pointer))
  const parsed = z.partial(envelopeSchema).parse(patch)
  return {
    mode: parsed.mode ?? 'atomic',
    operations: (parsed.operations ?? []).map((operation, index) => {
      const sent = operations[index]
      return sent ? { ...operation, ...takeBodies(sent) } : operation
    }),
    issues: [...issues, ...more],
  }
}

/** The resources that the operations of a body name. */
export function listTouchedPaths({ operations }: Readonly<Record<string, unknown>>) {
  const named = new Set<unknown>(
    Array.isArray(operations) ? operations.map((raw) => isObject(raw) && raw['resource']) : [],
  )
  return resourcePaths.filter((path) => named.has(path))
}
