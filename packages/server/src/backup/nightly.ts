import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Hour of the day (UTC) from which the backup of a day is made, and the number of backups that are kept. */
const firstHour = 2
const keptBackups = 7
const namePattern = /^server-\d{4}-\d\d-\d\d\.tar\.gz$/

/** Makes the backup of a day with `run`, unless it exists, and deletes the oldest ones. Can be called at any time, and again after an error. */
export async function backUpNightly(folder: string, now: Date, run: (file: string) => Promise<void>): Promise<void> {
  if (now.getUTCHours() < firstHour) return
  const file = join(folder, `server-${now.toISOString().slice(0, 10)}.tar.gz`)
  if (await stat(file).catch(() => undefined)) return
  await run(file)
  const names = (await readdir(folder)).filter((name) => namePattern.test(name)).toSorted()
  for (const name of names.slice(0, -keptBackups)) await rm(join(folder, name))
}
