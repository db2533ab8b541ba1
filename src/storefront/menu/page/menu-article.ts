import { html } from 'hono/html'
import { isAllDay } from '../../../platform/lib/opening-hours.ts'
import type { Html } from '../../pages/page.ts'
import { fill } from '../../pages/phrases.ts'
import { isFiltering } from '../food.ts'
import { getByteLength, type MenuPart, type SectionPart } from '../menu-part.ts'
import type { PublicSection, ShownMenu } from '../public-menu.ts'
import type { MenuItem } from './menu-items.ts'
import { renderPicture } from './menu-pictures.ts'
import type { RenderOptions } from './render-options.ts'

const renderDescription = (item: PublicSection | ShownMenu, { show }: RenderOptions): Html =>
  item.description ? html`<p>${show(item, 'description')}</p>` : html``

const renderSection = ({ section, isStart, pieces }: SectionPart<MenuItem>, id: string, options: RenderOptions) =>
  html`<section id="${id}">${section.title ? html`<h3>${options.show(section, 'title')}</h3>` : ''}${isStart ? renderDescription(section, options) : ''}<ul>${pieces.map(({ element }) => element)}</ul></section>`

/** Renders the days, dates and times of day at which a menu is served; empty if it is always served. */
function renderHours(menu: ShownMenu, { formatTime, days, phrases: { say } }: RenderOptions): Html | '' {
  const { begin, end } = menu
  const parts = [
    ...(menu.days ? [say(days.formatDays(menu.days))] : []),
    ...(menu.dates ? [say(days.formatDates(menu.dates))] : []),
    ...(!isAllDay(menu) && begin && end ? [say(`${formatTime(begin)} – ${formatTime(end)}`)] : []),
  ]
  return parts.length > 0 ? html`<p>${parts.map((part, index) => (index === 0 ? part : html` · ${part}`))}</p>` : ''
}

/** Renders a note that a filter leaves no products of a menu. */
const renderNoMatch = ({ sections }: ShownMenu, { food, phrases: { say } }: RenderOptions) =>
  food && isFiltering(food.filter) && sections.length === 0
    ? html`<div class="about"><p>${say(food.messages.noMatch)}</p></div>`
    : ''

/** Id of the element of a menu. */
export const toMenuId = (index: number) => `m${index + 1}`
/** Id of the element of a section. */
export const toSectionId = (menu: number, section: number) => `s${menu + 1}-${section + 1}`

/** Renders a menu: an open one in full, a closed one collapsed behind its title and the time at which it is served next. */
export function renderMenu({ menu, index, isStart, sections }: MenuPart<MenuItem>, options: RenderOptions): Html {
  const { branding, nextServed } = menu
  const { formatMoment, phrases } = options
  const banner = renderPicture(branding.banner, options, 'banner', { isFirst: index === 0 })
  const icon = renderPicture(branding.icon, options, 'icon')
  const [above, below] = isStart
    ? [html`${banner}${icon}`, html`${renderHours(menu, options)}${renderDescription(menu, options)}`]
    : ['', '']
  const heading = html`<h2>${options.show(menu, 'title')}</h2>`
  const content = html`${renderNoMatch(menu, options)}${sections.map((section) => renderSection(section, toSectionId(index, section.index), options))}`
  const id = toMenuId(index)
  if (nextServed === undefined) {
    return html`<article class="menu" id="${id}"><div class="about">${above}${heading}${below}</div>${content}</article>`
  }
  const time = formatMoment(nextServed, { isAllDay: isAllDay(menu) })
  const served = phrases.say(fill(phrases.messages.served, { time }))
  // A part that continues a menu shows it open, because the guest has opened it on the previous part.
  return html`<article class="menu" id="${id}"><details${isStart ? '' : html` open`}><summary>${heading}<small>${served}</small></summary><div class="about">${above}${below}</div>${content}</details></article>`
}

/** Upper estimates of headings on the page, links to them and their JSON-LD, in bytes. */
const getEscapedBytes = (...texts: readonly (string | undefined)[]) =>
  texts.reduce(
    (sum, content = '') => sum + getByteLength(`${html`${content}`}`) + getByteLength(JSON.stringify(content)),
    0,
  )
const getAngleBytes = (text = '') => 5 * (text.split('<').length - 1)

/** Upper estimate of the size of a section's heading, in bytes. */
export const getSectionBytes = ({ title, description }: PublicSection, isStart: boolean) =>
  420 +
  2 * getEscapedBytes(title) +
  getEscapedBytes(isStart ? description : '') +
  getAngleBytes(`${title}${description}`)

/** Upper estimate of the size of a menu's heading and of the link to it, in bytes. */
export const getMenuBytes = ({ title, description, branding }: ShownMenu, isStart: boolean) =>
  1_450 +
  3 * getEscapedBytes(title) +
  getAngleBytes(`${title}${description}`) +
  (isStart ? getEscapedBytes(description, String(branding.banner), String(branding.icon)) : 0)
