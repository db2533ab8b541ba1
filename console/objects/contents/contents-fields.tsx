import type { ComponentChildren } from 'preact'
import { t } from '../../app/language.ts'
import { Check, Field } from '../../ui/controls.tsx'
import { additiveCodes, allergenCodes, dietCodes, namesOfAllergens } from './codes.ts'
import { type ContentsForm, tapAllergen } from './contents-form.ts'

interface ContentsFieldsProps {
  form: ContentsForm
  errorOf: (name: string) => string | undefined
  onChange: (fields: Partial<ContentsForm>) => void
  /** Text below the question whether allergens are stated. */
  hint: string
}

/** The list with an element added or removed. */
const toggle = <Value,>(list: readonly Value[], value: Value, isOn: boolean) =>
  isOn ? [...list, value] : list.filter((each) => each !== value)

/** Fields with a common name and a common error. */
const Group = (props: { legend: string; error: string | undefined; kind: string; children: ComponentChildren }) => (
  <>
    <fieldset class={props.kind} aria-invalid={props.error ? true : undefined} tabIndex={props.error ? -1 : undefined}>
      <legend>{props.legend}</legend>
      {props.children}
    </fieldset>
    {props.error && <p class="error">{props.error}</p>}
  </>
)

/** One chip for each allergen: a tap says that it is contained, the next one that traces are possible, the next one neither. */
function AllergenChips({ form, onChange }: Pick<ContentsFieldsProps, 'form' | 'onChange'>) {
  const { details: texts } = t()
  return (
    <div class="chips levels">
      {allergenCodes.map((code) => {
        const level = form.allergens.find((entry) => entry.code === code)?.level
        return (
          <button
            key={code}
            type="button"
            class="chip"
            aria-pressed={level === undefined ? 'false' : level === 'contains' ? 'true' : 'mixed'}
            onClick={() => onChange(tapAllergen(form, code))}
          >
            {texts.allergenNames[code]}
            {level && <span class="level">{texts.levels[level]}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** Which cereals or nuts are stated. */
const AllergenNames = ({ form, onChange }: Pick<ContentsFieldsProps, 'form' | 'onChange'>) => (
  <>
    {form.allergens.map((entry) => {
      const known = namesOfAllergens[entry.code]
      const { details: texts } = t()
      const { names = [] } = entry
      return (
        known && (
          <fieldset key={entry.code} class="choice">
            <legend>{texts.which(texts.allergenNames[entry.code])}</legend>
            {known.map((name) => (
              <Check
                key={name}
                label={texts.nameOfAllergen[name]}
                isOn={names.includes(name)}
                onChange={(isOn) => {
                  const { names: _, ...others } = entry
                  const chosen = known.filter((each) => (each === name ? isOn : names.includes(each)))
                  const next = chosen.length === 0 ? others : { ...others, names: chosen }
                  onChange({ allergens: form.allergens.map((each) => (each === entry ? next : each)) })
                }}
              />
            ))}
          </fieldset>
        )
      )
    })}
  </>
)

/** Allergens, diets, additives, alcohol and age limit of a product or an option. */
export function ContentsFields({ form, errorOf, onChange, hint }: ContentsFieldsProps) {
  const { details: texts } = t()
  const numbers = ['alcoholByVolume', 'ageLimit'] as const
  const additives = form.additives.map((code) => texts.additiveNames[code]).join(', ')
  return (
    <>
      <Group legend={texts.allergens} error={errorOf('allergens')} kind="group">
        <AllergenChips form={form} onChange={onChange} />
        <Check
          label={texts.areStated}
          isOn={form.areAllergensStated}
          onChange={(areAllergensStated) => onChange({ areAllergensStated, allergens: [] })}
        />
        <p class="hint">{hint}</p>
        <AllergenNames form={form} onChange={onChange} />
      </Group>
      <Group legend={texts.diets} error={errorOf('diets')} kind="choice">
        {dietCodes.map((code) => (
          <Check
            key={code}
            label={texts.dietNames[code]}
            isOn={form.diets.includes(code)}
            onChange={(isOn) => onChange({ diets: toggle(form.diets, code, isOn) })}
          />
        ))}
      </Group>
      <details>
        <summary>{additives === '' ? texts.additives : `${texts.additives}: ${additives}`}</summary>
        <Group legend={texts.additivesHint} error={errorOf('additives')} kind="choice compact">
          {additiveCodes.map((code) => (
            <Check
              key={code}
              label={texts.additiveNames[code]}
              isOn={form.additives.includes(code)}
              onChange={(isOn) => onChange({ additives: toggle(form.additives, code, isOn) })}
            />
          ))}
        </Group>
      </details>
      <div class="halves">
        {numbers.map((name) => (
          <Field
            key={name}
            label={texts[name]}
            value={form[name]}
            error={errorOf(name)}
            input={{ inputMode: 'decimal' }}
            onInput={(typed) => onChange({ [name]: typed })}
          />
        ))}
      </div>
    </>
  )
}
