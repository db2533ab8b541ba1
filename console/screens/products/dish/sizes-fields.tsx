import { currencySymbol, parsePrice, priceHint } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { Check, Field } from '../../../ui/controls.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { offered } from '../offered-modifiers.ts'
import { DepositFields } from './deposit-fields.tsx'
import {
  findLowestPrice,
  listFilled,
  listSizes,
  newSize,
  newSizes,
  type SizeForm,
  type SizesForm,
  toSizes,
} from './sizes-form.ts'

interface SizesFieldsProps {
  sizes: SizesForm | undefined
  /** Ids of the modifiers of the product. */
  modifiers: readonly string[]
  price: string
  errorOf: (name: string) => string | undefined
  /** Without sizes, the product keeps its price. */
  onChange: (sizes: SizesForm | undefined, lowestPrice?: string) => void
}

/** The sizes of a product: labels and prices. Saving stores them as a modifier of the product. */
export function SizesFields({ sizes, modifiers, price, errorOf, onChange }: SizesFieldsProps) {
  const { dish: texts, action } = t()
  const change = (next: SizesForm) => onChange(next, findLowestPrice(next))
  const focusFirst = (button: HTMLElement) => {
    const group = button.closest('.sizes')
    requestAnimationFrame(() => group?.querySelector<HTMLElement>('.size input')?.focus())
  }
  if (!sizes) {
    const usable = offered.value.filter(
      ({ id, type, options }) => type === 'RADIO' && modifiers.includes(id) && options.length > 0,
    )
    return (
      <div class="chips sizes">
        <button
          type="button"
          onClick={({ currentTarget }) => {
            onChange(newSizes())
            focusFirst(currentTarget)
          }}
        >
          <Icon name="plus" />
          {texts.addSizes}
        </button>
        {usable.map((modifier) => (
          <button key={modifier.id} type="button" onClick={() => change(toSizes(modifier, parsePrice(price) ?? 0))}>
            {texts.useAsSizes(modifier.title)}
          </button>
        ))}
      </div>
    )
  }
  const modifier = offered.value.find(({ id }) => id === sizes.modifier)
  const rows = listSizes(sizes, modifier)
  const labelOf = ({ option, label }: SizeForm) =>
    label ?? modifier?.options.find(({ id }) => id === option)?.label ?? ''
  const setRows = (next: readonly SizeForm[]) => change({ ...sizes, isEdited: true, rows: next })
  /** Position of a size among those that are stored, which errors of the modifier name. */
  const findPosition = ({ option }: SizeForm) =>
    listFilled({ ...sizes, rows }).findIndex((each) => each.option === option)
  return (
    <fieldset class="group sizes">
      <legend>{texts.sizes}</legend>
      <p class="hint">{texts.sizesHint}</p>
      {rows.map((row, index) => {
        const set = (fields: Partial<SizeForm>) => setRows(rows.with(index, { ...row, ...fields }))
        const path = `sizes/prices/${row.option}`
        return (
          <fieldset key={row.option} class="size" aria-label={texts.size(index + 1)}>
            <Field
              label={texts.sizeLabel}
              value={labelOf(row)}
              error={errorOf(`sizes/${row.option}/label`) ?? errorOf(`options/${findPosition(row)}/label`)}
              onInput={(label) => set({ label })}
            />
            <Field
              label={texts.sizePrice}
              hint={priceHint(row.price)}
              value={row.price}
              unit={currencySymbol()}
              error={errorOf(`${path}/price`) ?? errorOf(path)}
              input={{ inputMode: 'decimal', class: 'number' }}
              onInput={(typed) => set({ price: typed })}
            />
            <button
              type="button"
              class="quiet square"
              aria-label={action.remove}
              onClick={() => setRows(rows.toSpliced(index, 1))}
            >
              <Icon name="close" />
            </button>
          </fieldset>
        )
      })}
      <details>
        <summary>{texts.sizeDeposits}</summary>
        {rows.map((row, index) => (
          <DepositFields
            key={row.option}
            form={{ ...row, deposit: row.deposit ?? '' }}
            label={labelOf(row) || texts.size(index + 1)}
            hint={index === 0 ? texts.sizeDepositHint : undefined}
            size={labelOf(row) || texts.size(index + 1)}
            path={`sizes/prices/${row.option}/deposit`}
            errorOf={errorOf}
            onChange={({ deposit, depositTitle, depositRate }) =>
              setRows(rows.with(index, { ...row, deposit, depositTitle, depositRate }))
            }
          />
        ))}
      </details>
      <Check
        label={texts.sameContents}
        isOn={sizes.sameContents}
        onChange={(sameContents) => onChange({ ...sizes, sameContents })}
      />
      <div class="chips">
        <button
          type="button"
          onClick={({ currentTarget }) => {
            setRows([...rows, newSize()])
            const group = currentTarget.closest('.sizes')
            requestAnimationFrame(() => group?.querySelector<HTMLElement>('.size:last-of-type input')?.focus())
          }}
        >
          <Icon name="plus" />
          {texts.addSize}
        </button>
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          {texts.removeSizes}
        </button>
      </div>
    </fieldset>
  )
}
