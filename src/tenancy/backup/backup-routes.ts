import { Hono } from 'hono'
import * as z from 'zod/mini'
import { requireAssertion } from '../../platform/auth/assertion.ts'
import { repeatOldChecks } from '../../platform/auth/authenticate.ts'
import type { Database } from '../../platform/db/database.ts'
import type { RowOf } from '../../platform/db/query.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Env } from '../../platform/http/context.ts'
import { idempotent } from '../../platform/http/idempotency.ts'
import { emptyQuery } from '../../platform/http/pagination.ts'
import { query } from '../../platform/http/validation.ts'
import { daySeconds } from '../../platform/lib/day.ts'
import { nowInSeconds } from '../../platform/lib/time.ts'
import { backupDays, toBackupKey } from './backup-file.ts'
import { type backupFields, backupStatements as statements } from './backup-statements.ts'

/** Maximum number of backups in a list. */
export const maxListed = 100

/** A backup in responses. */
export const backupView = z.object({
  takenAt: z.int().check(z.describe('Time of the backup, in seconds since 1970-01-01 UTC. Identifies it.')),
  bytes: z.int().check(z.describe('Size of the file in bytes.')),
  rows: z.int().check(z.describe('Number of rows in the file.')),
  sha256: z
    .optional(z.string())
    .check(z.describe('SHA-256 of the file in hexadecimal digits. Absent in backups of earlier releases.')),
  checkedAt: z
    .optional(z.int())
    .check(
      z.describe(
        'Time when the file was last loaded into memory and checked, in seconds since 1970-01-01 UTC. Absent in backups of earlier releases.',
      ),
    ),
  damage: z
    .optional(z.string())
    .check(z.describe('Why the backup cannot be restored, found by the last check. Absent: it can be restored.')),
  expiresAt: z.int().check(z.describe('Time when it is deleted, in seconds since 1970-01-01 UTC.')),
})

function toView({ takenAt, bytes, rows, sha256, checkedAt, damage }: RowOf<typeof backupFields>) {
  const optional = { sha256: sha256 ?? undefined, checkedAt: checkedAt ?? undefined, damage: damage ?? undefined }
  return backupView.parse({ takenAt, bytes, rows, ...optional, expiresAt: takenAt + backupDays.kept * daySeconds })
}

/** Reads a finished backup. */
async function findBackup(database: Database, merchantId: string, takenAt: number) {
  database.usePrimary()
  const [[found]] = await database.run([statements.find(), { merchantId, takenAt }])
  if (!found || found.rows === null) throw notFound()
  return found
}

/** Backups of a merchant. Mounted under `/admin/merchants/:merchantId/backups`. */
export const backupRoutes = new Hono<Env>()
  .get('/', query(emptyQuery), async (c) => {
    const merchantId = c.req.param('merchantId') ?? ''
    const [rows] = await c.var.database.run([statements.list(), { merchantId, limit: maxListed }])
    return c.json(rows.map(toView), 200)
  })
  .post('/', idempotent, async (c) => {
    const merchantId = c.req.param('merchantId') ?? ''
    const now = nowInSeconds()
    const { storeBackup } = await import('./store-backup.ts')
    const stored = await storeBackup(c.env, merchantId, now)
    if (stored) {
      const view = toView(await findBackup(c.var.database, merchantId, stored.takenAt))
      return c.json(view, 201, { Location: `${c.req.path}/${stored.takenAt}` })
    }
    const { database } = c.var
    const find = async () => (await database.run([statements.findMerchant(), { merchantId }]))[0][0]
    const merchant = await database.findNamed(find)
    if (!merchant) throw notFound()
    throw new ApiError(
      'conflict',
      'The merchant is being restored, or another backup was started in this second. Repeat the request.',
    )
  })
  // The file of a deleted merchant contains its keys, which a restore makes valid again.
  .put('/:takenAt', requireAssertion, async (c) => {
    const takenAt = Number(c.req.param('takenAt'))
    const now = nowInSeconds()
    if (!Number.isSafeInteger(takenAt) || takenAt <= now - backupDays.kept * daySeconds || takenAt > now)
      throw notFound()
    const { body } = c.req.raw
    if (c.req.header('content-type') !== 'application/gzip' || !body)
      throw new ApiError('unsupported_media_type', 'The body must be a backup, sent as application/gzip.')
    const { uploadBackup } = await import('./upload-backup.ts')
    const merchantId = c.req.param('merchantId') ?? ''
    // The rights may have ended before the last byte.
    const checked = new TransformStream<Uint8Array, Uint8Array>({ flush: () => repeatOldChecks(c) })
    await uploadBackup(c.env, merchantId, takenAt, body.pipeThrough(checked, { preventCancel: true }))
    return c.json(toView(await findBackup(c.var.database, merchantId, takenAt)), 201)
  })
  .get('/:takenAt', async (c) => {
    const takenAt = Number(c.req.param('takenAt'))
    const merchantId = c.req.param('merchantId') ?? ''
    if (!Number.isSafeInteger(takenAt)) throw notFound()
    await findBackup(c.var.database, merchantId, takenAt)
    const key = toBackupKey(merchantId, takenAt)
    const file = await c.env.BACKUPS.get(key)
    if (!file) throw notFound()
    return c.body(file.body, 200, {
      'Content-Type': 'application/gzip',
      'Content-Length': `${file.size}`,
      'Content-Disposition': `attachment; filename="${key.replace('/', '-')}"`,
    })
  })
