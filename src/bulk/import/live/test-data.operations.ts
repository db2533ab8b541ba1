import { exampleId, exampleSeconds } from '../../../platform/http/openapi/examples.ts'
import { inputSchema, ref } from '../../../platform/http/openapi/json-schema.ts'
import type { OperationGroup } from '../../../platform/http/openapi/operation.ts'
import { importLimits } from '../import-limits.ts'
import type { ImportView } from '../import-view.ts'
import { testDataFields } from './test-data-fields.ts'

const path = '/merchants/:merchantId/test-data'
const example: ImportView = {
  id: exampleId('imp'),
  format: 'jsonl',
  mapping: 'live',
  match: 'externalId',
  delete: 'missing',
  state: 'checking',
  ...{ rows: 220, checked: 0, applied: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, revision: 0 },
  outcomes: {},
  notices: [],
  createdAt: exampleSeconds,
  updatedAt: exampleSeconds,
}
const common = { path, access: 'key' } as const

/** Operations on the data of test mode. */
export default {
  name: 'Test data',
  description: 'Copies the catalogue of live mode into test mode.',
  schemas: { TestDataCopy: inputSchema(testDataFields) },
  operations: [
    {
      id: 'copyTestData',
      method: 'post',
      ...common,
      scope: 'merchant:write',
      summary: 'Copy live data into test mode',
      description: `Copies products, modifiers and menus with their details, at most ${importLimits.rows.toLocaleString('en')} objects, in the background: as an import of test mode that is applied at once. A copy has the external id \`live:\` and the id of its origin. Another copy updates these objects, and deletes those whose origin no longer exists. Other objects of test mode stay. Test keys are rejected.`,
      body: ref('TestDataCopy'),
      example: { from: 'live' },
      responses: { 202: { description: 'The import.', schema: ref('Import'), headers: ['Location'], example } },
      problems: ['conflict', 'too_many'],
    },
    {
      id: 'retrieveTestData',
      method: 'get',
      ...common,
      scope: 'merchant:read',
      summary: 'Retrieve the last copy of live data',
      description: 'Shows the progress of the copy, and the change set in test mode by which it can be undone.',
      responses: { 200: { description: 'The import.', schema: ref('Import'), example: { ...example, state: 'done' } } },
      problems: ['not_found'],
    },
  ],
} satisfies OperationGroup
