import { html, raw } from 'hono/html'
import type { Locale } from '../pages/locale.ts'
import { getMessages, type Messages } from '../pages/messages.ts'
import type { Html, HtmlPage } from '../pages/page.ts'
import { createPrices } from '../pages/prices.ts'
import { toTagLabel } from '../pages/tag-label.ts'
import { toJsonLd } from './json-ld.ts'
import { createItemRenderer, type MenuItem, type RenderOptions } from './menu-items.ts'
import {
  countAllPositions,
  getByteLength,
  type MenuPart,
  maxPageBytes,
  reservedBytes,
  type SectionPart,
  takePart,
} from './menu-part.ts'
import type { PublicMenu, PublicMenuEntry, PublicSection } from './public-menu.ts'

const renderText = (content: string | undefined): Html => (content ? html`<p dir="auto">${content}</p>` : html``)

const renderSection = ({ section, isStart, pieces }: SectionPart<MenuItem>, id: string) =>
  html`<section id="${id}">${section.title ? html`<h3 dir="auto">${section.title}</h3>` : ''}${isStart ? renderText(section.description) : ''}<ul>${pieces.map(({ element }) => element)}</ul></section>`

function renderNavigation(title: string, sections: readonly SectionPart<MenuItem>[], toId: (index: number) => string) {
  const links = sections.flatMap(({ section: { title }, index }) =>
    title ? [html`<li><a href="#${toId(index)}" dir="auto">${title}</a></li>`] : [],
  )
  return links.length > 1 ? html`<nav aria-label="${title}"><ul>${links}</ul></nav>` : ''
}

function renderMenu({ menu, index, isStart, sections }: MenuPart<MenuItem>, options: RenderOptions): Html {
  const { title, description, branding, allDayMenu, begin, end, showSectionNavigation } = menu
  const toId = (section: number) => `s${index + 1}-${section + 1}`
  const hours =
    !allDayMenu && begin && end ? html`<p>${options.formatTime(begin)} – ${options.formatTime(end)}</p>` : ''
  const banner = branding.banner
    ? html`<img class="banner" src="${branding.banner}" alt="" width="640" height="256">`
    : ''
  const icon = branding.icon ? html`<img src="${branding.icon}" alt="" width="56" height="56">` : ''
  const [above, below] = isStart ? [html`${banner}${icon}`, html`${hours}${renderText(description)}`] : ['', '']
  return html`<article class="menu"><div class="about">${above}<h2 dir="auto">${title}</h2>${below}</div>${showSectionNavigation ? renderNavigation(title, sections, toId) : ''}${sections.map((section) => renderSection(section, toId(section.index)))}</article>`
}

/** Upper estimates of headings on the page, links to them and their JSON-LD, in bytes. */
const getEscapedBytes = (...texts: readonly (string | undefined)[]) =>
  texts.reduce(
    (sum, content = '') => sum + getByteLength(`${html`${content}`}`) + getByteLength(JSON.stringify(content)),
    0,
  )
const getAngleBytes = (text = '') => 5 * (text.split('<').length - 1)
const getSectionBytes = ({ title, description }: PublicSection, isStart: boolean) =>
  300 +
  2 * getEscapedBytes(title) +
  getEscapedBytes(isStart ? description : '') +
  getAngleBytes(`${title}${description}`)
const getMenuBytes = ({ title, description, branding }: PublicMenuEntry, isStart: boolean) =>
  800 +
  2 * getEscapedBytes(title) +
  getAngleBytes(`${title}${description}`) +
  (isStart ? getEscapedBytes(description, String(branding.banner), String(branding.icon)) : 0)

/** Renders when the next menu opens, while none is open. */
function renderClosed(
  { venue, nextChangeAt, nextMenus, availableAt }: PublicMenu,
  messages: Messages,
  locale: string,
): Html {
  if (nextChangeAt === undefined) return html`<div class="say"><p>${messages.noMenu}</p></div>`
  const [now, next] = [new Date(availableAt * 1000), new Date(nextChangeAt * 1000)]
  const { timezone: timeZone } = venue
  const day = (date: Date) => date.toLocaleDateString('en', { timeZone })
  const weekday = day(now) === day(next) ? {} : ({ weekday: 'long' } as const)
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...weekday, hour: 'numeric', minute: '2-digit' })
  const title = html`<bdi>${nextMenus.join(', ')}</bdi>`
  return html`<div class="say"><p>${messages.closed}</p><p>${messages.next(title, format.format(next))}</p></div>`
}

/** Most bytes of a tag's labels on a page. */
const maxLabelBytes = 64 * 1024

/** Renders a tag's labels, as many as fit. */
function renderLabels({ tag }: PublicMenu): Html[] {
  let bytesLeft = maxLabelBytes
  return (tag?.metadata ?? []).flatMap((entry) => {
    const label = html`<li dir="auto">${toTagLabel(entry)}</li>`
    bytesLeft -= getByteLength(`${label}`)
    return bytesLeft < 0 ? [] : [label]
  })
}

/** Parameters of a page. */
export interface PageOptions {
  /** Language of the service's messages on the page. */
  language: string
  /** Position on the menu at which the page begins. */
  from: number
  /** The URL of the page that begins at another position. */
  toUrl: (from: number) => string
}

function createRenderOptions({ venue }: PublicMenu, locale: string, messages: Messages): RenderOptions {
  const clock = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' })
  const formatTime = (time: string) =>
    clock.format(Date.UTC(2000, 0, 1, Number(time.slice(0, 2)), Number(time.slice(2))))
  return { messages, formatTime, prices: createPrices(locale, venue.currency) }
}

/** Renders the part of the open menus that fits on the page, and its JSON-LD. */
function renderMenus(menu: PublicMenu, options: RenderOptions, { from, toUrl }: PageOptions) {
  const { messages } = options
  const { render, isAnyLeftOut } = createItemRenderer(menu, options)
  // The menu may have become shorter since the link to this part was rendered.
  const start = from < countAllPositions(menu.menus) ? from : 0
  const renderer = { getMenuBytes, getSectionBytes, render }
  const part = takePart(menu.menus, start, maxPageBytes - reservedBytes, renderer)
  const more =
    part.nextFrom === undefined
      ? ''
      : html`<p class="about"><a rel="next" href="${toUrl(part.nextFrom)}">${messages.more}</a></p>`
  const truncated =
    isAnyLeftOut() || (menu.truncated && part.nextFrom === undefined)
      ? html`<div class="about"><p>${messages.truncated}</p></div>`
      : ''
  return {
    content: html`${part.menus.map((each) => renderMenu(each, options))}${more}${truncated}`,
    jsonLd: html`<script type="application/ld+json">${raw(toJsonLd(menu, part.menus))}</script>`,
  }
}

/** Renders the hosted menu. */
export function renderMenuPage(menu: PublicMenu, venueLocale: Locale, page: PageOptions): HtmlPage {
  const { venue, testMode, menus } = menu
  const { language } = page
  const messages = getMessages(language)
  const labels = renderLabels(menu)
  const { region } = new Intl.Locale(venueLocale.locale)
  const locale = new Intl.Locale(language, region ? { region } : {}).toString()
  const lang = venueLocale.language && venueLocale.language !== language ? raw(` lang="${venueLocale.language}"`) : ''
  const { content, jsonLd } =
    menus.length > 0
      ? renderMenus(menu, createRenderOptions(menu, venueLocale.locale, messages), page)
      : { content: renderClosed(menu, messages, locale), jsonLd: '' }
  return {
    language,
    direction: venueLocale.direction,
    title: venue.name,
    head: html`<link rel="canonical" href="/m/${venue.id}">${jsonLd}`,
    body: html`${testMode ? html`<aside class="test">${messages.test}</aside>` : ''}<header><h1 dir="auto"${lang}>${venue.name}</h1>${labels.length > 0 ? html`<ul class="tag">${labels}</ul>` : ''}</header><main${menus.length > 0 ? lang : ''}>${content}</main>`,
  }
}
