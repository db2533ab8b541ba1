import type { ProductDetails } from '../../../packages/client/src/client.ts'
import { formatNumber, formatPrice, parseAmount } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import {
  type ContentsForm,
  describeAllergens,
  findContentsErrors,
  toContents,
  toContentsForm,
} from '../../objects/contents/contents-form.ts'
import { type Translation, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'
import { type BundleForm, findBundleErrors, toBundleBody, toBundleForm } from './dish/bundle-form.ts'
import { type DepositForm, findDepositErrors, showDeposit, toDepositBody, toDepositForm } from './dish/deposit-form.ts'
import { findRuleErrors, type RuleForm, toRuleForms, toRules } from './dish/rules-form.ts'
import { findSizeErrors, type SizesForm, toSizesBody, toSizesForm } from './dish/sizes-form.ts'

export const bases = ['none', '100g', '100ml', 'portion'] as const
export type Basis = (typeof bases)[number]
export const nutrientNames = ['energyKcal', 'fat', 'saturates', 'carbohydrate', 'sugars', 'protein', 'salt'] as const
export type Nutrient = (typeof nutrientNames)[number]
export const units = ['piece', 'kg', '100g', 'l'] as const
export type Unit = (typeof units)[number]

export interface DetailsForm extends ContentsForm, DepositForm {
  basis: Basis
  nutrients: Readonly<Partial<Record<Nutrient, string>>>
  sizes: SizesForm | undefined
  modifierRules: readonly RuleForm[]
  bundle: BundleForm | undefined
  /** `piece`: not by weight or volume. */
  unit: Unit
  step: string
  takeawayRate: string
  deliveryRate: string
  /** One label a line. */
  labels: string
  translations: readonly Translation[]
}

export const toDetailsForm = (details?: ProductDetails): DetailsForm => ({
  ...toContentsForm(details),
  basis: details?.nutrition?.basis ?? 'none',
  nutrients: Object.fromEntries(nutrientNames.map((name) => [name, formatNumber(details?.nutrition?.[name])])),
  sizes: toSizesForm(details?.sizes),
  modifierRules: toRuleForms(details?.modifierRules),
  bundle: toBundleForm(details?.bundle),
  unit: details?.soldBy?.unit ?? 'piece',
  step: formatNumber(details?.soldBy?.step),
  ...toDepositForm(details?.deposit),
  takeawayRate: formatNumber(details?.taxRates?.takeaway),
  deliveryRate: formatNumber(details?.taxRates?.delivery),
  labels: (details?.labels ?? []).join('\n'),
  translations: toTranslationForms(details?.translations),
})

const isFilled = (text: string | undefined) => text !== undefined && text.trim() !== ''

export function findDetailsErrors(form: DetailsForm): ReadonlyMap<string, string> {
  const { notANumber } = t().issue
  const errors = new Map<string, string>([
    ...(form.sizes ? findSizeErrors(form.sizes) : []),
    ...findRuleErrors(form.modifierRules),
    ...(form.bundle ? findBundleErrors(form.bundle) : []),
    ...findContentsErrors(form),
    ...findDepositErrors(form, 'deposit'),
  ])
  const check = (name: string, text = '') => {
    if (isFilled(text) && parseAmount(text) === undefined) errors.set(name, notANumber)
  }
  if (form.unit !== 'piece') check('soldBy/step', form.step)
  check('taxRates/takeaway', form.takeawayRate)
  check('taxRates/delivery', form.deliveryRate)
  if (form.basis !== 'none') for (const name of nutrientNames) check(`nutrition/${name}`, form.nutrients[name])
  return errors
}

const toLabels = (text: string) => {
  const labels = text.split('\n').map((line) => line.trim())
  return labels.filter((label, index) => label !== '' && labels.indexOf(label) === index)
}

const toTaxRates = ({ takeawayRate, deliveryRate }: DetailsForm) => {
  const [takeaway, delivery] = [parseAmount(takeawayRate) ?? null, parseAmount(deliveryRate) ?? null]
  return takeaway === null && delivery === null ? null : { takeaway, delivery }
}

/** The body of a form without errors. Details are merged, so fields that are absent from the form are `null`. */
export const toDetails = (form: DetailsForm) => ({
  ...toContents(form),
  nutrition:
    form.basis === 'none'
      ? null
      : {
          basis: form.basis,
          ...Object.fromEntries(nutrientNames.map((name) => [name, parseAmount(form.nutrients[name] ?? '') ?? null])),
        },
  sizes: toSizesBody(form.sizes),
  modifierRules: toRules(form.modifierRules),
  bundle: toBundleBody(form.bundle),
  soldBy: form.unit === 'piece' ? null : { unit: form.unit, step: parseAmount(form.step) ?? null },
  deposit: toDepositBody(form),
  taxRates: toTaxRates(form),
  labels: isFilled(form.labels) ? toLabels(form.labels) : null,
  translations: toTranslations(form.translations, ({ title, description }) => ({ title, description })),
})

/** Fields that need more than their value to be readable. Undefined: the text of the value. */
export function showDetail(
  field: string,
  {
    allergens,
    diets,
    additives,
    nutrition,
    sizes,
    bundle,
    deposit,
    taxRates,
  }: Partial<ReturnType<typeof toDetails>> | ProductDetails,
): string | undefined {
  const { dietNames, additiveNames, bases: basisNames, nutrients } = t().details
  if (field === 'diets') return diets?.map((code) => dietNames[code]).join(', ')
  if (field === 'additives') return additives?.map((code) => additiveNames[code]).join(', ')
  if (field === 'allergens') return describeAllergens(allergens)
  if (field === 'sizes' && sizes) {
    return Object.values(sizes.prices)
      .map(({ price }) => formatPrice(price))
      .join(' · ')
  }
  if (field === 'deposit' && deposit) return showDeposit(deposit)
  if (field === 'taxRates' && taxRates) {
    return [taxRates.takeaway, taxRates.delivery].map((rate) => `${formatNumber(rate ?? undefined)} %`).join(', ')
  }
  if (field === 'bundle' && bundle) return bundle.groups.map(({ title }) => title).join(', ')
  if (field !== 'nutrition' || !nutrition) return undefined
  const values = new Map<string, unknown>(Object.entries(nutrition))
  const stated = nutrientNames.flatMap((name) => {
    const value = values.get(name)
    return typeof value === 'number' ? [`${nutrients[name]} ${formatNumber(value)}`] : []
  })
  return `${basisNames[nutrition.basis ?? 'none']}: ${stated.join(', ')}`
}

/** Labels of the fields, for the comparison of two versions. */
export function getDetailName(field: string): string {
  const { allergens, diets, additives, alcoholByVolume, ageLimit, nutrition, translations } = t().details
  const { sizes, rules: modifierRules, bundle, soldBy, labels, deposit, typeRates: taxRates } = t().dish
  const contents = { allergens, diets, additives, alcoholByVolume, ageLimit, nutrition, translations }
  return (
    new Map(Object.entries({ ...contents, sizes, modifierRules, bundle, soldBy, labels, deposit, taxRates })).get(
      field,
    ) ?? field
  )
}
