import { html } from 'hono/html'
import { getChoiceRule } from '../../../catalogue/resources/details/choice-rules.ts'
import type { Html } from '../../pages/page.ts'
import { fill } from '../../pages/phrases.ts'
import { getSizeModifier } from '../contents/judge.ts'
import { isFiltering, isPreSelected } from '../food.ts'
import type { PublicModifier, PublicProduct } from '../public-menu.ts'
import type { RenderOptions } from './render-options.ts'

type Option = PublicModifier['options'][number]
type ById<Item> = ReadonlyMap<string, Item>

const suits = ({ suits, soldOut }: { suits?: Option['suits']; soldOut?: boolean | undefined }) =>
  suits === true && soldOut !== true

const join = (texts: readonly Html[], separator: string) =>
  html`${texts.map((text, index) => (index === 0 ? text : html`${separator}${text}`))}`

/**
 * Renders what a guest who filters has to ask for: the choices that suit where something must be chosen and not everything suits, and what to
 * leave out where something else is preselected. Empty without a filter, and if every choice suits.
 */
export function renderAsked(
  product: PublicProduct,
  modifiers: ById<PublicModifier>,
  parts: ById<PublicProduct>,
  { food, phrases, show }: RenderOptions,
): Html | '' {
  if (!food || !isFiltering(food.filter)) return ''
  const [asked, left]: [Html[], Html[]] = [[], []]
  /** Asks for the suitable items of a list from which guests must choose. */
  function ask<Item extends Parameters<typeof suits>[0]>(items: readonly Item[], render: (item: Item) => Html) {
    if (items.every(suits)) return
    asked.push(join(items.filter(suits).map(render), ' / '))
  }
  const getMin = (modifier: PublicModifier) =>
    getChoiceRule(
      modifier,
      modifier,
      product.modifierRules?.find((each) => each.modifier === modifier.id),
    ).min
  const isRequired = (modifier: PublicModifier) => getChoiceRule(modifier, modifier).min > 0
  function renderOption(option: Option): Html {
    const nested = (option.modifiers ?? []).flatMap((id) => modifiers.get(id) ?? []).filter(isRequired)
    const needed = nested.filter(({ options }) => !options.every(suits))
    if (needed.length === 0) return show(option, 'label')
    const choices = needed.map(({ options }) =>
      join(
        options.filter(suits).map((each) => show(each, 'label')),
        ' / ',
      ),
    )
    return html`${show(option, 'label')} (${join(choices, ', ')})`
  }
  for (const modifier of product.modifiers.flatMap((id) => modifiers.get(id) ?? [])) {
    const { options } = modifier
    if (modifier.id === getSizeModifier(product)) ask(product.sizes ?? [], (size) => show(size, 'label'))
    else if (getMin(modifier) > 0) ask(options, renderOption)
    else
      left.push(
        ...options.filter((each) => each.preSelected && !isPreSelected(each)).map((each) => show(each, 'label')),
      )
  }
  for (const { min, items } of product.bundle?.groups ?? []) {
    if (min > 0) ask(items, ({ product: id }) => show(parts.get(id) ?? {}, 'title'))
  }
  const lines = [
    ...(asked.length > 0 ? [fill<unknown>(food.messages.ask, { list: join(asked, ', ') })] : []),
    ...(left.length > 0 ? [fill<unknown>(food.messages.leave, { list: join(left, ', ') })] : []),
  ]
  return lines.length === 0
    ? ''
    : html`<p class="food ask">${phrases.say(
        join(
          lines.map((line) => html`${line}`),
          ' · ',
        ),
      )}</p>`
}
