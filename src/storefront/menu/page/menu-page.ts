import { html, raw } from 'hono/html'
import { daySeconds } from '../../../platform/lib/day.ts'
import { createClock, isAllDay } from '../../../platform/lib/opening-hours.ts'
import { toTheme } from '../../../platform/themes.ts'
import { getDirection, type Locale } from '../../pages/locale.ts'
import { menuScript } from '../../pages/look/menu-script.ts'
import { fallbackLanguage, type PageLanguage, toPageLanguage } from '../../pages/messages.ts'
import type { Html, HtmlPage } from '../../pages/page.ts'
import { createPhrases, fill, type Phrases } from '../../pages/phrases.ts'
import { createPrices } from '../../pages/prices.ts'
import { toTagLabel } from '../../pages/tag-label.ts'
import { renderVenueText } from '../../pages/venue-text.ts'
import { listProducts } from '../food.ts'
import { getByteLength, listMenuPositions, type MenuPart, maxPageBytes, reservedBytes, takePart } from '../menu-part.ts'
import { describePreview, type RequestedPreview } from '../preview/preview-link.ts'
import { listShownMenus, type PublicMenu } from '../public-menu.ts'
import { type ActOptions, renderActs } from './acts/menu-acts.ts'
import { type FoodOptions, renderFoodFilter, renderFootnoteTexts } from './food-texts.ts'
import { getMenuBytes, getSectionBytes, renderMenu } from './menu-article.ts'
import { renderBar } from './menu-bar.ts'
import { createDayFormats } from './menu-days.ts'
import { renderFoot } from './menu-foot.ts'
import { renderMenuHead } from './menu-head.ts'
import { createItemRenderer, type MenuItem } from './menu-items.ts'
import type { PictureOptions } from './menu-pictures.ts'
import type { RenderOptions } from './render-options.ts'
import { toJsonLd } from './structured-data/json-ld.ts'
import { renderLanguages, renderLogo, renderVenue } from './venue-head.ts'

/** Maximum size of a tag's labels on a page, in bytes. */
const maxLabelBytes = 64 * 1024

/** Renders a tag's labels, as many as fit. */
function renderLabels({ tag }: PublicMenu, language: PageLanguage): Html[] {
  let bytesLeft = maxLabelBytes
  return (tag?.metadata ?? []).flatMap((entry) => {
    const label = html`<li><bdi>${toTagLabel(entry, language)}</bdi></li>`
    bytesLeft -= getByteLength(`${label}`)
    return bytesLeft < 0 ? [] : [label]
  })
}

/** A longer name of a venue is set smaller, so that it stays beside the table on a phone. */
const maxNameLength = 20

/** From this number of products on, browsers lay out only those that are near the screen. */
const manyProducts = 200

const countProducts = (parts: readonly MenuPart<MenuItem>[]) =>
  parts.flatMap(({ sections }) => sections.map(({ pieces }) => pieces.length)).reduce((sum, count) => sum + count, 0)

/** Within this time a weekday names one day, in seconds. */
const nearSeconds = 6 * daySeconds

/** Parameters of a page. */
interface PageOptions extends PictureOptions, ActOptions {
  /** Language that the guest prefers for the service's texts; undefined if the service supports none of the guest's languages. */
  language: PageLanguage | undefined
  /** Position on the menu at which the page begins. */
  from: number
  /** Absent: guests see the menu. */
  preview?: RequestedPreview | undefined
  /** The URL of the page that begins at another position. */
  toUrl: (from: number) => string
  /** The URL of the page in another language. */
  toLanguageUrl: (language: string) => string
  /** Allergens and diets that the products state. Undefined if no product states any. */
  food?: FoodOptions | undefined
}

const timeOptions = { hour: 'numeric', minute: '2-digit' } as const
const createTimeFormat = (locale: string, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { timeZone, ...timeOptions })

/** The hour of a time in seconds, as a time format writes it. */
const getHour = (format: Intl.DateTimeFormat, moment: number) =>
  format.formatToParts(moment * 1000).find(({ type }) => type === 'hour')?.value

function createRenderOptions(
  menu: PublicMenu,
  venueLocale: Locale,
  phrases: Phrases,
  { origin, publicOrigin, resizesPictures, food }: PageOptions,
): RenderOptions {
  const { timezone: timeZone, currency } = menu.venue
  const { locale, direction } = venueLocale
  const { region } = new Intl.Locale(locale)
  const pageLocale = new Intl.Locale(phrases.language, region ? { region } : {}).toString()
  const clock = createTimeFormat(pageLocale, 'UTC')
  const localClock = createTimeFormat(pageLocale, timeZone)
  const venueClock = createClock(timeZone)
  // Days of the venue's clock: around a clock change, a day has 23 or 25 hours.
  const toDay = (moment: number) => Math.floor(venueClock(moment) / daySeconds)
  const today = toDay(menu.availableAt)
  const tomorrowName = new Intl.RelativeTimeFormat(pageLocale, { numeric: 'auto' }).format(1, 'day')
  const formatMoment: RenderOptions['formatMoment'] = (moment, options = {}) => {
    // The hours of the venue may begin later than the day.
    const isAllDay = options.isAllDay === true && venueClock(moment) % daySeconds === 0
    const isNear = moment - menu.availableAt < nearSeconds
    const weekday = toDay(moment) === today && !isAllDay ? {} : ({ weekday: 'long' } as const)
    const day = isNear ? weekday : ({ ...weekday, day: 'numeric', month: 'long' } as const)
    const format = new Intl.DateTimeFormat(pageLocale, { timeZone, ...day, ...(isAllDay ? {} : timeOptions) })
    // Some languages pad the hour only in combination with a day: `7:00`, but `Monday 07:00`.
    const hour = getHour(localClock, moment)
    return format
      .formatToParts(moment * 1000)
      .map(({ type, value }) => (type === 'hour' ? hour : value))
      .join('')
  }
  return {
    phrases,
    origin,
    publicOrigin,
    resizesPictures,
    food,
    show: (item, field) =>
      renderVenueText(item[field], {
        direction,
        language: item.untranslated?.includes(field) ? (menu.venue.language ?? '') : undefined,
      }),
    prices: createPrices(locale, currency),
    percents: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }),
    formatTime: (time) => clock.format(Date.UTC(2000, 0, 1, Number(time.slice(0, 2)), Number(time.slice(2)))),
    formatMoment,
    formatReturn: (moment) => (toDay(moment) === today + 1 ? tomorrowName : formatMoment(moment)),
    days: createDayFormats(pageLocale),
    sizeLabels: new Map(
      [...listProducts(menu), ...menu.parts].flatMap(({ sizes = [] }) =>
        sizes.map(({ option, label }) => [option, label]),
      ),
    ),
  }
}

/** Renders that the venue takes no orders, until when, and why; empty without a pause. */
function renderPause({ paused }: PublicMenu, { phrases: { say, messages }, formatMoment }: RenderOptions): Html | '' {
  if (!paused) return ''
  const { until, message } = paused
  const text =
    until === undefined ? messages.paused : fill(messages.pausedUntil, { time: formatMoment(until) }).join('')
  return html`<p>${say(text)}</p>${message === undefined ? '' : html`<p><bdi>${message}</bdi></p>`}`
}

/** Renders a note that no menu is open, and which one opens next. */
function renderClosed(menu: PublicMenu, options: RenderOptions): Html {
  const { nextChangeAt, nextMenus, closedMenus, closed } = menu
  const { phrases, formatMoment, days } = options
  const { say, messages, next } = phrases
  const pause = renderPause(menu, options)
  const { until, title, opensAt } = closed ?? {}
  const reason = title === undefined ? '' : html`: <bdi>${title}</bdi>`
  const closure =
    until === undefined
      ? ''
      : html`<p>${say(fill(messages.closedUntil, { day: days.formatDay(until) }).join(''))}${reason}</p>`
  const isShut = closed !== undefined && opensAt !== undefined
  const now = isShut ? fill(messages.opens, { time: formatMoment(opensAt) }).join('') : messages.closed
  if (nextChangeAt === undefined)
    return html`<div class="say">${pause}${closure || html`<p>${say(messages.noMenu)}</p>`}</div>`
  const time = formatMoment(nextChangeAt, {
    isAllDay: closedMenus.filter(({ nextServed }) => nextServed === nextChangeAt).every(isAllDay),
  })
  return html`<div class="say">${pause}${closure || pause ? closure : html`<p>${say(now)}</p>`}<p>${say(next(nextMenus, time))}</p></div>`
}

/** Renders a pause above open menus. */
function renderOpen(menu: PublicMenu, options: RenderOptions): Html | '' {
  const pause = renderPause(menu, options)
  return pause && html`<div class="say">${pause}</div>`
}

/** Renders the part of the menus that fits on the page, and its JSON-LD. */
function renderMenus(menu: PublicMenu, options: RenderOptions, contentLanguage: string, { from, toUrl }: PageOptions) {
  const { say, messages } = options.phrases
  const { render, isAnyLeftOut } = createItemRenderer(menu, options)
  const menus = listShownMenus(menu)
  // The menu may have become shorter since the link to this part was rendered.
  const start = from < (listMenuPositions(menus).at(-1) ?? 0) ? from : 0
  const part = takePart(menus, start, maxPageBytes - reservedBytes, { getMenuBytes, getSectionBytes, render })
  const more =
    part.nextFrom === undefined
      ? ''
      : html`<p class="about"><a rel="next" href="${toUrl(part.nextFrom)}">${say(messages.more)}</a></p>`
  const truncated =
    isAnyLeftOut() || (menu.truncated && part.nextFrom === undefined)
      ? html`<div class="about"><p>${say(messages.truncated)}</p></div>`
      : ''
  const footnotes = options.food
    ? renderFootnoteTexts(
        [...listProducts(menu), ...menu.parts, ...menu.modifiers.flatMap((modifier) => modifier.options)],
        options.food.messages,
        say,
      )
    : ''
  return {
    bar: renderBar(menus, part, options, contentLanguage, toUrl),
    isLong: countProducts(part.menus) >= manyProducts,
    content: html`${part.menus.map((each) => renderMenu(each, options))}${more}${truncated}${footnotes}`,
    jsonLd: html`<script type="application/ld+json">${raw(toJsonLd(menu, part.menus, options.publicOrigin))}</script>`,
  }
}

/** Renders what stands below the menus: charges and notes, then the address and the hours of the venue. */
function renderFooter(menu: PublicMenu, options: RenderOptions): Html | '' {
  const [foot, venue] = [renderFoot(menu, options), renderVenue(menu.venue, options)]
  return foot === '' && venue === '' ? '' : html`<footer>${foot}${venue}</footer>`
}

/** The language of the venue's texts. If it is unknown, it is assumed to be that of the service's texts, unless their writing direction differs. */
const getContentLanguage = (venueLocale: Locale, language: PageLanguage) =>
  venueLocale.language ?? (getDirection(language) === venueLocale.direction ? language : 'und')

/** Renders the hosted menu. */
export function renderMenuPage(menu: PublicMenu, venueLocale: Locale, page: PageOptions): HtmlPage {
  const { venue, testMode } = menu
  const language = page.language ?? toPageLanguage(venueLocale.language ?? '') ?? fallbackLanguage
  const contentLanguage = getContentLanguage(venueLocale, language)
  const phrases = createPhrases(language, contentLanguage)
  const options = createRenderOptions(menu, venueLocale, phrases, page)
  const labels = renderLabels(menu, language)
  const isLongName = venue.name.length > maxNameLength
  const isTranslated = venue.language !== menu.language
  const { bar, content, jsonLd, isLong } =
    listShownMenus(menu).length > 0
      ? renderMenus(menu, options, contentLanguage, page)
      : { bar: '', content: '', jsonLd: '', isLong: false }
  const { preview, test } = phrases.messages
  const bands = [
    ...(page.preview ? [describePreview(preview, page.preview, venue.timezone, language)] : []),
    ...(testMode ? [test] : []),
  ]
  const band = bands.map((text) => html`<aside class="test">${phrases.say(text)}</aside>`)
  return {
    language: contentLanguage,
    direction: venueLocale.direction,
    title: venue.name,
    color: venue.color,
    kind: 'menu',
    theme: toTheme(venue.theme),
    script: menuScript,
    isFramed: true,
    head: html`${renderMenuHead(menu, page.publicOrigin)}${jsonLd}`,
    body: html`${band}<header>${renderLogo(venue, options)}<h1${isLongName ? raw(' class="long"') : ''}>${options.show(isTranslated ? { name: venue.name, untranslated: ['name'] } : venue, 'name')}</h1>${labels.length > 0 ? html`<ul class="tag">${labels}</ul>` : ''}${renderLanguages(menu, page.toLanguageUrl)}</header>${bar}${page.food ? renderFoodFilter(page.food, phrases) : ''}<main${isLong ? html` class="long"` : ''}>${menu.menus.length > 0 ? renderOpen(menu, options) : renderClosed(menu, options)}${content}</main>${renderFooter(menu, options)}${renderActs(menu, phrases, page)}`,
  }
}
