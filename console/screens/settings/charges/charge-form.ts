import type { Charges, ChargesUpdate } from '../../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, formatPrice, parseAmount, parsePrice, parseWhole } from '../../../app/format.ts'
import { t } from '../../../app/language.ts'
import { type OrderType, orderTypes } from '../../../objects/hours/service-times.ts'
import { type Translation, toTranslationForms, toTranslations } from '../../../objects/translation-form.ts'

type Charge = Charges['charges'][number]
type ChargeBody = ChargesUpdate['charges'][number]

export const kinds = ['service', 'packaging', 'delivery', 'other'] as const
export const chargeTypes = ['PERCENTAGE', 'FIXED'] as const
export const chargeBases = ['order', 'item'] as const
/** Maximum number of charges. */
export const maxCharges = 20

/** A charge as it is edited: numbers are texts as they were typed. */
export interface ChargeForm {
  id: string | undefined
  title: string
  translations: readonly Translation[]
  kind: Charge['kind']
  type: Charge['type']
  value: string
  per: Charge['per']
  orderTypes: readonly OrderType[]
  minGuests: string
  taxable: boolean
  taxRate: string
  optional: boolean
}

export const newCharge: ChargeForm = {
  id: undefined,
  title: '',
  translations: [],
  kind: 'service',
  type: 'PERCENTAGE',
  value: '',
  per: 'order',
  orderTypes,
  minGuests: '',
  taxable: true,
  taxRate: '',
  optional: false,
}

export const toChargeForms = (charges: readonly Charge[]): readonly ChargeForm[] =>
  charges.map(({ translations, value, minGuests, taxRate, ...charge }) => ({
    ...charge,
    translations: toTranslationForms(translations),
    value: charge.type === 'FIXED' ? formatAmount(value) : formatNumber(value),
    orderTypes: charge.orderTypes ?? orderTypes,
    minGuests: formatNumber(minGuests),
    taxRate: formatNumber(taxRate),
  }))

/** The body of charges without errors. */
export const toCharges = (forms: readonly ChargeForm[]): ChargeBody[] =>
  forms.map(({ id, translations, kind, type, per, optional, taxable, ...form }) => {
    const written = translations.filter(({ texts }) => texts['title']?.trim())
    return {
      ...(id !== undefined && { id }),
      title: form.title.trim(),
      translations: toTranslations(written, ({ title = '' }) => ({ title: title.trim() })),
      kind,
      type,
      value: (type === 'FIXED' ? parsePrice(form.value) : parseAmount(form.value)) ?? 0,
      per: type === 'FIXED' ? per : 'order',
      orderTypes:
        form.orderTypes.length === orderTypes.length
          ? null
          : orderTypes.filter((each) => form.orderTypes.includes(each)),
      minGuests: parseWhole(form.minGuests) ?? null,
      taxable,
      taxRate: taxable ? (parseAmount(form.taxRate) ?? null) : null,
      optional,
    }
  })

/** Errors that the browser can detect, by the path of the field. */
export function findChargeErrors(forms: readonly ChargeForm[]): ReadonlyMap<string, string> {
  const { issue, menus } = t()
  const found = new Map<string, string>()
  for (const [index, form] of forms.entries()) {
    const report = (field: string, text: string) => found.set(`charges/${index}/${field}`, text)
    const value = form.type === 'FIXED' ? parsePrice(form.value) : parseAmount(form.value)
    if (form.title.trim() === '') report('title', issue.required)
    if (value === undefined) report('value', form.value.trim() === '' ? issue.required : issue.notANumber)
    if (form.minGuests.trim() !== '' && parseWhole(form.minGuests) === undefined) report('minGuests', issue.notANumber)
    if (form.taxRate.trim() !== '' && parseAmount(form.taxRate) === undefined) report('taxRate', issue.notANumber)
    if (form.orderTypes.length === 0) report('orderTypes', menus.noTypes)
  }
  return found
}

/** Charges in one text, for the comparison of two versions. */
export const showCharges = (charges: readonly Pick<ChargeBody, 'title' | 'type' | 'value'>[]): string =>
  charges
    .map(({ title, type, value }) => {
      const amount = Number(value)
      return `${title} ${type === 'FIXED' ? formatPrice(amount) : `${formatNumber(amount)} %`}`
    })
    .join(', ')

/** Countries where prices that guests see usually have to include service. */
const includedService: ReadonlySet<string> = new Set(['AT', 'BE', 'CH', 'DE', 'FR', 'LU'])

/** Whether a charge adds service to every order of a venue in a country where prices have to include it. */
export const isServiceAdded = ({ kind, optional }: ChargeForm, country: string | undefined) =>
  kind === 'service' && !optional && country !== undefined && includedService.has(country)
