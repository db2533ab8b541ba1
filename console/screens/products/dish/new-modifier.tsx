import { useSignal } from '@preact/signals'
import { api } from '../../../app/api.ts'
import { currencySymbol, parsePrice } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { readFieldErrors } from '../../../app/problems.ts'
import { Field } from '../../../ui/controls.tsx'
import { FormDialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { showError } from '../../../ui/toasts.tsx'

interface Option {
  label: string
  cost: string
}
const empty: Option = { label: '', cost: '' }

/** Creates a modifier with its options beside the editor of a product. */
export function NewModifier({ onCreated, onClose }: { onCreated: (id: string) => void; onClose: () => void }) {
  const { modifiers: texts, issue } = t()
  const title = useSignal('')
  const options = useSignal<readonly Option[]>([empty, empty])
  const errors = useSignal<ReadonlyMap<string, string>>(new Map())
  const change = (index: number, fields: Partial<Option>) => {
    options.value = options.value.map((each, at) => (at === index ? { ...each, ...fields } : each))
  }
  const create = async () => {
    const used = options.value.flatMap((option, index) =>
      option.label.trim() === '' && option.cost.trim() === '' ? [] : [{ ...option, index }],
    )
    errors.value = new Map([
      ...(title.value.trim() === '' ? [['title', issue.required] as const] : []),
      ...(used.length === 0 ? [['0/label', issue.required] as const] : []),
      ...used.flatMap(({ label, cost, index }) => [
        ...(label.trim() === '' ? [[`${index}/label`, issue.required] as const] : []),
        ...(cost.trim() !== '' && parsePrice(cost) === undefined ? [[`${index}/cost`, issue.notAPrice] as const] : []),
      ]),
    ])
    if (errors.value.size > 0) return
    try {
      const { id } = await api().modifiers.create({
        title: title.value,
        instructions: '',
        options: used.map(({ label, cost }) => ({ label, additionalCost: parsePrice(cost) ?? 0 })),
      })
      onCreated(id)
      onClose()
    } catch (error) {
      errors.value = readFieldErrors(error)
      showError(error)
    }
  }
  return (
    <FormDialog title={texts.create} submit={t().action.save} onSubmit={create} onClose={onClose}>
      <Field
        label={texts.title}
        value={title.value}
        error={errors.value.get('title')}
        onInput={(text) => {
          title.value = text
        }}
      />
      {options.value.map((option, index) => (
        <fieldset key={String(index)} class="entry" aria-label={texts.option(index + 1)}>
          <Field
            label={texts.label}
            value={option.label}
            error={errors.value.get(`${index}/label`)}
            onInput={(label) => change(index, { label })}
          />
          <Field
            label={texts.additionalCost}
            value={option.cost}
            unit={currencySymbol()}
            error={errors.value.get(`${index}/cost`)}
            input={{ inputMode: 'decimal' }}
            onInput={(cost) => change(index, { cost })}
          />
        </fieldset>
      ))}
      <button type="button" onClick={() => (options.value = [...options.value, empty])}>
        <Icon name="plus" />
        {texts.addOption}
      </button>
    </FormDialog>
  )
}
