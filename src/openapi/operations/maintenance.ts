import type * as z from 'zod'
import { retainedView } from '../../maintenance.ts'
import { rebuildBatchSize, rebuildQuery, rebuildView } from '../../tags/tag-rebuild.ts'
import { maintenanceTexts, withDescriptions } from '../descriptions.ts'
import { exampleSeconds } from '../examples.ts'
import { outputSchema, ref } from '../json-schema.ts'
import type { OperationGroup } from '../operation.ts'

const rebuildExample = {
  tags: 97,
  tombstones: 3,
  merchants: 0,
  removed: 0,
  cursor: 'tags:7KQ2M5XZ8CE4FA9R',
} satisfies z.core.output<typeof rebuildView>

export const maintenanceChapter = (): OperationGroup => ({
  name: 'Maintenance',
  description: 'Backlog of what the service deletes when it expires, and what the operator does after a restore.',
  schemas: {
    RetainedTable: withDescriptions(outputSchema(retainedView), maintenanceTexts),
    TagRebuild: outputSchema(rebuildView),
  },
  operations: [
    {
      id: 'retrieveMaintenance',
      method: 'get',
      path: '/admin/maintenance',
      summary: 'List the tables whose rows expire, with the age of the oldest row of each',
      access: 'operator',
      responses: {
        200: {
          description: 'All of them.',
          schema: { type: 'array', items: ref('RetainedTable') },
          example: [{ name: 'events', retentionSeconds: 2_592_000, oldestAt: exampleSeconds, overdueSeconds: 0 }],
        },
      },
    },
    {
      id: 'rebuildTags',
      method: 'post',
      path: '/admin/rebuild-tags',
      summary: 'Rebuild the KV copies of tags and merchants from the database',
      description: `Processes up to ${rebuildBatchSize} keys for each request. Repeat it with the \`cursor\` of the response until there is none. Repeating a request is safe.`,
      access: 'operator',
      query: rebuildQuery,
      responses: { 200: { description: 'What this batch did.', schema: ref('TagRebuild'), example: rebuildExample } },
      problems: ['unavailable', 'busy'],
    },
  ],
})
