import { Hono } from 'hono'
import * as z from 'zod/mini'
import { ApiError, notFound } from '../errors.ts'
import type { Env } from '../http/context.ts'
import { idempotent } from '../http/idempotency.ts'
import { emptyQuery } from '../http/pagination.ts'
import { query } from '../http/validation.ts'
import { daySeconds } from '../lib/day.ts'
import { nowInSeconds } from '../lib/now.ts'
import { backupDays, toBackupKey } from './backup-file.ts'
import { backupStatements as statements } from './backup-statements.ts'

/** Most backups in a list. */
export const maxListed = 100

/** A backup in responses. */
export const backupView = z.object({
  takenAt: z.int().check(z.describe('Time of the backup, in seconds since 1970-01-01 UTC. Identifies it.')),
  bytes: z.int().check(z.describe('Size of the file in bytes.')),
  rows: z.int().check(z.describe('Number of rows in the file.')),
  expiresAt: z.int().check(z.describe('Time when it is deleted, in seconds since 1970-01-01 UTC.')),
})

const toView = ({ takenAt, bytes, rows }: { takenAt: number; bytes: number | null; rows: number | null }) =>
  backupView.parse({ takenAt, bytes, rows, expiresAt: takenAt + backupDays.kept * daySeconds })

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
    if (stored) return c.json(toView(stored), 201, { Location: `${c.req.path}/${stored.takenAt}` })
    const [[existing]] = await c.var.database.run([statements.find(), { merchantId, takenAt: now }])
    if (!existing) throw notFound()
    throw new ApiError(
      'conflict',
      'The merchant is being restored, or another backup was started in this second. Repeat the request.',
    )
  })
  .put('/:takenAt', async (c) => {
    const takenAt = Number(c.req.param('takenAt'))
    const now = nowInSeconds()
    if (!Number.isSafeInteger(takenAt) || takenAt <= now - backupDays.kept * daySeconds || takenAt > now)
      throw notFound()
    const { body } = c.req.raw
    if (c.req.header('content-type') !== 'application/gzip' || !body)
      throw new ApiError('unsupported_media_type', 'The body must be a backup, sent as application/gzip.')
    const { uploadBackup } = await import('./upload-backup.ts')
    const stored = await uploadBackup(c.env, c.req.param('merchantId') ?? '', takenAt, body)
    return c.json(toView(stored), 201)
  })
  .get('/:takenAt', async (c) => {
    const takenAt = Number(c.req.param('takenAt'))
    const key = toBackupKey(c.req.param('merchantId') ?? '', takenAt)
    const file = Number.isSafeInteger(takenAt) ? await c.env.BACKUPS.get(key) : null
    if (!file) throw notFound()
    return c.body(file.body, 200, {
      'Content-Type': 'application/gzip',
      'Content-Length': `${file.size}`,
      'Content-Disposition': `attachment; filename="${key.replace('/', '-')}"`,
    })
  })
