import type { Modifier, ModifierDetails } from '../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, parseAmount, parsePrice, parseWhole } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { toPartTexts, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'
import { findLimitErrors } from '../products/dish/rules-form.ts'
import { findOptionErrors, toCosts, toOptionForms, toOptions, toSizedCosts } from './option-details.ts'
import { describeRule, type Limits } from './rule-words.ts'

export interface OptionForm {
  /** New options get their id here, so that their details can name it. */
  id: string
  /** Key of an option while it is edited. */
  key: string
  label: string
  additionalCost: string
  additionalCalories: number | undefined
  preSelected: boolean
}
export interface ModifierForm {
  title: string
  instructions: string
  description: string
  type: Modifier['type']
  required: boolean
  atMost: string
  isExact: boolean
  mayRepeat: boolean
  allowedMultiple: boolean | undefined
  options: readonly OptionForm[]
}

let lastKey = 0
export const newOption = (): OptionForm => ({
  id: `opt_${crypto.randomUUID().replaceAll('-', '')}`,
  key: `new-${++lastKey}`,
  label: '',
  additionalCost: '',
  additionalCalories: undefined,
  preSelected: false,
})

export const toForm = (modifier?: Modifier): ModifierForm => ({
  title: modifier?.title ?? '',
  instructions: modifier?.instructions ?? '',
  description: modifier?.description ?? '',
  type: modifier?.type ?? 'CHECKBOX',
  required: modifier?.rules.required ?? false,
  atMost: formatNumber(modifier?.rules.selectRestriction || undefined),
  isExact: modifier?.rules.requireSelectRestriction ?? false,
  mayRepeat: modifier?.rules.enableOptionQuantity ?? false,
  allowedMultiple: modifier?.rules.allowedMultiple,
  options: (modifier?.options ?? []).map(({ id, label, additionalCost, additionalCalories, preSelected }) => ({
    id,
    key: id,
    label: label ?? '',
    additionalCost: additionalCost === undefined ? '' : formatAmount(additionalCost),
    additionalCalories,
    preSelected: preSelected ?? false,
  })),
})

const isFilled = (text: string) => text.trim() !== ''

/** The options, with only the first preselected option still preselected. */
export function keepOnePreSelected(options: readonly OptionForm[]): readonly OptionForm[] {
  const first = options.find(({ preSelected }) => preSelected)
  return options.map((option) => ({ ...option, preSelected: option === first }))
}

/** Errors of the fields that are shown. */
export function findErrors(form: ModifierForm): ReadonlyMap<string, string> {
  const { issue } = t()
  const errors = new Map<string, string>()
  if (!isFilled(form.title)) errors.set('title', issue.required)
  if (form.type === 'CHECKBOX' && isFilled(form.atMost) && parseAmount(form.atMost) === undefined)
    errors.set('atMost', issue.notANumber)
  for (const [index, { label, additionalCost }] of form.options.entries()) {
    if (!isFilled(label)) errors.set(`options/${index}/label`, issue.required)
    if (isFilled(additionalCost) && parsePrice(additionalCost) === undefined)
      errors.set(`options/${index}/additionalCost`, issue.notAPrice)
  }
  return errors
}

export const toBody = (form: ModifierForm) => ({
  title: form.title,
  instructions: form.instructions,
  description: isFilled(form.description) ? form.description : null,
  type: form.type,
  rules: {
    required: form.required,
    allowedMultiple: form.type === 'RADIO' ? false : (form.allowedMultiple ?? null),
    selectRestriction: form.type === 'RADIO' ? null : (parseAmount(form.atMost) ?? null),
    requireSelectRestriction: form.type === 'CHECKBOX' && form.isExact,
    enableOptionQuantity: form.type === 'CHECKBOX' && form.mayRepeat,
  },
  options: form.options.map(({ id, label, additionalCost, additionalCalories, preSelected }) => ({
    id,
    label,
    additionalCost: parsePrice(additionalCost) ?? null,
    additionalCalories: additionalCalories ?? null,
    preSelected,
  })),
})
export type ModifierBody = ReturnType<typeof toBody>

/** The body of a copy. Its options get new ids. */
export const toCopy = (body: ModifierBody): ModifierBody => ({
  ...body,
  options: body.options.map((option) => ({ ...option, id: newOption().id })),
})

export const toDetailsForm = (details?: ModifierDetails) => ({
  min: formatNumber(details?.min),
  max: formatNumber(details?.max),
  isHighest: details?.pricing === 'highest',
  options: toOptionForms(details?.options),
  sizedCosts: toSizedCosts(details?.sizedCosts),
  translations: toTranslationForms(details?.translations),
})
export type DetailsForm = ReturnType<typeof toDetailsForm>

export const findDetailsErrors = (form: DetailsForm): ReadonlyMap<string, string> =>
  new Map([...findLimitErrors(form), ...findOptionErrors(form.options, form.sizedCosts)])

export const toDetails = (form: DetailsForm) => ({
  min: parseWhole(form.min) ?? null,
  max: parseWhole(form.max) ?? null,
  pricing: form.isHighest ? ('highest' as const) : null,
  options: toOptions(form.options),
  sizedCosts: toCosts(form.sizedCosts),
  translations: toTranslations(form.translations, (texts) => ({
    title: texts['title'],
    instructions: texts['instructions'],
    description: texts['description'],
    options: toPartTexts(texts, 'options', ({ label }) => ({ label })),
  })),
})

/** The rule of the typed values. */
export const describeForm = (form: ModifierForm, limits?: Limits) => describeRule(toBody(form), limits)
