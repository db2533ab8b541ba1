import { html } from 'hono/html'
import { getChoiceRule } from '../../../catalogue/resources/details/choice-rules.ts'
import type { Html } from '../../pages/page.ts'
import { fill, type Phrases } from '../../pages/phrases.ts'
import { isPreSelected } from '../food.ts'
import type { PublicModifier, PublicProduct } from '../public-menu.ts'
import { lacksStatement, renderChoiceFood } from './food-texts.ts'
import type { RenderOptions } from './render-options.ts'

type Option = PublicModifier['options'][number]
type Rule = NonNullable<PublicProduct['modifierRules']>[number]

/** A `dl` requires a `dd` for each `dt`, even for a modifier without options and for one described above. */
export const noDetails = html`<dd aria-hidden="true">–</dd>`
export const seeAbove = html`<dd aria-hidden="true">↑</dd>`

/** The text for the number of options that a guest can choose. Only texts for a limited number contain the number. */
function getRule(type: PublicModifier['type'], min: number, max: number) {
  const isLimited = Number.isFinite(max)
  if (min === 0) return isLimited && type !== 'RADIO' ? 'optionalUpTo' : 'optional'
  if (min === max) return max === 1 ? 'choose' : 'chooseExactly'
  return isLimited ? 'chooseBetween' : 'chooseAtLeast'
}

/** Describes in words how many choices a guest can make. */
export const describeChoiceCount = (
  type: PublicModifier['type'],
  { min, max }: { min: number; max: number },
  { messages, count }: Phrases,
) => count(messages[getRule(type, min, max)], { one: min, count: max })

/** Describes in words how many options of a modifier a guest can choose, at a product with a rule for it. */
export const describeRule = (
  modifier: Pick<PublicModifier, 'type' | 'rules' | 'min' | 'max'>,
  phrases: Phrases,
  rule?: Rule,
) => describeChoiceCount(modifier.type, getChoiceRule(modifier, modifier, rule), phrases)

/** Renders the title of a modifier at a product. */
export function renderTitle(modifier: PublicModifier, rule: Rule | undefined, { show }: RenderOptions): Html {
  return rule?.title === undefined ? show(modifier, 'title') : show(rule, 'title')
}

/** How a choice is shown: greyed if it is sold out or does not suit the filter. */
const isGrey = ({ soldOut, suits = true }: Pick<Option, 'soldOut' | 'suits'>) => soldOut === true || suits !== true
type Mark = Pick<Option, 'soldOut' | 'soldOutUntil'>
/** Says when something that is sold out is served again. Empty if that is not known. */
const describeReturn = ({ soldOutUntil }: Mark, { phrases: { messages }, formatReturn }: RenderOptions) =>
  soldOutUntil === undefined ? [] : [fill(messages.back, { time: formatReturn(soldOutUntil) }).join('')]
/** Says that something is sold out, and when it is served again. */
export function renderSoldOut(mark: Mark, options: RenderOptions): Html | '' {
  if (!mark.soldOut) return ''
  const { say, messages } = options.phrases
  return html` <small>${say([messages.soldOut, ...describeReturn(mark, options)].join(' · '))}</small>`
}
/** Says behind a struck size when it is served again. */
export function returnNote(mark: Mark, options: RenderOptions): Html | '' {
  const [text] = describeReturn(mark, options)
  return text === undefined ? '' : html` <small>${options.phrases.say(text)}</small>`
}
/** Renders the start of an option's element. Options that cannot be chosen are grey. */
export const renderTag = (choice: Pick<Option, 'soldOut' | 'suits'>, isNested = false) => {
  const names = [...(isNested ? ['in'] : []), ...(isGrey(choice) ? ['no'] : [])]
  return names.length === 0 ? html`<dd>` : html`<dd class="${names.join(' ')}">`
}

/** Renders what is added for the container; empty without a deposit. */
export function renderDeposit(deposit: PublicProduct['deposit'], { prices, phrases }: RenderOptions): Html | '' {
  if (!deposit || deposit.amount === 0) return ''
  const text = fill(phrases.messages.plusDeposit, { amount: prices.format(deposit.amount) }).join('')
  return html` <small>${phrases.say(text)}</small>`
}

/** The amounts that an option adds: the ordinary one, and those at sizes. */
function describeCosts({ additionalCost = 0, sizedCosts = {} }: Option, { prices, sizeLabels }: RenderOptions): string {
  const sized = Object.entries(sizedCosts).flatMap(([size, amount]) => {
    const label = sizeLabels.get(size)
    return label === undefined ? [] : [`${prices.formatExtra(amount) || prices.format(0)} (${label})`]
  })
  return [prices.formatExtra(additionalCost), ...sized].filter((cost) => cost !== '').join(', ')
}

function renderOption(option: Option, isNested: boolean, isMarked: boolean, options: RenderOptions): Html[] {
  const { show, phrases, food } = options
  const { label = '', additionalCalories = 0 } = option
  const cost = describeCosts(option, options)
  if (label === '' && cost === '') return []
  const energy = additionalCalories > 0 ? html` <small>+${additionalCalories}\u00a0kcal</small>` : ''
  const mark = isPreSelected(option) ? html` <small>${phrases.say(`✓ ${phrases.messages.preSelected}`)}</small>` : ''
  const contents = renderChoiceFood(option, food, phrases, isMarked)
  return [
    html`${renderTag(option, isNested)}${show(option, 'label')}${energy}${mark}${renderSoldOut(option, options)}${contents}${cost === '' ? '' : html`<b>${cost}</b>`}</dd>`,
  ]
}

/**
 * Renders the options of a modifier, one per line. If none states its allergens, their title says so; otherwise those that do not.
 * `renderNested` renders a modifier that an option offers.
 */
function renderOptions(
  { options: choices }: PublicModifier,
  isNested: boolean,
  options: RenderOptions,
  renderNested: (id: string) => Html | '',
): (Html | '')[] {
  const isMarked = choices.some(({ allergens }) => allergens)
  return choices.flatMap((choice) => [
    ...renderOption(choice, isNested, isMarked, options),
    ...(choice.modifiers ?? []).map(renderNested),
  ])
}

/** Renders the rule of a modifier in words, and that none of its options states its allergens. */
export function renderRule(
  modifier: PublicModifier,
  rule: Rule | undefined,
  { food, phrases }: RenderOptions,
): Html | '' {
  if (modifier.options.length === 0) return ''
  const isStated = modifier.options.some((option) => !lacksStatement(option, food))
  const texts = [describeRule(modifier, phrases, rule), ...(isStated || !food ? [] : [food.messages.notStated])]
  return html` <small>${phrases.say(texts.join(' · '))}</small>`
}

/** Renders a modifier: its title and rule, its instructions, and its options, one per line. */
export function renderModifier(
  modifier: PublicModifier,
  id: string | undefined,
  rule: Rule | undefined,
  options: RenderOptions,
  renderNested: (id: string) => Html | '',
): Html {
  const texts = (['instructions', 'description'] as const).filter((field) => modifier[field])
  const shown = renderOptions(modifier, false, options, renderNested)
  const about =
    texts.length === 0
      ? ''
      : html`<dd><small>${texts.map((field, index) => html`${index === 0 ? '' : ' '}${options.show(modifier, field)}`)}</small></dd>`
  return html`<dt${id === undefined ? '' : html` id="${id}"`}>${renderTitle(modifier, rule, options)}${renderRule(modifier, rule, options)}</dt>${about}${shown.length > 0 || texts.length > 0 ? shown : noDetails}`
}

/** Renders a modifier that an option offers, indented below it. */
export function renderNestedModifier(modifier: PublicModifier, id: string, options: RenderOptions): Html {
  return html`<dd class="in" id="${id}">${options.show(modifier, 'title')}${renderRule(modifier, undefined, options)}</dd>${renderOptions(modifier, true, options, () => '')}`
}
