import { signal } from '@preact/signals'
import type { Tag } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { hasScope } from '../../app/session.ts'
import { localDay } from '../../app/time/zoned-time.ts'

/** Days of the column, and days without a scan after which a table is marked. Both include today. */
export const scanDays = { counted: 7, quiet: 14 } as const
const daySeconds = 86_400

/** Scans of the last days by id of the table; undefined until they are read. */
export const weekScans = signal<ReadonlyMap<string, number> | undefined>(undefined)
/** Ids of the tables with a scan in the last two weeks. */
const scanned = signal<ReadonlySet<string> | undefined>(undefined)

/** Reads the scans of all tables. The list is still useful without them. */
export async function loadScans(): Promise<void> {
  if (!hasScope('tags:read')) return
  const [week, weeks] = await Promise.all([
    api().scansByTag({ from: localDay(1 - scanDays.counted) }),
    api().scansByTag({ from: localDay(1 - scanDays.quiet) }),
  ])
  weekScans.value = new Map(week.map(({ tag, count }) => [tag, count]))
  scanned.value = new Set(weeks.map(({ tag }) => tag))
}

/** Whether nobody scans the table: its card may be gone. Tables that are younger are not marked. */
export const isQuiet = (tag: Tag) =>
  scanned.value !== undefined &&
  !scanned.value.has(tag.id) &&
  (tag.createdAt ?? 0) < Date.now() / 1000 - scanDays.quiet * daySeconds
