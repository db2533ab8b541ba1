import type * as z from 'zod'
import { openMetricsType } from '../../admin/operator/open-metrics.ts'
import { backupView, maxListed } from '../../backup/backup-routes.ts'
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

const backups = '/admin/merchants/:merchantId/backups'
const backupExample = {
  takenAt: exampleSeconds,
  bytes: 181_022,
  rows: 12_408,
  expiresAt: exampleSeconds + 3_024_000,
} satisfies z.core.output<typeof backupView>

export const createMaintenanceGroup = (): OperationGroup => ({
  name: 'Maintenance',
  description: 'Backups, metrics, retention of expired rows, and repair after a restore of the database.',
  schemas: {
    RetainedTable: withDescriptions(outputSchema(retainedView), maintenanceTexts),
    TagRebuild: outputSchema(rebuildView),
    Backup: outputSchema(backupView),
  },
  operations: [
    {
      id: 'retrieveMaintenance',
      method: 'get',
      path: '/admin/maintenance',
      summary: 'List the tables whose rows expire, with the age of the oldest row',
      access: 'operator',
      responses: {
        200: {
          description: 'All tables with expiring rows.',
          schema: { type: 'array', items: ref('RetainedTable') },
          example: [{ name: 'events', retentionSeconds: 2_592_000, oldestAt: exampleSeconds, overdueSeconds: 0 }],
        },
      },
    },
    {
      id: 'listBackups',
      method: 'get',
      path: backups,
      summary: 'List the backups of a merchant, newest first',
      description: `Returns up to ${maxListed} backups, also of a merchant that was deleted.`,
      access: 'operator',
      responses: {
        200: {
          description: 'The backups.',
          schema: { type: 'array', items: ref('Backup') },
          example: [backupExample],
        },
      },
    },
    {
      id: 'createBackup',
      method: 'post',
      path: backups,
      summary: 'Back up a merchant now',
      description:
        'Writes all rows of the merchant to the bucket of backups: gzip JSON Lines. Every night the service does the same for each merchant that has changed.',
      access: 'operator',
      responses: {
        201: { description: 'The new backup.', schema: ref('Backup'), headers: ['Location'], example: backupExample },
      },
      problems: ['conflict'],
    },
    {
      id: 'downloadBackup',
      method: 'get',
      path: `${backups}/:takenAt`,
      summary: 'Download a backup',
      access: 'operator',
      responses: {
        200: {
          description: 'The file.',
          schema: {},
          contentType: 'application/gzip',
          headers: ['Content-Disposition'],
        },
      },
    },
    {
      id: 'readMetrics',
      method: 'get',
      path: '/admin/metrics',
      summary: 'Read metrics in the text format of OpenMetrics',
      description: 'For a monitoring system such as Prometheus. Metrics can be added.',
      access: 'operator',
      responses: {
        200: {
          description: 'The metrics.',
          schema: { type: 'string' },
          contentType: openMetricsType.replace(/;.*/, ''),
        },
      },
    },
    {
      id: 'rebuildTags',
      method: 'post',
      path: '/admin/rebuild-tags',
      summary: 'Rebuild the KV copies of tags and merchants from the database',
      description: `Processes up to ${rebuildBatchSize} keys per request. Repeat the request with the \`cursor\` of the response until the response has none. Requests are safe to repeat.`,
      access: 'operator',
      query: rebuildQuery,
      responses: {
        200: { description: 'The results of this batch.', schema: ref('TagRebuild'), example: rebuildExample },
      },
      problems: ['unavailable', 'busy'],
    },
  ],
})
