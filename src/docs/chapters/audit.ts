import type * as z from 'zod'
import { auditQuery, entryView } from '../../admin/audit-routes.ts'
import { auditRetentionDays } from '../../db/audit-log.ts'
import { exampleId, exampleSeconds } from '../examples.ts'
import { type Chapter, listAnswer } from '../operations.ts'
import { outputSchema, ref } from '../schemas.ts'
import { auditTexts, withTexts } from '../texts.ts'

const entry = {
  id: exampleId('aud'),
  at: exampleSeconds,
  key: exampleId('key'),
  requestId: exampleId('req'),
  operation: 'products.update',
  object: exampleId('prod'),
  testMode: false,
} satisfies z.core.output<typeof entryView>

export const auditChapter = (): Chapter => ({
  name: 'Audit',
  description: 'Who changed what.',
  schemas: { AuditEntry: withTexts(outputSchema(entryView), auditTexts) },
  operations: [
    {
      id: 'listAuditEntries',
      method: 'get',
      path: '/merchants/:merchantId/audit',
      summary: `List the changes of ${auditRetentionDays} days, newest first`,
      description: 'Those that were made with keys of the same mode; what the operator did counts as live.',
      access: 'key',
      scope: 'audit:read',
      query: auditQuery,
      answers: { 200: listAnswer(ref('AuditEntry'), entry) },
    },
  ],
})
