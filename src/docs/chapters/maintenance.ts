import { retainedView } from '../../maintenance.ts'
import { exampleSeconds } from '../examples.ts'
import type { Chapter } from '../operations.ts'
import { outputSchema, ref } from '../schemas.ts'
import { maintenanceTexts, withTexts } from '../texts.ts'

export const maintenanceChapter = (): Chapter => ({
  name: 'Maintenance',
  description: 'Backlog of what the service deletes when it expires.',
  schemas: { RetainedTable: withTexts(outputSchema(retainedView), maintenanceTexts) },
  operations: [
    {
      id: 'retrieveMaintenance',
      method: 'get',
      path: '/admin/maintenance',
      summary: 'List the tables whose rows expire, with the age of the oldest row of each',
      access: 'operator',
      answers: {
        200: {
          description: 'All of them.',
          schema: { type: 'array', items: ref('RetainedTable') },
          example: [{ name: 'events', retentionSeconds: 2_592_000, oldestAt: exampleSeconds, overdueSeconds: 0 }],
        },
      },
    },
  ],
})
