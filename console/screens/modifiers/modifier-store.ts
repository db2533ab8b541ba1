import type { Modifier } from '../../../packages/client/src/client.ts'
import { api } from '../../app/api.ts'
import { formatPrice } from '../../app/format.ts'
import { t } from '../../app/language.ts'
import { createStore } from '../../objects/store.ts'
import type { ModifierBody } from './modifier-form.ts'
import { describeRule } from './rule-words.ts'

/** Labels of the fields, for the comparison of two versions. */
export function nameOf(field: string): string {
  const { title, instructions, description, type, rule, options, required, atMost, exactly, repeat } = t().modifiers
  const { translations } = t().details
  const { min, max, isHighest: pricing, sizedCosts } = t().dish
  const names = {
    title,
    instructions,
    description,
    type,
    rules: rule,
    options,
    required,
    translations,
    min,
    max,
    pricing,
    sizedCosts,
  }
  const rules = { selectRestriction: atMost, requireSelectRestriction: exactly, enableOptionQuantity: repeat }
  return new Map(Object.entries({ ...names, ...rules })).get(field) ?? field
}

export const store = createStore<Modifier, ModifierBody>({
  name: 'modifiers',
  source: () => api().modifiers,
  titleOf: ({ title }) => title,
  nameOf,
  show(field, { options = [], type = 'CHECKBOX', rules }) {
    const { preSelected, repeat, types } = t().modifiers
    if (field === 'type') return types[type]
    if (field === 'rules' && rules)
      return [describeRule({ type, rules }), rules.enableOptionQuantity && repeat].filter(Boolean).join(', ')
    if (field !== 'options') return undefined
    return options
      .map((each) =>
        [each.label, each.additionalCost && formatPrice(each.additionalCost), each.preSelected && `(${preSelected})`]
          .filter(Boolean)
          .join(' '),
      )
      .join(', ')
  },
})
