import { formatPrice, parsePrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { allergenCodes, type DetailsForm, dietCodes } from './details-form.ts'
import type { ProductForm } from './product-form.ts'

/** The product as guests see it on a menu, with typed changes. */
export function GuestPreview({ form, details }: { form: ProductForm; details: DetailsForm }) {
  const { product: texts, details: names } = t()
  const [picture] = form.images
  const diets = dietCodes.filter((code) => details.diets.includes(code)).map((code) => names.dietNames[code])
  const listAllergens = (level: 'contains' | 'may_contain') => {
    const listed = allergenCodes.filter((code) => details.allergens[code] === level)
    return listed.length > 0 && `${names.levels[level]}: ${listed.map((code) => names.allergenNames[code]).join(', ')}`
  }
  const lines = [
    diets.join(', '),
    ...(details.areAllergensStated ? [listAllergens('contains'), listAllergens('may_contain')] : []),
  ]
  return (
    <section class="group" aria-label={texts.asGuests}>
      <h3>{texts.asGuests}</h3>
      {form.visible ? (
        <div class="guest-card">
          <div>
            <p class="strong">{form.title || '…'}</p>
            <p>{form.description}</p>
            {lines.map(
              (line) =>
                line && (
                  <p key={line} class="hint">
                    {line}
                  </p>
                ),
            )}
            <p class="strong">{formatPrice(parsePrice(form.price) ?? 0)}</p>
          </div>
          {picture && <img src={picture.url} alt="" width="88" height="88" />}
        </div>
      ) : (
        <p class="hint">{texts.isHidden}</p>
      )}
    </section>
  )
}
