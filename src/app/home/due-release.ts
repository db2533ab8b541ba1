import type { ObjectStatement } from '../../platform/env.ts'

/** Whether a statement may change when a release is due. */
export const changesReleases = ({ sql, isWrite = true }: ObjectStatement) => isWrite && sql.includes('"releases"')

/** Lets the alarm of an object ring when its next release is due. One that is overdue is tried again with the next sweep. */
export function scheduleRelease(sql: SqlStorage, schedule: (atMs: number) => void): void {
  const [row] = sql
    .exec("select min(publish_at) as at from releases where state = 'scheduled' and publish_at > unixepoch()")
    .toArray()
  if (typeof row?.['at'] === 'number') schedule(row['at'] * 1000)
}
