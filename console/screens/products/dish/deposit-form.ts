import type { ProductDetails } from '../../../../packages/client/src/client.ts'
import { formatNumber, formatPrice, parseAmount, parsePrice } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { errorIf } from '../../../objects/editor/field-errors.ts'

type StoredDeposit = NonNullable<ProductDetails['deposit']>

/** A deposit as typed. An undefined member is one that the form does not change: drafts of earlier releases have only the amount. */
export interface DepositForm {
  deposit: string
  depositTitle?: string | undefined
  depositRate?: string | undefined
}

export const toDepositForm = ({ amount, title = '', taxRate }: Partial<StoredDeposit> = {}): DepositForm => ({
  deposit: formatNumber(amount),
  depositTitle: title,
  depositRate: formatNumber(taxRate),
})

/** Errors of a deposit whose fields begin with `path`. */
export function findDepositErrors({ deposit, depositRate = '' }: DepositForm, path: string): [string, string][] {
  const { notAPrice, notANumber } = t().issue
  if (deposit.trim() === '') return []
  return [
    ...errorIf(parsePrice(deposit) === undefined, `${path}/amount`, notAPrice),
    ...errorIf(depositRate.trim() !== '' && parseAmount(depositRate) === undefined, `${path}/taxRate`, notANumber),
  ]
}

/** The body of a deposit. Null without an amount; null members clear what is stored. */
export function toDepositBody({ deposit, depositTitle, depositRate }: DepositForm) {
  const amount = parsePrice(deposit)
  if (amount === undefined) return null
  return {
    amount,
    ...(depositTitle !== undefined && { title: depositTitle.trim() || null }),
    ...(depositRate !== undefined && { taxRate: parseAmount(depositRate) ?? null }),
  }
}

/** A deposit in words, for the comparison of two versions. */
export const showDeposit = ({
  amount,
  title,
  taxRate,
}: NonNullable<ReturnType<typeof toDepositBody>> | StoredDeposit) =>
  [formatPrice(amount), title, typeof taxRate === 'number' ? `${formatNumber(taxRate)} %` : undefined]
    .filter(Boolean)
    .join(' · ')
