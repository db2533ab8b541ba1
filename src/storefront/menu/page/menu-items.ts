import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import { fill } from '../../pages/phrases.ts'
import { getSizeModifier } from '../contents/judge.ts'
import { createMenuJudge } from '../food.ts'
import { getByteLength, type RenderedPiece } from '../menu-part.ts'
import type { PublicMenu, PublicModifier, PublicProduct, PublicSize } from '../public-menu.ts'
import { renderAsked } from './asked-choices.ts'
import { renderBundleGroup } from './bundle-groups.ts'
import {
  noDetails,
  renderDeposit,
  renderModifier,
  renderNestedModifier,
  renderRule,
  renderSoldOut,
  renderTitle,
  returnNote,
  seeAbove,
} from './choices.ts'
import { renderFood } from './food-texts.ts'
import { renderProductPictures } from './menu-pictures.ts'
import type { RenderOptions } from './render-options.ts'
import { toJsonLdItem } from './structured-data/json-ld.ts'

/** A product as an element of the page and as JSON-LD. */
export interface MenuItem {
  element: Html
  jsonLd: string
}

/** Bytes of the tags around a product, without and with modifiers. */
const itemTagBytes = 40
const modifierTagBytes = 120

/** From this number of sizes on, only the lowest price is shown. */
const manySizes = 7

const units = { kg: 'kg', '100g': '100 g', l: 'l' } as const

/** Renders the prices of sizes: of each with its deposit, or from the lowest of many. `deposit` is that of sizes without one. */
function renderSizes(sizes: readonly PublicSize[], deposit: PublicProduct['deposit'], options: RenderOptions): Html {
  const { prices, show, food } = options
  const deposits = sizes.map((size) => renderDeposit(size.deposit ?? deposit, options))
  // One that all sizes have stands behind them.
  const isCommon = new Set(deposits.map(String)).size === 1
  const common = isCommon ? (deposits[0] ?? '') : ''
  if (sizes.length >= manySizes && food && isCommon) {
    const lowest = prices.format(Math.min(...sizes.map((size) => size.price)))
    return html`${fill(food.messages.from, { price: lowest }).join('')}${common}`
  }
  const shown = sizes.map((size, index) => {
    const text = html`${show(size, 'label')} ${prices.format(size.price)}${isCommon ? '' : deposits[index]}`
    return html`${index === 0 ? '' : ' · '}<span>${size.soldOut ? html`<s>${text}</s>${returnNote(size, options)}` : text}</span>`
  })
  return html`${shown}${common}`
}

/** Renders the price of a product: of its sizes, or per unit; and its deposit. */
function renderPrice({ price, sizes, soldBy, deposit }: PublicProduct, options: RenderOptions): Html {
  if (sizes) return renderSizes(sizes, deposit, options)
  const unit = soldBy ? html` / ${units[soldBy.unit]}` : ''
  return html`${options.prices.format(price)}${unit}${renderDeposit(deposit, options)}`
}

const renderHead = (product: PublicProduct, options: RenderOptions) =>
  html`<div><b>${options.show(product, 'title')}${renderSoldOut(product, options)}</b><span>${renderPrice(product, options)}</span></div>`

/** The energy of a product; of its sizes, from the lowest to the highest. */
function describeEnergy({ calories, sizes = [] }: PublicProduct): string {
  const known = sizes.flatMap((size) => size.calories ?? [])
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [calories, calories]
  if (low === undefined) return ''
  return low === high ? `${low}\u00a0kcal` : `${low}–${high}\u00a0kcal`
}

function renderDescription(product: PublicProduct, { show }: RenderOptions) {
  const energy = describeEnergy(product)
  return product.description || energy
    ? html`<p>${show(product, 'description')}${energy === '' ? '' : html` <small>${energy}</small>`}</p>`
    : ''
}

const byId = <Item extends { id: string }>(items: readonly Item[]) => new Map(items.map((item) => [item.id, item]))

/** Whether guests must know what the sizes of a product contain: one adds something, does not suit or is not stated. */
const isSizeShown = ({ sizes = [], allergens }: PublicProduct) =>
  sizes.some(
    (size) =>
      size.allergens?.length ||
      size.additives?.length ||
      (size.suits ?? true) !== true ||
      (allergens && !size.allergens),
  )

/**
 * Renders the products of one page. The first product with a modifier describes it; the others link to this description. Otherwise, the page size
 * would grow with products times modifiers.
 */
export function createItemRenderer(menu: PublicMenu, options: RenderOptions) {
  const { venue } = menu
  const judge = createMenuJudge(menu, { diets: [], without: [] })
  const [modifiersById, partsById] = [byId(menu.modifiers), byId(menu.parts)]
  /** Ids of the elements that describe modifiers, by modifier. */
  const anchors = new Map<string, string>()
  let isAnyLeftOut = false

  function render(product: PublicProduct, bytesLeft: number, isFirst: boolean): RenderedPiece<MenuItem> {
    const { bundle } = product
    const sizeModifier = isSizeShown(product) ? undefined : getSizeModifier(product)
    const chosen = product.modifiers.flatMap((id) => (id === sizeModifier ? [] : (modifiersById.get(id) ?? [])))
    const getRule = (id: string) => product.modifierRules?.find((each) => each.modifier === id)
    const groups = bundle?.groups ?? []
    const titles = [
      ...chosen.map((modifier) => renderTitle(modifier, getRule(modifier.id), options)),
      ...groups.map((group) => options.show(group, 'title')),
    ].map((title, index) => html`${index === 0 ? '' : ', '}${title}`)
    const picture = renderProductPictures(product, options)
    const [head, description] = [
      html`${picture}${renderHead(product, options)}`,
      html`${renderDescription(product, options)}${renderFood(product, options.food, options.phrases)}${renderAsked(product, modifiersById, partsById, options)}`,
    ]
    const jsonLd = toJsonLdItem(product, judge.listSureDiets(product), venue.currency, options.publicOrigin)
    const added = new Map<string, string>()
    let leftOut = 0
    let bytes =
      getByteLength(`${head}${description}${html`${titles}`}${jsonLd}`) +
      (titles.length > 0 ? modifierTagBytes : itemTagBytes)
    const getAnchor = (id: string) => anchors.get(id) ?? added.get(id)
    const addAnchor = (id: string) => {
      const anchor = `c${anchors.size + added.size + 1}`
      added.set(id, anchor)
      return anchor
    }
    /** A modifier of an option or of a part: described once, later a link. */
    function renderNested(id: string): Html | '' {
      const modifier = modifiersById.get(id)
      if (!modifier) return ''
      const anchor = getAnchor(id)
      return anchor === undefined
        ? renderNestedModifier(modifier, addAnchor(id), options)
        : html`<dd class="in"><a href="#${anchor}">${options.show(modifier, 'title')}</a></dd>`
    }
    /** Renders in full if that fits, otherwise in short. The first product of a part must fit, so choices beyond the budget show only titles. */
    function renderFitting(short: () => Html, long: () => Html): Html {
      const before = new Map(added)
      const full = long()
      const fullBytes = getByteLength(`${full}`)
      if (!isFirst || bytes + fullBytes <= bytesLeft) {
        bytes += fullBytes
        return full
      }
      for (const id of added.keys()) if (!before.has(id)) added.delete(id)
      leftOut++
      const brief = short()
      bytes += getByteLength(`${brief}`)
      return brief
    }
    const choices = chosen.map((modifier) => {
      const { id } = modifier
      const rule = getRule(id)
      const title = renderTitle(modifier, rule, options)
      const anchor = getAnchor(id)
      if (anchor !== undefined) {
        const link = html`<dt><a href="#${anchor}">${title}</a>${renderRule(modifier, rule, options)}</dt>${seeAbove}`
        bytes += getByteLength(`${link}`)
        return link
      }
      const used = id === getSizeModifier(product) ? withSizes(modifier, product) : modifier
      return renderFitting(
        () => html`<dt>${title}</dt>${noDetails}`,
        // The contents of sizes are those of this product, so no other product links to them.
        () => renderModifier(used, used === modifier ? addAnchor(id) : undefined, rule, options, renderNested),
      )
    })
    const parts = groups.map((group) =>
      renderFitting(
        () => html`<dt>${options.show(group, 'title')}</dt>${noDetails}`,
        () => renderBundleGroup(group, partsById, options, renderNested),
      ),
    )
    const details =
      titles.length === 0 ? '' : html`<details><summary>${titles}</summary><dl>${choices}${parts}</dl></details>`
    const element = html`<li class="dish${product.soldOut ? ' out' : ''}">${head}${description}${details}</li>`
    const accept = () => {
      for (const [id, anchor] of added) anchors.set(id, anchor)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: { element, jsonLd }, bytes, accept }
  }
  return { render, isAnyLeftOut: () => isAnyLeftOut }
}

/** The modifier of sizes with what the product says about them. Their prices stand at its title. */
function withSizes(modifier: PublicModifier, { sizes = [] }: PublicProduct): PublicModifier {
  return {
    ...modifier,
    ...{ min: 1, max: 1 },
    options: sizes.flatMap((size) => {
      const option = modifier.options.find(({ id }) => id === size.option)
      return option ? [{ ...option, ...size, id: option.id, additionalCost: 0, sizedCosts: undefined }] : []
    }),
  }
}
