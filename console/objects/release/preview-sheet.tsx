import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Release } from '../../../packages/client/src/client.ts'
import { liveApi } from '../../app/api.ts'
import { language, t } from '../../app/language.ts'
import { session } from '../../app/session.ts'
import { fromLocalTime, toLocalTime } from '../../app/zoned-time.ts'
import { Field } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import { findNextFriday, formatLocal } from './prepare.ts'

/** Pause after the last change of the time before the preview is loaded again, in milliseconds. */
const pauseMs = 300

/** The page for guests after the release, at any time. */
export function PreviewSheet({ release, onClose }: { release: Release; onClose: () => void }) {
  const { menus: texts, release: words } = t()
  const { id, publishAt, version } = release
  /** A time by the clock of the venue. Empty: now. */
  const at = useSignal('')
  const address = useSignal('')
  useEffect(() => {
    const show = async () => {
      const moment = at.value === '' ? undefined : fromLocalTime(at.value)
      const { url } = await liveApi().releases.preview(id, { hours: 1, at: moment ?? null })
      // The service and the console have the same origin, also where its public address is another one.
      address.value = `/m/${session.value?.merchant.id}${new URL(url).search}&lang=${language.value}`
    }
    const timer = setTimeout(() => void show().catch(showError), address.value === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [at.value, version])
  const later = publishAt === undefined ? findNextFriday() : toLocalTime(publishAt)
  return (
    <Dialog kind="sheet" title={words.preview} onClose={onClose}>
      <div class="preview">
        <fieldset class="chips">
          <legend class="unseen">{texts.previewMoments}</legend>
          {['', later].map((local) => (
            <button
              key={local}
              type="button"
              class="chip"
              aria-pressed={at.value === local}
              onClick={() => {
                at.value = local
              }}
            >
              {local === '' ? texts.previewNow : formatLocal(local)}
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
        {address.value !== '' && (
          <p class="hint">
            <a href={address.value} target="_blank" rel="noreferrer">
              {texts.openPreview}
            </a>
          </p>
        )}
      </div>
    </Dialog>
  )
}
