import { useSignal } from '@preact/signals'
import { api } from '../../app/api.ts'
import { locale, t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, localDay, toLocalTime } from '../../app/time/zoned-time.ts'
import { nameZone } from '../../objects/contents/named-codes.ts'
import { PreviewFrame } from '../../objects/preview-frame.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { coversEditor } from '../../ui/media.ts'
import { store, typedChange } from './menu-store.ts'

/** The address of a preview expires after 10 minutes: it is replaced before. */
const renewMs = 9 * 60_000

/** Moments that the preview offers besides now: a weekday's morning and an evening of the weekend. */
const moments = [
  { weekday: 1, clock: '08:00' },
  { weekday: 6, clock: '22:00' },
] as const

/** The next day of the venue that is a weekday, counted from Sunday, at a time of its clock. */
function findMoment({ weekday, clock }: (typeof moments)[number]): string {
  const now = Date.now() / 1000
  for (let days = 0; days < 8; days++) {
    const local = `${localDay(days)}T${clock}`
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

interface Props {
  /** The only menu that is shown. Absent: all menus. */
  menu?: string | undefined
}

/** Signs the address of a preview with what is typed. Shows the stored menu if the service rejects it. */
async function sign(menu: string | undefined, at: number | null) {
  const query = { at, menu: menu ?? null }
  const change = typedChange.value
  const typed =
    change &&
    (await api()
      .preview({ ...query, operations: [change] })
      .catch(() => undefined))
  return typed ?? api().preview(query)
}

/** The hosted menu at any time, with what is typed. */
function Frame({ menu }: Props) {
  return (
    <PreviewFrame
      sign={(at) => sign(menu, at)}
      inputs={[store.rows.value, menu, typedChange.value]}
      isReady={store.state.value === 'ready'}
      renewMs={renewMs}
      moments={moments.map(findMoment)}
      nameMoment={nameMoment}
      hint={t().menus.previewHint(nameZone(session.value?.merchant.timezone))}
    />
  )
}

/** A button that opens the preview over the screen. */
export function PreviewButton({ menu }: Props) {
  const { preview } = t().menus
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {preview}
      </button>
      {isOpen.value && (
        <Dialog kind="sheet" title={preview} onClose={() => (isOpen.value = false)}>
          <Frame menu={menu} />
        </Dialog>
      )}
    </>
  )
}

/** The preview beside the screen. Without room for it, a bar below the list with a button; an editor has the button in its own bar. */
export function Preview({ menu, isEditing }: Props & { isEditing: boolean }) {
  if (!coversEditor.value) return <Frame menu={menu} />
  return isEditing ? null : (
    <div class="preview-bar">
      <PreviewButton menu={menu} />
    </div>
  )
}
