import { useSignal } from '@preact/signals'
import { operatorApi } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'

const names = ['name', 'timezone', 'currency'] as const

/** Creates a venue. */
export function NewVenue({ onMade, onClose }: { onMade: (id: string) => void; onClose: () => void }) {
  const { venues: texts, settings, action, issue } = t()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const form = useSignal({ name: '', timezone: timeZone, currency: 'EUR' })
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const submit = async () => {
    if (form.value.name.trim() === '') {
      errors.value = new Map([['name', issue.required]])
      return
    }
    try {
      const { id, name } = await operatorApi().merchants.create(form.value)
      showStatus(texts.isCreated(name))
      onMade(id)
    } catch (error) {
      errors.value = readFieldErrors(error)
      showError(error)
    }
  }
  return (
    <FormDialog title={texts.create} submit={action.save} onSubmit={submit} onClose={onClose}>
      {names.map((name) => (
        <Field
          key={name}
          label={settings[name]}
          value={form.value[name]}
          error={errors.value.get(name)}
          onInput={(typed) => {
            form.value = { ...form.value, [name]: typed }
            errors.value = new Map()
          }}
        />
      ))}
    </FormDialog>
  )
}
