import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { isDrafted } from '../../app/frame/prepared.ts'
import { t } from '../../app/language.ts'

/** A field for the file of a picture, which is uploaded immediately. */
export function PictureField(props: {
  label: string
  hint?: string
  error?: string | undefined
  onPick: (file: File) => Promise<void>
}) {
  const id = useId()
  const isBusy = useSignal(false)
  const pick = async (file: File | undefined) => {
    if (!file || isBusy.value) return
    isBusy.value = true
    await props.onPick(file)
    isBusy.value = false
  }
  // An upload changes the object at once.
  if (isDrafted()) return <p class="hint">{t().release.noPictures}</p>
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif"
        aria-disabled={isBusy.value}
        aria-describedby={props.hint && `${id}-hint`}
        onClick={(event) => isBusy.value && event.preventDefault()}
        onChange={({ currentTarget }) => {
          void pick(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.error && <p class="error">{props.error}</p>}
    </div>
  )
}
