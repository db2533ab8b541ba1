import { t } from '../../app/language.ts'
import { type EditedForm, NumberField } from '../../objects/fields.tsx'
import { Translations } from '../../objects/translations.tsx'
import { Check, Field } from '../../ui/controls.tsx'
import { Select } from '../../ui/select.tsx'
import { allergenCodes, bases, type DetailsForm, dietCodes, levels, nutrientNames } from './details-form.ts'

/** Allergens, diets and nutrition of a product, and its texts in other languages. */
export function DetailsFields({ of }: { of: EditedForm<DetailsForm> }) {
  const { details: texts, product } = t()
  const { form } = of
  return (
    <>
      <details>
        <summary>{texts.title}</summary>
        <div class="form">
          <fieldset class="group">
            <legend>{texts.allergens}</legend>
            <Check
              label={texts.areStated}
              isOn={form.areAllergensStated}
              onChange={(isOn) => of.set('areAllergensStated', isOn)}
            />
            <p class="hint">{texts.statedHint}</p>
            {form.areAllergensStated && (
              <div class="halves">
                {allergenCodes.map((code) => (
                  <Select
                    key={code}
                    label={texts.allergenNames[code]}
                    value={form.allergens[code] ?? 'no'}
                    options={levels.map((level) => [level, texts.levels[level]] as const)}
                    onChange={(level) => of.set('allergens', { ...form.allergens, [code]: level })}
                  />
                ))}
              </div>
            )}
          </fieldset>
          <fieldset class="choice">
            <legend>{texts.diets}</legend>
            {dietCodes.map((code) => (
              <Check
                key={code}
                label={texts.dietNames[code]}
                isOn={form.diets.includes(code)}
                onChange={(isOn) =>
                  of.set('diets', isOn ? [...form.diets, code] : form.diets.filter((each) => each !== code))
                }
              />
            ))}
          </fieldset>
          <div class="halves">
            <NumberField of={of} name="alcoholByVolume" label={texts.alcoholByVolume} />
            <NumberField of={of} name="ageLimit" label={texts.ageLimit} />
          </div>
          <fieldset class="group">
            <legend>{texts.nutrition}</legend>
            <Select
              label={texts.basis}
              value={form.basis}
              options={bases.map((basis) => [basis, texts.bases[basis]] as const)}
              onChange={(basis) => of.set('basis', basis)}
            />
            {form.basis !== 'none' && (
              <div class="halves">
                {nutrientNames.map((name) => (
                  <Field
                    key={name}
                    label={texts.nutrients[name]}
                    value={form.nutrients[name] ?? ''}
                    error={of.errorOf(`nutrition/${name}`)}
                    input={{ inputMode: 'decimal' }}
                    onInput={(typed) => {
                      of.set('nutrients', { ...form.nutrients, [name]: typed })
                      of.clearErrors('nutrition')
                    }}
                  />
                ))}
              </div>
            )}
          </fieldset>
        </div>
      </details>
      <Translations
        of={of}
        fields={[
          { path: 'title', label: product.title },
          { path: 'description', label: product.description, multiline: true },
        ]}
      />
    </>
  )
}
