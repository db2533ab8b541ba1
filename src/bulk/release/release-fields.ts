import * as z from 'zod/mini'
import { releaseStates, releaseVerbs } from '../../platform/db/schema/releases/releases.ts'
import { seconds } from '../../platform/http/fields/seconds.ts'
import * as field from '../../platform/http/fields.ts'
import { operationKinds } from '../batch/operation.ts'
import { releasedPaths, releaseLimits } from './release-limits.ts'

const part = z.optional(z.record(z.string(), z.unknown()))

/** An operation as clients put it into a release. `op` decides which members are required. */
export const releaseOperation = z.strictObject({
  op: z
    .enum(operationKinds)
    .check(
      z.describe(
        '`create` and `upsert` require `body`, `upsert` also `externalId`. `update` and `delete` require `id` or `externalId`. `update` requires `body`, `details`, `availability` or `limits`.',
      ),
    ),
  resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
  id: z
    .optional(field.reference)
    .check(z.describe('Id of the object of an `update` or `delete`, which may be new in the release.')),
  externalId: z
    .optional(field.externalId)
    .check(z.describe('External id of the object. A `create` sets it; it must be unique.')),
  ref: z
    .optional(
      z.string().check(z.regex(/^#[A-Za-z0-9_-]{1,63}$/, { error: 'must be # and 1 to 63 of A-Z a-z 0-9 _ -' })),
    )
    .check(z.describe('Name of the object of a `create` or `upsert` in this request, as in a batch.')),
  body: part.check(
    z.describe(
      'Body of the single operation. An id of an object can be replaced by a `ref` or by `{"externalId": "…"}`.',
    ),
  ),
  details: part.check(z.describe('Details of a product, a modifier or a menu, as `POST …/details` takes them.')),
  availability: part.check(
    z.describe('Availability of a product, or of the options of a modifier, as `POST …/availability` takes it.'),
  ),
  limits: part.check(z.describe('Limits of a coupon, as `POST …/limits` takes them.')),
})

const operations = field
  .list(releaseOperation, releaseLimits.operations)
  .check(z.describe('Operations on different objects.'))
const title = field
  .trimmedText({ min: 1, max: releaseLimits.title })
  .check(z.describe('Title of the release, for the people who prepare it.'))
const note = z
  .nullish(field.exactText({ max: releaseLimits.note }))
  .check(z.describe('Note for the people who prepare it.'))
const publishAt = z
  .nullish(seconds)
  .check(
    z.describe(
      'Time at which the release is published, in seconds since 1970-01-01 UTC: in the future, at most a year ahead. Requires the scopes of publishing. `null` and absent: the release is a draft.',
    ),
  )

/** Body that creates a release. */
export const releaseCreate = z.strictObject({ title, note, publishAt, operations: z.optional(operations) })
/** Body that changes a release. */
export const releaseUpdate = z.strictObject({ title: z.optional(title), note, publishAt })
/** Body that adds operations to a release. */
export const releaseOperations = z.strictObject({ operations })
/** Body that publishes a release. */
export const releasePublish = z.strictObject({
  overwrite: z
    .nullish(field.boolean)
    .check(
      z.describe(
        'Whether to publish fields that somebody else has changed since they were put into the release. Default: `false`.',
      ),
    ),
})
/** Body that signs the address of a preview. */
export const releasePreview = z.strictObject({
  hours: z
    .nullish(field.integer(1, releaseLimits.previewHours))
    .check(z.describe(`How long the address is valid, in hours. Default: ${releaseLimits.defaultPreviewHours}.`)),
  at: z
    .nullish(seconds)
    .check(z.describe('Time that it shows, in seconds since 1970-01-01 UTC. Absent: the time at which it is opened.')),
})
/** The address of a preview. */
export const releasePreviewView = z.object({
  url: z
    .string()
    .check(
      z.describe(
        'Address of the hosted menu after the release. The same query at `/m/{merchantId}.json` returns its data, at `/m/{merchantId}/allergens` its allergens. It works without an API key.',
      ),
    ),
  expiresAt: z.int().check(z.describe('Time when the address expires, in seconds since 1970-01-01 UTC.')),
})
const toRules = <Schema extends typeof releaseCreate | typeof releaseUpdate>(schema: Schema) => schema
export const rulesOf = {
  create: {
    schema: toRules(releaseCreate),
    partial: z.partial(releaseCreate),
    readOnly: new Set<string>(),
  },
  update: { schema: toRules(releaseUpdate), partial: z.partial(releaseUpdate), readOnly: new Set<string>() },
  operations: {
    schema: releaseOperations,
    partial: z.partial(releaseOperations),
    readOnly: new Set<string>(),
  },
  preview: { schema: releasePreview, partial: z.partial(releasePreview), readOnly: new Set<string>() },
  publish: { schema: releasePublish, partial: z.partial(releasePublish), readOnly: new Set<string>() },
} as const

const pointerOf = 'JSON pointer into the operation: `/body/price`, `/details/allergens`.'

/** A field that somebody else has changed since it was put into a release. */
const releaseConflict = z.object({
  resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  field: z.string().check(z.describe(pointerOf)),
  base: z
    .optional(z.unknown())
    .check(z.describe('Value when it was put into the release. Absent if the field was not set.')),
  yours: z.optional(z.unknown()).check(z.describe('Value in the release. Absent if the release clears the field.')),
  current: z.optional(z.unknown()).check(z.describe('Value at present. Absent if the field is not set.')),
})
export type ReleaseConflict = z.output<typeof releaseConflict>

/** An operation of a release that cannot be published. */
const releaseError = z.object({
  resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  pointer: z.optional(z.string()).check(z.describe(`${pointerOf} Absent if the error is of the whole operation.`)),
  code: z.string().check(z.describe('Code of the issue, as in a problem.')),
  message: z.string().check(z.describe('Description of the problem.')),
})
export type ReleaseError = z.output<typeof releaseError>

/** Why a release was not published. */
export const releaseFailure = z.object({
  code: z
    .string()
    .check(z.describe('Code of the problem: `release_conflict`, `batch_failed`, `forbidden`, `unavailable` …')),
  message: z.string().check(z.describe('Description of the problem.')),
  errors: z.array(releaseError).check(z.describe('The first 20 errors of operations.')),
  conflicts: z.array(releaseConflict).check(z.describe('The first 20 conflicts.')),
})
export type ReleaseFailure = z.output<typeof releaseFailure>

/** A release as the API shows it. */
export const releaseView = z.object({
  id: z.string().check(z.describe('Id of the release.')),
  title: z.string().check(z.describe('Title of the release.')),
  note: z.optional(z.string()).check(z.describe('Note for the people who prepare it.')),
  state: z.enum(releaseStates).check(z.describe('State of the release.')),
  publishAt: z
    .optional(z.int())
    .check(z.describe('Time at which the release is published, in seconds since 1970-01-01 UTC. Absent without one.')),
  version: z.int().check(z.describe('Increases with every change of the release and of its operations.')),
  changes: z.int().check(z.describe('Number of operations: at most one for each object.')),
  author: z.string().check(z.describe('Id of the key or the member that created the release.')),
  publishedAt: z.optional(z.int()).check(z.describe('Time of publication, in seconds since 1970-01-01 UTC.')),
  publishedBy: z.optional(z.string()).check(z.describe('Id of the key or the member that published or scheduled it.')),
  changeSet: z.optional(z.string()).check(z.describe('Id of the set of its changes, by which they can be undone.')),
  failure: z
    .optional(releaseFailure)
    .check(z.describe('Why the release was not published. Only in the state `failed`.')),
  createdAt: z.int().check(z.describe('Time of creation, in seconds since 1970-01-01 UTC.')),
  updatedAt: z.int().check(z.describe('Time of the last change, in seconds since 1970-01-01 UTC.')),
})
export type ReleaseView = z.output<typeof releaseView>

/** The objects of operations that were put into a release. */
const draftedOperation = z.object({
  index: z.int().check(z.describe('Position of the operation in the request, starting at 0.')),
  resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object. A new object gets this id when the release is published.')),
})
/** A release, and the objects of the operations that a request added. */
export const draftedView = z.extend(releaseView, {
  operations: z.array(draftedOperation).check(z.describe('The objects of the operations of the request.')),
})

/** An operation of a release as the API shows it. */
export const operationView = z.object({
  resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
  id: z.string().check(z.describe('Id of the object.')),
  op: z.enum(releaseVerbs).check(z.describe('Kind of the operation.')),
  externalId: z.optional(z.string()).check(z.describe('External id that a new object gets.')),
  title: z.optional(z.string()).check(z.describe('Title of the object when it was put into the release.')),
  body: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Fields of the object.')),
  details: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Fields of its details.')),
  availability: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Availability.')),
  limits: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Limits of a coupon.')),
  base: z
    .record(z.string(), z.unknown())
    .check(
      z.describe('Values before the release, by JSON pointers into the operation. `null`: the field was not set.'),
    ),
})

/** The result of a check. */
export const checkView = z.object({
  ok: z.boolean().check(z.describe('Whether the release can be published: it has no errors and no conflicts.')),
  errors: z.array(releaseError).check(z.describe('Operations that cannot be published.')),
  conflicts: z.array(releaseConflict).check(z.describe('Fields that somebody else has changed since.')),
  changes: z
    .array(
      z.object({
        resource: z.enum(releasedPaths).check(z.describe('Resource of the object.')),
        id: z.string().check(z.describe('Id of the object.')),
        op: z.enum(releaseVerbs).check(z.describe('Kind of the operation.')),
        title: z.string().check(z.describe('Title of the object, or the code of a coupon.')),
        before: z
          .record(z.string(), z.unknown())
          .check(z.describe('Present values, by JSON pointers. `null`: not set.')),
        after: z
          .record(z.string(), z.unknown())
          .check(z.describe('Values after the release, by JSON pointers. `null`: not set.')),
      }),
    )
    .check(z.describe('Changes of the release. Operations that change nothing are left out.')),
})
