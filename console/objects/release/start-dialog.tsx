import { useSignal } from '@preact/signals'
import { locale, t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { session } from '../../app/session.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toasts.tsx'
import { startRelease } from './prepare.ts'

/** Asks for the title of changes that are prepared. */
export function StartDialog({ onClose }: { onClose: () => void }) {
  const { release: texts } = t()
  const timeZone = session.value?.merchant.timezone
  const today = new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'long', timeZone }).format()
  const title = useSignal(texts.suggested(today))
  const error = useSignal<string | undefined>(undefined)
  const start = async () => {
    try {
      await startRelease(title.value)
      onClose()
    } catch (failure) {
      error.value = readFieldErrors(failure).get('title')
      if (error.value === undefined) showError(failure)
    }
  }
  return (
    <FormDialog title={texts.prepare} submit={texts.start} onSubmit={start} onClose={onClose}>
      <p class="hint">{texts.prepareHint}</p>
      <Field
        label={texts.title}
        value={title.value}
        error={error.value}
        onInput={(text) => {
          title.value = text
        }}
      />
    </FormDialog>
  )
}
