import { t } from '../../app/language.ts'
import { ContentsFields } from '../../objects/contents/contents-fields.tsx'
import { describeAllergens } from '../../objects/contents/contents-form.ts'
import type { EditedForm } from '../../objects/fields.tsx'
import { Field } from '../../ui/controls.tsx'
import { ModifierList } from '../products/modifier-list.tsx'
import type { DetailsForm, OptionForm } from './modifier-form.ts'
import { type OptionDetailsForm, stateNoAllergens, toOptionDetails } from './option-details.ts'

interface OptionContentsProps {
  of: EditedForm<DetailsForm>
  options: readonly OptionForm[]
  /** Whether an option can be chosen more than once. */
  mayRepeat: boolean
}

/** Contents, limit and modifiers of each option. */
export function OptionContents({ of, options, mayRepeat }: OptionContentsProps) {
  const { modifiers: texts, dish } = t()
  const forms = of.form.options
  const ids = options.map(({ id }) => id)
  return (
    <details>
      <summary>{dish.optionContents}</summary>
      <div class="form">
        <p class="hint">{dish.optionContentsHint}</p>
        <div>
          <button type="button" onClick={() => of.set('options', stateNoAllergens(forms, ids))}>
            {dish.noneAdds}
          </button>
        </div>
        {options.map(({ id, key, label }, index) => {
          const form = forms[id] ?? toOptionDetails()
          const stated = describeAllergens(form.areAllergensStated ? form.allergens : undefined) ?? dish.notStated
          const name = label || texts.option(index + 1)
          const change = (fields: Partial<OptionDetailsForm>) => {
            of.set('options', { ...forms, [id]: { ...form, ...fields } })
          }
          const errorOf = (field: string) => of.errorOf(`options/${id}/${field}`)
          return (
            <details key={key}>
              <summary>
                {name} <span class="soft">{stated}</span>
              </summary>
              <fieldset class="form part" aria-label={name}>
                <ContentsFields form={form} errorOf={errorOf} onChange={change} hint={dish.optionStatedHint} />
                {mayRepeat && (
                  <Field
                    label={dish.optionMax}
                    value={form.max}
                    error={errorOf('max')}
                    input={{ inputMode: 'numeric', class: 'short' }}
                    onInput={(max) => change({ max })}
                  />
                )}
                <ModifierList
                  legend={dish.nested}
                  ids={form.modifiers}
                  error={errorOf('modifiers')}
                  onChange={(modifiers) => change({ modifiers })}
                />
              </fieldset>
            </details>
          )
        })}
      </div>
    </details>
  )
}
