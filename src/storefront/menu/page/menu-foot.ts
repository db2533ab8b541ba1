import { html } from 'hono/html'
import { orderTypes } from '../../../catalogue/resources/details/order-types.ts'
import type { Html } from '../../pages/page.ts'
import { fill } from '../../pages/phrases.ts'
import type { PublicCharge, PublicMenu } from '../public-menu.ts'
import type { RenderOptions } from './render-options.ts'

/** Texts of order types. */
const typeTexts = { dine_in: 'dineIn', takeaway: 'takeaway', delivery: 'delivery' } as const

const toHundredth = (percentage: number) => percentage / 100

/** Renders a charge with its amount and the orders that have it. */
function renderCharge(charge: PublicCharge, { show, prices, percents, phrases }: RenderOptions): Html {
  const { type, value, per, minGuests = 1 } = charge
  const { say, messages, language } = phrases
  const amount = type === 'PERCENTAGE' ? percents.format(toHundredth(value)) : prices.format(value)
  const types = orderTypes.filter((each) => charge.orderTypes?.includes(each)).map((each) => messages[typeTexts[each]])
  const conditions = [
    ...(types.length > 0 && types.length < orderTypes.length ? [new Intl.ListFormat(language).format(types)] : []),
    ...(minGuests > 1 ? [phrases.count(messages.fromGuests, { count: minGuests })] : []),
  ]
  const text = per === 'item' ? say(fill(messages.perItem, { amount }).join('')) : amount
  return html`<p>${show(charge, 'title')}: <b>${text}</b>${conditions.map((each) => html` · ${say(each)}`)}</p>`
}

/**
 * Renders what stands below the menus, after these are rendered: charges, to what totals are rounded if a price is finer, and notes of the venue. Empty
 * without any.
 */
export function renderFoot({ venue: { notes = [] }, charges = [] }: PublicMenu, options: RenderOptions): Html | '' {
  const { say, messages } = options.phrases
  const shown = charges.map((charge) => renderCharge(charge, options))
  const rounding = options.prices.getRounding()
  const lines = [
    ...shown,
    ...(rounding === undefined ? [] : [html`<p>${say(fill(messages.rounded, { amount: rounding }).join(''))}</p>`]),
    ...notes.map((note) => html`<p>${options.show(note, 'text')}</p>`),
  ]
  return lines.length > 0 ? html`<div class="about">${lines}</div>` : ''
}
