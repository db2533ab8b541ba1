import type * as z from 'zod'
import { auditRetentionDays } from '../platform/db/audit-log.ts'
import { maxExaminedRows } from '../platform/http/keyset-list.ts'
import { objectDescriptions, withDescriptions } from '../platform/http/openapi/descriptions.ts'
import { exampleId, exampleSeconds } from '../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../platform/http/openapi/json-schema.ts'
import { createListResponse, type OperationGroup } from '../platform/http/openapi/operation.ts'
import { auditQuery, entryView } from './audit-routes.ts'

const entry = {
  id: exampleId('aud'),
  at: exampleSeconds,
  key: exampleId('key'),
  requestId: exampleId('req'),
  operation: 'products.update',
  object: exampleId('prod'),
  title: 'Espresso',
  testMode: false,
} satisfies z.core.output<typeof entryView>

export const auditDescriptions = {
  id: objectDescriptions.id,
  testMode: 'Whether the object belongs to test mode.',
  requestId: 'Id of the request that made the change. Absent if no request made it.',
}

export default {
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
} satisfies OperationGroup
