import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { language, t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, toLocalTime } from '../../app/zoned-time.ts'
import { Field } from '../../ui/controls.tsx'
import { store } from './menu-store.ts'

/** Maximum delay of the hosted menu after a save, in milliseconds. */
const menuCacheMs = 20_000
/** Pause after the last change before the preview is loaded again, in milliseconds. */
const pauseMs = 300

/** The hosted menu as guests see it, at any time. */
export function Preview() {
  const { menus: texts } = t()
  const frame = useRef<HTMLIFrameElement>(null)
  const at = useSignal(toLocalTime(Date.now() / 1000))
  const isFirst = useRef(true)
  /** The address that the frame has or loads, and whether it has loaded it. */
  const shown = useRef({ address: '', isLoaded: false })
  const venue = session.value?.merchant
  const moment = fromLocalTime(at.value)
  const query = new URLSearchParams({ lang: language.value, ...(moment === undefined ? {} : { at: `${moment}` }) })
  const address = `/m/${venue?.id}?${query}`
  if (shown.current.address !== address) shown.current = { address, isLoaded: false }
  useEffect(() => {
    if (store.state.value !== 'ready') return
    // The first rows are already shown in the frame.
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    // A reload would cancel the load for another time.
    const reload = () => shown.current.isLoaded && frame.current?.contentWindow?.location.reload()
    const timers = [pauseMs, menuCacheMs + pauseMs].map((delay) => setTimeout(reload, delay))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [store.rows.value])
  return (
    <div class="preview">
      <Field
        label={texts.previewAt}
        value={at.value}
        input={{ type: 'datetime-local', required: true }}
        onInput={(typed) => {
          at.value = typed
        }}
      />
      <iframe
        ref={frame}
        title={texts.preview}
        src={address}
        onLoad={() => {
          shown.current.isLoaded = true
        }}
      />
      <p class="hint">
        {texts.previewHint(venue?.timezone ?? '', menuCacheMs / 1000)}{' '}
        {session.value?.mode === 'test' && texts.previewLive}{' '}
        <a href={address} target="_blank" rel="noreferrer">
          {texts.openPreview}
        </a>
      </p>
    </div>
  )
}
