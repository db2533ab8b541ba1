import { html } from 'hono/html'
import { getChoiceLimits } from '../../../catalogue/resources/modifiers.ts'
import type { Html } from '../../pages/page.ts'
import type { Phrases } from '../../pages/phrases.ts'
import type { PublicModifier } from '../public-menu.ts'
import type { RenderOptions } from './render-options.ts'

/** A `dl` requires a `dd` for each `dt`, even for a modifier without options and for one described above. */
export const noDetails = html`<dd aria-hidden="true">–</dd>`
export const seeAbove = html`<dd aria-hidden="true">↑</dd>`

type Rules = Pick<PublicModifier, 'type' | 'rules'>

/** The text for the number of options that a guest can choose. Only texts for a limited number contain the number. */
function getRule(type: Rules['type'], min: number, max: number) {
  const isLimited = Number.isFinite(max)
  if (min === 0) return isLimited && type !== 'RADIO' ? 'optionalUpTo' : 'optional'
  if (min === max) return max === 1 ? 'choose' : 'chooseExactly'
  return isLimited ? 'chooseBetween' : 'chooseAtLeast'
}

/** Describes in words how many options of a modifier a guest can choose. */
export function describeRule(modifier: Rules, { messages, count }: Phrases): string {
  const { min, max } = getChoiceLimits(modifier)
  return count(messages[getRule(modifier.type, min, max)], { one: 1, count: max })
}

function renderOption(option: PublicModifier['options'][number], { show, prices, phrases }: RenderOptions): Html[] {
  const { label = '', additionalCost = 0, additionalCalories = 0, preSelected } = option
  const cost = prices.formatExtra(additionalCost)
  if (label === '' && cost === '') return []
  const energy = additionalCalories > 0 ? html` <small>+${additionalCalories} kcal</small>` : ''
  const mark = preSelected ? html` <small>${phrases.say(`✓ ${phrases.messages.preSelected}`)}</small>` : ''
  return [html`<dd>${show(option, 'label')}${energy}${mark}${cost === '' ? '' : html`<b>${cost}</b>`}</dd>`]
}

/** Renders a modifier: its title and rule, its instructions, and its options, one per line. */
export function renderModifier(modifier: PublicModifier, id: string, options: RenderOptions): Html {
  const { options: choices } = modifier
  const texts = (['instructions', 'description'] as const).filter((field) => modifier[field])
  const rule =
    choices.length === 0 ? '' : html` <small>${options.phrases.say(describeRule(modifier, options.phrases))}</small>`
  const shown = choices.flatMap((choice) => renderOption(choice, options))
  const about =
    texts.length === 0
      ? ''
      : html`<dd><small>${texts.map((field, index) => html`${index === 0 ? '' : ' '}${options.show(modifier, field)}`)}</small></dd>`
  return html`<dt id="${id}">${options.show(modifier, 'title')}${rule}</dt>${about}${shown.length > 0 || texts.length > 0 ? shown : noDetails}`
}
