import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import type { PublicProduct } from '../public-menu.ts'
import { describeChoiceCount, noDetails, renderDeposit, renderSoldOut, renderTag } from './choices.ts'
import { describeFood } from './food-texts.ts'
import type { RenderOptions } from './render-options.ts'

type Group = NonNullable<PublicProduct['bundle']>['groups'][number]

/** Renders a group of a bundle: its title and rule, and its parts with what they contain, one per line. */
export function renderBundleGroup(
  { title, min, max, items }: Group,
  parts: ReadonlyMap<string, PublicProduct>,
  options: RenderOptions,
  renderNested: (id: string) => Html | '',
): Html {
  const { phrases, prices, show, food } = options
  const shown = items.flatMap((item) => {
    const part = parts.get(item.product)
    if (!part) return []
    const size = part.sizes?.find(({ option }) => option === item.size)
    const { soldOutUntil } = size?.soldOut ? size : part
    const texts = food ? describeFood(part, food, phrases) : []
    const contents = texts.length === 0 ? '' : html` <small>${phrases.say(texts.join(' · '))}</small>`
    const cost = prices.formatExtra(item.surcharge ?? 0)
    return [
      html`${renderTag(item)}${show(part, 'title')}${size ? html` ${show(size, 'label')}` : ''}${renderDeposit(size?.deposit ?? part.deposit, options)}${renderSoldOut({ soldOut: item.soldOut, soldOutUntil }, options)}${contents}${cost === '' ? '' : html`<b>${cost}</b>`}</dd>${part.modifiers.map(renderNested)}`,
    ]
  })
  const rule = describeChoiceCount('CHECKBOX', { min, max }, phrases)
  return html`<dt>${show({ title }, 'title')} <small>${phrases.say(rule)}</small></dt>${shown.length > 0 ? shown : noDetails}`
}
