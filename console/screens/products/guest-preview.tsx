import { useEffect, useMemo } from 'preact/hooks'
import { formatPrice, parsePrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { dietCodes, namesOfAllergens } from '../../objects/contents/codes.ts'
import { describeRule } from '../modifiers/rule-words.ts'
import type { DetailsForm } from './details-form.ts'
import { getPartTitle } from './dish/bundle-form.ts'
import { listSizes } from './dish/sizes-form.ts'
import { offered } from './offered-modifiers.ts'
import type { ProductForm } from './product-form.ts'

/** The first picture: a stored one, or a file that is uploaded with the product. */
function usePicture(images: ProductForm['images'], [file]: readonly File[]) {
  const url = useMemo(() => file && URL.createObjectURL(file), [file])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return images[0]?.url ?? url
}

/** The sizes with their prices: `S €3.00 · M €3.50`. */
function describeSizes({ sizes }: DetailsForm): string | undefined {
  if (!sizes) return undefined
  const modifier = offered.value.find(({ id }) => id === sizes.modifier)
  return listSizes(sizes, modifier)
    .flatMap(({ option, label, price }) => {
      const amount = parsePrice(price)
      const name = label ?? modifier?.options.find(({ id }) => id === option)?.label ?? ''
      return amount === undefined ? [] : [`${name} ${formatPrice(amount)}`]
    })
    .join(' · ')
}

/** The modifiers of the product with their rules in words and their options. */
function Choices({ form, details }: { form: ProductForm; details: DetailsForm }) {
  const shown = form.modifiers.flatMap((id) =>
    offered.value.filter((each) => each.id === id && id !== details.sizes?.modifier),
  )
  if (shown.length === 0) return null
  return (
    <ul class="guest-choices">
      {shown.map((modifier) => {
        const rule = details.modifierRules.find((each) => each.modifier === modifier.id)
        return (
          <li key={modifier.id}>
            <p>
              {rule?.title || modifier.title}{' '}
              <span class="soft">({describeRule(modifier, rule, modifier.details)})</span>
            </p>
            <p class="hint">
              {modifier.options
                .map(({ label = '', additionalCost }) =>
                  additionalCost ? `${label} ${additionalCost > 0 ? '+' : ''}${formatPrice(additionalCost)}` : label,
                )
                .join(', ')}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

/** The groups of a set menu with their parts. */
function Groups({ bundle }: Pick<DetailsForm, 'bundle'>) {
  if (!bundle) return null
  return (
    <ul class="guest-choices">
      {bundle.groups.map((group) => (
        <li key={group.key}>
          <p>
            {group.title || '…'} <span class="soft">({describeRule({ type: 'CHECKBOX', rules: {} }, group)})</span>
          </p>
          <p class="hint">
            {group.items
              .map((item) => {
                const surcharge = parsePrice(item.surcharge)
                return surcharge ? `${getPartTitle(item)} +${formatPrice(surcharge)}` : getPartTitle(item)
              })
              .join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The product as guests see it on a menu, with typed changes. */
export function GuestPreview({
  form,
  details,
  pending,
}: {
  form: ProductForm
  details: DetailsForm
  /** Pictures that are not uploaded yet. */
  pending: readonly File[]
}) {
  const { product: texts, details: names, dish } = t()
  const picture = usePicture(form.images, pending)
  const diets = dietCodes.filter((code) => details.diets.includes(code)).map((code) => names.dietNames[code])
  const listAllergens = (level: 'contains' | 'may_contain') => {
    const listed = details.allergens.filter((entry) => entry.level === level)
    const texts = listed.map(({ code, names: which = [] }) => {
      const known = namesOfAllergens[code]?.filter((name) => which.includes(name)) ?? []
      const shown = known.map((name) => names.nameOfAllergen[name]).join(', ')
      return shown === '' ? names.allergenNames[code] : `${names.allergenNames[code]} (${shown})`
    })
    return listed.length > 0 && `${names.levels[level]}: ${texts.join(', ')}`
  }
  const lines = [
    diets.join(', '),
    ...(details.areAllergensStated ? [listAllergens('contains'), listAllergens('may_contain')] : []),
  ]
  const price = formatPrice(parsePrice(form.price) ?? 0)
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
            <p class="strong">
              {describeSizes(details) || (details.unit === 'piece' ? price : `${price} / ${dish.units[details.unit]}`)}
            </p>
            <Choices form={form} details={details} />
            <Groups bundle={details.bundle} />
          </div>
          {picture && <img src={picture} alt="" width="88" height="88" />}
        </div>
      ) : (
        <p class="hint">{texts.isHidden}</p>
      )}
    </section>
  )
}
