import type * as z from 'zod'
import { metricsTypes } from '../../admin/operator/open-metrics.ts'
import { withDescriptions } from '../../platform/http/openapi/descriptions.ts'
import { exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { createArrayResponse, type OperationGroup } from '../../platform/http/openapi/operation.ts'
import { rebuildBatchSize, rebuildQuery, rebuildView } from '../../storefront/tags/tag-rebuild.ts'
import { backupOperations, backupSchemas } from '../../tenancy/backup/backup.operations.ts'
import { retainedView } from './purges.ts'

const tableDescriptions = {
  name: 'Name of the table. In `scan_counts` the receipts of scans expire; the counts stay.',
  retentionSeconds: 'Retention time of a row in seconds.',
  oldestAt: 'Time of the oldest row, in seconds since 1970-01-01 UTC. Absent if the table is empty.',
  overdueSeconds: 'Time since the oldest row expired, in seconds. 0 if no row has expired. Purges run every minute.',
}

const rebuildExample = {
  tags: 97,
  tombstones: 3,
  merchants: 0,
  removed: 0,
  cursor: 'tags:7KQ2M5XZ8CE4FA9R',
} satisfies z.core.output<typeof rebuildView>

export default {
  name: 'Maintenance',
  description: 'Backups, restores, metrics, retention of expired rows, and repair after a restore of the database.',
  schemas: {
    RetainedTable: withDescriptions(outputSchema(retainedView), tableDescriptions),
    TagRebuild: outputSchema(rebuildView),
    ...backupSchemas,
  },
  operations: [
    {
      id: 'retrieveMaintenance',
      method: 'get',
      path: '/admin/maintenance',
      summary: 'List the tables whose rows expire, with the age of the oldest row',
      access: 'operator',
      responses: {
        200: createArrayResponse('All tables with expiring rows.', ref('RetainedTable'), [
          { name: 'events', retentionSeconds: 2_592_000, oldestAt: exampleSeconds, overdueSeconds: 0 },
        ]),
      },
    },
    ...backupOperations,
    {
      id: 'readMetrics',
      method: 'get',
      path: '/admin/metrics',
      summary: 'Read metrics in the text format of Prometheus or OpenMetrics',
      description:
        'For Prometheus and other monitoring systems. The format is OpenMetrics 1.0 if `Accept` names `application/openmetrics-text`, otherwise the text format of Prometheus. Later releases can add metrics.',
      access: 'operator',
      responses: {
        200: {
          description: 'The metrics.',
          schema: { type: 'string' },
          contentType: metricsTypes.prometheus.replace(/;.*/, ''),
          otherContent: { [metricsTypes.openMetrics.replace(/;.*/, '')]: { type: 'string' } },
        },
      },
    },
    {
      id: 'rebuildTags',
      method: 'post',
      path: '/admin/rebuild-tags',
      summary: 'Rebuild the KV copies of tags and merchants from the database',
      description: `Processes up to ${rebuildBatchSize} keys per request. Repeat the request with the \`cursor\` of the response until \`cursor\` is absent. Requests are safe to repeat.`,
      access: 'operator',
      query: rebuildQuery,
      responses: {
        200: { description: 'The results of this batch.', schema: ref('TagRebuild'), example: rebuildExample },
      },
      problems: ['unavailable', 'busy'],
    },
  ],
} satisfies OperationGroup
