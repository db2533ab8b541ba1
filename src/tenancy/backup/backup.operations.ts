import type * as z from 'zod'
import { exampleSeconds } from '../../platform/http/openapi/examples.ts'
import { inputSchema, outputSchema, ref } from '../../platform/http/openapi/json-schema.ts'
import { type ApiOperation, createArrayResponse } from '../../platform/http/openapi/operation.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { backupDays, maxUploadBytes } from './backup-file.ts'
import { backupView, maxListed } from './backup-routes.ts'
import { recoverBody, recoverView } from './recover-routes.ts'
import { partBounds } from './restore/restore-parts.ts'
import { restoreBody, restoreView } from './restore/restore-routes.ts'
import { stepBounds } from './restore/restore-steps.ts'
import { maxLoads } from './restore/run-restore.ts'

const backups = '/admin/merchants/:merchantId/backups'
const backupExample = {
  takenAt: exampleSeconds,
  bytes: 181_022,
  rows: 12_408,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checkedAt: exampleSeconds + 12,
  expiresAt: exampleSeconds + 3_024_000,
} satisfies z.core.output<typeof backupView>

const restore = '/admin/merchants/:merchantId/restore'
const restoreExample = {
  takenAt: exampleSeconds,
  state: 'loading',
  startedAt: exampleSeconds + 3_600,
  savedAt: exampleSeconds + 3_636,
  rows: 10_000,
  totalRows: 12_408,
  omitted: {},
} satisfies z.core.output<typeof restoreView>
const restored = { description: 'The restore.', schema: ref('Restore'), example: restoreExample }

export const backupSchemas = {
  Backup: outputSchema(backupView),
  Restore: outputSchema(restoreView),
  MerchantRecovery: outputSchema(recoverView),
}

/** Operations on backups and restores. */
export const backupOperations: readonly ApiOperation[] = [
  {
    id: 'listBackups',
    method: 'get',
    path: backups,
    summary: 'List the backups of a merchant, newest first',
    description: `Returns up to ${maxListed} backups, even for a deleted merchant.`,
    access: 'operator',
    query: emptyQuery,
    responses: {
      200: createArrayResponse('The backups.', ref('Backup'), [backupExample]),
    },
  },
  {
    id: 'createBackup',
    method: 'post',
    path: backups,
    summary: 'Back up a merchant now',
    description:
      'Writes all rows of the merchant to the bucket of backups as gzip JSON Lines. The file is one snapshot, even while the merchant trades. It is loaded into memory and checked before it is listed. Every night, the service backs up each merchant that has changed.',
    access: 'operator',
    responses: {
      201: { description: 'The new backup.', schema: ref('Backup'), headers: ['Location'], example: backupExample },
    },
    problems: ['conflict', 'busy'],
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
    id: 'uploadBackup',
    method: 'put',
    path: `${backups}/:takenAt`,
    summary: 'Upload a backup',
    description: `Stores a file that was downloaded, so that it can be restored. \`takenAt\` is a time of the last ${backupDays.kept} days, in seconds since 1970-01-01 UTC, unique among the backups of the merchant. Up to ${maxUploadBytes.toLocaleString('en')} bytes.`,
    access: 'operator',
    file: { 'application/gzip': {} },
    responses: { 201: { description: 'The stored backup.', schema: ref('Backup'), example: backupExample } },
    problems: ['assertion_required', 'conflict', 'unsupported_media_type', 'body_too_large'],
  },
  {
    id: 'startRestore',
    method: 'post',
    path: restore,
    summary: 'Start the restore of a merchant from a backup',
    description:
      'Loads the backup into memory. If the backup cannot be restored, returns `conflict` with the reason and changes nothing. Then suspends the merchant, or creates it suspended if it was deleted. The restore continues with `continueRestore`. Starting again before the restore is done restarts it, optionally from another backup. The data before the first start stays backed up.',
    access: 'operator',
    body: inputSchema(restoreBody),
    example: { takenAt: exampleSeconds, replace: true },
    responses: { 200: { ...restored, example: { ...restoreExample, state: 'saving', rows: 0, waitSeconds: 35 } } },
    problems: ['assertion_required', 'conflict', 'busy'],
  },
  {
    id: 'continueRestore',
    method: 'post',
    path: `${restore}/continue`,
    summary: 'Do the next part of a restore',
    description: `Repeat the request until \`state\` is \`done\` or \`failed\`. The restore backs up the previous data, deletes it, inserts the rows of the backup with their ids, times and versions, and compares the number of rows. One request inserts up to ${(stepBounds.pages * partBounds.rows).toLocaleString('en')} rows. If the database rejects the backup, it is loaded up to ${maxLoads} times. Then the previous data is loaded again, and the state is \`failed\`. Requests are safe to repeat. After an interruption, the next request continues. Webhooks are inactive afterwards, pending deliveries and open imports are cancelled, and erased customers are erased again. Keys are restored only for a deleted merchant.`,
    access: 'operator',
    responses: { 200: restored },
    problems: ['assertion_required', 'conflict', 'busy'],
  },
  {
    id: 'retrieveRestore',
    method: 'get',
    path: restore,
    summary: 'Retrieve the last restore of a merchant',
    access: 'operator',
    responses: { 200: restored },
  },
  {
    id: 'recoverMerchant',
    method: 'post',
    path: '/admin/merchants/:merchantId/recover',
    summary: 'Recover the data of a merchant at an earlier time',
    description:
      'For a merchant whose `home` is `object`. All later writes are lost. Settings, keys and names of tags do not change. Customers that were erased later are erased again. If the response is not `200`, the data may still have been recovered. Repeat the request.',
    access: 'operator',
    body: inputSchema(recoverBody),
    example: { at: exampleSeconds },
    responses: {
      200: {
        description: 'The recovery.',
        schema: ref('MerchantRecovery'),
        example: { at: exampleSeconds, erased: 0 },
      },
    },
    problems: ['not_supported', 'conflict'],
  },
]
