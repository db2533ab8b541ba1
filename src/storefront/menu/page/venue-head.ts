import { html } from 'hono/html'
import type { Html } from '../../pages/page.ts'
import type { PublicMenu } from '../public-menu.ts'
import { renderPicture } from './menu-pictures.ts'
import type { RenderOptions } from './render-options.ts'

type Venue = PublicMenu['venue']

/** Countries that write the postal code after the city. */
const codeLast: ReadonlySet<string> = new Set(['AU', 'BR', 'CA', 'GB', 'IE', 'IN', 'JP', 'KR', 'NZ', 'SG', 'US', 'ZA'])

/** Countries whose addresses, in their own script, begin with the largest part. */
const largestFirst: ReadonlySet<string> = new Set(['CN', 'JP', 'KR', 'TW'])
const eastAsian = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u

/** Lines of an address: the street, the city with its postal code, the region. The country is omitted, because guests know it. */
function toAddressLines({ street, postalCode, city, region, country = '' }: NonNullable<Venue['address']>): string[] {
  const join = (...parts: readonly (string | undefined)[]) => parts.filter((part) => part).join(' ')
  const otherRegion = region === city ? undefined : region
  const toLines = () => {
    if (largestFirst.has(country) && eastAsian.test(`${city}${street}`)) {
      return [join(postalCode, otherRegion), city, street]
    }
    return codeLast.has(country)
      ? [street, city, join(region, postalCode)]
      : [street, join(postalCode, city), otherRegion]
  }
  return toLines().flatMap((line) => line || [])
}

const separate = (parts: readonly unknown[]) => parts.map((part, index) => (index === 0 ? part : html` · ${part}`))

/** Renders the opening hours: one line for each entry. */
function renderHours(hours: NonNullable<Venue['openingHours']>, options: RenderOptions): Html {
  const { days, formatTime, phrases } = options
  const lines = hours.map(({ days: names, opens, closes }) => {
    const isAllDay = opens === '0000' && closes === '2400'
    const times = isAllDay ? '' : html` <bdi>${phrases.say(`${formatTime(opens)} – ${formatTime(closes)}`)}</bdi>`
    return html`<li>${phrases.say(days.formatDays(names))}${times}</li>`
  })
  return html`<ul class="hours">${lines}</ul>`
}

/** The number to dial. Omits a trunk zero in brackets after a country code, and extensions. */
const toDialled = (phone: string) => phone.replace(/^((?:\+|00)[\d .-]*)\( *0 *\)/, '$1').replace(/x.*$|[^\d+]/g, '')

/** Renders the address, phone, website and opening hours of a venue; empty if it states none. */
export function renderVenue({ address, phone, website, openingHours = [] }: Venue, options: RenderOptions): Html | '' {
  const lines = toAddressLines(address ?? {}).map((line) => html`<bdi>${line}</bdi>`)
  const links = [
    ...(phone === undefined ? [] : [html`<a href="tel:${toDialled(phone)}" dir="ltr">${phone}</a>`]),
    ...(website === undefined
      ? []
      : [html`<a href="${website}" dir="ltr">${website.replace(/^https?:\/\/(?:www\.)?|\/$/gi, '')}</a>`]),
  ]
  const about = [
    ...(lines.length > 0 ? [html`<p>${separate(lines)}</p>`] : []),
    ...(links.length > 0 ? [html`<p>${separate(links)}</p>`] : []),
    ...(openingHours.length > 0 ? [renderHours(openingHours, options)] : []),
  ]
  return about.length > 0 ? html`<address>${about}</address>` : ''
}

/** Renders the logo of a venue. */
export const renderLogo = ({ logo }: Venue, options: RenderOptions) => renderPicture(logo, options, 'logo')

const languageNames = new Map<string, string>()

/** The name of a language in that language: `Deutsch`. */
function getLanguageName(language: string): string {
  const name =
    languageNames.get(language) ?? new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  languageNames.set(language, name)
  return name
}

/** Renders links to the languages of the menu behind the code of the present one, if there are several. */
export function renderLanguages({ language, languages }: PublicMenu, toUrl: (language: string) => string): Html | '' {
  if (languages.length < 2) return ''
  const links = languages.map(
    (each) =>
      html`<li><a href="${toUrl(each)}" lang="${each}" hreflang="${each}"${each === language ? html` aria-current="true"` : ''}>${getLanguageName(each)}</a></li>`,
  )
  const code = new Intl.Locale(language ?? 'und').language
  // Who speaks to the page says what is seen, so that the name has the code too.
  return html`<details class="lang"><summary aria-label="${language === undefined ? '' : `${getLanguageName(language)} (${code})`}">${code}</summary><ul>${links}</ul></details>`
}
