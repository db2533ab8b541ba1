import type * as z from 'zod'
import { auditQuery, entryView } from '../../../src/admin/audit-routes.ts'
import { auditRetentionDays } from '../../../src/platform/db/audit-log.ts'
import { maxExaminedRows } from '../../../src/platform/http/keyset-list.ts'
import { auditDescriptions, withDescriptions } from '../descriptions.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { outputSchema, ref } from '../json-schema.ts'
import { createListResponse, type OperationGroup } from '../operation.ts'

const entry = {
  id: exampleId('aud'),
  at: exampleSeconds,
  key: exampleId('key'),
  requestId: exampleId('req'),
  operation: 'products.update',
  object: exampleId('prod'),
  testMode: false,
} satisfies z.core.output<typeof entryView>

export const createAuditGroup = (): OperationGroup => ({
  name: 'Audit',
  description: 'The log of changes: who changed which object, and when.',
  schemas: { AuditEntry: withDescriptions(outputSchema(entryView), auditDescriptions) },
  operations: [
    {
      id: 'listAuditEntries',
      method: 'get',
      path: '/merchants/:merchantId/audit',
      summary: `List the changes of the last ${auditRetentionDays} days, newest first`,
      description: `Returns changes made with API keys of the same mode. Changes by the operator belong to live mode. With \`key\` or \`operation\`, a page examines at most ${maxExaminedRows} entries, so it may be empty and have a next one.`,
      access: 'key',
      scope: 'audit:read',
      query: auditQuery,
      responses: { 200: createListResponse(ref('AuditEntry'), entry) },
    },
  ],
})
