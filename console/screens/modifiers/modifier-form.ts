import type { Modifier, ModifierDetails } from '../../../packages/client/src/client.ts'
import { formatAmount, formatNumber, parseAmount, parsePrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { toPartTexts, toTranslationForms, toTranslations } from '../../objects/translation-form.ts'

export interface OptionForm {
  /** Absent until the service has stored the option. */
  id?: string
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
    ...(id === undefined ? {} : { id }),
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
  options: body.options.map(({ id: _, ...option }) => option),
})

export const toDetailsForm = (details?: ModifierDetails) => ({
  translations: toTranslationForms(details?.translations),
})
export type DetailsForm = ReturnType<typeof toDetailsForm>

export const toDetails = ({ translations }: DetailsForm) => ({
  translations: toTranslations(translations, (texts) => ({
    title: texts['title'],
    instructions: texts['instructions'],
    description: texts['description'],
    options: toPartTexts(texts, 'options', ({ label }) => ({ label })),
  })),
})

/** A rule in words, such as "choose up to 2". It matches the hosted menu and quotes. */
export function describeRule({ type, rules }: Pick<Modifier | ModifierBody, 'type' | 'rules'>): string {
  const { rules: texts } = t().modifiers
  const { required, selectRestriction, requireSelectRestriction, allowedMultiple } = rules
  const max = type === 'RADIO' || allowedMultiple === false ? 1 : (selectRestriction ?? 0)
  if (max > 0 && requireSelectRestriction) return max === 1 ? texts.one : texts.exactly(max)
  if (required) return max === 1 ? texts.one : max > 0 ? texts.oneTo(max) : texts.atLeastOne
  const limit = max === 0 ? texts.any : type === 'RADIO' ? texts.one : texts.upTo(max)
  return `${limit}, ${texts.optional}`
}

/** The rule of the typed values. */
export const describeForm = (form: ModifierForm) => describeRule(toBody(form))
