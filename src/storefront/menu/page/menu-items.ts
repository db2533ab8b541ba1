import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import { getByteLength, type RenderedPiece } from '../menu-part.ts'
import type { PublicMenu, PublicProduct } from '../public-menu.ts'
import { noDetails, renderModifier, seeAbove } from './choices.ts'
import { renderFood } from './food-texts.ts'
import { toJsonLdItem } from './json-ld.ts'
import { renderProductPictures } from './menu-pictures.ts'
import type { RenderOptions } from './render-options.ts'

/** A product as an element of the page and as JSON-LD. */
export interface MenuItem {
  element: Html
  jsonLd: string
}

/** Bytes of the tags around a product, without and with modifiers. */
const itemTagBytes = 40
const modifierTagBytes = 120

const renderHead = (product: PublicProduct, { show, prices, phrases: { say, messages } }: RenderOptions) =>
  html`<b>${show(product, 'title')}${product.soldOut ? html` <small>${say(messages.soldOut)}</small>` : ''}</b><span>${prices.format(product.price)}</span>`

function renderDescription(product: PublicProduct, { show }: RenderOptions) {
  const { description, calories } = product
  const energy = calories === undefined ? '' : html` <small>${calories} kcal</small>`
  return description || energy ? html`<p>${show(product, 'description')}${energy}</p>` : ''
}

/**
 * Renders the products of one page. The first product with a modifier describes it; the others link to this description. Otherwise, the page size
 * would grow with products times modifiers.
 */
export function createItemRenderer({ modifiers, venue }: PublicMenu, options: RenderOptions) {
  const modifiersById = new Map(modifiers.map((modifier) => [modifier.id, modifier]))
  /** Ids of the elements that describe modifiers, by modifier. */
  const anchors = new Map<string, string>()
  let isAnyLeftOut = false

  function render(product: PublicProduct, bytesLeft: number, isFirst: boolean): RenderedPiece<MenuItem> {
    const chosen = product.modifiers.flatMap((id) => modifiersById.get(id) ?? [])
    const titles = chosen.map((modifier, index) => html`${index === 0 ? '' : ', '}${options.show(modifier, 'title')}`)
    const picture = renderProductPictures(product, options)
    const [head, description] = [
      renderHead(product, options),
      html`${picture}${renderDescription(product, options)}${renderFood(product, options.food, options.phrases)}`,
    ]
    const jsonLd = toJsonLdItem(product, venue.currency, options.publicOrigin)
    const added = new Map<string, string>()
    let leftOut = 0
    let bytes =
      getByteLength(`${head}${description}${html`${titles}`}${jsonLd}`) +
      (chosen.length > 0 ? modifierTagBytes : itemTagBytes)
    const choices = chosen.map((modifier) => {
      const { id } = modifier
      const title = options.show(modifier, 'title')
      const anchor = anchors.get(id)
      const short = html`<dt>${anchor === undefined ? title : html`<a href="#${anchor}">${title}</a>`}</dt>${anchor === undefined ? noDetails : seeAbove}`
      const newAnchor = `c${anchors.size + added.size + 1}`
      const long = anchor === undefined ? renderModifier(modifier, newAnchor, options) : short
      const longBytes = getByteLength(`${long}`)
      // The first product of a part must fit, so modifiers beyond the budget show only their titles.
      const isLeftOut = isFirst && anchor === undefined && bytes + longBytes > bytesLeft
      if (isLeftOut) leftOut++
      else if (anchor === undefined) added.set(id, newAnchor)
      bytes += isLeftOut ? getByteLength(`${short}`) : longBytes
      return isLeftOut ? short : long
    })
    const details = chosen.length === 0 ? '' : html`<details><summary>${titles}</summary><dl>${choices}</dl></details>`
    const element = html`<li class="dish">${head}<div>${description}${details}</div></li>`
    const accept = () => {
      for (const [id, anchor] of added) anchors.set(id, anchor)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: { element, jsonLd }, bytes, accept }
  }
  return { render, isAnyLeftOut: () => isAnyLeftOut }
}
