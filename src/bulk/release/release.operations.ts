import type * as z from 'zod'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createListResponse, notModified, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { pageQuery } from '../../platform/http/pagination.ts'
import {
  checkView,
  draftedView,
  operationView,
  releaseCreate,
  releaseOperation,
  releaseOperations,
  releasePreview,
  releasePreviewView,
  releasePublish,
  releaseUpdate,
  releaseView,
} from './release-fields.ts'
import { releaseLimits } from './release-limits.ts'

const draft = {
  id: exampleId('rel'),
  title: 'Autumn menu',
  state: 'draft',
  version: 1,
  changes: 2,
  author: exampleId('key'),
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
} satisfies z.core.output<typeof releaseView>
const product = exampleId('prod')
const drafted = {
  ...draft,
  operations: [
    { index: 0, resource: 'products', id: product },
    { index: 1, resource: 'menus', id: exampleId('menu') },
  ],
} satisfies z.core.output<typeof draftedView>
const operation = {
  resource: 'products',
  id: product,
  op: 'update',
  title: 'Pumpkin soup',
  body: { price: 7.5 },
  base: { '/body/price': 6.9 },
} satisfies z.core.output<typeof operationView>
const operations = [
  { op: 'create', resource: 'products', ref: '#soup', body: { title: 'Pumpkin soup', price: '7.50' } },
  {
    op: 'update',
    resource: 'menus',
    id: exampleId('menu'),
    body: { sections: [{ title: 'Autumn', items: ['#soup'] }] },
  },
]

const check = {
  ok: false,
  errors: [],
  conflicts: [{ resource: 'products', id: product, field: '/body/price', base: 6.9, yours: 7.5, current: 7.2 }],
  changes: [
    {
      ...{ resource: 'products', id: product, op: 'update', title: 'Pumpkin soup' },
      ...{ before: { '/body/price': 7.2 }, after: { '/body/price': 7.5 } },
    },
  ],
} satisfies z.core.output<typeof checkView>

const path = '/merchants/:merchantId/releases'
const object = `${path}/:releaseId`
const shownUrl = `https://menu.example/m/${exampleId('mer')}?release=${exampleId('rel')}.live.`
const reading = { access: 'key', scope: 'releases:read' } as const
const writing = { access: 'key', scope: 'releases:write', method: 'post' } as const
const respond = (description: string, example: object, schema = 'Release') => ({
  description,
  schema: ref(schema),
  headers: ['ETag'] as const,
  example,
})

export default {
  name: 'Releases',
  description: 'Changes that are prepared, checked, shown to people, and published together, at once or at a time.',
  schemas: {
    Release: outputSchema(releaseView),
    ReleaseCreate: (() => {
      const { properties: { operations: list, ...properties } = {}, ...schema } = inputSchema(releaseCreate)
      const named = typeof list === 'object' ? { ...list, items: ref('ReleaseChange') } : {}
      return { ...schema, properties: { ...properties, operations: named } }
    })(),
    ReleaseUpdate: inputSchema(releaseUpdate),
    ReleaseChange: inputSchema(releaseOperation),
    ReleaseChanges: (() => {
      const { properties: { operations: list } = {}, ...schema } = inputSchema(releaseOperations)
      const named = typeof list === 'object' ? { ...list, items: ref('ReleaseChange') } : {}
      return { ...schema, properties: { operations: named } }
    })(),
    ReleaseDraft: outputSchema(draftedView),
    ReleaseCheck: outputSchema(checkView),
    ReleasePreviewCreate: inputSchema(releasePreview),
    ReleasePreview: outputSchema(releasePreviewView),
    ReleasePublication: inputSchema(releasePublish),
    ReleaseOperation: outputSchema(operationView),
  },
  operations: [
    {
      id: 'createRelease',
      path,
      summary: 'Create a release',
      description: `Prepares changes of products, modifiers, menus and coupons, with their details, availability and limits. Nothing else sees them until the release is published. Requires \`<resource>:read\` of each resource, with \`publishAt\` the scopes of publishing. A merchant can have ${releaseLimits.open} releases in each mode that are neither published nor cancelled. A release is deleted after ${releaseLimits.days} days.`,
      ...writing,
      body: ref('ReleaseCreate'),
      example: { title: 'Autumn menu', operations },
      responses: { 201: respond('The release, with the ids of its new objects.', drafted, 'ReleaseDraft') },
      problems: ['too_many', 'batch_too_large', 'busy'],
    },
    {
      id: 'listReleases',
      method: 'get',
      path,
      summary: 'List releases, newest first',
      ...reading,
      query: pageQuery,
      responses: { 200: createListResponse(ref('Release'), draft) },
    },
    {
      id: 'retrieveRelease',
      method: 'get',
      path: object,
      summary: 'Retrieve a release',
      ...reading,
      responses: { 200: respond('The release.', draft), 304: notModified },
      problems: ['not_found'],
    },
    {
      id: 'updateRelease',
      path: object,
      summary: 'Change title, note or time of a release',
      description:
        'A `publishAt` requires the scopes of publishing, and so does a change of a scheduled release. `publishAt: null` makes it a draft again. A change makes a failed release a draft.',
      ...writing,
      body: ref('ReleaseUpdate'),
      example: { publishAt: exampleSeconds + 86_400 },
      condition: 'If-Match',
      responses: {
        200: respond('The release.', { ...draft, state: 'scheduled', publishAt: exampleSeconds + 86_400, version: 2 }),
      },
      problems: ['not_found', 'conflict', 'busy'],
    },
    {
      id: 'listReleaseOperations',
      method: 'get',
      path: `${object}/operations`,
      summary: 'List the operations of a release',
      description: 'Requires `<resource>:read` of the resources of the page.',
      ...reading,
      query: pageQuery,
      responses: { 200: createListResponse(ref('ReleaseOperation'), operation) },
      problems: ['not_found'],
    },
    {
      id: 'addReleaseOperations',
      path: `${object}/operations`,
      summary: 'Add operations to a release',
      description:
        'Merges each operation into the earlier one on the same object, field by field (RFC 7396). A `delete` replaces it; an `update` after a `delete` is rejected. Values before the release are stored with it, so that later changes by others are found.',
      ...writing,
      body: ref('ReleaseChanges'),
      example: { operations },
      condition: 'If-Match',
      responses: { 200: respond('The release.', { ...drafted, version: 2 }, 'ReleaseDraft') },
      problems: ['not_found', 'conflict', 'batch_too_large', 'busy'],
    },
    {
      id: 'removeReleaseOperation',
      ...writing,
      method: 'delete',
      path: `${object}/operations/:targetId`,
      summary: 'Remove the operation on an object from a release',
      description: 'Has no effect if the release has no operation on the object.',
      condition: 'If-Match',
      responses: { 200: respond('The release.', { ...draft, version: 2, changes: 1 }) },
      problems: ['not_found', 'conflict', 'busy'],
    },
    {
      id: 'checkRelease',
      path: `${object}/check`,
      summary: 'Check a release',
      description:
        'Plans the publication from the present state, and writes nothing. Requires `<resource>:read` of the resources of its operations.',
      ...reading,
      method: 'post',
      ignoresIdempotencyKey: true,
      responses: { 200: { description: 'The result.', schema: ref('ReleaseCheck'), example: check } },
      problems: ['not_found', 'batch_too_large'],
    },
    {
      id: 'previewRelease',
      path: `${object}/preview-link`,
      summary: 'Create an address that shows the hosted menu after a release',
      description: `Whoever has the address sees the release as it is when they open it, over the present catalogue. Operations that cannot be published are left out. The address is valid for up to ${releaseLimits.previewHours} hours, and returns \`404\` after the release was published or cancelled. Its responses are not cached, and search engines do not index them. Requires \`<resource>:read\` of the resources of its operations.`,
      ...reading,
      method: 'post',
      ignoresIdempotencyKey: true,
      body: ref('ReleasePreviewCreate'),
      isBodyOptional: true,
      example: { hours: 48, at: exampleSeconds },
      responses: {
        200: {
          ...{ description: 'The signed address.', schema: ref('ReleasePreview') },
          example: {
            url: `${shownUrl}${exampleSeconds}.${exampleSeconds + 172_800}.7KQ2M5XZ8CE4FA9R`,
            expiresAt: exampleSeconds + 172_800,
          },
        },
      },
      problems: ['not_found', 'conflict'],
    },
    {
      id: 'publishRelease',
      path: `${object}/publish`,
      summary: 'Publish a release',
      description:
        'Makes all of its changes in one transaction, or none, also of 5,000 objects. Returns `503` `busy` if objects kept changing, and `422` with `too_many` if a release of more than 500 objects has more than 20,000 deliveries to webhooks. Requires `<resource>:write` of the resources of its operations too. Returns `409` `release_conflict` if somebody else has changed a field since it was put into the release, unless `overwrite` is `true`. Raises the events of the changes, then `release.published`. Has no effect on a published release.',
      ...writing,
      scope: 'releases:publish',
      body: ref('ReleasePublication'),
      isBodyOptional: true,
      example: { overwrite: false },
      condition: 'If-Match',
      responses: {
        200: respond('The release.', {
          ...draft,
          ...{ state: 'published', version: 2, publishedAt: exampleSeconds, publishedBy: exampleId('key') },
        }),
      },
      problems: ['not_found', 'conflict', 'batch_failed', 'batch_too_large', 'release_conflict', 'busy'],
    },
    {
      id: 'cancelRelease',
      path: `${object}/cancel`,
      summary: 'Cancel a release',
      description: 'Ends the release. A scheduled one requires the scopes of publishing.',
      ...writing,
      condition: 'If-Match',
      responses: { 200: respond('The release.', { ...draft, state: 'cancelled', version: 2 }) },
      problems: ['not_found', 'conflict', 'busy'],
    },
  ],
} satisfies OperationGroup
