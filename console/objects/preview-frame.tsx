import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { language, t } from '../app/language.ts'
import { session } from '../app/session.ts'
import { fromLocalTime, toLocalTime } from '../app/time/zoned-time.ts'
import { Field } from '../ui/controls.tsx'
import { showError } from '../ui/toasts.tsx'

/** Pause after the last change before the preview is loaded again, in milliseconds. */
const pauseMs = 300

interface Props {
  /** Signs the address of the preview at a time in seconds. `null`: now. */
  sign(at: number | null): Promise<{ url: string }>
  /** Values whose change loads the preview again. */
  inputs: readonly unknown[]
  isReady?: boolean
  /** Time after which the address is replaced before it expires, in milliseconds. Absent: it stays valid. */
  renewMs?: number
  /** Moments that the preview offers besides now, by the clock of the venue. */
  moments: readonly string[]
  nameMoment(local: string): string
  hint?: ComponentChildren
}

/** The hosted menu at any time, from a signed address. */
export function PreviewFrame({ sign, inputs, isReady = true, renewMs, moments, nameMoment, hint }: Props) {
  const { menus: texts } = t()
  /** A time by the clock of the venue. Empty: now. */
  const at = useSignal('')
  const address = useSignal('')
  const show = async () => {
    const { url } = await sign((at.value === '' ? undefined : fromLocalTime(at.value)) ?? null)
    // The service and the console have the same origin, also where its public address is another one.
    address.value = `/m/${session.value?.merchant.id}${new URL(url).search}&lang=${language.value}`
  }
  useEffect(() => {
    if (!isReady) return
    const read = () => void show().catch(showError)
    const timer = setTimeout(read, address.value === '' ? 0 : pauseMs)
    const renewal = renewMs === undefined ? undefined : setInterval(read, renewMs)
    return () => {
      clearTimeout(timer)
      clearInterval(renewal)
    }
  }, [...inputs, isReady, at.value])
  return (
    <div class="preview">
      <fieldset class="chips">
        <legend class="unseen">{texts.previewMoments}</legend>
        {['', ...moments].map((local) => (
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
      {(hint !== undefined || address.value !== '') && (
        <p class="hint">
          {hint}{' '}
          {address.value !== '' && (
            <a href={address.value} target="_blank" rel="noreferrer">
              {texts.openPreview}
            </a>
          )}
        </p>
      )}
    </div>
  )
}
