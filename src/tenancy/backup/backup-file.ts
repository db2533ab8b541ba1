/** Key of a backup in the bucket. */
export const toBackupKey = (merchantId: string, takenAt: number) => `${merchantId}/${takenAt}.jsonl.gz`

/** Retention of a backup, and the age at which a new backup is taken even without a change, in days. */
export const backupDays = { kept: 35, renewed: 7 } as const

/** Maximum size of an uploaded backup, in bytes: Cloudflare limits request bodies to 100 MB. */
export const maxUploadBytes = 100_000_000
