import { html, raw } from 'hono/html'
import { type Writing, writingOf } from './language.ts'
import type { Offer, OfferedMenu, OfferedProduct, OfferedSection } from './offer.ts'
import type { Html, Page } from './page.ts'
import { createPrices, type Prices } from './prices.ts'
import { structured } from './structured.ts'
import { type Words, wordsIn } from './words.ts'

interface Manner {
  words: Words
  prices: Prices
  /** A time of day, `HHMM`, as the venue writes it. */
  time: (time: string) => string
}

/** What a tag says, for people: "Table 4". */
export function labelOf({ key, value }: { key: string; value: string }): string {
  const name = key.replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]+/gu, ' ').trim()
  if (name === '' || value.toLowerCase().startsWith(name.toLowerCase())) return value
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${value}`
}

/** How the venue of an offer writes; `asked` is a language a guest named. */
export function writingFor({ venue, menus }: Offer, asked: string | undefined): Writing {
  const titles = menus.flatMap(({ title, sections }) => [
    title,
    ...sections.flatMap(({ title, products }) => [title ?? '', ...products.map(({ title }) => title)]),
  ])
  // A few hundred letters tell as much as all of them.
  return writingOf(venue, [venue.name, ...titles].join(' ').slice(0, 2000), asked)
}

const text = (content: string | undefined): Html => (content ? html`<p dir="auto">${content}</p>` : html``)

function renderOptions(
  { title, instructions, description, options }: OfferedProduct['modifiers'][number],
  { prices }: Manner,
) {
  const said = [instructions, description].filter(Boolean).join(' ')
  const costs = options.map(({ label, additionalCost = 0 }) =>
    [label ?? '', prices.extra(additionalCost)].join(' ').trim(),
  )
  return html`<dt dir="auto">${title}${said === '' ? '' : html` <small>${said}</small>`}</dt>${costs.filter(Boolean).map((cost) => html`<dd dir="auto">${cost}</dd>`)}`
}

function renderProduct(
  { title, price, description, calories, soldOut, images, modifiers }: OfferedProduct,
  manner: Manner,
) {
  const [image] = images
  const energy = calories === undefined ? '' : html` <small>${calories} kcal</small>`
  const about = description || energy ? html`<p dir="auto">${description}${energy}</p>` : ''
  const choices =
    modifiers.length === 0
      ? ''
      : html`<details><summary dir="auto">${modifiers.map(({ title }) => title).join(', ')}</summary><dl>${modifiers.map((modifier) => renderOptions(modifier, manner))}</dl></details>`
  return html`<li class="dish"><b dir="auto">${title}</b><span>${manner.prices.of(price)}${soldOut ? html`<small>${manner.words.soldOut}</small>` : ''}</span>${image ? html`<img src="${image.url}" alt="" width="88" height="88" loading="lazy" decoding="async">` : ''}<div>${about}${choices}</div></li>`
}

const renderSection = ({ title, description, products }: OfferedSection, id: string, manner: Manner) =>
  html`<section id="${id}">${title ? html`<h3 dir="auto">${title}</h3>` : ''}${text(description)}<ul>${products.map((product) => renderProduct(product, manner))}</ul></section>`

function renderNavigation({ title, sections }: OfferedMenu, idOf: (index: number) => string) {
  const links = sections.flatMap(({ title }, index) =>
    title ? [html`<li><a href="#${idOf(index)}" dir="auto">${title}</a></li>`] : [],
  )
  return links.length > 1 ? html`<nav aria-label="${title}"><ul>${links}</ul></nav>` : ''
}

function renderMenu(menu: OfferedMenu, index: number, manner: Manner): Html {
  const { title, description, branding, allDayMenu, begin, end, showSectionNavigation, sections } = menu
  const idOf = (section: number) => `s${index + 1}-${section + 1}`
  const hours = !allDayMenu && begin && end ? html`<p>${manner.time(begin)} – ${manner.time(end)}</p>` : ''
  const banner = branding.banner
    ? html`<img class="banner" src="${branding.banner}" alt="" width="640" height="256">`
    : ''
  const icon = branding.icon ? html`<img src="${branding.icon}" alt="" width="56" height="56">` : ''
  return html`<article class="menu"><div class="about">${banner}${icon}<h2 dir="auto">${title}</h2>${hours}${text(description)}</div>${showSectionNavigation ? renderNavigation(menu, idOf) : ''}${sections.map((section, at) => renderSection(section, idOf(at), manner))}</article>`
}

/** What guests read while no menu is open: when the next one is. */
function renderClosed({ venue, nextChangeAt, nextMenus, availableAt }: Offer, words: Words, locale: string): Html {
  if (nextChangeAt === undefined) return html`<div class="say"><p>${words.none}</p></div>`
  const [now, next] = [new Date(availableAt * 1000), new Date(nextChangeAt * 1000)]
  const { timezone: timeZone } = venue
  const day = (date: Date) => date.toLocaleDateString('en', { timeZone })
  const weekday = day(now) === day(next) ? {} : ({ weekday: 'long' } as const)
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...weekday, hour: 'numeric', minute: '2-digit' })
  const title = html`<bdi>${nextMenus.join(', ')}</bdi>`
  return html`<div class="say"><p>${words.closed}</p><p>${words.next(title, format.format(next))}</p></div>`
}

/** The page that guests see; `language` is that of the page's own words. */
export function renderOffer(offer: Offer, writing: Writing, language: string): Page {
  const { venue, testMode, tag, menus } = offer
  const words = wordsIn(language)
  const clock = new Intl.DateTimeFormat(writing.locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })
  const time = (hhmm: string) => clock.format(Date.UTC(2000, 0, 1, Number(hhmm.slice(0, 2)), Number(hhmm.slice(2))))
  const manner = { words, time, prices: createPrices(writing.locale, venue.currency) }
  const labels = tag?.metadata.map((entry) => html`<li dir="auto">${labelOf(entry)}</li>`) ?? []
  const { region } = new Intl.Locale(writing.locale)
  const locale = new Intl.Locale(language, region ? { region } : {}).toString()
  const written = writing.language && writing.language !== language ? raw(` lang="${writing.language}"`) : ''
  return {
    language,
    direction: writing.direction,
    title: venue.name,
    head: html`<link rel="canonical" href="/m/${venue.id}">${menus.length > 0 ? html`<script type="application/ld+json">${raw(structured(offer))}</script>` : ''}`,
    body: html`${testMode ? html`<aside class="test">${words.test}</aside>` : ''}<header><h1 dir="auto"${written}>${venue.name}</h1>${labels.length > 0 ? html`<ul class="tag">${labels}</ul>` : ''}</header><main${menus.length > 0 ? written : ''}>${menus.length > 0 ? menus.map((menu, index) => renderMenu(menu, index, manner)) : renderClosed(offer, words, locale)}</main>`,
  }
}
