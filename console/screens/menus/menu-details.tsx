import { currencySymbol, formatAmount, formatPrice, priceHint } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { type EditedForm, NumberField, TextField } from '../../objects/fields.tsx'
import { ChoiceSet } from '../../objects/hours/choice-set.tsx'
import { formatWeekday, orderTypes, weekdays } from '../../objects/hours/service-times.ts'
import { findProduct, getProductTitle, rememberProducts, useProducts } from '../../objects/known-products.ts'
import { ProductFinder } from '../../objects/product-finder.tsx'
import { Field } from '../../ui/controls.tsx'
import { Icon } from '../../ui/icons.tsx'
import type { DetailsForm, PriceForm } from './menu-form.ts'
import { listSizes, useSizes } from './size-labels.ts'

/** Prices that replace those of products while the menu is served. */
function Prices({ of }: { of: EditedForm<DetailsForm> }) {
  const { menus: texts, action } = t()
  const { prices } = of.form
  const products = prices.map(({ product }) => product)
  useProducts(products)
  useSizes(products)
  return (
    <fieldset class="group">
      <legend>{texts.prices}</legend>
      <p class="hint">{texts.pricesHint}</p>
      <ul class="ordered">
        {prices.map((entry, index) => {
          const { product, price } = entry
          const title = getProductTitle(product)
          const known = findProduct(product)
          const sizes = listSizes(product)
          const set = (fields: Partial<PriceForm>) => of.set('prices', prices.with(index, { ...entry, ...fields }))
          const path = `prices/${index}`
          return (
            <li key={product} class="wrapping">
              <span>{title}</span>
              {known && sizes.length === 0 && <s class="soft amount">{formatPrice(known.price)}</s>}
              {sizes.length === 0 && (
                <Field
                  label={texts.priceOf(title)}
                  isLabelHidden
                  hint={priceHint(price)}
                  value={price}
                  unit={currencySymbol()}
                  error={of.errorOf(`${path}/price`)}
                  input={{ inputMode: 'decimal', class: 'number tiny' }}
                  onInput={(typed) => set({ price: typed })}
                />
              )}
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(title)}
                onClick={() => of.set('prices', prices.toSpliced(index, 1))}
              >
                <Icon name="close" />
              </button>
              {sizes.length > 0 && (
                <div class="chips">
                  {sizes.map(({ id, label, price: ordinary }, at) => (
                    <Field
                      key={id}
                      label={texts.priceOf(`${title} ${label}`)}
                      isLabelHidden
                      value={entry.sizes[id] ?? ''}
                      unit={label}
                      error={of.errorOf(`${path}/sizes/${id}`) ?? (at === 0 ? of.errorOf(`${path}/price`) : undefined)}
                      input={{ inputMode: 'decimal', class: 'number tiny', placeholder: formatAmount(ordinary) }}
                      onInput={(typed) => set({ sizes: { ...entry.sizes, [id]: typed } })}
                    />
                  ))}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <ProductFinder
        onPick={(product) => {
          rememberProducts([product])
          if (prices.some((each) => each.product === product.id)) return
          const hasSizes = product.details?.sizes !== undefined
          of.set('prices', [
            ...prices,
            { product: product.id, price: hasSizes ? '' : formatAmount(product.price), sizes: {} },
          ])
        }}
      />
    </fieldset>
  )
}

/** The days on which a menu is served. */
export function MenuDays({ of }: { of: EditedForm<DetailsForm> }) {
  const { menus: texts } = t()
  return (
    <ChoiceSet
      legend={texts.days}
      all={weekdays}
      chosen={of.form.days}
      nameOf={formatWeekday}
      error={of.errorOf('days')}
      onChange={(chosen) => of.set('days', chosen)}
    />
  )
}

/** Order types, dates, position and prices of a menu. */
export function MenuDetailsFields({ of }: { of: EditedForm<DetailsForm> }) {
  const { menus: texts } = t()
  const { orderTypes: types } = of.form
  return (
    <>
      <ChoiceSet
        legend={texts.orderTypes}
        all={orderTypes}
        chosen={types}
        nameOf={(type) => texts.types[type]}
        error={of.errorOf('orderTypes')}
        onChange={(chosen) => of.set('orderTypes', chosen)}
      />
      <div class="halves">
        <TextField of={of} name="from" label={texts.firstDay} input={{ type: 'date' }} />
        <TextField of={of} name="until" label={texts.lastDay} input={{ type: 'date' }} />
      </div>
      <Prices of={of} />
      <NumberField
        of={of}
        name="position"
        label={texts.position}
        hint={texts.positionHint}
        input={{ inputMode: 'numeric', class: 'short' }}
      />
    </>
  )
}
