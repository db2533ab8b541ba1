import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../app/api.ts'
import { language, locale, t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, toLocalTime } from '../../app/zoned-time.ts'
import { Field } from '../../ui/controls.tsx'
import { showError } from '../../ui/toasts.tsx'
import { store } from './menu-store.ts'

/** Pause after the last change before the preview is loaded again, in milliseconds. */
const pauseMs = 300
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
  const { menus: texts } = t()
  /** A time by the clock of the venue. Empty: now. */
  const at = useSignal('')
  const address = useSignal('')
  const venue = session.value?.merchant
  const show = async () => {
    const moment = at.value === '' ? undefined : fromLocalTime(at.value)
    const { url } = await api().preview({ at: moment ?? null, menu: menu ?? null })
    // The service and the console have the same origin, also where its public address is another one.
    address.value = `/m/${venue?.id}${new URL(url).search}&lang=${language.value}`
  }
  useEffect(() => {
    if (store.state.value !== 'ready') return
    const read = () => void show().catch(showError)
    const [timer, renewal] = [setTimeout(read, address.value === '' ? 0 : pauseMs), setInterval(read, renewMs)]
    return () => {
      clearTimeout(timer)
      clearInterval(renewal)
    }
  }, [store.rows.value, store.state.value, at.value, menu])
  return (
    <div class="preview">
      <fieldset class="chips">
        <legend class="unseen">{texts.previewMoments}</legend>
        {['', ...moments.map(findMoment)].map((local) => (
          <button
            key={local}
            type="button"
            class="chip"
            aria-pressed={at.value === local}
            onClick={() => {
              at.value = local
            }}
          >
            {local === '' ? texts.previewNow : nameMoment(local)}
          </button>
        ))}
      </fieldset>
      <Field
        label={texts.previewAt}
        value={at.value === '' ? toLocalTime(Date.now() / 1000) : at.value}
        input={{ type: 'datetime-local', required: true }}
        onInput={(typed) => {
          at.value = typed
        }}
      />
      {address.value !== '' && <iframe title={texts.preview} src={address.value} />}
      <p class="hint">
        {texts.previewHint(venue?.timezone ?? '')}{' '}
        {address.value !== '' && (
          <a href={address.value} target="_blank" rel="noreferrer">
            {texts.openPreview}
          </a>
        )}
      </p>
    </div>
  )
}
