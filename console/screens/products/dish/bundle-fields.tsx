import { currencySymbol, priceHint } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { getProductTitle, rememberProducts, useProducts } from '../../../objects/known-products.ts'
import { ProductFinder } from '../../../objects/product-finder.tsx'
import { Check, Field } from '../../../ui/controls.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { MoveButtons, moveItem } from '../../../ui/sortable.tsx'
import { type BundleForm, type GroupForm, getPartTitle, listPartSizes, newGroup } from './bundle-form.ts'

interface BundleFieldsProps {
  bundle: BundleForm | undefined
  errorOf: (name: string) => string | undefined
  onChange: (bundle: BundleForm | undefined) => void
}

/** A group of parts: how many guests choose, and from which products. */
function Group(props: {
  group: GroupForm
  path: string
  errorOf: BundleFieldsProps['errorOf']
  onChange: (group: GroupForm) => void
}) {
  const { dish: texts, action } = t()
  const { group, path, errorOf, onChange } = props
  const { items } = group
  return (
    <>
      <Field
        label={texts.groupTitle}
        value={group.title}
        error={errorOf(`${path}/title`)}
        onInput={(title) => onChange({ ...group, title })}
      />
      <div class="halves">
        {(['min', 'max'] as const).map((name) => (
          <Field
            key={name}
            label={texts[name]}
            value={group[name]}
            error={errorOf(`${path}/${name}`)}
            input={{ inputMode: 'numeric', class: 'short' }}
            onInput={(typed) => onChange({ ...group, [name]: typed })}
          />
        ))}
      </div>
      <ul class="ordered">
        {items.map((item, index) => {
          const title = getPartTitle(item)
          const at = `${path}/items/${index}`
          const sizes = listPartSizes(item.product)
          return (
            <li key={`${item.product} ${index}`}>
              <span>{sizes.length > 0 ? getProductTitle(item.product) : title}</span>
              {sizes.length > 0 && (
                <select
                  aria-label={texts.partSizeOf(getProductTitle(item.product))}
                  value={item.size ?? ''}
                  onChange={({ currentTarget: { value } }) => {
                    const { size: _, ...others } = item
                    const sized = value === '' ? others : { ...others, size: value }
                    onChange({ ...group, items: items.with(index, sized) })
                  }}
                >
                  <option value="">{texts.anySize}</option>
                  {sizes.map(({ id, label }) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </select>
              )}
              <Field
                label={texts.surchargeOf(title)}
                isLabelHidden
                hint={priceHint(item.surcharge)}
                value={item.surcharge}
                unit={currencySymbol()}
                error={errorOf(`${at}/surcharge`) ?? errorOf(at)}
                input={{ inputMode: 'decimal', class: 'number tiny', placeholder: texts.noSurcharge }}
                onInput={(surcharge) => onChange({ ...group, items: items.with(index, { ...item, surcharge }) })}
              />
              <button
                type="button"
                class="quiet square"
                aria-label={action.removeOf(title)}
                onClick={() => onChange({ ...group, items: items.toSpliced(index, 1) })}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ul>
      <ProductFinder
        onPick={(product) => {
          rememberProducts([product])
          if (items.some((item) => item.product === product.id && item.size === undefined)) return
          onChange({ ...group, items: [...items, { product: product.id, surcharge: '' }] })
        }}
      />
    </>
  )
}

/** The groups of a set menu. Without groups, the product is no bundle. */
export function BundleFields({ bundle, errorOf, onChange }: BundleFieldsProps) {
  const { dish: texts } = t()
  const { groups, splitTax } = bundle ?? { groups: [], splitTax: false }
  useProducts(groups.flatMap(({ items }) => items.map(({ product }) => product)))
  const set = (next: readonly GroupForm[]) => onChange(next.length === 0 ? undefined : { splitTax, groups: next })
  return (
    <div class="form">
      <p class="hint">{texts.bundleHint}</p>
      {groups.map((group, index) => (
        <fieldset key={group.key} class="group part" aria-label={texts.group(index + 1)}>
          <div class="with-unit">
            <h3 class="space">{texts.group(index + 1)}</h3>
            <MoveButtons
              index={index}
              count={groups.length}
              onMove={(from, to) => set(moveItem(groups, from, to))}
              onRemove={() => set(groups.toSpliced(index, 1))}
            />
          </div>
          <Group
            group={group}
            path={`bundle/groups/${index}`}
            errorOf={errorOf}
            onChange={(next) => set(groups.with(index, next))}
          />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => set([...groups, newGroup()])}>
          <Icon name="plus" />
          {texts.addGroup}
        </button>
      </div>
      {groups.length > 0 && (
        <Check label={texts.splitTax} isOn={splitTax} onChange={(isOn) => onChange({ groups, splitTax: isOn })} />
      )}
    </div>
  )
}
