import { t } from '../../app/language.ts'
import { ContentsFields } from '../../objects/contents/contents-fields.tsx'
import type { EditedForm } from '../../objects/fields.tsx'
import { Translations } from '../../objects/translations.tsx'
import { Field } from '../../ui/controls.tsx'
import { Select } from '../../ui/select.tsx'
import { bases, type DetailsForm, nutrientNames, units } from './details-form.ts'
import { BundleFields } from './dish/bundle-fields.tsx'
import { DepositFields } from './dish/deposit-fields.tsx'

/** Allergens, diets and nutrition of a product, how it is sold, and its texts in other languages. */
export function DetailsFields({ of }: { of: EditedForm<DetailsForm> }) {
  const { details: texts, dish, product } = t()
  const { form } = of
  return (
    <>
      <details>
        <summary>{texts.title}</summary>
        <div class="form">
          <ContentsFields form={form} errorOf={of.errorOf} hint={texts.statedHint} onChange={of.change} />
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
      <details>
        <summary>{dish.sale}</summary>
        <div class="form">
          {!form.sizes && !form.bundle && (
            <div class="halves">
              <Select
                label={dish.soldBy}
                value={form.unit}
                options={units.map((unit) => [unit, dish.units[unit]] as const)}
                onChange={(unit) => of.set('unit', unit)}
              />
              {form.unit !== 'piece' && (
                <Field
                  label={dish.step}
                  hint={dish.stepHint}
                  value={form.step}
                  error={of.errorOf('soldBy/step')}
                  input={{ inputMode: 'decimal' }}
                  onInput={(step) => {
                    of.set('step', step)
                    of.clearErrors('soldBy')
                  }}
                />
              )}
            </div>
          )}
          <DepositFields
            form={form}
            label={dish.deposit}
            hint={dish.depositHint}
            path="deposit"
            errorOf={of.errorOf}
            onChange={(deposit) => {
              of.change(deposit)
              of.clearErrors('deposit')
            }}
          />
          <div class="halves">
            {(['takeaway', 'delivery'] as const).map((type) => (
              <Field
                key={type}
                label={dish.typeRate[type]}
                value={form[`${type}Rate`]}
                unit="%"
                error={of.errorOf(`taxRates/${type}`)}
                input={{ inputMode: 'decimal' }}
                onInput={(rate) => {
                  of.set(`${type}Rate`, rate)
                  of.clearErrors('taxRates')
                }}
              />
            ))}
          </div>
          <Field
            label={dish.labels}
            hint={dish.labelsHint}
            value={form.labels}
            error={of.errorOf('labels')}
            multiline
            onInput={(labels) => of.set('labels', labels)}
          />
        </div>
      </details>
      {form.unit === 'piece' && (
        <details>
          <summary>{dish.bundle}</summary>
          <BundleFields bundle={form.bundle} errorOf={of.errorOf} onChange={(bundle) => of.set('bundle', bundle)} />
        </details>
      )}
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
