import { html, raw } from 'hono/html'
import { detectLocale, type Locale } from '../pages/locale.ts'
import { getMessages, type Messages } from '../pages/messages.ts'
import type { Html, HtmlPage } from '../pages/page.ts'
import { toTagLabel } from '../pages/tag-label.ts'
import { structuredItem, toJsonLd } from './json-ld.ts'
import {
  bytesOf,
  type Made,
  type MenuPart,
  maxPageBytes,
  placesIn,
  reservedBytes,
  type SectionPart,
  takePart,
} from './menu-part.ts'
import { createPrices, type Prices } from './prices.ts'
import type { OfferedModifier, PublicMenu, PublicMenuEntry, PublicProduct, PublicSection } from './public-menu.ts'

interface RenderOptions {
  words: Messages
  prices: Prices
  /** A time of day, `HHMM`, as the venue writes it. */
  time: (time: string) => string
}

/** How the venue of an offer writes; `asked` is a language a guest named. */
export function detectMenuLocale({ venue, menus }: PublicMenu, asked: string | undefined): Locale {
  // A few hundred letters tell as much as all of them.
  let sample = venue.name
  for (const title of titlesOf(menus)) {
    if (sample.length >= 2000) break
    sample += ` ${title}`
  }
  return detectLocale(venue, sample.slice(0, 2000), asked)
}

function* titlesOf(menus: readonly PublicMenuEntry[]): Iterable<string> {
  for (const { title, sections } of menus) {
    yield title
    for (const { title = '', products } of sections) {
      yield title
      for (const { title } of products) yield title
    }
  }
}

const renderText = (content: string | undefined): Html => (content ? html`<p dir="auto">${content}</p>` : html``)

function renderOptions(
  { title, instructions, description, options }: OfferedModifier,
  id: string,
  { prices }: RenderOptions,
) {
  const said = [instructions, description].filter(Boolean).join(' ')
  const costs = options.map(({ label, additionalCost = 0 }) =>
    [label ?? '', prices.extra(additionalCost)].join(' ').trim(),
  )
  return html`<dt id="${id}" dir="auto">${title}${said === '' ? '' : html` <small>${said}</small>`}</dt>${costs.filter(Boolean).map((cost) => html`<dd dir="auto">${cost}</dd>`)}`
}

/** What becomes of a product: its place on the page, and what machines read of it. */
interface Dish {
  dish: Html
  item: string
}

/** What the tags around a product weigh, without and with choices, in bytes. */
const dishTagBytes = 40
const choiceTagBytes = 120

/** Makes products for one page. What can be chosen with several of them is described with the first; the others refer to it. */
function createDishes({ modifiers, venue }: PublicMenu, manner: RenderOptions) {
  const known = new Map(modifiers.map((modifier) => [modifier.id, modifier]))
  /** Modifiers that the page describes, and where. */
  const described = new Map<string, string>()
  let isAnyLeftOut = false

  function make(product: PublicProduct, bytesLeft: number, isFirst: boolean): Made<Dish> {
    const { title, price, description, calories, soldOut, images } = product
    const [image] = images
    const energy = calories === undefined ? '' : html` <small>${calories} kcal</small>`
    const about = description || energy ? html`<p dir="auto">${description}${energy}</p>` : ''
    const item = structuredItem(product, venue.currency)
    const chosen = product.modifiers.flatMap((id) => known.get(id) ?? [])
    const titles = chosen.map(({ title }) => title).join(', ')
    const head = html`<b dir="auto">${title}</b><span>${manner.prices.of(price)}${soldOut ? html`<small>${manner.words.soldOut}</small>` : ''}</span>${image ? html`<img src="${image.url}" alt="" width="88" height="88" loading="lazy" decoding="async">` : ''}`
    const fresh = new Map<string, string>()
    let leftOut = 0
    let bytes =
      bytesOf(`${head}${about}${html`${titles}`}${item}`) + (chosen.length > 0 ? choiceTagBytes : dishTagBytes)
    const choices = chosen.map((modifier) => {
      const { id, title } = modifier
      const place = described.get(id)
      const short = html`<dt dir="auto">${place === undefined ? title : html`<a href="#${place}">${title}</a>`}</dt>`
      const next = `c${described.size + fresh.size + 1}`
      const long = place === undefined ? renderOptions(modifier, next, manner) : short
      const longBytes = bytesOf(`${long}`)
      // A product that has a page to itself takes what fits of its choices, and names the others.
      const isLeftOut = isFirst && place === undefined && bytes + longBytes > bytesLeft
      if (isLeftOut) leftOut++
      else if (place === undefined) fresh.set(id, next)
      bytes += isLeftOut ? bytesOf(`${short}`) : longBytes
      return isLeftOut ? short : long
    })
    const details =
      chosen.length === 0 ? '' : html`<details><summary dir="auto">${titles}</summary><dl>${choices}</dl></details>`
    const dish = html`<li class="dish">${head}<div>${about}${details}</div></li>`
    const accept = () => {
      for (const [id, place] of fresh) described.set(id, place)
      isAnyLeftOut ||= leftOut > 0
    }
    return { piece: { dish, item }, bytes, accept }
  }
  return { make, isAnyLeftOut: () => isAnyLeftOut }
}

const renderSection = ({ section, isStart, pieces }: SectionPart<Dish>, id: string) =>
  html`<section id="${id}">${section.title ? html`<h3 dir="auto">${section.title}</h3>` : ''}${isStart ? renderText(section.description) : ''}<ul>${pieces.map(({ dish }) => dish)}</ul></section>`

function renderNavigation(title: string, sections: readonly SectionPart<Dish>[], idOf: (index: number) => string) {
  const links = sections.flatMap(({ section: { title }, index }) =>
    title ? [html`<li><a href="#${idOf(index)}" dir="auto">${title}</a></li>`] : [],
  )
  return links.length > 1 ? html`<nav aria-label="${title}"><ul>${links}</ul></nav>` : ''
}

function renderMenu({ menu, index, isStart, sections }: MenuPart<Dish>, manner: RenderOptions): Html {
  const { title, description, branding, allDayMenu, begin, end, showSectionNavigation } = menu
  const idOf = (section: number) => `s${index + 1}-${section + 1}`
  const hours = !allDayMenu && begin && end ? html`<p>${manner.time(begin)} – ${manner.time(end)}</p>` : ''
  const banner = branding.banner
    ? html`<img class="banner" src="${branding.banner}" alt="" width="640" height="256">`
    : ''
  const icon = branding.icon ? html`<img src="${branding.icon}" alt="" width="56" height="56">` : ''
  const [above, below] = isStart ? [html`${banner}${icon}`, html`${hours}${renderText(description)}`] : ['', '']
  return html`<article class="menu"><div class="about">${above}<h2 dir="auto">${title}</h2>${below}</div>${showSectionNavigation ? renderNavigation(title, sections, idOf) : ''}${sections.map((section) => renderSection(section, idOf(section.index)))}</article>`
}

/** Upper estimates of what headings weigh on the page, links to them and what machines read of them, in bytes. */
const escapedBytes = (...texts: readonly (string | undefined)[]) =>
  texts.reduce((sum, content = '') => sum + bytesOf(`${html`${content}`}`) + bytesOf(JSON.stringify(content)), 0)
const angles = (text = '') => 5 * (text.split('<').length - 1)
const sectionBytes = ({ title, description }: PublicSection, isStart: boolean) =>
  300 + 2 * escapedBytes(title) + escapedBytes(isStart ? description : '') + angles(`${title}${description}`)
const menuBytes = ({ title, description, branding }: PublicMenuEntry, isStart: boolean) =>
  800 +
  2 * escapedBytes(title) +
  angles(`${title}${description}`) +
  (isStart ? escapedBytes(description, String(branding.banner), String(branding.icon)) : 0)

/** What guests read while no menu is open: when the next one is. */
function renderClosed(
  { venue, nextChangeAt, nextMenus, availableAt }: PublicMenu,
  messages: Messages,
  locale: string,
): Html {
  if (nextChangeAt === undefined) return html`<div class="say"><p>${messages.none}</p></div>`
  const [now, next] = [new Date(availableAt * 1000), new Date(nextChangeAt * 1000)]
  const { timezone: timeZone } = venue
  const day = (date: Date) => date.toLocaleDateString('en', { timeZone })
  const weekday = day(now) === day(next) ? {} : ({ weekday: 'long' } as const)
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...weekday, hour: 'numeric', minute: '2-digit' })
  const title = html`<bdi>${nextMenus.join(', ')}</bdi>`
  return html`<div class="say"><p>${messages.closed}</p><p>${messages.next(title, format.format(next))}</p></div>`
}

/** Most bytes of what a tag says on a page. */
const maxLabelBytes = 64 * 1024

/** What a tag says, as far as it fits. */
function renderLabels({ tag }: PublicMenu): Html[] {
  let bytesLeft = maxLabelBytes
  return (tag?.metadata ?? []).flatMap((entry) => {
    const label = html`<li dir="auto">${toTagLabel(entry)}</li>`
    bytesLeft -= bytesOf(`${label}`)
    return bytesLeft < 0 ? [] : [label]
  })
}

/** Which page is wanted, besides what is on offer. */
export interface Asked {
  /** Language of the page's own words. */
  language: string
  /** The place on the menu that the page begins with. */
  from: number
  /** The address of the page that begins elsewhere. */
  addressOf: (from: number) => string
}

/** The page that guests see. */
export function renderMenuPage(offer: PublicMenu, writing: Locale, { language, from, addressOf }: Asked): HtmlPage {
  const { venue, testMode, menus, truncated } = offer
  const messages = getMessages(language)
  const clock = new Intl.DateTimeFormat(writing.locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })
  const time = (hhmm: string) => clock.format(Date.UTC(2000, 0, 1, Number(hhmm.slice(0, 2)), Number(hhmm.slice(2))))
  const manner = { words: messages, time, prices: createPrices(writing.locale, venue.currency) }
  const labels = renderLabels(offer)
  const { region } = new Intl.Locale(writing.locale)
  const locale = new Intl.Locale(language, region ? { region } : {}).toString()
  const written = writing.language && writing.language !== language ? raw(` lang="${writing.language}"`) : ''
  const { make, isAnyLeftOut } = createDishes(offer, manner)
  // A menu may have become shorter since the link to its rest was made.
  const start = from < placesIn(menus) ? from : 0
  const part = takePart(menus, start, maxPageBytes - reservedBytes, { menuBytes, sectionBytes, make })
  const more =
    part.nextFrom === undefined
      ? ''
      : html`<p class="about"><a rel="next" href="${addressOf(part.nextFrom)}">${messages.more}</a></p>`
  const missing =
    isAnyLeftOut() || (truncated && part.nextFrom === undefined)
      ? html`<div class="about"><p>${messages.truncated}</p></div>`
      : ''
  const shown = html`${part.menus.map((menu) => renderMenu(menu, manner))}${more}${missing}`
  return {
    language,
    direction: writing.direction,
    title: venue.name,
    head: html`<link rel="canonical" href="/m/${venue.id}">${menus.length > 0 ? html`<script type="application/ld+json">${raw(toJsonLd(offer, part.menus))}</script>` : ''}`,
    body: html`${testMode ? html`<aside class="test">${messages.test}</aside>` : ''}<header><h1 dir="auto"${written}>${venue.name}</h1>${labels.length > 0 ? html`<ul class="tag">${labels}</ul>` : ''}</header><main${menus.length > 0 ? written : ''}>${menus.length > 0 ? shown : renderClosed(offer, messages, locale)}</main>`,
  }
}
