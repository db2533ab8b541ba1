/** Key of a backup in the bucket. */
export const toBackupKey = (merchantId: string, takenAt: number) => `${merchantId}/${takenAt}.jsonl.gz`

/** Retention of a backup, and the age at which a backup is renewed although nothing has changed, in days. */
export const backupDays = { kept: 35, renewed: 7 } as const

/** Largest file that can be uploaded as a backup, in bytes: Cloudflare limits request bodies to 100 MB. */
export const maxUploadBytes = 100_000_000
