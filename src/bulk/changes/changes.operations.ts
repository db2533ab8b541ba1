import { versionView } from '../../catalogue/resource/history/version-view.ts'
import { limits } from '../../platform/http/fields.ts'
import { exampleId, exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { changeRetentionDays } from './change-retention.ts'
import { changesQuery, objectsQuery } from './change-routes.ts'
import { type ChangeSetView, changeSetView } from './change-set-view.ts'
import { changeObjectsView } from './undo/objects-view.ts'
import { undoQuery } from './undo/undo-routes.ts'
import { undoPlanView, undoView } from './undo/undo-view.ts'

const path = '/merchants/:merchantId/changes'
const example: ChangeSetView = {
  id: exampleId('chs'),
  kind: 'import',
  at: exampleSeconds,
  updatedAt: exampleSeconds,
  by: exampleId('key'),
  counts: { created: 20, updated: 99, deleted: 0 },
  state: 'done',
}

const object = {
  resource: 'products',
  id: exampleId('prod'),
  change: 'updated',
  before: { price: 3.5 },
  after: { price: 3.8 },
} as const
const undo = {
  ...example,
  kind: 'undo',
  counts: { created: 0, updated: 98, deleted: 20 },
  undoes: exampleId('chs'),
  conflictCount: 1,
  conflicts: [{ resource: 'products', id: exampleId('prod'), reason: 'changed', fields: ['price'] }],
} as const

export default {
  name: 'Changes',
  description: 'Changes that were made together: batches, imports, restores and undone changes.',
  schemas: {
    ChangeSet: outputSchema(changeSetView),
    ChangeSetObjects: outputSchema(changeObjectsView),
    Undo: outputSchema(undoView),
    UndoPlan: outputSchema(undoPlanView),
    ObjectVersion: outputSchema(versionView),
  },
  operations: [
    {
      id: 'listChangeSets',
      method: 'get',
      path,
      summary: `List the change sets of the last ${changeRetentionDays} days, newest first`,
      access: 'key',
      scope: 'changes:read',
      query: changesQuery,
      responses: { 200: createListResponse(ref('ChangeSet'), example) },
    },
    {
      id: 'retrieveChangeSet',
      method: 'get',
      path: `${path}/:changeSetId`,
      summary: 'Retrieve a change set with its objects before and after',
      description:
        'Values of objects require the scope `<resource>:read`; other objects have only their ids. The objects are paged.',
      access: 'key',
      scope: 'changes:read',
      query: objectsQuery,
      responses: {
        200: {
          description: 'The change set, with one page of its objects.',
          schema: ref('ChangeSetObjects'),
          headers: ['Link'],
          example: { ...example, objects: [object] },
        },
      },
      problems: ['not_found'],
    },
    {
      id: 'undoChangeSet',
      method: 'post',
      path: `${path}/:changeSetId/undo`,
      summary: 'Undo a change set',
      description: `Sets changed fields, limits and marks as sold out back, deletes created objects and restores deleted ones, where nobody has changed them since; all else is listed in \`conflicts\` and stays. Stock that an import counted (\`counters=set\`) is taken back by an adjustment of the difference, which requires \`stock:write\`; other counters are never set back. Requires the scope \`<resource>:write\` of each resource that changes. Up to ${limits.operations} objects are undone in one transaction, and a whole release as it was published. More are undone in steps, in the background: \`202\`. An undo is a change set itself. A second request has the result of the first one.`,
      access: 'key',
      scope: 'changes:write',
      query: undoQuery,
      responses: {
        200: {
          description: 'The undo, or with `dryRun` its effect.',
          schema: { oneOf: [ref('Undo'), ref('UndoPlan')] },
          example: undo,
        },
        202: { description: 'The undo is under way.', schema: ref('Undo'), example: { ...undo, state: 'undoing' } },
      },
      problems: ['not_found', 'conflict', 'busy'],
    },
  ],
} satisfies OperationGroup
