import { api } from '../../app/api.ts'
import { locale, t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, toLocalTime } from '../../app/time/zoned-time.ts'
import { PreviewFrame } from '../../objects/preview-frame.tsx'
import { store } from './menu-store.ts'

/** The address of a preview expires after 10 minutes: it is replaced before. */
const renewMs = 9 * 60_000
const daySeconds = 86_400

/** Moments that the preview offers besides now: a weekday's morning and an evening of the weekend. */
const moments = [
  { weekday: 1, clock: '08:00' },
  { weekday: 6, clock: '22:00' },
] as const

/** The next day of the venue that is a weekday, counted from Sunday, at a time of its clock. */
function findMoment({ weekday, clock }: (typeof moments)[number]): string {
  const now = Date.now() / 1000
  for (let days = 0; days < 8; days++) {
    const local = `${toLocalTime(now + days * daySeconds).slice(0, 10)}T${clock}`
    const seconds = fromLocalTime(local)
    const isDay = new Date(`${local}:00Z`).getUTCDay() === weekday
    if (isDay && seconds !== undefined && seconds >= now) return local
  }
  return toLocalTime(now)
}

const nameMoment = (local: string) =>
  new Intl.DateTimeFormat(locale.value, {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(`${local}:00Z`))

/** The hosted menu as it is stored, at any time: of all menus, or of one. */
export function Preview({ menu }: { menu?: string | undefined }) {
  return (
    <PreviewFrame
      sign={(at) => api().preview({ at, menu: menu ?? null })}
      inputs={[store.rows.value, menu]}
      isReady={store.state.value === 'ready'}
      renewMs={renewMs}
      moments={moments.map(findMoment)}
      nameMoment={nameMoment}
      hint={t().menus.previewHint(session.value?.merchant.timezone ?? '')}
    />
  )
}
