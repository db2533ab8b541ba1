import * as z from 'zod'

/** Paths of a merchant's backups and restores. */
export const backupsOf = (merchantId: string) => `/admin/merchants/${encodeURIComponent(merchantId)}/backups`
/** Path of the restore of a merchant. */
export const restoreOf = (merchantId: string) => `/admin/merchants/${encodeURIComponent(merchantId)}/restore`

export const backup = z.object({
  takenAt: z.number(),
  bytes: z.number(),
  rows: z.number(),
  sha256: z.string().optional(),
  damage: z.string().optional(),
})
export const restore = z.object({
  takenAt: z.number(),
  state: z.string(),
  rows: z.number(),
  totalRows: z.number().optional(),
  reason: z.string().optional(),
  waitSeconds: z.number().optional(),
  savedAt: z.number().optional(),
  omitted: z.record(z.string(), z.number()),
  keptSettings: z.array(z.string()).optional(),
})
