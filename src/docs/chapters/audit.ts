import { auditDays } from '../../core/audit.ts'
import { auditQuery, entryView } from '../../merchants/audit.ts'
import { type Chapter, listAnswer } from '../operations.ts'
import { outputSchema, ref } from '../schemas.ts'

export const auditChapter = (): Chapter => ({
  name: 'Audit',
  description: 'Who changed what.',
  schemas: { AuditEntry: outputSchema(entryView) },
  operations: [
    {
      id: 'listAuditEntries',
      method: 'get',
      path: '/merchants/:merchantId/audit',
      summary: `List the changes of ${auditDays} days, newest first`,
      description: 'Those that were made with keys of the same mode; what the operator did counts as live.',
      access: 'key',
      scope: 'audit:read',
      query: auditQuery,
      answers: { 200: listAnswer(ref('AuditEntry')) },
    },
  ],
})
