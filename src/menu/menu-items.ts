import { html } from 'hono/html'
import type { Messages } from '../pages/messages.ts'
import type { Html } from '../pages/page.ts'
import type { Prices } from '../pages/prices.ts'
import { toJsonLdItem } from './json-ld.ts'
import { getByteLength, type RenderedPiece } from './menu-part.ts'
import type { PublicMenu, PublicModifier, PublicProduct } from './public-menu.ts'

export interface RenderOptions {
  messages: Messages
  prices: Prices
  /** Formats a time of day, `HHMM`, in the venue's locale. */
  formatTime: (time: string) => string
}

/** A product as an element of the page and as JSON-LD. */
export interface MenuItem {
  element: Html
  jsonLd: string
}

/** Bytes of the tags around a product, without and with modifiers. */
const itemTagBytes = 40
const modifierTagBytes = 120

/** A `dl` requires a `dd` for each `dt`: for a modifier without options, and for one described above. */
const noDetails = html`<dd aria-hidden="true">–</dd>`
const seeAbove = html`<dd aria-hidden="true">↑</dd>`

function renderModifier(
  { title, instructions, description, options }: PublicModifier,
  id: string,
  { prices }: RenderOptions,
) {
  const text = [instructions, description].filter(Boolean).join(' ')
  const labels = options.map(({ label, additionalCost = 0 }) =>
    [label ?? '', prices.formatExtra(additionalCost)].join(' ').trim(),
  )
  const shown = labels.filter(Boolean).map((label) => html`<dd dir="auto">${label}</dd>`)
  return html`<dt id="${id}" dir="auto">${title}${text === '' ? '' : html` <small>${text}</small>`}</dt>${shown.length > 0 ? shown : noDetails}`
}

function renderHead({ title, price, soldOut, images: [image] }: PublicProduct, { prices, messages }: RenderOptions) {
  return html`<b dir="auto">${title}</b><span>${prices.format(price)}${soldOut ? html`<small>${messages.soldOut}</small>` : ''}</span>${image ? html`<img src="${image.url}" alt="" width="88" height="88" loading="lazy" decoding="async">` : ''}`
}

function renderDescription({ description, calories }: PublicProduct) {
  const energy = calories === undefined ? '' : html` <small>${calories} kcal</small>`
  return description || energy ? html`<p dir="auto">${description}${energy}</p>` : ''
}

/**
 * Renders the products of one page. The first product with a modifier describes it; the others link to this description, so that a
 * page does not grow with products times modifiers.
 */
export function createItemRenderer({ modifiers, venue }: PublicMenu, options: RenderOptions) {
  const modifiersById = new Map(modifiers.map((modifier) => [modifier.id, modifier]))
  /** Ids of the elements that describe modifiers, by modifier. */
  const anchors = new Map<string, string>()
  let isAnyLeftOut = false

  function render(product: PublicProduct, bytesLeft: number, isFirst: boolean): RenderedPiece<MenuItem> {
    const chosen = product.modifiers.flatMap((id) => modifiersById.get(id) ?? [])
    const titles = chosen.map(({ title }) => title).join(', ')
    const [head, description] = [renderHead(product, options), renderDescription(product)]
    const jsonLd = toJsonLdItem(product, venue.currency)
    const added = new Map<string, string>()
    let leftOut = 0
    let bytes =
      getByteLength(`${head}${description}${html`${titles}`}${jsonLd}`) +
      (chosen.length > 0 ? modifierTagBytes : itemTagBytes)
    const choices = chosen.map((modifier) => {
      const { id, title } = modifier
      const anchor = anchors.get(id)
      const short = html`<dt dir="auto">${anchor === undefined ? title : html`<a href="#${anchor}">${title}</a>`}</dt>${anchor === undefined ? noDetails : seeAbove}`
      const newAnchor = `c${anchors.size + added.size + 1}`
      const long = anchor === undefined ? renderModifier(modifier, newAnchor, options) : short
      const longBytes = getByteLength(`${long}`)
      // The first product of a part must fit: modifiers beyond the budget show only their titles.
      const isLeftOut = isFirst && anchor === undefined && bytes + longBytes > bytesLeft
      if (isLeftOut) leftOut++
      else if (anchor === undefined) added.set(id, newAnchor)
      bytes += isLeftOut ? getByteLength(`${short}`) : longBytes
      return isLeftOut ? short : long
    })
    const details =
      chosen.length === 0 ? '' : html`<details><summary dir="auto">${titles}</summary><dl>${choices}</dl></details>`
    const element = html`<li class="dish">${head}<div>${description}${details}</div></li>`
    const accept = () => {
      for (const [id, anchor] of added) anchors.set(id, anchor)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: { element, jsonLd }, bytes, accept }
  }
  return { render, isAnyLeftOut: () => isAnyLeftOut }
}
