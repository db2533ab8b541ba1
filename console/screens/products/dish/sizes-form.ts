import type { Modifier, ProductDetails } from '../../../../packages/client/src/client.ts'
import { formatAmount, parsePrice } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { errorIf } from '../../../objects/editor/field-errors.ts'
import { findDepositErrors, toDepositBody, toDepositForm } from './deposit-form.ts'

type StoredSizes = NonNullable<ProductDetails['sizes']>
type StoredSize = StoredSizes['prices'][string]

export interface SizeForm {
  /** Id of the option. New options get their id here, so that a repeated request stores the same options. */
  option: string
  /** Undefined: the label that the modifier has. */
  label?: string | undefined
  price: string
  /** Deposit of one unit, as typed. Undefined or empty: that of the product. */
  deposit?: string
  depositTitle?: string | undefined
  depositRate?: string | undefined
  /** Members of the stored size that the form does not show. */
  others?: Omit<StoredSize, 'price'>
}
export interface SizesForm {
  /** Id of the modifier. Undefined until the service has stored it. */
  modifier?: string | undefined
  /** Title of a new modifier. */
  title: string
  sameContents: boolean
  /** Whether `rows` replaces the options of the modifier. */
  isEdited: boolean
  rows: readonly SizeForm[]
}

/** Number of rows that the form shows first. */
const firstRows = 3

export const newSize = (): SizeForm => ({
  option: `opt_${crypto.randomUUID().replaceAll('-', '')}`,
  label: '',
  price: '',
})
export const newSizes = (): SizesForm => ({
  title: t().dish.sizeTitle,
  sameContents: false,
  isEdited: true,
  rows: Array.from({ length: firstRows }, newSize),
})

/** The options of a modifier as sizes. Each costs the price of the product and its additional cost. */
export const toSizes = ({ id, title, options }: Modifier, price: number): SizesForm => ({
  modifier: id,
  title,
  sameContents: false,
  isEdited: true,
  rows: options.map(({ id: option, additionalCost = 0 }) => ({ option, price: formatAmount(price + additionalCost) })),
})

export const toSizesForm = (sizes: ProductDetails['sizes']): SizesForm | undefined =>
  sizes && {
    modifier: sizes.modifier,
    title: '',
    sameContents: sizes.sameContents ?? false,
    isEdited: false,
    rows: Object.entries(sizes.prices).map(([option, { price, ...others }]) => ({
      option,
      price: formatAmount(price),
      ...(others.deposit && { ...toDepositForm(others.deposit), deposit: formatAmount(others.deposit.amount) }),
      others,
    })),
  }

/** The sizes to show: all options of the modifier, in its order, until the person changes them. */
export function listSizes({ isEdited, rows }: SizesForm, modifier: Modifier | undefined): readonly SizeForm[] {
  if (isEdited || !modifier) return rows
  return modifier.options.map(({ id }) => rows.find(({ option }) => option === id) ?? { option: id, price: '' })
}

/** The sizes without new rows that are empty. */
export const listFilled = ({ rows }: SizesForm) =>
  rows.filter(({ label, price }) => label === undefined || label.trim() !== '' || price.trim() !== '')

/** The lowest price, as typed. Undefined if no size has a price. */
export function findLowestPrice(sizes: SizesForm): string | undefined {
  const prices = listFilled(sizes).flatMap(({ price }) => parsePrice(price) ?? [])
  return prices.length === 0 ? undefined : formatAmount(Math.min(...prices))
}

export function findSizeErrors(sizes: SizesForm): [string, string][] {
  const { issue } = t()
  const filled = listFilled(sizes)
  const [first] = sizes.rows
  if (filled.length === 0) return first ? [[`sizes/${first.option}/label`, issue.required]] : []
  return filled.flatMap(({ option, label, price, deposit = '', depositRate }): [string, string][] => [
    ...errorIf(label?.trim() === '', `sizes/${option}/label`, issue.required),
    ...errorIf(
      parsePrice(price) === undefined,
      `sizes/prices/${option}/price`,
      price.trim() === '' ? issue.required : issue.notAPrice,
    ),
    ...findDepositErrors({ deposit, depositRate }, `sizes/prices/${option}/deposit`),
  ])
}

/** The body of sizes. Undefined: the product has none. */
export function toSizesBody(sizes: SizesForm | undefined) {
  const filled = sizes ? listFilled(sizes) : []
  if (!sizes || filled.length === 0) return null
  return {
    modifier: sizes.modifier ?? null,
    prices: Object.fromEntries(
      // A size that somebody else added since the dish was read has no price until the person gives it one: the service asks for it.
      filled.flatMap(({ option, price: typed, others, deposit: amount = '', ...form }) => {
        const price = parsePrice(typed)
        const body = toDepositBody({ ...form, deposit: amount })
        const deposit = body ? { ...others?.deposit, ...body } : others?.deposit && null
        return price === undefined ? [] : [[option, { ...others, ...(deposit !== undefined && { deposit }), price }]]
      }),
    ),
    sameContents: sizes.sameContents || null,
  }
}
