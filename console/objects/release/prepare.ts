import { liveApi } from '../../app/api.ts'
import { drafting, keepPrepared } from '../../app/frame/prepared.ts'
import { locale, t } from '../../app/language.ts'
import { fromLocalTime, localDay } from '../../app/time/zoned-time.ts'
import { showAlert } from '../../ui/toasts.tsx'
import { checked, openedRelease, readRelease } from './draft.ts'
import { createDraftedClient } from './drafted-client.ts'

/** Leaves the release as it is: changes are made at once again. */
export function leaveRelease(): void {
  drafting.value = undefined
  openedRelease.value = undefined
  checked.value = undefined
  keepPrepared(undefined)
}

/** Opens a release, which gets the changes from now on. */
export async function openRelease(id: string): Promise<void> {
  if (!(await readRelease(id))) {
    leaveRelease()
    showAlert(t().release.isOver)
    return
  }
  drafting.value = createDraftedClient
  keepPrepared(id)
}

/** Creates a release, and opens it. */
export async function startRelease(title: string): Promise<void> {
  const { id } = await liveApi().releases.create({ title })
  await openRelease(id)
}

const friday = 5

/** The next Friday at 06:00 by the clock of the venue, as a field shows it. */
export function findNextFriday(): string {
  const now = Date.now() / 1000
  for (let days = 0; days <= 7; days++) {
    const local = `${localDay(days)}T06:00`
    const seconds = fromLocalTime(local)
    if (new Date(`${local}:00Z`).getUTCDay() === friday && seconds !== undefined && seconds > now) return local
  }
  return `${localDay(7)}T06:00`
}

/** A time of a field in words: `Fri 06:00`. */
export const formatLocal = (local: string) =>
  new Intl.DateTimeFormat(locale.value, {
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(`${local}:00Z`))
