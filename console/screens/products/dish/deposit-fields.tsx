import { currencySymbol, priceHint } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { Field } from '../../../ui/controls.tsx'
import type { DepositForm } from './deposit-form.ts'

interface DepositFieldsProps {
  form: DepositForm
  /** Label of the amount. */
  label: string
  hint?: string | undefined
  /** Label of the size whose deposit it is. Undefined: the product's. */
  size?: string | undefined
  /** Path of the deposit in the details. */
  path: string
  errorOf: (name: string) => string | undefined
  onChange: (form: DepositForm) => void
}

/** The amount of a deposit, and its title and tax rate once there is an amount. */
export function DepositFields({ form, label, hint, size, path, errorOf, onChange }: DepositFieldsProps) {
  const { dish } = t()
  return (
    <>
      <Field
        label={label}
        hint={priceHint(form.deposit, hint)}
        value={form.deposit}
        unit={currencySymbol()}
        error={errorOf(`${path}/amount`)}
        input={{ inputMode: 'decimal' }}
        onInput={(deposit) => onChange({ ...form, deposit })}
      />
      {form.deposit.trim() !== '' && (
        <div class="halves">
          <Field
            label={size === undefined ? dish.depositTitle : dish.depositTitleOf(size)}
            hint={dish.depositTitleHint}
            value={form.depositTitle ?? ''}
            error={errorOf(`${path}/title`)}
            onInput={(depositTitle) => onChange({ ...form, depositTitle })}
          />
          <Field
            label={size === undefined ? dish.depositRate : dish.depositRateOf(size)}
            hint={dish.depositRateHint}
            value={form.depositRate ?? ''}
            unit="%"
            error={errorOf(`${path}/taxRate`)}
            input={{ inputMode: 'decimal' }}
            onInput={(depositRate) => onChange({ ...form, depositRate })}
          />
        </div>
      )}
    </>
  )
}
