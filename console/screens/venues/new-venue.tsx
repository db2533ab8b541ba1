import { useSignal } from '@preact/signals'
import { operatorApi } from '../../app/api.ts'
import { t } from '../../app/language.ts'
import { readFieldErrors } from '../../app/problems.ts'
import { listCurrencies, listZones } from '../../objects/contents/named-codes.ts'
import { Field } from '../../ui/controls.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { showError, showStatus } from '../../ui/toasts.tsx'

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
      <Field
        label={settings.name}
        value={form.value.name}
        error={errors.value.get('name')}
        onInput={(name) => {
          form.value = { ...form.value, name }
          errors.value = new Map()
        }}
      />
      <Select
        label={settings.timezone}
        value={form.value.timezone}
        options={listZones(timeZone)}
        onChange={(timezone) => (form.value = { ...form.value, timezone })}
      />
      <Select
        label={settings.currency}
        value={form.value.currency}
        options={listCurrencies('EUR')}
        onChange={(currency) => (form.value = { ...form.value, currency })}
      />
    </FormDialog>
  )
}
